"""Finds out whether a bot takes itself for another player, from the gains of its moves and from equal answers.

Each move of the bot is compared with random moves by two measures. The first is what the bot gains by the move. The
second is what the next player would gain by it. The moves of a bot that plays for itself rank higher by the first
measure, even if the bot plays partly at random. The moves of a bot that plays for its opponent rank higher by the
second. The bot plays in two roles. If the first measure is higher in one role and the second in the other, the bot
mistakes itself in one role. A weak bot may rank higher by the second measure in both roles. A bot whose rank by the
second measure is also high in itself plays for its opponent.

For the equal answers, the bot is asked in three positions that it can tell apart only by its seat. In the first, the
bot sits in seat 0 and owns stone a; the opponent owns stone b. In the second, the bot owns b and the opponent owns a.
A bot that answers both alike does not care who owns the stones, and nothing can be concluded. The third position has
the moves of the second, but seat 0 has lost a turn and the bot sits in seat 1. So the bot owns a again. A bot that
answers the third position like the second, with two pairs of stones, takes itself for seat 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from hinterland.contract import Move, Position, Rules
from hinterland.errors import IllegalMove

POSITIONS_PER_ROLE = 10
"""Number of positions in which a bot is asked in each role. The moves before are random, so they show no habit of the
bot."""
CLEARING_MOVES = 3
"""After this many moves for itself in a role, the bot does not mistake itself in that role."""
COMPARED_MOVES = 16
"""Number of random moves with which a move is compared."""
MIN_SHARE_PER_ROLE, MIN_SHARE_IN_BOTH = 0.8, 0.9
"""Least fraction of positions that must speak against a bot, in each role and in both roles together."""
PAIRS_OF_STONES = 2
"""Number of pairs of stones that must agree: a single pair could agree by chance."""
PAIR_SEATS = (0, 0, 1)
"""Seat of the bot in the three positions."""
GOOD_MEAN_RANK = 0.75
"""Least mean rank of well chosen moves."""


class Ranks(NamedTuple):
    """Fractions of the other moves that a move beats, from 0 to 1, by two measures."""

    own: float
    """By the gain of the player that moves."""
    other: float
    """By the gain of the next player, if that player made the move."""


def list_roles(*, alternately: bool) -> list[int]:
    """Return the role of a bot in each game. ``alternately``: whether roles may alternate without a restart."""
    if alternately:
        return [0, 1] * POSITIONS_PER_ROLE
    return [0] * CLEARING_MOVES + [1] * POSITIONS_PER_ROLE + [0] * (POSITIONS_PER_ROLE - CLEARING_MOVES)


def draw_position(rules: Rules, seat: int, seed: int) -> Position[Any, Any]:
    """Draw a late position in which a seat is to move, and the next seat could move too. Raises IllegalMove."""
    rng = np.random.default_rng(seed)
    drawn: Position[Any, Any] = rules.start()
    found = None
    while drawn.to_move is not None:
        if drawn.to_move == seat and drawn.moves and drawn.skip().to_move is not None:
            found = drawn
        drawn = drawn.play(drawn.legal_moves.sample(rng))
    if found is None:
        raise IllegalMove("game_over", "the game is over too soon to tell")
    return found


def rank_move(end: Position[Any, Any], ply: int) -> Ranks | None:
    """Return the ranks of a move of a game; None if both players would gain the same by it."""
    asked, (_, move) = end.before(ply), end.moves[ply]
    rng = np.random.default_rng(ply)
    others = [asked.legal_moves.sample(rng) for _ in range(COMPARED_MOVES)]
    own, other = _rank(asked, move, others), _rank(asked.skip(), move, others)
    return None if own is None or other is None or own == other else Ranks(own, other)


def _rank(asked: Position[Any, Any], move: Move, others: Iterable[Move]) -> float | None:
    """Return the share of ``others`` that a move beats for the seat to move; None if it cannot be played."""
    gain = _gain(asked, move)
    gains = [found for found in (_gain(asked, other) for other in others) if found is not None]
    if gain is None or not gains:
        return None
    return sum((gain > found) + 0.5 * (gain == found) for found in gains) / len(gains)


def _gain(asked: Position[Any, Any], move: Move) -> int | None:
    mover = asked.to_move
    try:
        after = asked.play(move)
    except IllegalMove:
        return None
    return None if mover is None else int(after.scores[mover])


def is_cleared(roles: Sequence[Sequence[Ranks]]) -> bool:
    """Say whether no fault can be found any more."""
    return min(sum(move.own > move.other for move in role) for role in roles) >= CLEARING_MOVES


def find_mistaken_roles(roles: Sequence[Sequence[Ranks]]) -> Literal["", "one", "both"]:
    """Return in which of its two roles a bot takes itself for the other player.

    For a bot that plays at random this is wrong once in 2,500 checks.
    """
    if min(map(len, roles)) < CLEARING_MOVES:
        return ""
    against = [sum(move.own < move.other for move in role) / len(role) for role in roles]
    for first, second in ((against[0], 1 - against[1]), (1 - against[0], against[1])):
        if _is_clear(first, second):
            return "one"
    mean = sum(move.other for role in roles for move in role) / sum(map(len, roles))
    return "both" if _is_clear(*against) and mean >= GOOD_MEAN_RANK else ""


def _is_clear(*shares: float) -> bool:
    return min(shares) >= MIN_SHARE_PER_ROLE and sum(shares) / len(shares) >= MIN_SHARE_IN_BOTH


# Positions that a bot can tell apart only by its seat


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
    if tuple(position.to_move for position in found) != PAIR_SEATS:
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
