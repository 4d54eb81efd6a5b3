"""The matches of one host as viewers see them: it hears what the host reports and shows it, and changes nothing.

It lives in the event loop of the host. What it does there is a few assignments; whatever goes wrong in it is logged
and never reaches the game. When several matches go on at once, one is shown until it is over, then the next. The end of
a game stays for a moment before the next one is shown, however soon that begins.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec

import msgspec

from hinterland.errors import IllegalMove
from hinterland.host.live_game import LiveGame
from hinterland.host.lobby import Lobby
from hinterland.host.match_host import PROGRAM, HostConfig
from hinterland.host.observer import Observer
from hinterland.host.players.person import Person
from hinterland.host.players.player_connection import PlayerConnection
from hinterland.referee import judge
from hinterland.referee.judge import Effect, Judged
from hinterland.referee.match import Result
from hinterland.referee.record import Record
from hinterland.storage.game_setup import Seat, digest, new_id
from hinterland.web.board_drawings import drawing_of
from hinterland.web.live.audience import Audience
from hinterland.web.live.broadcast import Broadcast
from hinterland.web.live.match_state import MatchGame, MatchState
from hinterland.web.live.match_view import LobbyView, MatchView, Notice, PlayerView

log = logging.getLogger("hinterland.web")
LINGER_S = 6.0
"""How long the end of a game stays. Pages show moves that came too fast one after the other, which takes time, too."""
LONGER_FOR_A_MATCH = 2
"""So many times that long the end of a match stays, where others are played."""
MOST_MATCHES = 256
"""Followed at once; of more, the latest are not shown."""
P = ParamSpec("P")
Hears = Callable[Concatenate["MatchShow", P], None]


def _quietly(hear: Hears[P]) -> Hears[P]:
    """Keep every fault of the show from the host."""

    def heard(self: MatchShow, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            hear(self, *args, **kwargs)
            self.look_on()
        except Exception:
            log.exception("the live page of a match missed something")

    return functools.wraps(hear)(heard)


def _is_last(game: MatchGame) -> bool:
    """Say whether a game is the last of its match."""
    return game.match.result is not None and game is game.match.game


class MatchShow(Observer):
    """One host, as viewers see it."""

    next_url = None
    remark: str | None = None

    def __init__(
        self, plan: HostConfig, address: str, *, table_id: str | None = None, linger_s: float = LINGER_S
    ) -> None:
        """Show what a plan leads to. ``address``: where players connect, HOST:PORT."""
        self.id = table_id or new_id()
        self.plan = plan
        self.audience = Audience()
        self.page_rules = plan.config.kind.page.rules(plan.config.rules)
        self.drawing = drawing_of(plan.config.kind, plan.config.rules, f"/tables/{self.id}")
        self.lobby: Lobby | None = None
        """Where programs come in that join over this table."""
        self.keeps_games = False
        """Whether its games are found among all games afterwards."""
        self.played_before: list[tuple[Record, tuple[int, ...], str]] = []
        """(record, places, id) of the games that were over before the host was started anew."""
        self.persons: dict[str, Person] = {}
        """People who play, by the digest of the key of each."""
        self.seen_s = time.monotonic()
        """When something last happened."""
        self._address = address
        self._linger_s = linger_s
        self._here: dict[int, str] = {}
        self._looking: Counter[str] = Counter()
        self._matches: dict[int, MatchState] = {}
        self._begun = 0
        self._game: MatchGame | None = None
        self._notice: Notice | None = None
        self._closed: str | None = None
        self._switch: asyncio.TimerHandle | None = None
        self._broadcast = Broadcast(self.audience, self._size)
        self._empty = judge.begin(plan.config.rules.start(), plan.config.control)

    # GameView

    @property
    def game_name(self) -> str:
        """What is played."""
        return self.plan.config.kind.name

    @property
    def game(self) -> Judged:
        """The game that is shown; an empty board while nobody plays."""
        return self._empty if self._game is None else self._game.game.judged

    @property
    def places(self) -> tuple[int, ...]:
        """The number of the player in each seat."""
        return tuple(range(self.plan.config.rules.players)) if self._game is None else self._game.places

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players of the match."""
        persons = {person.number for person in self.persons.values()}
        return tuple(
            Seat("person" if number in persons else "bot", player.name)
            for number, player in enumerate(self._players())
        )

    @property
    def moves_encoded(self) -> msgspec.Raw:
        """The moves so far, encoded once for all viewers."""
        return msgspec.Raw(b"[]") if self._game is None else self._game.moves_encoded()

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores now, by seat."""
        return (0,) * len(self.places) if self._game is None else self._game.scores()

    @property
    def now_ns(self) -> int:
        """The time by which the clocks of the game show what is left."""
        return time.monotonic_ns() if self._game is None else self._game.game.clock_ns

    @property
    def match(self) -> MatchView:
        """The match that is shown, or who waits for one."""
        shown = self._game
        over = shown is not None and _is_last(shown)
        goes_on = shown is not None and (self._closed is None or shown.match.result is not None)
        return MatchView(
            state="over" if over else "playing" if goes_on else "waiting" if self._closed is None else "closed",
            key="" if shown is None else shown.game.game_id,
            number=0 if shown is None else shown.game.number,
            of=self.plan.games if shown is None else shown.game.of,
            match=self._begun + 1 if shown is None else shown.match.number,
            matches=self.plan.matches,
            starter=None if shown is None else shown.places[0],
            players=self._players(),
            games=() if shown is None else shown.match.games_to(shown.game.number),
            lobby=self._lobby_view(),
            notice=self._notice if shown is None else shown.notice,
            winners=() if shown is None or not over else shown.match.winners,
            detail=self._closed or "",
        )

    def own_places(self, key: str | None) -> frozenset[int]:
        """Return the place of the person who holds a key."""
        person = self.person_of(key)
        return frozenset(() if person is None else (person.number,))

    def person_of(self, key: str | None) -> Person | None:
        """Return the person who holds a key, or None."""
        return None if key is None else self.persons.get(digest(key))

    def undo_to(self) -> int | None:
        """Nothing is taken back in a match."""

    async def arrive(self, key: str | None) -> None:
        """Note that a person looks; a host does not wait for other viewers."""
        person = self.person_of(key)
        if person is not None and key is not None:
            self._looking[digest(key)] += 1
            person.is_here.set()

    def leave(self, key: str | None) -> None:
        """Note that a person may look no more."""
        person = self.person_of(key)
        if person is not None and key is not None:
            self._looking[digest(key)] -= 1
            if self._looking[digest(key)] <= 0:
                del self._looking[digest(key)]
                person.is_here.clear()

    async def move(self, key: str | None, ply: int, numbers: object) -> None:
        """Make a person's move. Raises HinterlandError in words for that person."""
        self._person(key).move(ply, numbers)

    async def undo(self, key: str | None) -> None:
        """Refuse. Raises IllegalMove."""
        self._person(key)
        raise IllegalMove("no_undo", "in a match nothing is taken back")

    async def resign(self, key: str | None) -> None:
        """Give up for a person. Raises IllegalMove where no game goes on."""
        self._person(key).resign()

    def _person(self, key: str | None) -> Person:
        person = self.person_of(key)
        if person is None:
            raise IllegalMove("not_yours", "you are watching: who plays here has taken a seat")
        return person

    # What is known from outside

    @property
    def is_over(self) -> bool:
        """Say whether nothing will happen here any more."""
        return self._closed is not None

    @property
    def is_deserted(self) -> bool:
        """Say whether no player is here: none waits and none plays."""
        return not self._here and not self._matches

    @property
    def title(self) -> str:
        """What goes on here, in a few words."""
        if self._game is not None:
            return " – ".join(self._game.match.names)
        return f"waiting for {sum(name is None for name in self._lobby_view().guests)} of {self.plan.guests} players"

    def close(self, detail: str) -> None:
        """Say that nothing more will happen, and why; what is said first counts. What was played is still shown."""
        self._closed = self._closed or detail
        self.look_on()
        self._broadcast.now()

    # Observer

    @_quietly
    def came(self, player: PlayerConnection, origin: str) -> None:  # noqa: ARG002
        """Seat a player that waits."""
        self._here[player.number] = player.name
        self._notice = None

    @_quietly
    def went(self, player: PlayerConnection, detail: str) -> None:
        """Free a seat, or say that a player of the match is gone."""
        playing = self._matches.get(player.match)
        if self._here.get(player.number) == player.name:
            del self._here[player.number]
            self._notice = Notice("gone", None, f"{player.name} has left", detail)
        elif playing is not None and playing.game is not None and player in playing.game.game.players:
            playing.game.note_gone(player.number, detail)

    @_quietly
    def returned(self, player: PlayerConnection, origin: str) -> None:  # noqa: ARG002
        """Take back that a player is gone."""
        playing = self._matches.get(player.match)
        if playing is not None and playing.game is not None:
            playing.game.note_back(player.number)

    @_quietly
    def match_began(self, match: int, names: Sequence[str]) -> None:
        """Begin to follow a match."""
        self._here.clear()
        self._notice = None
        self._begun += 1
        if len(self._matches) < MOST_MATCHES:
            self._matches[match] = MatchState(match, names)
            for played in self.played_before:
                self._matches[match].finish(*played)
            self.played_before = []

    @_quietly
    def game_began(self, game: LiveGame) -> None:
        """Take a new game."""
        if game.match in self._matches:
            self._matches[game.match].begin(game)

    @_quietly
    def happened(self, game: LiveGame, effects: Sequence[Effect]) -> None:
        """Take what the judge decided."""
        followed = self._followed(game)
        if followed is not None:
            followed.take(effects)

    @_quietly
    def game_over(self, game: LiveGame, record: Record) -> None:
        """Add a game to the score of its match."""
        followed = self._followed(game)
        if followed is not None:
            followed.match.finish(record, followed.places, game.game_id if self.keeps_games else None)

    @_quietly
    def match_over(self, result: Result) -> None:
        """Note who won, and let go of the match."""
        over = self._matches.pop(result.number, None)
        if over is not None:
            over.result = result

    def _followed(self, game: LiveGame) -> MatchGame | None:
        match = self._matches.get(game.match)
        return match.game if match is not None and match.game is not None and match.game.game is game else None

    # What is shown

    def look_on(self) -> None:
        """Show what is to be seen now, and let viewers know."""
        self.seen_s = time.monotonic()
        shown = self._game
        if shown is None or shown.ended_s is None:
            self._turn_to_next()
        elif self._switch is None:
            wait_s = max(shown.ended_s + self._linger_s - self.seen_s, 0.0)
            self._switch = asyncio.get_running_loop().call_later(wait_s, self._look_further)
        self._broadcast.soon()

    def _look_further(self) -> None:
        """Leave a game that has ended for the next of its match, and a match that is over for another."""
        self._switch = None
        shown = self._game
        if shown is not None and shown.ended_s is not None and _is_last(shown):
            wait_s = shown.ended_s + self._linger_s * LONGER_FOR_A_MATCH - time.monotonic()
            if wait_s > 0:
                self._switch = asyncio.get_running_loop().call_later(wait_s, self._look_further)
                return
        if self._turn_to_next():
            self.look_on()

    def _turn_to_next(self) -> bool:
        """Show the next game; say whether there is one."""
        shown = self._game
        if shown is not None and not _is_last(shown):
            following = shown.match.game
        else:
            following = next((match.game for match in self._matches.values() if match.game is not None), None)
            if following is None and shown is not None and self._here:
                self._game = None
                return True
        if following is None or following is shown:
            return False
        self._game = following
        return True

    def _players(self) -> tuple[PlayerView, ...]:
        if self._game is not None:
            return self._game.match.players_to(self._game.game.number)
        lobby = self._lobby_view()
        names = [name or f"player {number}" for number, name in enumerate(lobby.guests, start=1)]
        return tuple(PlayerView(name, 0, 0, 0) for name in (*names, *lobby.house))

    def _lobby_view(self) -> LobbyView:
        plan = self.plan
        waiting = dict(self._here)
        latest = next(reversed(self._matches.values()), None)
        if not waiting and latest is not None and latest.game is None:
            waiting = dict(enumerate(latest.names[: plan.guests]))
        return LobbyView(
            protocol=plan.protocol,
            address=self._address,
            socket=f"/tables/{self.id}/join" if plan.protocol == "json" else None,
            needs_token=plan.tokens is not None,
            guests=tuple(waiting.get(number) for number in range(plan.guests)),
            house=tuple(spec.removeprefix(PROGRAM) for spec in plan.house),
            takes_persons=self.keeps_games,
        )

    def _size(self) -> int:
        """Return how many bytes of moves a viewer is sent."""
        return 0 if self._game is None else len(memoryview(self._game.moves_encoded()))
