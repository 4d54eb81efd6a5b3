"""The format of a guide's file. A file may come from anywhere: nothing in it is run, and nothing is trusted.

The file is a ``.npz`` of two arrays: ``header``, JSON in UTF-8 as bytes, and ``weights``, float32. The header names the
game, the law and the planes of the guide and the size of its network, so that a message that refuses a guide can say
what is wrong with it.
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
MOST_FILE_BYTES = 4 * 2**20
"""Bytes of the largest file that is read, compressed as well as uncompressed."""
ARRAYS = {"header.npy", "weights.npy"}
UNREADABLE = (ValueError, OSError, EOFError, MemoryError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error)

TRUST = 0.5
"""Share of a leaf's value that a search takes from a guide, unless the guide's file says otherwise."""
Count = Annotated[int, msgspec.Meta(ge=1, le=256)]


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The header of a guide's file."""

    format: str = FORMAT
    version: int = VERSION
    game: str = GAME
    law: Literal["gravity"] = "gravity"
    planes: tuple[str, ...]
    """The names of the network's input planes, in order."""
    channels: Count
    """Planes of each hidden layer."""
    blocks: Count
    """Residual blocks."""
    trust: Annotated[float, msgspec.Meta(ge=0, le=1)] = TRUST
    """Share of a leaf's value that a search takes from the guide; the rest comes from a playout."""
    recipe: str = ""
    """How the guide was trained, as a text for people."""


class Kind(msgspec.Struct, frozen=True):
    """The fields of a header that are checked first, because a file may be of another kind."""

    format: str = ""
    version: int = 0
    game: str = ""


def read(path: str | Path, planes: tuple[str, ...]) -> tuple[Header, Guide]:
    """Read the guide in a file. Raises BadText if the file is damaged, or is no guide with these input ``planes``."""
    name = quote_name(path)
    header_bytes, weights = _read_arrays(read_bytes(path, MOST_FILE_BYTES), name)
    header = _decode_header(header_bytes.tobytes(), name)
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
    """Raise RulesError if no guide can play by these rules."""
    if (rules.players, rules.weight, rules.law) != (2, None, "gravity"):
        raise RulesError("a guide is for two players, stones without weight and the law gravity; not for these rules")


def encode_guide(header: Header, weights: np.ndarray) -> bytes:
    """Return the bytes of a guide's file. ``weights``: float32[count_weights(…)]."""
    file = io.BytesIO()
    np.savez(file, header=np.frombuffer(msgspec.json.encode(header), dtype=np.uint8), weights=weights)
    return file.getvalue()


def _read_arrays(raw: bytes, name: str) -> tuple[np.ndarray, np.ndarray]:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
        if set(sizes) == ARRAYS and sum(sizes.values()) <= MOST_FILE_BYTES:
            with np.load(io.BytesIO(raw), allow_pickle=False) as arrays:
                return arrays["header"], np.ascontiguousarray(arrays["weights"])
    except UNREADABLE:
        pass
    raise BadText(f"{name} is not a guide, or an incomplete one; make one with hinterland learn")


def _decode_header(text: bytes, name: str) -> Header:
    try:
        kind = msgspec.json.decode(text, type=Kind)
        if kind.format != FORMAT:
            raise BadText(f"{name} is not a guide: its format is {quote(kind.format)}, not {FORMAT}")
        if kind.version != VERSION:
            raise BadText(f"guide {name} is of version {kind.version}; this program reads version {VERSION}")
        if kind.game != GAME:
            raise BadText(f"guide {name} is of the game {quote(kind.game)}, not of {GAME}")
        return msgspec.json.decode(text, type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadText(f"guide {name} has a damaged header: {quote(str(error), 120)}") from None
