"""Small boards on which the same kernels run as on large ones, to compile them before a clock runs."""

from __future__ import annotations

import msgspec

from hinterland.gravity.replies.reply_map import COUNTED
from hinterland.gravity.rules import Rules, Stone

SMALL, LARGE = 16, COUNTED + 1
"""Cells a side: reply maps of small boards are counted, those of large ones entered as discs."""
STONES, WEIGHT = 3, 12
"""Each seat places no more, and has no more weight to place."""


def small_board(rules: Rules) -> Rules:
    """Return rules of a small board on which players call the kernels that they call in games of ``rules``."""
    return msgspec.structs.replace(
        rules,
        size=SMALL if rules.size <= COUNTED else LARGE,
        stones=min(rules.stones, STONES),
        spacing=2,
        weight=rules.weight and WEIGHT,
    )


def rehearse_judge() -> None:
    """Run what is called to judge any game, and to draw a stone by chance."""
    position = Rules(size=SMALL, spacing=2).start().play(Stone(4, 4))
    _ = position.to_move, position.scores, position.owners, len(position.legal_moves)
