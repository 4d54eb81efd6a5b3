"""The matches of one host as viewers see them.

A ``MatchShow`` observes the host and changes nothing. The methods run in the host's event loop and do little work.
Errors of a ``MatchShow`` are logged and never reach a game.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec

from hinterland.errors import IllegalMove
from hinterland.host.live_game import LiveGame
from hinterland.host.lobby import Lobby
from hinterland.host.match_host import PROGRAM_PREFIX, HostConfig
from hinterland.host.player_connection import PlayerConnection
from hinterland.referee import judge
from hinterland.referee.judge import Effect
from hinterland.referee.match import Result
from hinterland.referee.record import Record
from hinterland.storage.game_setup import Seat, new_id
from hinterland.storage.identities import spec_proof
from hinterland.web.live.game_view import GameView
from hinterland.web.live.page_messages import GameLine, LobbyView, MatchView, Matter, Notice, PlayerView, Terms
from hinterland.web.matches.seated_people import Agreement, SeatedPeople
from hinterland.web.matches.shown_matches import MatchGame, ShownMatches

log = logging.getLogger("hinterland.web")
LINGER_S = 6.0
"""Seconds for which the end of a game is shown. Pages replay fast moves slowly, and need part of this time."""
P = ParamSpec("P")
Hears = Callable[Concatenate["MatchShow", P], None]


def _log_faults(hear: Hears[P]) -> Hears[P]:
    """Wrap an event handler: log its errors, so that none reaches the host, then show the current game."""

    def heard(self: MatchShow, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            hear(self, *args, **kwargs)
            self.show_current()
        except Exception:
            log.exception("the live page of a match missed something")

    return functools.wraps(hear)(heard)


class MatchShow(GameView):
    """The matches of one host, as viewers see them."""

    def __init__(
        self, plan: HostConfig, address: str, *, match_id: str | None = None, linger_s: float = LINGER_S
    ) -> None:
        """``plan``: whose matches to show; ``address``: HOST:PORT to which players connect.

        ``linger_s``: seconds for which the end of a game is shown.
        """
        config, match_id = plan.config, match_id or new_id()
        empty = judge.begin(config.rules.start(), config.control)
        super().__init__(match_id, config.kind, config.kind.page.rules(config.rules), empty, f"/tables/{match_id}")
        self.plan = plan
        self.lobby: Lobby | None = None
        """Lobby for programs that join over the match's WebSocket."""
        self.keeps_games = False
        """Whether the finished games are kept and listed."""
        self.played_before: list[tuple[Record, tuple[int, ...], str]] = []
        """(record, players' numbers by seat, id) of each game that was finished before the host resumed the match."""
        self.agreement = Agreement(lambda: self.people.numbers) if plan.is_open_ended else None
        """Wishes and agreements, if people made the match to play one another."""
        self.is_offered = False
        """Whether anybody may take a free seat."""
        self.people = SeatedPeople()
        self.matches = ShownMatches(linger_s, lambda: bool(self._here), self.show_current)
        self.seen_s = time.monotonic()
        """Time of the last event, in seconds on the monotonic clock."""
        self._address = address
        self._here: dict[int, str] = {}
        self._notice: Notice | None = None
        self._closed: str | None = None

    # GameView

    @property
    def progress(self) -> MatchGame | None:
        return self.matches.game

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players of the match."""
        return tuple(self._seat(number, player.name) for number, player in enumerate(self._players()))

    def _seat(self, number: int, name: str) -> Seat:
        if number in self.people.numbers:
            return Seat("person", name)
        spec = self.plan.own_players[number - self.plan.guests] if number >= self.plan.guests else PROGRAM_PREFIX
        is_known = self.keeps_games and not spec.startswith(
            PROGRAM_PREFIX
        )  # only an arena has pages about its built-in players
        return Seat("bot", name, spec_proof(spec) if is_known else "")

    @property
    def match(self) -> MatchView:
        """The match shown, or its lobby."""
        shown = self.matches.game
        over = self.matches.shows_match_end
        goes_on = shown is not None and (self._closed is None or shown.match.result is not None)
        return MatchView(
            state="over" if over else "playing" if goes_on else "waiting" if self._closed is None else "closed",
            key="" if shown is None else shown.game.game_id,
            number=0 if shown is None else shown.game.number,
            of=0 if self.plan.is_open_ended else self.plan.games if shown is None else shown.game.terms.games,
            match=self.matches.begun_count + 1 if shown is None else shown.match.number,
            matches=self.plan.matches,
            starter=None if shown is None else shown.places[0],
            players=self._players(),
            games=self._games_over(),
            lobby=self._lobby_view(),
            notice=self._notice if shown is None else shown.notice,
            winners=() if shown is None or not over else shown.match.winners,
            detail=self._closed or "",
            terms=self._terms(),
        )

    def _games_over(self) -> tuple[GameLine, ...]:
        if self.matches.game is not None:
            return self.matches.game.match.games_to(self.matches.game.game.number)
        between = self.matches.match_between_games
        return () if between is None else tuple(between.games)

    def _terms(self) -> Terms | None:
        agreed = self.agreement
        if agreed is None:
            return None
        return Terms(
            here=self.here, again=agreed.wishers("again"), hints=agreed.wishers("hints"),
            has_hints=agreed.is_agreed("hints"), left=agreed.left, is_offered=self.is_offered,
        )  # fmt: skip

    @property
    def here(self) -> tuple[int, ...]:
        """The players who are here: people who have the page open, and all programs."""
        if self.matches.game is None:
            known = [number for number, name in enumerate(self._lobby_view().guests) if name]
        else:
            known = list(range(len(self._players())))
        return tuple(number for number in known if number not in self.people.away)

    def own_places(self, key: str | None) -> frozenset[int]:
        person = self.people.find_person(key)
        return frozenset(() if person is None else (person.number,))

    def is_asked_to_move(self, place: int) -> bool:
        """Say whether the person at ``place`` has been asked to move: only when the journal has been written."""
        return self.people.is_asked(place)

    async def arrive(self, key: str | None) -> None:
        """Note that the page of the person with ``key`` is open. The host does not hear of other viewers."""
        self.people.arrive(key)

    def leave(self, key: str | None) -> None:
        """Note that the person with ``key`` has closed a page, perhaps one of several."""
        self.seen_s = time.monotonic()
        self.people.leave(key)

    async def move(self, key: str | None, ply: int, numbers: object) -> None:
        person = self.people.require_person(key)
        self.submit_move(self.matches.find_latest_game(person.match), person, ply, numbers)

    async def undo(self, key: str | None) -> None:
        self.people.require_person(key)
        raise IllegalMove("no_undo", "moves cannot be taken back in a match")

    async def resign(self, key: str | None) -> None:
        self.people.require_person(key).resign()

    async def wish(self, key: str | None, matter: Matter, *, yes: bool) -> None:
        person = self.people.require_person(key)
        if self.agreement is None:
            raise IllegalMove("no_wish", "there is nothing to agree on in a match for bots")
        if not self.matches.running:
            raise IllegalMove("no_wish", "the match has not begun, or is over")
        if matter == "again" and self.matches.game is not None and self.matches.game.ended_s is None:
            raise IllegalMove("no_wish", "the game is not over")
        self.agreement.wish(person.number, matter, yes=yes)
        self.audience.wake_soon()

    # State

    @property
    def is_over(self) -> bool:
        """Say whether the show is closed, so that nothing will happen any more."""
        return self._closed is not None

    @property
    def is_deserted(self) -> bool:
        """Say whether no player is here, neither waiting nor playing."""
        return not self._here and not self.matches.running

    @property
    def title(self) -> str:
        """A short description of the current state."""
        if self.matches.game is not None:
            return " – ".join(self.matches.game.match.names)
        return f"waiting for {sum(name is None for name in self._lobby_view().guests)} of {self.plan.guests} players"

    @property
    def is_gathering(self) -> bool:
        """Say whether seats are free and the match has not begun."""
        return self._closed is None and not self.matches.begun_count and len(self._here) < self.plan.guests

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of the waiting players, by player number."""
        return tuple(self._here[number] for number in sorted(self._here))

    def close(self, detail: str) -> None:
        """Close the show with a reason. Only the first call's reason counts. Played games remain visible."""
        self._closed = self._closed or detail
        self.show_current()
        self.audience.wake_now()

    # Observer

    @_log_faults
    def on_join(self, player: PlayerConnection, origin: str) -> None:  # noqa: ARG002
        self._here[player.number] = player.name
        self._notice = None

    @_log_faults
    def on_leave(self, player: PlayerConnection, detail: str) -> None:
        playing = self.matches.running.get(player.match)
        if self._here.get(player.number) == player.name:
            del self._here[player.number]
            self._notice = Notice("gone", None, f"{player.name} has left", detail)
        elif playing is not None and playing.game is not None and player in playing.game.game.players:
            playing.game.note_gone(player.number, detail)

    @_log_faults
    def on_return(self, player: PlayerConnection, origin: str) -> None:  # noqa: ARG002
        playing = self.matches.running.get(player.match)
        if playing is not None and playing.game is not None:
            playing.game.note_back(player.number)

    @_log_faults
    def on_match_begin(self, match: int, names: Sequence[str]) -> None:
        self._here.clear()
        self._notice = None
        followed = self.matches.begin(match, names)
        if followed is not None:
            for played in self.played_before:
                followed.finish(*played)
            self.played_before = []

    @_log_faults
    def on_game_begin(self, game: LiveGame) -> None:
        if game.match in self.matches.running:
            self.matches.running[game.match].begin(game)

    @_log_faults
    def on_effects(self, game: LiveGame, effects: Sequence[Effect]) -> None:
        followed = self.matches.find_game(game)
        if followed is not None:
            followed.take(effects)

    @_log_faults
    def on_game_over(self, game: LiveGame, record: Record) -> None:
        followed = self.matches.find_game(game)
        if followed is not None:
            followed.match.finish(record, followed.places, game.game_id if self.keeps_games else None)

    @_log_faults
    def on_match_over(self, result: Result) -> None:
        self.matches.end(result)

    # The game shown

    def show_current(self) -> None:
        """Show the current game, and wake viewers."""
        self.seen_s = time.monotonic()
        self.matches.show_current()
        self.audience.wake_soon()

    def _players(self) -> tuple[PlayerView, ...]:
        if self.matches.game is not None:
            return self.matches.game.match.players_to(self.matches.game.game.number)
        lobby = self._lobby_view()
        names = [name or f"player {number}" for number, name in enumerate(lobby.guests, start=1)]
        return tuple(PlayerView(name, 0, 0, 0) for name in (*names, *lobby.house))

    def _lobby_view(self) -> LobbyView:
        plan = self.plan
        waiting = dict(self._here)
        if not waiting and self.matches.match_between_games is not None:
            waiting = dict(enumerate(self.matches.match_between_games.names[: plan.guests]))
        return LobbyView(
            protocol=plan.protocol,
            address=self._address,
            socket=f"/tables/{self.id}/join" if plan.protocol == "json" else None,
            needs_token=plan.tokens is not None,
            guests=tuple(waiting.get(number) for number in range(plan.guests)),
            house=tuple(spec.removeprefix(PROGRAM_PREFIX) for spec in plan.own_players),
            takes_persons=self.keeps_games,
        )
