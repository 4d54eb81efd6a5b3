"""Habits: what a rival is expected to do, learned from the stones that it has placed.

Many programs follow one simple rule. Where a rule would have placed a rival's last stone just where it stands, which
hardly happens by chance on a large board, the rival is expected to follow it to the end: in the tree, which then need
not look at anything else and sees farther, and in playouts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from hinterland.gravity.lloyd import layout_sites

if TYPE_CHECKING:
    from hinterland.gravity.rules import Position, Stone

NONE, LAYOUT, GREEDY, MIRROR, HUG, TWO_PLIES = range(6)
"""No habit; sites of an even layout; the greatest gain at once; the point reflection of the last stone of another; near
one. Nobody's habit, but expected of who has none where that pays: where most is kept after the best answer
(two_plies.py)."""
NEARLY = 0.99
"""Who twice took so much of the greatest gain looks for it, if not everywhere."""
CLOSE = 1.5
"""A stone is close by another up to so much farther away than it must be."""


def habits_of(position: Position, *, compares: bool = True) -> tuple[int, ...]:
    """Return the habits of all seats; the one to move has none. ``compares``: as of habit_of."""
    seats = range(position.rules.players)
    return tuple(NONE if seat == position.to_move else habit_of(position, seat, compares=compares) for seat in seats)


@lru_cache(maxsize=256)
def habit_of(position: Position, seat: int, *, compares: bool = True) -> int:
    """Return the habit by which a seat placed its last stone; ``NONE`` where it has none, or none was seen.

    ``compares``: whether to look for the greatest gain, which takes two exact best cells of the whole board.
    """
    own = [ply for ply, (who, _) in enumerate(position.moves) if who == seat]
    if not own:
        return NONE
    if _mirrors(position, own[-1]):
        return MIRROR
    if layout_sites(position, seat):
        return LAYOUT
    if compares and _is_greedy(position, own):
        return GREEDY
    answers = [ply for ply in own if ply > 0]
    return HUG if len(answers) > 1 and all(_hugs(position, ply) for ply in answers) else NONE


def _is_greedy(position: Position, own: list[int]) -> bool:
    """Say whether a seat's last stone took the most there was, or its last two nearly so."""
    last = _share_of_best(position, own[-1])
    if last >= 1:
        return True
    return last >= NEARLY and len(own) > 1 and _share_of_best(position, own[-2]) >= NEARLY


def _mirrors(position: Position, ply: int) -> bool:
    """Say whether a stone is the point reflection of the one before it, which is another seat's."""
    seat, stone = position.moves[ply]
    if ply == 0 or position.moves[ply - 1][0] == seat:
        return False
    before: Stone = position.moves[ply - 1][1]
    last = position.rules.size - 1
    return (stone.row, stone.col) == (last - before.row, last - before.col)


def _share_of_best(position: Position, ply: int) -> float:
    """Return what a stone gained at once as a share of the most that it could; 0 for the first stone on the board."""
    seat, stone = position.moves[ply]
    if ply == 0:
        return 0.0
    before = position.before(ply)
    gain = position.after(ply + 1).scores[seat] - before.scores[seat]
    return gain / max(before.best_reply(stone.weight)[1], 1)


def _hugs(position: Position, ply: int) -> bool:
    """Say whether a stone was placed close by one of another seat."""
    seat, stone = position.moves[ply]
    farthest = (position.rules.spacing + CLOSE) ** 2
    return any(
        who != seat and (stone.row - other.row) ** 2 + (stone.col - other.col) ** 2 < farthest
        for who, other in position.moves[:ply]
    )
