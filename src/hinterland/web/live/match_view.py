"""A hosted match as viewers see it: its players, its score, and what went wrong."""

from __future__ import annotations

from typing import Literal

import msgspec

from hinterland.web.friends.agreement import Terms

State = Literal["waiting", "playing", "over", "closed"]


class PlayerView(msgspec.Struct, frozen=True):
    """A player, known by its number in the match."""

    name: str
    total: int
    """Sum of the scores of its games."""
    won: int
    """Games won, alone or shared."""
    left: int
    """Games it was removed from."""


class Out(msgspec.Struct, frozen=True):
    """A player removed from a game."""

    player: int
    reason: str
    detail: str


class GameLine(msgspec.Struct, frozen=True):
    """A finished game. Scores and winners are by player, not by seat."""

    number: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    detail: str
    out: tuple[Out, ...]
    id: str | None
    """Its id among all games, if they are kept."""


class LobbyView(msgspec.Struct, frozen=True):
    """The lobby of a match, and how to join."""

    protocol: str
    address: str
    """HOST:PORT for programs that connect over TCP."""
    socket: str | None
    """Path of the WebSocket, if programs may use one."""
    needs_token: bool
    guests: tuple[str | None, ...]
    """Names by number; None for a missing player."""
    house: tuple[str, ...]
    """Built-in players, seated after the guests."""
    takes_persons: bool
    """Whether a visitor of the page can take a seat."""


class Notice(msgspec.Struct, frozen=True):
    """A notice for everybody."""

    kind: Literal["out", "skip", "retry", "gone", "void", "fault"]
    player: int | None
    title: str
    detail: str


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a match."""

    state: State
    key: str
    """Differs from game to game, so that pages know when to begin anew."""
    number: int
    """Number of the game shown, from 1; 0 while nobody plays."""
    of: int
    """Number of games; 0: as many as the players want."""
    match: int
    """Number of the match shown, from 1."""
    matches: int
    starter: int | None
    """The player with the first turn in this game."""
    players: tuple[PlayerView, ...]
    games: tuple[GameLine, ...]
    lobby: LobbyView
    notice: Notice | None
    winners: tuple[int, ...]
    """Winning players of a finished match."""
    detail: str
    """Why the match is closed."""
    terms: Terms | None
    """The agreements of its people, if it is theirs."""
