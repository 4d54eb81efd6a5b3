"""What the strongest player expects every seat to own at the end."""

from __future__ import annotations

from hinterland.contract import Expectation
from hinterland.gravity.rules import Position
from hinterland.gravity.search import candidates
from hinterland.gravity.search.config import SearchOptions
from hinterland.gravity.search.move_search import MoveSearch
from hinterland.gravity.search.stones_left import turns_of

PLAYED_OUT_PLIES = 4000
"""Plies of all playouts together: some hundredths of a second, tenths in a melee and at the beginning of a game."""
LEAST_PLAYOUTS, MOST_PLAYOUTS = 20, 200


def expectation(position: Position) -> Expectation | None:
    """Return the areas at the end: exactly where at most one stone is left, else as a search promises.

    The same position always gets the same answer.
    """
    if position.to_move is None:
        return Expectation(tuple(map(float, position.scores)), is_exact=True)
    plies = turns_of(position).plies
    if plies == 1 and position.weight_left(position.to_move) is None:
        last = position.play_unchecked(candidates.best_last(position))
        return Expectation(tuple(map(float, last.scores)), is_exact=True)
    playouts = min(max(PLAYED_OUT_PLIES // plies, LEAST_PLAYOUTS), MOST_PLAYOUTS)
    depth = plies if plies == 2 else None  # without a depth the last stone but one is compared on the whole board
    search = MoveSearch(SearchOptions(playouts=playouts, depth=depth), position, 0.0)
    search.find_best_moves()
    if not search.shares:
        return None
    return Expectation(tuple(share * position.rules.size**2 for share in search.shares), is_exact=False)
