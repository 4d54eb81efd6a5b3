"""Finds out whether a bot takes itself for another player, from the gains of its moves and from equal answers.

For the gains, each move of the bot is ranked among random moves twice: by what the bot gains by the move (its own
rank), and by what the next player would gain by the same move (its other rank). If a bot plays for itself, the own
ranks of its moves are higher, even if it plays partly at random. If a bot plays for its opponent, the other ranks of
its moves are higher.

The bot plays in two roles: in two seats in protocol json, under two player numbers in hps. If own ranks are higher in
one role and other ranks in the second role, the bot takes itself for another player in one of the two. If other ranks
are higher in both roles, the bot may just be weak: it plays for its opponent only if the mean of the other ranks is
high, too.

For the equal answers, the bot is asked for a move in three positions. In the first position the bot sits in seat 0 and
owns stone a; the opponent owns stone b. In the second position the bot owns b and the opponent owns a. If the bot
answers both positions alike, it does not care who owns the stones, and nothing can be concluded. The third position has
the moves of the second, but seat 0 has lost a turn and the bot sits in seat 1. In the third position the bot owns a
again, but only its seat tells it so. A bot that answers the third position like the second, and not like the first,
takes itself for seat 0. A bot fails if it does so with two different pairs of stones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from hinterland.contract import Move, Position, Rules
from hinterland.errors import IllegalMove

POSITIONS_PER_ROLE = 10
"""Most positions in which a bot is asked for a move in each role. The moves before such a position are random, not the
bot's own."""
CLEARING_MOVES = 3
"""If a bot has made this many moves for itself in a role, the check trusts that it knows who it is in that role."""
COMPARED_MOVES = 16
"""Number of random moves with which each move of the bot is compared."""
MIN_SHARE_PER_ROLE, MIN_SHARE_IN_BOTH = 0.8, 0.9
"""Least fraction of a bot's moves that must support a verdict: in each role, and in the mean of both roles."""
PAIRS_OF_STONES = 2
"""Number of pairs of stones tried. A bot fails only if it mistakes its seat with every pair: with one pair, equal
answers can be an accident."""
PAIR_SEATS = (0, 0, 1)
"""Seat of the bot in each of the three positions for the equal answers."""
GOOD_MEAN_RANK = 0.75
"""Least mean of the other ranks of a bot that chooses its moves well, but for its opponent."""


class Ranks(NamedTuple):
    """Two ranks of a move, from 0 to 1: by each of two measures, the fraction of random moves that this move beats."""

    own: float
    """Rank by the gain of the player that moves."""
    other: float
    """Rank by what the next player would gain by the same move."""


def list_roles(*, alternately: bool) -> list[int]:
    """Return the bot's role, 0 or 1, in each game. ``alternately``: whether the role can change without a restart."""
    if alternately:
        return [0, 1] * POSITIONS_PER_ROLE
    return [0] * CLEARING_MOVES + [1] * POSITIONS_PER_ROLE + [0] * (POSITIONS_PER_ROLE - CLEARING_MOVES)


def draw_position(rules: Rules, seat: int, seed: int) -> Position[Any, Any]:
    """Play at random; return the last position in which ``seat`` is to move and the next seat could move, too.

    Raises IllegalMove if there is no such position.
    """
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
    """Return the ranks of the move at ``ply``; None if both are equal, or the next player could not make the move."""
    asked, (_, move) = end.before(ply), end.moves[ply]
    rng = np.random.default_rng(ply)
    others = [asked.legal_moves.sample(rng) for _ in range(COMPARED_MOVES)]
    own, other = _rank(asked, move, others), _rank(asked.skip(), move, others)
    return None if own is None or other is None or own == other else Ranks(own, other)


def _rank(asked: Position[Any, Any], move: Move, others: Iterable[Move]) -> float | None:
    """Return the fraction of ``others`` that gain the mover less than ``move`` does; None if ``move`` is illegal.

    Moves that gain as much as ``move`` count half.
    """
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
    """Say whether in each role enough of the bot's moves rank higher by its own gain than by its opponent's.

    Then no more games are needed. ``CLEARING_MOVES`` moves are enough.
    """
    return min(sum(move.own > move.other for move in role) for role in roles) >= CLEARING_MOVES


def find_mistaken_roles(roles: Sequence[Sequence[Ranks]]) -> Literal["", "one", "both"]:
    """Return in how many of its two roles a bot takes itself for the other player.

    A bot that plays at random is suspected wrongly in one of 2,500 checks.
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


# Positions for the equal answers


def make_positions(rules: Rules, seed: int) -> tuple[Position[Any, Any], ...]:
    """Return the three positions for the equal answers. Raises IllegalMove if the game is too short or too narrow."""
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
    """Say whether the answers in the three positions, in this order, show that the bot mistakes its seat.

    False: the bot knows its seat, or its seat makes no difference to it. None: the answers do not tell, for instance
    because the bot plays at random.
    """
    as_owner, as_other, in_seat_1 = answers
    if as_owner in (as_other, in_seat_1):
        return False
    return True if as_other == in_seat_1 else None
