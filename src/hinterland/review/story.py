"""A whole game move by move, and which of its moves lost it.

What a move gained at once says little of what it is worth in the end, so each is also tried out: the game is played
again with the best move in its place and every other move as it was. How much better its player would have come out
against the best of the others is its swing, and a losing move is one whose swing is all that was lacking. Where the
other moves could not have been made, and where losses are measured by value, the loss itself stands for the swing:
twice in a game of two by gain, because what one gains the other mostly loses. All this points to moves worth a second
look and proves nothing: the others would have answered a better move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec

from hinterland.contract import Game, Move, Position
from hinterland.errors import HinterlandError
from hinterland.review.losses import Loss, Turn, by_gain, by_value, turns


class Played(msgspec.Struct, frozen=True):
    """A game that is over."""

    position: Position[Any, Any]
    """The last one."""
    names: tuple[str, ...]
    """Who played, in the order of the seats."""
    scores: tuple[int, ...]
    """One a seat; nothing for those that left."""
    winners: tuple[int, ...]
    """The seats that won; none where the game does not count."""


class MoveReview(msgspec.Struct, frozen=True):
    """What one move was worth."""

    number: int
    """Which move, from 1."""
    seat: int
    """Who moved."""
    move: tuple[int, ...]
    """Its numbers."""
    gain: int
    """What the mover's score rose by at once."""
    best: tuple[int, ...] | None
    """The numbers of a best move, those of the move itself where it was as good; null where that is not known."""
    best_gain: int | None
    """What that would have gained at once."""
    loss: int | None
    """What the move fell short by: of the best gain, or of best play where the measure is value."""
    instead: tuple[int, ...] | None
    """The scores at the end with the best move in its place and all others as they were; null where that cannot be."""
    swing: int | None
    """How much better its player would have come out with it against the best of the others; see the module."""
    losing: bool
    """Whether that is all that was lacking."""
    scores: tuple[int, ...]
    """The scores after the move."""


class Review(msgspec.Struct, frozen=True):
    """What the moves of a game were worth."""

    game: str
    """Its name in the catalogue."""
    rules: str
    """The rules in a line."""
    players: tuple[str, ...]
    """Who played, in the order of the seats."""
    scores: tuple[int, ...]
    """How it ended; nothing for seats that left."""
    winners: tuple[int, ...]
    """The seats that won."""
    behind: tuple[int | None, ...]
    """What each seat lacked in the end, 0 for winners; null for a seat that left, and where the game does not count."""
    measure: Literal["gain", "value"]
    """What losses are measured by: the gain at once, or the exact value."""
    losing: tuple[int, ...]
    """The numbers of the losing moves, the greatest swing first."""
    moves: tuple[MoveReview, ...]
    """All moves, in order of play."""

    def _repr_html_(self) -> str:
        from hinterland.figures import figure, picture  # noqa: PLC0415
        from hinterland.review import chart, move_words  # noqa: PLC0415

        words = " ".join(move_words.verdicts(self))
        return figure(picture(chart.draw(self), words), words)


def review(game: Game, played: Played, track: Callable[[Sequence[Turn]], Iterable[Turn]] = iter) -> Review:
    """Weigh every move of a game, the last first.

    ``track`` passes the turns on while they are weighed: it may show how far this has come, or stop early, whereupon
    the moves before remain unknown.
    """
    made = turns(played.position)
    judge = _Judge(game, played)
    moves = {turn.number: judge.reviewed(turn) for turn in track(made[::-1])}
    told = tuple(moves.get(turn.number) or judge.unknown(turn) for turn in made)
    losing = sorted((move for move in told if move.losing), key=lambda move: (-(move.swing or 0), move.number))
    return Review(
        game=game.name,
        rules=played.position.rules.summary,
        players=played.names,
        scores=played.scores,
        winners=played.winners,
        behind=judge.behind,
        measure="gain" if game.analysis is None else "value",
        losing=tuple(move.number for move in losing),
        moves=told,
    )


class _Judge:
    """Weighs the moves of one game."""

    def __init__(self, game: Game, played: Played) -> None:
        self._played = played
        self._by_gain = game.analysis is None
        self._loss_of: Callable[[Turn], Loss | None]
        self._loss_of = (lambda turn: by_gain(game, turn)) if game.analysis is None else by_value(game.analysis)
        self._gone = frozenset(played.position.withdrawn)
        self.behind = tuple(map(self._lacked, range(len(played.scores))))

    def unknown(self, turn: Turn) -> MoveReview:
        """Tell of a move what needs no search."""
        move, scores = turn.move.numbers, turn.after.scores
        return MoveReview(turn.number, turn.seat, move, turn.gain, None, None, None, None, None, False, scores)

    def reviewed(self, turn: Turn) -> MoveReview:
        """Tell what is known of a move."""
        found = self.unknown(turn)
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
        """Return the scores at the end with another move in the place of one; None where the rest could not follow."""
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

    def _lacked(self, seat: int) -> int | None:
        if not self._played.winners or seat in self._gone:
            return None
        return 0 if seat in self._played.winners else -self._lead(self._played.scores, seat)
