"""Annotations of a whole game: what every move was worth, and which moves lost the game.

The *loss* of a move is how much worse it was than the best move, by one of two measures. The measure *gain* is for
games that only tell what each move gains at once: the loss is the greatest gain of any move less the gain of the move
played. The measure *value* is for games that can be solved. The value of a position is the lead that the mover will
still gain if all play best. The loss is the value before the move, less the move's gain and the mover's value after the
move.

What a move gains at once says little about its worth in the end. So the game is also replayed with the best move
instead of the move played, and all other moves unchanged. The *swing* of a move is the final lead of its player over
the best of the others in this replay, less the same lead in the game as played. A *losing move* is a move whose swing
is at least what its player lacked to win at the end.

There is no such replay if a later move would be illegal in it, or if losses are measured by value. Then the swing is
the loss; a loss by gain counts twice in a game of two, because what one player gains the other mostly loses.

All this points to moves worth a second look and proves nothing: after a better move the others would have played
differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import msgspec

from hinterland.contract import Game, Move, Position
from hinterland.errors import HinterlandError
from hinterland.review.chart import MoveReview, Review


class Turn(msgspec.Struct, frozen=True):
    """One move of a game."""

    number: int
    """The number of the move, from 1."""
    before: Position[Any, Any]
    """The position before the move."""
    after: Position[Any, Any]
    """The position after the move."""

    @property
    def seat(self) -> int:
        return self.after.moves[-1][0]

    @property
    def move(self) -> Move:
        move: Move = self.after.moves[-1][1]
        return move

    @property
    def gain(self) -> int:
        """The immediate change of the mover's score."""
        return self.after.scores[self.seat] - self.before.scores[self.seat]


def turns(position: Position[Any, Any]) -> list[Turn]:
    """Return the turns of a game in order of play; lost turns are left out, and moves are not checked again."""
    now = position.rules.start()
    found: list[Turn] = []
    for seat, what in position.history:
        before, now = now, now.happen_unchecked(seat, what)
        if not isinstance(what, str):
            found.append(Turn(len(found) + 1, before, now))
    return found


class Loss(msgspec.Struct, frozen=True):
    """The loss of a move, and the move it is compared with."""

    best: Move
    """A best move; the one played if it was as good."""
    best_gain: int
    """The immediate gain of ``best``."""
    loss: int
    """Gain or value of the best move less that of the move played."""


def measure_by_gain(game: Game, turn: Turn) -> Loss:
    """Compare a move with the best one that has the same options: in gravity, a stone of the same weight."""
    best, best_gain = game.pictures.best(turn.before, turn.move.options)
    loss = best_gain - turn.gain
    return Loss(best if loss else turn.move, best_gain, loss)


def measure_by_value(solve: Callable[[Any], dict[str, Any]]) -> Callable[[Turn], Loss | None]:
    """Return a function that compares a turn with best play. Call the returned function for the last turn first.

    ``solve``: see ``Game.analysis``. If ``solve`` does not find the value of a position, it is not called for earlier
    positions, which are harder. The loss is unknown (None) for moves in such positions, and for all moves after a seat
    has left.
    """
    known: dict[int, dict[str, Any]] = {}
    is_lost = False

    def solve_once(position: Position[Any, Any]) -> dict[str, Any] | None:
        nonlocal is_lost
        if position.to_move is None:
            return {"value": 0}
        if is_lost or position.withdrawn:
            return None
        key = len(position.history)
        found = known[key] = known.get(key) or solve(position)
        is_lost = found["value"] is None
        return None if is_lost else found

    def loss_of(turn: Turn) -> Loss | None:
        later, here = solve_once(turn.after), solve_once(turn.before)
        if later is None or here is None:
            return None
        to_come = later["value"] if turn.after.to_move == turn.seat else -later["value"]
        loss = here["value"] - turn.gain - to_come
        if loss == 0:
            return Loss(turn.move, turn.gain, 0)
        best = type(turn.move).from_numbers(here["best"][0])
        best_gain = turn.before.play_unchecked(best).scores[turn.seat] - turn.before.scores[turn.seat]
        return Loss(best, best_gain, loss)

    return loss_of


