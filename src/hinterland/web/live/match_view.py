"""What a viewer is told of a match that a referee plays: who is here, how it stands, and what went wrong."""

from __future__ import annotations

from typing import Literal

import msgspec

from hinterland.web.friends.agreement import Terms

State = Literal["waiting", "playing", "over", "closed"]


class PlayerView(msgspec.Struct, frozen=True):
    """A player, known by its place among the players of the match."""

    name: str
    total: int
    """The scores of its games, added up."""
    won: int
    """Games it won, alone or together with others."""
    left: int
    """Games it was taken out of."""


class Out(msgspec.Struct, frozen=True):
    """A player that was taken out of a game."""

    player: int
    reason: str
    detail: str


class GameLine(msgspec.Struct, frozen=True):
    """A game that is over. Scores and winners are by player, not by seat."""

    number: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    detail: str
    out: tuple[Out, ...]
    id: str | None
    """By which it is found among all games, where they are kept."""


class LobbyView(msgspec.Struct, frozen=True):
    """Who waits for a match, and how to join."""

    protocol: str
    address: str
    """HOST:PORT, for programs that open a connection of their own."""
    socket: str | None
    """The path of the WebSocket, where programs may come over one."""
    needs_token: bool
    guests: tuple[str | None, ...]
    """Names by number, None where somebody is missing."""
    house: tuple[str, ...]
    """Players of the house, seated after the guests."""
    takes_persons: bool
    """Whether somebody who looks at the page can take a seat."""


class Notice(msgspec.Struct, frozen=True):
    """What everybody in the room should know."""

    kind: Literal["out", "skip", "retry", "gone", "void", "fault"]
    player: int | None
    title: str
    detail: str


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A match, as it stands."""

    state: State
    key: str
    """Differs from game to game, so that a page knows when to begin anew."""
    number: int
    """Which game of the match is shown, from 1; 0 while nobody plays."""
    of: int
    """How many games there are; 0: as many as the players want."""
    match: int
    """Which match is shown, from 1."""
    matches: int
    starter: int | None
    """The player that has the first turn in this game."""
    players: tuple[PlayerView, ...]
    games: tuple[GameLine, ...]
    lobby: LobbyView
    notice: Notice | None
    winners: tuple[int, ...]
    """Players, once the match is over."""
    detail: str
    """Why there will be no more, where the table is closed."""
    terms: Terms | None
    """What its people have agreed on, where the table is theirs."""
