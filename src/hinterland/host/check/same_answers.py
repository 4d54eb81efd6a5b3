"""Positions that a bot can tell apart only by the seat in which it sits.

In the first position the bot sits in seat 0 and owns stone a, its opponent owns b. In the second it owns b, and the
opponent a. A bot that answers both alike does not care whose stones they are, and nothing can be concluded. In the
third position, with the moves of the second, it sits in seat 1, since seat 0 has lost a turn: now a is its own again. A
bot that answers the third like the second, with two pairs of stones, takes itself for seat 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hinterland.contract import Position, Rules
from hinterland.errors import IllegalMove

PAIRS_OF_STONES = 2
"""Number of pairs of stones that must agree: a single one could be chance."""
SEATS = (0, 0, 1)
"""Seat of the bot in the three positions."""


def make_positions(rules: Rules, seed: int) -> tuple[Position[Any, Any], ...]:
    """Return the three positions. Raises IllegalMove if the game is too short or too narrow for them."""
    rng = np.random.default_rng(seed)
    drawn = rules.start()
    for _ in range(rules.players):
        drawn = drawn.play(drawn.legal_moves.sample(rng))
    first, second, *others = (move for _, move in drawn.moves)
    swapped = rules.start()
    for move in (second, first, *others):
        swapped = swapped.play(move)
    found = (drawn, swapped, swapped.skip())
    if tuple(position.to_move for position in found) != SEATS:
        raise IllegalMove("game_over", "the game is over too soon to tell")
    return found


def is_seat_mistaken(answers: tuple[object, ...]) -> bool | None:
    """Say whether the first answers in the three positions show that the bot mistakes its seat.

    False: the bot knows its seat, or its seat makes no difference to it. None: the answers do not tell, for instance
    because they depend on chance.
    """
    as_owner, as_other, in_seat_1 = answers
    if as_owner in (as_other, in_seat_1):
        return False
    return True if as_other == in_seat_1 else None
