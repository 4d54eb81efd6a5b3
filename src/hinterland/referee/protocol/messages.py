"""The messages of protocol ``hinterland-json/1`` as types, from which the published schema is made.

A player must ignore messages of unknown types, and unknown fields: later versions may add both. The referee accepts
only the types and fields below.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from hinterland.contract import Clock
from hinterland.referee.clock import TimeControl
from hinterland.referee.verdicts import Departure

PROTOCOL = "hinterland-json/1"

MoveNumbers = Annotated[
    Any, Meta(extra_json_schema={"type": "array", "items": {"type": "integer"}, "description": "The move"})
]
Rules = Annotated[dict[str, Any], Meta(description="All fields of the rules of the game")]
GameId = Annotated[str, Meta(description="Unique among all games of the referee")]
Seat = Annotated[int, Meta(ge=0, description="A seat of the game, from 0")]
PlayedMoves = Annotated[
    tuple[tuple[int, tuple[int, ...]], ...], Meta(description="All moves so far, [seat, [numbers]] in order of play")
]

PlayedBetween = Annotated[
    tuple[tuple[int, int, str], ...],
    Meta(description="Lost turns and departures in order, [moves made before, seat, lost or left]; only if any"),
]


# From the referee


class RefereeHello(Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message: the rules, and the player's number in the whole match."""

    protocol: Annotated[str, Meta(description="hinterland-json/1")]
    game: str
    rules: Rules
    player: Annotated[int | None, Meta(description="The number of the player, from 0; null: welcome will say it")]
    needs_token: Annotated[bool, Meta(description="Whether join must hold a token")]


class Welcome(Struct, frozen=True, tag_field="type", tag="welcome"):
    """The player is accepted under this name, which may differ from the name that it sent."""

    player: int | None
    name: str


class GameBegins(Struct, frozen=True, tag_field="type", tag="game"):
    """A game begins."""

    game_id: GameId
    number: Annotated[int, Meta(description="Which game of the match, from 1")]
    of: Annotated[int, Meta(description="How many games the match has")]
    game: str
    rules: Rules
    seat: Seat
    players: Annotated[tuple[str, ...], Meta(description="The names by seat")]
    clock: TimeControl
    grace_ms: Annotated[int, Meta(description="What a move may take without being charged")]
    seed: Annotated[int, Meta(description="For random numbers; only in seeded matches")] | UnsetType = UNSET


class MoveRequest(Struct, frozen=True, tag_field="type", tag="turn"):
    """The player is to move."""

    game_id: GameId
    turn: Annotated[int, Meta(description="The number of the request; the answer must hold it")]
    seat: Seat
    moves: PlayedMoves
    scores: Annotated[tuple[int, ...], Meta(description="By seat")]
    clock: Clock
    between: PlayedBetween | UnsetType = UNSET
    weight_left: Annotated[int, Meta(description="Only in games with weights")] | UnsetType = UNSET


class RefusedMove(Struct, frozen=True, tag_field="type", tag="refused"):
    """The move was illegal; the player may answer the same request again, and the clock runs on."""

    game_id: GameId
    turn: int
    code: str
    detail: str


class GameOver(Struct, frozen=True, tag_field="type", tag="over"):
    """A game has ended."""

    game_id: GameId
    moves: PlayedMoves
    scores: Annotated[tuple[int, ...], Meta(description="By seat; 0 for those that left")]
    winners: Annotated[tuple[int, ...], Meta(description="Seats")]
    reason: str
    detail: str
    departures: tuple[Departure, ...]


class IgnoredAnswer(Struct, frozen=True, tag_field="type", tag="ignored"):
    """A message belonged to no request, and changed nothing."""

    detail: str


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """The match is over or the player is sent away; the connection is closed."""

    detail: str
    players: Annotated[tuple[str, ...], Meta(description="The names by player number; empty without a result")]
    totals: Annotated[tuple[int, ...], Meta(description="The scores of all games, by player number")]
    winners: Annotated[tuple[int, ...], Meta(description="Player numbers")]


ToPlayer = RefereeHello | Welcome | GameBegins | MoveRequest | RefusedMove | GameOver | IgnoredAnswer | Bye


# From the player


class Join(Struct, frozen=True, tag_field="type", tag="join", forbid_unknown_fields=True):
    """The first message of a player."""

    name: str
    token: str | None = None
    version: str = ""
    """What tells this program from earlier ones of its author, for records and contests."""


class MoveAnswer(Struct, frozen=True, tag_field="type", tag="move", forbid_unknown_fields=True):
    """The answer to a turn; game_id and turn are those of the request."""

    game_id: GameId
    turn: int
    move: MoveNumbers


class Info(Struct, frozen=True, tag_field="type", tag="info", forbid_unknown_fields=True, omit_defaults=True):
    """What the player says about its move, between the request and the answer; kept for people, never judged."""

    text: Annotated[Any, Meta(extra_json_schema={"type": "string", "description": "Plain text"})] = ""
    marks: Annotated[
        Any, Meta(extra_json_schema={"type": "array", "items": {"$ref": "#/$defs/NoteMark"}})
    ] = msgspec.field(default_factory=list)


FromPlayer = Join | MoveAnswer | Info


def encode(message: ToPlayer) -> bytes:
    """Write a message as one line, line end included."""
    return msgspec.json.encode(message) + b"\n"
