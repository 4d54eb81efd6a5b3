"""The form of a guide's file, and how one from anywhere is read: nothing in it is run, and nothing in it is believed.

It is a ``.npz`` of two arrays: ``header``, JSON in UTF-8 as bytes, and ``weights``, float32. The header says of which
game, law and planes the guide is, and how large its network, so that a guide of something else is refused by name.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np

from hinterland.contract.board_files import quote_name, read_bytes
from hinterland.errors import BadText, RulesError, quote
from hinterland.gravity.guide.network import Guide, count_weights
from hinterland.gravity.rules import Rules

FORMAT = "hinterland-guide"
VERSION = 1
GAME = "gravity"
MOST_BYTES = 4 * 2**20
"""No larger file is read, nor one that would grow larger when it is unpacked."""
ARRAYS = {"header.npy", "weights.npy"}
UNREADABLE = (ValueError, OSError, EOFError, MemoryError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error)

TRUST = 0.5
"""What a search takes from a guide of a leaf's value, unless its file says otherwise."""
Count = Annotated[int, msgspec.Meta(ge=1, le=256)]


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a guide says of itself."""

    format: str = FORMAT
    version: int = VERSION
    game: str = GAME
    law: Literal["gravity"] = "gravity"
    planes: tuple[str, ...]
    """The names of the planes that the network is shown, in order."""
    channels: Count
    """Planes of each hidden layer."""
    blocks: Count
    """Residual blocks."""
    trust: Annotated[float, msgspec.Meta(ge=0, le=1)] = TRUST
    """What a search takes from it of a leaf's value; the rest comes from a playout."""
    recipe: str = ""
    """How it was trained, for people."""


class Named(msgspec.Struct, frozen=True):
    """What is looked at first, of a file that may be of another kind."""

    format: str = ""
    version: int = 0
    game: str = ""


def read(path: str | Path, planes: tuple[str, ...]) -> tuple[Header, Guide]:
    """Read a guide that is shown these planes. Raises BadText for a file that is none, or one of something else."""
    name = quote_name(path)
    header_bytes, weights = _arrays(read_bytes(path, MOST_BYTES), name)
    header = _header(header_bytes.tobytes(), name)
    if header.planes != planes:
        raise BadText(f"guide {name} was trained on other planes; train it again with this version")
    count = count_weights(len(planes), header.channels, header.blocks)
    if weights.shape != (count,) or weights.dtype != np.float32:
        raise BadText(
            f"guide {name} has {quote(weights.shape)} weights of type {weights.dtype}; "
            f"{header.channels} channels and {header.blocks} blocks have {count}, of type float32"
        )
    if not np.isfinite(weights).all():
        raise BadText(f"guide {name} has weights that are no numbers; train it again")
    return header, Guide(len(planes), header.channels, header.blocks, header.trust, weights)


def check_rules(rules: Rules) -> None:
    """Raise RulesError for rules that no guide is for."""
    if (rules.players, rules.weight, rules.law) != (2, None, "gravity"):
        raise RulesError("a guide is for two players, stones without weight and the law gravity; not for these rules")


def written(header: Header, weights: np.ndarray) -> bytes:
    """Return the bytes of the file of a guide. ``weights``: float32[count_weights(…)]."""
    file = io.BytesIO()
    np.savez(file, header=np.frombuffer(msgspec.json.encode(header), dtype=np.uint8), weights=weights)
    return file.getvalue()


def _arrays(raw: bytes, name: str) -> tuple[np.ndarray, np.ndarray]:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
        if set(sizes) == ARRAYS and sum(sizes.values()) <= MOST_BYTES:
            with np.load(io.BytesIO(raw), allow_pickle=False) as arrays:
                return arrays["header"], np.ascontiguousarray(arrays["weights"])
    except UNREADABLE:
        pass
    raise BadText(f"{name} is not a guide, or not a whole one; python -m hinterland.learning makes one")


def _header(text: bytes, name: str) -> Header:
    try:
        named = msgspec.json.decode(text, type=Named)
        if named.format != FORMAT:
            raise BadText(f"{name} is not a guide: its format is {quote(named.format)}, not {FORMAT}")
        if named.version != VERSION:
            raise BadText(f"guide {name} is of version {named.version}; this program reads version {VERSION}")
        if named.game != GAME:
            raise BadText(f"guide {name} is of the game {quote(named.game)}, not of {GAME}")
        return msgspec.json.decode(text, type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadText(f"guide {name} has a damaged header: {quote(str(error), 120)}") from None
