"""What a viewer is sent: always the whole state of a game, never a change to it; drawing data comes apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, Literal, TypeVar

import msgspec

from hinterland.contract import Position
from hinterland.referee import match
from hinterland.referee.clock import NS_PER_MS, Clocks, TimeControl
from hinterland.referee.judge import Judged
from hinterland.storage.game_setup import Seat
from hinterland.storage.identities import slug_of_seat
from hinterland.web.languages.reader import translate_sentence
from hinterland.web.languages.seat_names import display_name
from hinterland.web.live.game_view import GameView
from hinterland.web.live.match_view import MatchView

PING = '{"type":"ping"}'
T = TypeVar("T")


class SeatView(msgspec.Struct, frozen=True):
    """A seat; ``mine``: this viewer may move for it."""

    name: str
    """Name, made distinct."""
    kind: str
    mine: bool
    given: str
    """The original name, or the spec of a built-in player."""
    page: str | None = None
    """Last part of the address of the player's page, if known."""


class MoveView(msgspec.Struct, frozen=True):
    """A move, and the scores after it."""

    seat: int
    move: tuple[int, ...]
    ms: int
    scores: tuple[int, ...]


class Withdrawal(msgspec.Struct, frozen=True):
    """A seat that left the game."""

    seat: int
    reason: str
    detail: str


class OutcomeView(msgspec.Struct, frozen=True):
    """How the game ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    detail: str


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A game as one viewer sees it."""

    type: Literal["snapshot"] = "snapshot"
    id: str
    game: str
    rules: dict[str, Any]
    """The rules in the form for pages."""
    drawing_data: str | None
    """Address of the drawing data beyond the rules, if any."""
    seats: tuple[SeatView, ...]
    moves: msgspec.Raw
    """List of MoveView, encoded once for all viewers."""
    scores: tuple[int, ...]
    to_move: int | None
    can_undo: bool
    can_move: bool
    clock: TimeControl | None
    """None is without limit."""
    left_ms: tuple[int | None, ...] | None
    """Time left when sent; the clock of the seat to move is running."""
    clock_stands: bool
    """Whether that clock stands still: before a first stone, or while the rules are open."""
    withdrawn: tuple[Withdrawal, ...]
    outcome: OutcomeView | None
    next: dict[str, str] | None
    """The ``url`` of the next game of the show."""
    viewers: int
    remark: str | None
    """A remark for everybody at the board."""
    weight_left: tuple[int | None, ...] | None
    match: MatchView | None
    """The match of this game, if a referee plays one."""


def complaint(message: str) -> str:
    """Encode an error for one viewer."""
    return msgspec.json.encode({"type": "error", "message": message}).decode()


def encode_moves(
    game: Judged, scores_after: Sequence[tuple[int, ...]], places: tuple[int, ...] | None = None, start: int = 0
) -> list[bytes]:
    """Encode the moves of a game from ``start`` on; ``places``: see ``GameView``."""
    places = places or tuple(range(game.position.rules.players))
    moves = zip(game.position.moves[start:], game.move_ms[start:], scores_after[start:], strict=True)
    views = (
        MoveView(places[seat], move.numbers, ms, order_by_place(scores, places)) for (seat, move), ms, scores in moves
    )
    return [msgspec.json.encode(view) for view in views]


def encode_list(encoded: Sequence[bytes]) -> msgspec.Raw:
    """Return encoded values as an encoded list."""
    return msgspec.Raw(b"[" + b",".join(encoded) + b"]")


def order_by_place(values: Sequence[T], places: tuple[int, ...]) -> tuple[T, ...]:
    """Return values by seat in the order in which seats are shown."""
    return tuple(value for _, value in sorted(zip(places, values, strict=True), key=itemgetter(0)))


