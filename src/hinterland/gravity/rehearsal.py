"""Small boards on which the same kernels run as on large ones, to compile them before a clock runs."""

from __future__ import annotations

import msgspec

from hinterland.gravity.replies.reply_map import ROW_BY_ROW_SIDE
from hinterland.gravity.rules import Rules, Stone

SMALL_SIDE, LARGE_SIDE = 16, ROW_BY_ROW_SIDE + 1
"""Cells a side: reply maps of small boards enter discs row by row, those of large ones with edges and caps."""
MOST_STONES, SEAT_WEIGHT = 3, 12
"""Stones of each seat, at most, and its weight in games with weights."""


def small_board(rules: Rules) -> Rules:
    """Return rules of a small board on which players call the kernels that they call in games of ``rules``."""
    return msgspec.structs.replace(
        rules,
        size=SMALL_SIDE if rules.size <= ROW_BY_ROW_SIDE else LARGE_SIDE,
        stones=min(rules.stones, MOST_STONES),
        spacing=2,
        weight=rules.weight and SEAT_WEIGHT,
    )


def rehearse_judge() -> None:
    """Run the kernels that judge any game, and that draw a random stone."""
    position = Rules(size=SMALL_SIDE, spacing=2).start().play(Stone(4, 4))
    _ = position.to_move, position.scores, position.owners, len(position.legal_moves)
