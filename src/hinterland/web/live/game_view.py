"""What viewers see of a game: the same for games that began on a page and for games of hosted matches.

A ``GameView`` observes a live game, and shows what it has noted. While there is no game, viewers see an empty board.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from operator import itemgetter
from typing import Any, TypeVar

import msgspec

from hinterland.contract import Game, Position
from hinterland.errors import IllegalMove
from hinterland.host.live_game import LiveGame
from hinterland.host.observer import Observer
from hinterland.host.players.person import Person
from hinterland.referee import judge, match
from hinterland.referee.clock import NS_PER_MS, Clocks
from hinterland.referee.judge import Judged
from hinterland.storage.game_setup import Seat
from hinterland.storage.identities import slug_of_seat
from hinterland.web.board_drawings import make_board_drawing
from hinterland.web.live.audience import Audience
from hinterland.web.live.page_messages import (
    MatchView,
    Matter,
    MoveView,
    OutcomeView,
    SeatView,
    Snapshot,
    ViewerMessage,
    ViewerMove,
    ViewerResign,
    ViewerRest,
    ViewerUndo,
    ViewerWish,
    Withdrawal,
    translate_snapshot,
)

T = TypeVar("T")


class GameProgress:
    """Follows one live game. Keeps the scores after each move, and encodes each move once for all viewers."""

    def __init__(
        self, game: LiveGame, places: tuple[int, ...], scores_after: Sequence[tuple[int, ...]] = ()
    ) -> None:
        """``scores_after``: scores after each move made so far.

        ``places``: for each seat, its index in the page's list of seats. In a match the places are the numbers of the
        players in the seats, so that each player keeps its colour.
        """
        self.game = game
        self.places = places
        self.scores_after = list(scores_after)
        self._encoded: list[bytes] = []
        self._list: msgspec.Raw | None = None

    def take(self, effects: Sequence[judge.Effect]) -> None:
        """Note what the judge returned for one event."""
        for effect in effects:
            match effect:
                case judge.Played(_, _, _, scores):
                    self.scores_after.append(scores)
                    self._list = None
                case judge.TakenBack(plies):
                    del self.scores_after[plies:], self._encoded[plies:]
                    self._list = None

    def moves_encoded(self) -> msgspec.Raw:
        """Return the moves so far as JSON. Each move is encoded once."""
        if self._list is None:
            judged, start = self.game.judged, len(self._encoded)
            moves = zip(judged.position.moves[start:], judged.move_ms[start:], self.scores_after[start:], strict=True)
            for (seat, move), ms, scores in moves:
                view = MoveView(self.places[seat], move.numbers, ms, order_by_place(scores, self.places))
                self._encoded.append(msgspec.json.encode(view))
            self._list = msgspec.Raw(b"[" + b",".join(self._encoded) + b"]")
        return self._list

    def scores(self) -> tuple[int, ...]:
        """Return the current scores by seat; of a finished game, the final scores."""
        ending = self.game.judged.ending
        if ending is not None:
            return ending.scores
        return self.scores_after[-1] if self.scores_after else (0,) * len(self.places)


class GameView(Observer, ABC):
    """A game that viewers watch, and that holders of a key play. Reading its properties takes almost no time."""

    next_url: str | None = None
    """Address of the game that follows this one on the front page; None for all other games, and until it is known."""

    def __init__(self, view_id: str, kind: Game, page_rules: dict[str, Any], before: Judged, address: str) -> None:
        """``before``: what is shown until a game begins; ``page_rules``: the rules in the form for pages."""
        self.id = view_id
        self.kind = kind
        self.page_rules = page_rules
        self.drawing = make_board_drawing(kind, before.position.rules, address)
        """Data besides the rules that pages need to draw the board; None if the rules suffice."""
        self.audience = Audience(size=self._size)
        self._before = before

    # What subclasses provide: ``ArenaGame`` and ``MatchShow``

    @property
    @abstractmethod
    def progress(self) -> GameProgress | None:
        """The live game shown, or None."""

    @property
    @abstractmethod
    def seats(self) -> tuple[Seat, ...]:
        """The seats, in the order shown."""

    @property
    def match(self) -> MatchView | None:
        """The match that the game belongs to, or None."""
        return None

    @property
    def clock_stands(self) -> bool:
        """Whether the clock of the seat to move stands still."""
        return False

    @property
    def remark(self) -> str | None:
        """A remark about the game for all its viewers, or None."""
        return None

    @abstractmethod
    def own_places(self, key: str | None) -> frozenset[int]:
        """Return the seats for which the holder of ``key`` moves, as indices into the list of seats on the page."""

    def is_asked_to_move(self, place: int) -> bool:  # noqa: ARG002
        """Say whether the person at ``place``, whose turn it is, has been asked to move."""
        return True

    def undo_ply(self) -> int | None:
        """Return the number of moves that stay if a person takes back a move; None if nobody can."""
        return None

    # What viewers do

    @abstractmethod
    async def arrive(self, key: str | None) -> None:
        """Note a viewer."""

    @abstractmethod
    def leave(self, key: str | None) -> None:
        """Note that a viewer has left."""

    async def act(self, key: str | None, message: ViewerMessage) -> None:
        """Carry out a message of a viewer. Raises HinterlandError, whose message is for that viewer."""
        match message:
            case ViewerMove(ply, move):
                await self.move(key, ply, move)
            case ViewerUndo():
                await self.undo(key)
            case ViewerResign():
                await self.resign(key)
            case ViewerWish(matter, yes):
                await self.wish(key, matter, yes=yes)
            case ViewerRest(on):
                self.rest(key, on=on)

    @abstractmethod
    async def move(self, key: str | None, ply: int, numbers: object) -> None:
        """Make a person's move if ``ply`` moves have been made.

        Raises HinterlandError, whose message is for that person.
        """

    def submit_move(self, game: LiveGame | None, person: Person, ply: int, numbers: object) -> None:
        """Submit a person's move to their game. Raises BadText or IllegalMove, whose message is for that person."""
        if game is None or (request := person.request) is None:
            raise IllegalMove("out_of_turn", "it is not your turn")
        position = game.judged.position
        made = len(position.moves)
        if ply != made:
            raise IllegalMove("out_of_turn", f"move {made + 1} is to be made now, not move {ply + 1}")
        move = position.move_type.from_numbers(numbers)
        position.check(move)
        person.request = None
        now_ns = game.now_ns
        if game.clock_stands:  # the clock starts with a person's first move
            game.submit_event(judge.RequestSent(request.turn), now_ns)
        game.submit_event(judge.Answer(request.seat, request.turn, move), now_ns)

    @abstractmethod
    async def undo(self, key: str | None) -> None:
        """Take back the last move of a person and all later moves. Raises IllegalMove if there is no such move."""

    @abstractmethod
    async def wish(self, key: str | None, matter: Matter, *, yes: bool) -> None:
        """Note a wish of a person. Raises IllegalMove if there is nothing to agree on."""

    def rest(self, key: str | None, *, on: bool) -> None:
        """If ``on``, stop the clock of the holder of ``key``; if not, resume it.

        Nothing happens if other people would have to wait.
        """

    @abstractmethod
    async def resign(self, key: str | None) -> None:
        """Resign for a person. Raises IllegalMove if it is not clear who resigns."""

    def help(self) -> None:
        """Note in the journal that somebody has had advice about a move."""
        if self.progress is not None and not self.progress.game.judged.is_helped:
            self.progress.game.submit_event(judge.Help(), self.progress.game.now_ns)

    # What viewers see

    @property
    def game(self) -> Judged:
        """The current state of the game; an empty board while nobody plays."""
        return self._before if self.progress is None else self.progress.game.judged

    def snapshot(self, key: str | None = None) -> Snapshot:
        """Return the game, in English, as a viewer with this key (or with none) sees it.

        ``translate_snapshot`` translates its sentences.
        """
        game, progress, own, of_match = self.game, self.progress, self.own_places(key), self.match
        places = tuple(range(game.position.rules.players)) if progress is None else progress.places
        goes_on = game.ending is None and (of_match is None or of_match.key != "")
        to_move = game.position.to_move if goes_on else None
        left = _left(game.clocks, time.monotonic_ns() if progress is None else progress.game.clock_ns)
        weights = _weight_left(game.position)
        return Snapshot(
            id=self.id,
            game=self.kind.name,
            rules=self.page_rules,
            drawing_data=None if self.drawing is None else self.drawing.url,
            seats=_seats(self.seats, own),
            moves=msgspec.Raw(b"[]") if progress is None else progress.moves_encoded(),
            scores=(0,) * len(places) if progress is None else order_by_place(progress.scores(), places),
            to_move=None if to_move is None else places[to_move],
            can_undo=bool(own) and self.undo_ply() is not None,
            can_move=to_move is not None and places[to_move] in own and self.is_asked_to_move(places[to_move]),
            clock=game.clocks.control if game.clocks.control.is_limited else None,
            left_ms=None if left is None else order_by_place(left, places),
            clock_stands=self.clock_stands,
            withdrawn=tuple(Withdrawal(places[gone.seat], gone.reason, gone.detail) for gone in game.departures),
            outcome=_outcome(game, places),
            notes=0 if game.ending is None else len(game.notes),
            next=None if self.next_url is None else {"url": self.next_url},
            viewers=self.audience.people,
            remark=self.remark,
            weight_left=None if weights is None else order_by_place(weights, places),
            match=of_match,
        )

    def encode_for(self, key: str | None) -> bytes:
        """Return the present state as the holder of a key sees it, encoded in the reader's language."""
        return msgspec.json.encode(translate_snapshot(self.snapshot(key)))

    def _size(self) -> int:
        """Return the number of bytes that moves take in one update."""
        return 0 if self.progress is None else len(memoryview(self.progress.moves_encoded()))