def snapshot(view: GameView, key: str | None = None) -> Snapshot:
    """Return a game as it is now, for a viewer with a key or none, in English; see ``translate_snapshot``."""
    game, places, own, of_match = view.game, view.places, view.own_places(key), view.match
    goes_on = game.ending is None and (of_match is None or of_match.key != "")
    to_move = game.position.to_move if goes_on else None
    left, weights = _left(game.clocks, view.now_ns), _weight_left(game.position)
    return Snapshot(
        id=view.id,
        game=view.game_name,
        rules=view.page_rules,
        drawing_data=None if view.drawing is None else view.drawing.url,
        seats=_seats(view.seats, own),
        moves=view.moves_encoded,
        scores=order_by_place(view.scores, places),
        to_move=None if to_move is None else places[to_move],
        can_undo=bool(own) and view.undo_ply() is not None,
        can_move=to_move is not None and places[to_move] in own and view.is_asked_to_move(places[to_move]),
        clock=game.clocks.control if game.clocks.control.is_limited else None,
        left_ms=None if left is None else order_by_place(left, places),
        clock_stands=view.clock_stands,
        withdrawn=tuple(Withdrawal(places[gone.seat], gone.reason, gone.detail) for gone in game.departures),
        outcome=_outcome(game, places),
        next=None if view.next_url is None else {"url": view.next_url},
        viewers=view.audience.people,
        remark=view.remark,
        weight_left=None if weights is None else order_by_place(weights, places),
        match=of_match,
    )


def translate_snapshot(shot: Snapshot) -> Snapshot:
    """Translate a snapshot for its reader: sentences, and the titles of levels."""
    names = match.distinct([display_name(shot.game, seat.given, seat.page) for seat in shot.seats])
    called = {seat.name: name for seat, name in zip(shot.seats, names, strict=True)}
    return msgspec.structs.replace(
        shot,
        seats=tuple(msgspec.structs.replace(seat, name=called[seat.name]) for seat in shot.seats),
        withdrawn=tuple(
            msgspec.structs.replace(gone, detail=translate_sentence(gone.detail)) for gone in shot.withdrawn
        ),
        outcome=shot.outcome and msgspec.structs.replace(shot.outcome, detail=translate_sentence(shot.outcome.detail)),
        remark=shot.remark and translate_sentence(shot.remark),
        match=shot.match and _translate_match(shot.match, called),
    )


def _translate_match(view: MatchView, called: Mapping[str, str]) -> MatchView:
    players = tuple(msgspec.structs.replace(one, name=called.get(one.name, one.name)) for one in view.players)
    notice = view.notice
    if notice is not None:
        notice = msgspec.structs.replace(
            notice, title=translate_sentence(notice.title), detail=translate_sentence(notice.detail)
        )
    return msgspec.structs.replace(view, players=players, notice=notice, detail=translate_sentence(view.detail))


def _outcome(game: Judged, places: tuple[int, ...]) -> OutcomeView | None:
    ending = game.ending
    if ending is None:
        return None
    winners = tuple(sorted(places[seat] for seat in ending.winners))
    return OutcomeView(order_by_place(ending.scores, places), winners, ending.reason, ending.detail)


def _left(clocks: Clocks, now_ns: int) -> tuple[int | None, ...] | None:
    """Return the time left of each seat: of its budget, or of its move if there is no budget."""
    control = clocks.control
    seats = range(len(clocks.left_ns))
    if control.budget_ms is not None:
        return tuple((clocks.left_now_ns(seat, now_ns) or 0) // NS_PER_MS for seat in seats)
    if control.move_ms is None:
        return None
    spent = clocks.spent_ns(now_ns) // NS_PER_MS
    return tuple(max(control.move_ms - (spent if seat == clocks.running else 0), 0) for seat in seats)


def _weight_left(position: Position[Any, Any]) -> tuple[int | None, ...] | None:
    """Return the weight that each seat has left, in games that have weights."""
    weights = tuple(position.weight_left(seat) for seat in range(position.rules.players))
    return None if None in weights else weights


def _seats(seats: Sequence[Seat], own: frozenset[int]) -> tuple[SeatView, ...]:
    names = match.distinct([seat.name for seat in seats])
    return tuple(
        SeatView(name, seat.kind, place in own, seat.name, slug_of_seat(seat))
        for place, (name, seat) in enumerate(zip(names, seats, strict=True))
    )