class Played(msgspec.Struct, frozen=True):
    """A finished game."""

    position: Position[Any, Any]
    """The last position."""
    names: tuple[str, ...]
    """Names of the players, in the order of the seats."""
    scores: tuple[int, ...]
    """The score of each seat; 0 for those that left."""
    winners: tuple[int, ...]
    """The seats that won; empty if the game does not count."""


def review(game: Game, played: Played, track: Callable[[Sequence[Turn]], Iterable[Turn]] = iter) -> Review:
    """Review every move of a game, the last one first.

    ``track`` iterates over the turns to be reviewed. ``track`` may show progress, or stop early; the losses of moves
    that it leaves out remain unknown.
    """
    made = turns(played.position)
    judge = _Judge(game, played)
    moves = {turn.number: judge.review_turn(turn) for turn in track(made[::-1])}
    reviews = tuple(moves.get(turn.number) or judge.describe_unsearched(turn) for turn in made)
    losing = sorted((move for move in reviews if move.losing), key=lambda move: (-(move.swing or 0), move.number))
    return Review(
        game=game.name,
        rules=played.position.rules.summary,
        players=played.names,
        scores=played.scores,
        winners=played.winners,
        behind=judge.behind,
        measure="gain" if game.analysis is None else "value",
        losing=tuple(move.number for move in losing),
        moves=reviews,
    )


class _Judge:
    """Reviews the moves of one game."""

    def __init__(self, game: Game, played: Played) -> None:
        self._played = played
        self._by_gain = game.analysis is None
        self._loss_of: Callable[[Turn], Loss | None] = partial(measure_by_gain, game)
        if game.analysis is not None:
            self._loss_of = measure_by_value(game.analysis)
        self._gone = frozenset(played.position.withdrawn)
        self.behind = tuple(map(self._points_behind, range(len(played.scores))))

    def describe_unsearched(self, turn: Turn) -> MoveReview:
        """Describe a move without its loss, which needs a search."""
        move, scores = turn.move.numbers, turn.after.scores
        return MoveReview(turn.number, turn.seat, move, turn.gain, None, None, None, None, None, False, scores)

    def review_turn(self, turn: Turn) -> MoveReview:
        """Describe a move, with its loss if that can be found."""
        found = self.describe_unsearched(turn)
        lost = self._loss_of(turn)
        if lost is None:
            return found
        instead = self._instead(turn, lost.best) if lost.loss and self._by_gain else None
        swing, behind = self._swing(turn.seat, lost.loss, instead), self.behind[turn.seat]
        return msgspec.structs.replace(
            found,
            best=lost.best.numbers,
            best_gain=lost.best_gain,
            loss=lost.loss,
            instead=instead,
            swing=swing,
            losing=bool(lost.loss and behind and swing >= behind),
        )

    def _instead(self, turn: Turn, best: Move) -> tuple[int, ...] | None:
        """Return the final scores with ``best`` instead of the turn's move; None if a later move is then illegal."""
        last = self._played.position
        history = list(last.history)
        history[len(turn.before.history)] = (turn.seat, best)
        try:
            end = type(last).replay(last.rules, history)
        except HinterlandError:
            return None
        return tuple(0 if seat in self._gone else score for seat, score in enumerate(end.scores))

    def _swing(self, seat: int, loss: int, instead: tuple[int, ...] | None) -> int:
        if instead is None:
            return loss * (2 if self._by_gain and len(self._played.names) == 2 else 1)
        return self._lead(instead, seat) - self._lead(self._played.scores, seat)

    def _lead(self, scores: tuple[int, ...], seat: int) -> int:
        others = (score for other, score in enumerate(scores) if other != seat and other not in self._gone)
        return scores[seat] - max(others, default=0)

    def _points_behind(self, seat: int) -> int | None:
        if not self._played.winners or seat in self._gone:
            return None
        return 0 if seat in self._played.winners else -self._lead(self._played.scores, seat)