def order_by_place(values: Sequence[T], places: tuple[int, ...]) -> tuple[T, ...]:
    """Return ``values``, one for each seat, in the page's order of seats. ``places``: by seat, its index there."""
    return tuple(value for _, value in sorted(zip(places, values, strict=True), key=itemgetter(0)))


def _outcome(game: Judged, places: tuple[int, ...]) -> OutcomeView | None:
    ending = game.ending
    if ending is None:
        return None
    winners = tuple(sorted(places[seat] for seat in ending.winners))
    return OutcomeView(order_by_place(ending.scores, places), winners, ending.reason, ending.detail)


def _left(clocks: Clocks, now_ns: int) -> tuple[int | None, ...] | None:
    """Return the milliseconds left of each seat's budget or, without a budget, of its move; None without limits."""
    control = clocks.control
    seats = range(len(clocks.left_ns))
    if control.budget_ms is not None:
        return tuple((clocks.left_now_ns(seat, now_ns) or 0) // NS_PER_MS for seat in seats)
    if control.move_ms is None:
        return None
    spent = clocks.spent_ns(now_ns) // NS_PER_MS
    return tuple(max(control.move_ms - (spent if seat == clocks.running else 0), 0) for seat in seats)


def _weight_left(position: Position[Any, Any]) -> tuple[int | None, ...] | None:
    """Return the weight that each seat has left; None in games without weights."""
    weights = tuple(position.weight_left(seat) for seat in range(position.rules.players))
    return None if None in weights else weights


def _seats(seats: Sequence[Seat], own: frozenset[int]) -> tuple[SeatView, ...]:
    names = match.distinct([seat.name for seat in seats])
    return tuple(
        SeatView(name, seat.kind, place in own, seat.name, slug_of_seat(seat))
        for place, (name, seat) in enumerate(zip(names, seats, strict=True))
    )
