"""What the strongest player expects everybody to own at the end."""

from __future__ import annotations

from hinterland.contract import Expectation
from hinterland.gravity.rules import Position
from hinterland.gravity.search import candidates
from hinterland.gravity.search.refinement import Refinement, SearchOptions
from hinterland.gravity.search.stones_left import turns_of

PLIES = 4000
MOST, LEAST = 200, 20
"""It plays out as many games as have so many moves together, within bounds: in hundredths of a second, at the beginning
and in a melee in tenths, and always the same."""


def expectation(position: Position) -> Expectation | None:
    """Return the areas at the end: exactly where at most one stone is left, else as a search promises."""
    if position.to_move is None:
        return Expectation(tuple(map(float, position.scores)), is_exact=True)
    if turns_of(position).plies == 1 and position.weight_left(position.to_move) is None:
        last = position.play_unchecked(candidates.best_last(position))
        return Expectation(tuple(map(float, last.scores)), is_exact=True)
    plies = turns_of(position).plies
    playouts = min(max(PLIES // plies, LEAST), MOST)
    depth = plies if plies == 2 else None  # else the last stone but one is moved about on the whole board, for seconds
    looked = Refinement(SearchOptions(playouts=playouts, depth=depth), position, 0.0)
    looked.best_moves()
    if not looked.shares:
        return None
    return Expectation(tuple(share * position.rules.size**2 for share in looked.shares), is_exact=False)
