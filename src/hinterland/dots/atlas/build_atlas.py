"""How the atlas that is shipped was made: ``python -m hinterland.dots.atlas.build_atlas``, some minutes."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hinterland.dots.atlas.atlas_file import HEAD, SHIPPED_FILE, SHIPPED_SIZES, Entry, to_row
from hinterland.dots.atlas.atlas_survey import survey
from hinterland.dots.order_types.canonical import sides_of
from hinterland.dots.order_types.enumeration import codes
from hinterland.dots.order_types.realisation import realise

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

__all__ = ["build"]


def build(most: int = SHIPPED_SIZES[-1]) -> bytes:
    """Return the packed atlas of all order types of up to so many dots."""
    rows = [HEAD, *(to_row(entry) for entry in _entries(most))]
    return gzip.compress("".join(f"{row}\n" for row in rows).encode("ascii"), mtime=0)


def _entries(most: int) -> Iterator[Entry]:
    known: dict[int, np.ndarray] = {}
    for dots in range(SHIPPED_SIZES[0], most + 1):
        known = {code: realise(sides_of(code, dots), known) for code in codes(dots).tolist()}
        for number, (code, places) in enumerate(known.items()):
            (entry,) = survey(dots, number, [code])
            yield msgspec.structs.replace(entry, points=tuple((int(x), int(y)) for x, y in places))


if __name__ == "__main__":
    (Path(__file__).parent / SHIPPED_FILE).write_bytes(build())
