"""A finished game in a notebook: a picture after each move, to step through."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hinterland import catalog
from hinterland.figures import GAME_BYTES, encode_webp, step_through_frames
from hinterland.referee.unfolding import positions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hinterland.referee.record import Record

MAX_PICTURES = 60
"""Most pictures; of a longer game moves are left out, evenly, but never the last."""
SIZES_AND_QUALITIES = ((480, None), (480, 80), (360, 70), (280, 60), (200, 50), (140, 30))
"""Side in pixels and quality (None: lossless) of pictures, tried in turn until the whole game fits."""
MAX_NAME_CHARACTERS = 40


def make_stepper(record: Record) -> str:
    """Return HTML of at most GAME_BYTES to step through a game. A record that cannot be replayed says why instead."""
    image = catalog.game(record.game).pictures.image
    stood = list(positions(record))
    step = -(-len(stood) // MAX_PICTURES)
    chosen = sorted({*range(len(stood) - 1, -1, -step)})
    words = [_describe_position(record, ply, stood[ply].scores) for ply in chosen]
    room = GAME_BYTES - 4000 - sum(len(text) * 4 + 600 for text in words)
    for pixels, quality in SIZES_AND_QUALITIES:
        made = (encode_webp(image(stood[ply], pixels), quality) for ply in reversed(chosen))
        if images := _collect_fitting(made, math.inf if pixels == SIZES_AND_QUALITIES[-1][0] else room):
            break
    return step_through_frames(list(zip(reversed(images), words, strict=True)))


def _collect_fitting(images: Iterable[bytes], room: float) -> list[bytes]:
    """Return the images if they fit together, else none; make no more of them than needed to find out."""
    fitting: list[bytes] = []
    for image in images:
        fitting.append(image)
        room -= len(image) * 4 / 3
        if room <= 0:
            return []
    return fitting


def _describe_position(record: Record, ply: int, scores: tuple[int, ...]) -> str:
    standing = " · ".join(
        f"{name[:MAX_NAME_CHARACTERS]} {score:,}" for name, score in zip(record.players, scores, strict=True)
    )
    if ply == 0:
        return f"Start · {standing}"
    mover = record.players[record.movers[ply - 1]][:MAX_NAME_CHARACTERS]
    return f"Move {ply} of {len(record.moves)}, by {mover} · {standing}"
