"""Annotations of a whole game: what every move was worth, and which moves lost the game.

What a move gains at once says little about its worth in the end, so each move is also tried out: the game is replayed
with the best move in its place and every other move unchanged. The swing of a move is how much better its player would
have done then, against the best of the others. A losing move is one whose swing is at least what its player lacked.
If the other moves could not have been made, or if losses are measured by value, the loss itself stands for the swing.
By gain, in a game of two, it counts twice, because what one player gains the other mostly loses. All this points to
moves worth a second look and proves nothing: the others would have answered a better move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import msgspec

from hinterland.contract import Game, Move, Position
from hinterland.errors import HinterlandError
from hinterland.review.chart import MoveReview, Review
from hinterland.review.losses import Loss, Turn, measure_by_gain, measure_by_value, turns


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

    ``track`` passes on the turns while they are reviewed. It may show progress, or stop early; the moves not reached
    then remain unknown.
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
        """Describe a move without any search."""
        move, scores = turn.move.numbers, turn.after.scores
        return MoveReview(turn.number, turn.seat, move, turn.gain, None, None, None, None, None, False, scores)

    def review_turn(self, turn: Turn) -> MoveReview:
        """Describe a move with its loss, if that can be found."""
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
        """Return the final scores with another move in place of one; None if the rest could not follow."""
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
