"""A table at which a referee plays: it hears what the referee reports and shows it, and changes nothing.

It lives in the event loop of the referee. What it does there is a few assignments; whatever goes wrong in it is logged
and never reaches the game. When several matches go on at once, one is shown until it is over, then the next. The end of
a game stays for a moment before the next one is shown, however soon that begins.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate, ParamSpec

import msgspec

from hinterland.referee import judge
from hinterland.referee.shell.watcher import Watcher
from hinterland.web.audience import Audience
from hinterland.web.board_drawings import drawing_of
from hinterland.web.match_view import LobbyView, MatchView, Notice, PlayerView
from hinterland.web.running import Running
from hinterland.web.seating import Seat, new_id
from hinterland.web.telling import Telling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.referee.judge import Effect, Judged
    from hinterland.referee.match import Result
    from hinterland.referee.record import Record
    from hinterland.referee.shell.game import GameInPlay
    from hinterland.referee.shell.host import Plan
    from hinterland.referee.shell.lobby import Lobby
    from hinterland.web.standing import Scene

__all__ = ["RefereedTable"]

log = logging.getLogger("hinterland.web")
LINGER_S = 6.0
"""How long the end of a game stays. Pages show moves that came too fast one after the other, which takes time, too."""
LONGER_FOR_A_MATCH = 2
"""So many times that long the end of a match stays, where others are played."""
P = ParamSpec("P")
Hears = Callable[Concatenate["RefereedTable", P], None]


def _quietly(hear: Hears[P]) -> Hears[P]:
    """Keep every fault of the show from the referee."""

    def heard(self: RefereedTable, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            hear(self, *args, **kwargs)
            self.look_on()
        except Exception:
            log.exception("the live page of a match missed something")

    return functools.wraps(hear)(heard)


def _is_last(scene: Scene) -> bool:
    """Say whether a game is the last of its match."""
    return scene.standing.result is not None and scene is scene.standing.scene


class RefereedTable(Watcher):
    """One referee, as viewers see it."""

    next_url = None

    def __init__(self, plan: Plan, address: str, *, linger_s: float = LINGER_S) -> None:
        """Show what a plan leads to. ``address``: where players connect, HOST:PORT."""
        self.id = new_id()
        self.plan = plan
        self.audience = Audience()
        self.brief = plan.terms.rules.brief()
        self.drawing = drawing_of(plan.terms.kind, plan.terms.rules, f"/tables/{self.id}")
        self.lobby: Lobby | None = None
        """Where programs come in that join over this table."""
        self.seen_s = time.monotonic()
        """When something last happened."""
        self._address = address
        self._linger_s = linger_s
        self._here: dict[int, str] = {}
        self._running = Running()
        self._scene: Scene | None = None
        self._notice: Notice | None = None
        self._closed: str | None = None
        self._switch: asyncio.TimerHandle | None = None
        self._encoded: tuple[object, msgspec.Raw] | None = None
        self._telling = Telling(self.audience, self._size)
        self._empty = judge.begin(plan.terms.rules.start(), plan.terms.control)

    # Shown

    @property
    def game_name(self) -> str:
        """What is played."""
        return self.plan.terms.kind.name

    @property
    def game(self) -> Judged:
        """The game that is shown; an empty board while nobody plays."""
        return self._empty if self._scene is None else self._scene.game.judged

    @property
    def places(self) -> tuple[int, ...]:
        """The number of the player in each seat."""
        return tuple(range(self.plan.terms.rules.players)) if self._scene is None else self._scene.places

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players of the match."""
        return tuple(Seat("program", player.name) for player in self._players())

    @property
    def moves_encoded(self) -> msgspec.Raw:
        """The moves so far, encoded once for all viewers."""
        scene = self._scene
        if scene is None:
            return msgspec.Raw(b"[]")
        key = (scene, len(scene.scores_after))
        if self._encoded is None or self._encoded[0] != key:
            self._encoded = (key, scene.moves_encoded())
        return self._encoded[1]

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores now, by seat."""
        return (0,) * len(self.places) if self._scene is None else self._scene.scores()

    @property
    def now_ns(self) -> int:
        """The time of the referee."""
        return time.monotonic_ns()

    @property
    def match(self) -> MatchView:
        """The match that is shown, or who waits for one."""
        scene = self._scene
        standing = None if scene is None else scene.standing
        over = scene is not None and _is_last(scene)
        return MatchView(
            state="over" if over else "closed" if self._closed is not None else "playing" if scene else "waiting",
            key="" if scene is None else scene.game.game_id,
            number=0 if scene is None else scene.game.number,
            of=self.plan.games if scene is None else scene.game.of,
            match=self._running.begun + 1 if standing is None else standing.number,
            matches=self.plan.matches,
            starter=None if scene is None else scene.places[0],
            players=self._players(),
            games=() if scene is None else scene.standing.games_to(scene.game.number),
            lobby=self._lobby_view(),
            notice=self._notice if scene is None else scene.notice,
            winners=() if standing is None or not over else standing.winners,
            detail=self._closed or "",
        )

    def undo_to(self) -> int | None:
        """Nothing is taken back before a referee."""

    def opens(self, key: str | None) -> bool:  # noqa: ARG002
        """Nobody plays here with a key."""
        return False

    async def arrive(self, *, plays: bool) -> None:
        """Do nothing: a referee does not wait for viewers."""

    # What is known from outside

    @property
    def is_over(self) -> bool:
        """Say whether nothing will happen here any more."""
        return self._closed is not None

    @property
    def is_deserted(self) -> bool:
        """Say whether no player is here: none waits and none plays."""
        return not self._here and not self._running

    @property
    def title(self) -> str:
        """What goes on here, in a few words."""
        if self._scene is not None:
            return " – ".join(self._scene.standing.names)
        return f"waiting for {sum(name is None for name in self._lobby_view().guests)} of {self.plan.guests} players"

    def close(self, detail: str) -> None:
        """Say that nothing more will happen, and why; what is said first counts."""
        self._closed = self._closed or detail
        self.look_on()
        if self._switch is not None:
            self._switch.cancel()
        self._telling.now()

    # What the referee reports

    @_quietly
    def came(self, number: int, name: str, origin: str) -> None:  # noqa: ARG002
        """Seat a player that waits."""
        self._here[number] = name
        self._notice = None

    @_quietly
    def went(self, number: int, name: str, detail: str) -> None:
        """Free a chair, or say that a player of the match is gone."""
        if self._here.get(number) == name:
            del self._here[number]
            self._notice = Notice("gone", None, f"{name} has left", detail)
        self._running.note_gone(number, name, detail)

    @_quietly
    def returned(self, number: int, name: str, origin: str) -> None:  # noqa: ARG002
        """Take back that a player is gone."""
        self._running.note_back(number, name)

    @_quietly
    def match_began(self, names: Sequence[str]) -> None:
        """Begin to follow a match."""
        self._here.clear()
        self._notice = None
        self._running.begin(names)

    @_quietly
    def game_began(self, game: GameInPlay) -> None:
        """Take a new game."""
        standing = self._running.standing_of(game)
        if standing is not None:
            standing.begin(game)

    @_quietly
    def happened(self, game: GameInPlay, effects: Sequence[Effect]) -> None:
        """Take what the judge decided."""
        scene = self._running.scene_of(game)
        if scene is not None:
            scene.take(effects)

    @_quietly
    def game_over(self, game: GameInPlay, record: Record) -> None:
        """Add a game to the score of its match."""
        scene = self._running.scene_of(game)
        if scene is not None:
            scene.standing.finish(record, scene.places)

    @_quietly
    def match_over(self, result: Result) -> None:
        """Note who won."""
        self._running.finish(result)

    # What is shown

    def look_on(self) -> None:
        """Show what is to be seen now, and let viewers know."""
        self.seen_s = time.monotonic()
        scene = self._scene
        if scene is None or scene.ended_s is None:
            self._turn_to_next()
        elif self._switch is None:
            wait_s = max(scene.ended_s + self._linger_s - self.seen_s, 0.0)
            self._switch = asyncio.get_running_loop().call_later(wait_s, self._look_further)
        self._telling.soon()

    def _look_further(self) -> None:
        """Leave a game that has ended for the next of its match, and a match that is over for another."""
        self._switch = None
        scene = self._scene
        if scene is not None and scene.ended_s is not None and _is_last(scene):
            wait_s = scene.ended_s + self._linger_s * LONGER_FOR_A_MATCH - time.monotonic()
            if wait_s > 0:
                self._switch = asyncio.get_running_loop().call_later(wait_s, self._look_further)
                return
        if self._turn_to_next():
            self._telling.soon()

    def _turn_to_next(self) -> bool:
        """Show the next game; say whether there is one."""
        scene = self._scene
        if scene is not None and not _is_last(scene):
            following = scene.standing.scene
        else:
            following = next(self._running.scenes, None)
            if following is None and scene is not None and self._here:
                self._scene = None
                return True
        if following is None or following is scene:
            return False
        self._scene = following
        return True

    def _players(self) -> tuple[PlayerView, ...]:
        if self._scene is not None:
            return self._scene.standing.players_to(self._scene.game.number)
        lobby = self._lobby_view()
        names = [name or f"player {number}" for number, name in enumerate(lobby.guests, start=1)]
        return tuple(PlayerView(name, 0, 0, 0) for name in (*names, *lobby.house))

    def _lobby_view(self) -> LobbyView:
        plan = self.plan
        waiting = dict(self._here)
        latest = self._running.latest
        if not waiting and latest is not None and latest.scene is None:
            waiting = dict(enumerate(latest.names[: plan.guests]))
        return LobbyView(
            protocol=plan.protocol,
            address=self._address,
            socket=f"/tables/{self.id}/join" if plan.protocol == "json" else None,
            needs_token=plan.tokens is not None,
            guests=tuple(waiting.get(number) for number in range(plan.guests)),
            house=plan.house,
        )

    def _size(self) -> int:
        """Return how many bytes of moves a viewer is sent."""
        return 0 if self._encoded is None else len(memoryview(self._encoded[1]))
