"""The messages of live pages: those that viewers send, and the state of a game, which viewers get.

Each message to a viewer holds the whole state, not the changes since an earlier message. Pages fetch drawing data
separately.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from hinterland.errors import BadText, quote
from hinterland.referee import match
from hinterland.referee.clock import TimeControl
from hinterland.web.languages.reader import translate_sentence
from hinterland.web.languages.seat_names import display_name

PING = '{"type":"ping"}'
State = Literal["waiting", "playing", "over", "closed"]
"""The state of a match."""
Matter = Literal["again", "hints"]
"""Matters on which people in a match must agree: another game, or hints during a game."""


class ViewerHello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message: the key of the game, or None to watch."""

    key: str | None = None


class ViewerMove(msgspec.Struct, frozen=True, tag_field="type", tag="move"):
    """A move, and the number of moves made before it."""

    ply: int
    move: list[int]


class ViewerUndo(msgspec.Struct, frozen=True, tag_field="type", tag="undo"):
    """Take back the sender's last move."""


class ViewerResign(msgspec.Struct, frozen=True, tag_field="type", tag="resign"):
    """Resign."""


class ViewerWish(msgspec.Struct, frozen=True, tag_field="type", tag="wish"):
    """Make or withdraw a wish on a matter on which people must agree."""

    matter: Matter
    yes: bool


class ViewerRest(msgspec.Struct, frozen=True, tag_field="type", tag="rest"):
    """Stop the sender's clock as they open the rules (``on`` is true), or resume it as they close them."""

    on: bool


class ViewerPong(msgspec.Struct, frozen=True, tag_field="type", tag="pong"):
    """The answer to a ping of the server. The server ignores the answer."""


ViewerMessage = ViewerHello | ViewerMove | ViewerUndo | ViewerResign | ViewerWish | ViewerRest | ViewerPong
KINDS = "hello, move, undo, resign, wish or rest"


def read_message(text: str) -> ViewerMessage:
    """Read a message. Raises BadText."""
    try:
        message: ViewerMessage = msgspec.json.decode(text, type=ViewerMessage)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise BadText(f"{quote(text)} is not a message of type {KINDS}: {error}") from None
    return message


class PlayerView(msgspec.Struct, frozen=True):
    """A player of a match. Its number is its place, from 0, in the match's list of players."""

    name: str
    total: int
    """Sum of the player's scores."""
    won: int
    """Games won, alone or shared."""
    left: int
    """Games from which the player was removed."""


class Out(msgspec.Struct, frozen=True):
    """A player removed from a game."""

    player: int
    reason: str
    detail: str


class GameLine(msgspec.Struct, frozen=True):
    """A finished game. ``scores`` and ``winners`` are by player number, not by seat."""

    number: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    detail: str
    out: tuple[Out, ...]
    id: str | None
    """Id of the game, if finished games are kept; else None."""


class LobbyView(msgspec.Struct, frozen=True):
    """The lobby of a match, and how players join."""

    protocol: str
    address: str
    """HOST:PORT for programs that connect over TCP."""
    socket: str | None
    """Path of the WebSocket for programs; None if programs cannot join over a WebSocket."""
    needs_token: bool
    guests: tuple[str | None, ...]
    """By player number: the names of the players from outside; None for a player who has not come yet."""
    house: tuple[str, ...]
    """Built-in players, which have the seats after the guests."""
    takes_persons: bool
    """Whether a visitor of the page can take a seat."""


class Notice(msgspec.Struct, frozen=True):
    """A notice for everybody."""

    kind: Literal["out", "skip", "retry", "gone", "void", "fault"]
    player: int | None
    title: str
    detail: str


class Terms(msgspec.Struct, frozen=True):
    """The wishes and agreements of the people in a match. Players are given by number."""

    here: tuple[int, ...]
    """Players who have the page open, and all programs."""
    again: tuple[int, ...]
    """Players who want another game."""
    hints: tuple[int, ...]
    """Players who allow hints."""
    has_hints: bool
    """Whether all players allow hints."""
    left: int | None
    """The player who has left the match, or None."""
    is_offered: bool
    """Whether the challenge is open to anybody."""


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a match."""

    state: State
    key: str
    """Id of the game shown; "" if none is. When this field changes, pages show another game."""
    number: int
    """Number of the game shown; the first is 1, and 0 means that nobody plays."""
    of: int
    """Number of planned games; 0: the players decide after each game."""
    match: int
    """Number of the match shown; the first is 1."""
    matches: int
    starter: int | None
    """The player who moves first in this game."""
    players: tuple[PlayerView, ...]
    games: tuple[GameLine, ...]
    lobby: LobbyView
    notice: Notice | None
    winners: tuple[int, ...]
    """Winning players of a finished match."""
    detail: str
    """Why the match is closed."""
    terms: Terms | None
    """Wishes and agreements, if people made the match to play one another; else None."""


class SeatView(msgspec.Struct, frozen=True):
    """A seat. ``mine``: whether this viewer may move for the seat."""

    name: str
    """Displayed name, which no other seat has."""
    kind: str
    mine: bool
    given: str
    """The name before translation: a player's own, or the spec of a built-in player."""
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
    """Address of the drawing data; None if the rules suffice to draw the board."""
    seats: tuple[SeatView, ...]
    moves: msgspec.Raw
    """JSON list of MoveView, encoded once for all viewers."""
    scores: tuple[int, ...]
    to_move: int | None
    can_undo: bool
    can_move: bool
    clock: TimeControl | None
    """The clock settings; None: no limit."""
    left_ms: tuple[int | None, ...] | None
    """Milliseconds that each seat had left when this was sent; since then the mover's clock runs."""
    clock_stands: bool
    """Whether the mover's clock stands still: before a person's first move, or while the rules are open."""
    withdrawn: tuple[Withdrawal, ...]
    outcome: OutcomeView | None
    notes: int
    """Number of moves on which players have notes; 0 while the game goes on, since notes tell what bots think."""
    next: dict[str, str] | None
    """``{"url": …}``: the game that follows this one on the front page, or None."""
    viewers: int
    remark: str | None
    """A remark about the game for all its viewers, or None."""
    weight_left: tuple[int | None, ...] | None
    match: MatchView | None
    """The match that the game belongs to; None for a game that began on a page."""


def encode_error(message: str) -> str:
    """Encode an error for one viewer."""
    return msgspec.json.encode({"type": "error", "message": message}).decode()


def translate_snapshot(shot: Snapshot) -> Snapshot:
    """Translate the sentences and the titles of levels in a snapshot for the current reader."""
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
