"""The course that a bot runs: games of several kinds, and what they show."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.errors import ArenaError, HinterlandError
from hinterland.referee import judge
from hinterland.referee.shell.check.findings import CHECKS, Finding, State, finding
from hinterland.referee.shell.check.guests import Guest, NobodyCame
from hinterland.referee.shell.game import GameInPlay
from hinterland.referee.shell.house import HouseChair
from hinterland.referee.shell.watcher import Watcher
from hinterland.referee.verdicts import Verdict

if TYPE_CHECKING:
    from hinterland.contract import Game, Position, Rules
    from hinterland.referee.clock import TimeControl
    from hinterland.referee.shell.chair import Chair
    from hinterland.referee.shell.check.guests import Bots
    from hinterland.referee.shell.check.tap import Packets
    from hinterland.referee.shell.heartbeat import Heartbeat
    from hinterland.referee.wire import talk

__all__ = ["Course", "Wish"]

OPPONENT = "random"
LEAVES_AFTER = 1
"""So many moves does the opponent make that leaves."""
WEIGHT_A_STONE, MORE_STONES, MOST_STONES = 10, 5, 100
GAMES = {"both_seats": 1, "packets": 2, "leaver": 2, "short_clock": 1}
"""How many games a check takes, after the first one."""
SHORT = 10
"""Little time is a tenth of the usual."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be checked."""

    kind: Game
    """The game."""
    rules: Rules
    """What is played, but for long and weighted games."""
    control: TimeControl
    """How much time there is, but for the game with little."""
    checks: tuple[str, ...] = tuple(CHECKS)
    """Names of checks."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """How a game went for the bot."""

    verdict: Verdict | None
    """Why it left the game, if it did."""
    detail: str
    """The same in words."""
    own_moves: int
    """How many moves it made."""

    @property
    def reason(self) -> str:
        """Why it left, after how many moves, in words; empty where it stayed."""
        return "" if self.verdict is None else f"{self.verdict} at its move {self.own_moves + 1}: {self.detail}"


class _Leaver(HouseChair):
    """An opponent that leaves in the middle of the game."""

    _moves = 0

    def ask(self, ask: judge.Ask, question: talk.Question, position: Position[Any, Any]) -> None:
        """Move, or leave."""
        if self._moves < LEAVES_AFTER:
            self._moves += 1
            super().ask(ask, question, position)
            return
        assert self._hand_in is not None
        left = judge.Fault(ask.seat, Verdict.DISCONNECT, "it left, as this check wants it to")
        asyncio.get_running_loop().call_soon(self._hand_in, left, time.monotonic_ns())


class Course:
    """Lets a bot run the course. It belongs to one event loop."""

    def __init__(self, wish: Wish, bots: Bots, heartbeat: Heartbeat, tell: Callable[[Finding], None]) -> None:
        """Make ready. ``tell`` hears of each finding when it is known."""
        self._wish, self._bots, self._heartbeat, self._tell = wish, bots, heartbeat, tell
        self._findings: dict[str, Finding] = {}
        self._chair: Chair | None = None
        self._rules: Rules | None = None
        self._number = 0
        self._planned = 1 + sum(games for check, games in GAMES.items() if check in wish.checks)
        self._unasked: list[str] = []
        self._left_by_itself = ""
        self._was_sent_away = False

    async def run(self) -> list[Finding]:
        """Run all checks that are wished for; return what they found."""
        try:
            if await self._first_game():
                await self._more_games()
                await self._end()
                await self._other_rules()
            elif "in_time" in self._failed:
                await self._leave()  # who does not answer cannot be asked to end
            elif getattr(self._chair, "is_connected", False):
                await self._end()
        finally:
            await self._bots.leave()
        for check in self._wish.checks:
            self._note(check, "skipped", "not tried: first a whole game must go well")
        return [self._findings[check] for check in CHECKS if check in self._findings]

    # The checks

    async def _first_game(self) -> bool:
        """Play the game on which all others depend; say whether it went well."""
        try:
            await self._seat(self._wish.rules)
        except HinterlandError as error:
            self._note("introduces", "skipped" if isinstance(error, NobodyCame) else "failed", str(error))
            return False
        self._pass_or_fail("introduces", "") if self._bots.is_wired else self._not_wired("introduces")
        played = await self._play(self._wish.rules)
        is_late = played.verdict is Verdict.TIME
        has_moved = played.own_moves > 0
        if has_moved or not is_late:
            self._pass_or_fail("first_move", "" if has_moved else played.reason)
        if has_moved or is_late:
            self._pass_or_fail("in_time", played.reason if is_late else "")
        if has_moved and not is_late:
            self._pass_or_fail("whole_game", played.reason)
        return not played.reason

    async def _more_games(self) -> None:
        await self._try("both_seats", self._plays(seat=1))
        if self._bots.is_wired:
            await self._try("packets", self._plays(packets="pieces"), self._plays(packets="joined", seat=1))
        else:
            self._not_wired("packets")
        await self._try("leaver", self._plays(opponent=_Leaver), self._plays(seat=1))
        if self._bots.speaks_of_time:
            await self._try("short_clock", self._plays(control=self._short()))
        else:
            self._note("short_clock", "skipped", "protocol hps does not say how much time there is")

    async def _end(self) -> None:
        """See the bot off. What it said unasked up to here is known now."""
        if not self._bots.is_wired:
            self._not_wired("quiet")
            self._not_wired("ends")
            return
        is_here = getattr(self._chair, "is_connected", False)
        complaint = await self._leave()
        said = f"{len(self._unasked)} times, first: {self._unasked[0]}" if self._unasked else ""
        self._pass_or_fail("quiet", said)
        if is_here or self._left_by_itself:
            self._pass_or_fail("ends", self._left_by_itself or complaint)

    async def _other_rules(self) -> None:
        rules = self._wish.rules
        stones = getattr(rules, "stones", None)
        if type(stones) is int:
            more = max(min(stones * MORE_STONES, MOST_STONES), stones)
            await self._try("long_game", self._plays(msgspec.structs.replace(rules, stones=more)))
        else:
            self._note("long_game", "skipped", f"{rules.game} has no stones to play more of")
        if "weight" not in rules.__struct_fields__:
            self._note("weighted", "skipped", f"{rules.game} has no weights")
        elif getattr(rules, "weight", None) is not None:
            self._note("weighted", "skipped", "all games were weighted")
        else:
            weighted = msgspec.structs.replace(rules, weight=WEIGHT_A_STONE * (stones or 1))
            await self._try("weighted", self._plays(weighted))

    # Games

    def _short(self) -> TimeControl:
        control = self._wish.control
        return msgspec.structs.replace(control, budget_ms=max((control.budget_ms or 0) // SHORT, 1))

    def _plays(self, rules: Rules | None = None, **more: Any) -> Callable[[], Any]:
        return lambda: self._play(rules or self._wish.rules, **more)

    async def _try(self, check: str, *games: Callable[[], Any]) -> None:
        """Play games until the bot leaves one."""
        if check not in self._wish.checks:
            return
        for game in games:
            try:
                played: Played = await game()
            except ArenaError as error:
                self._note(check, "skipped" if isinstance(error, NobodyCame) else "failed", str(error))
                return
            if played.reason or (self._has_gone and game is not games[-1]):
                self._note(check, "failed", played.reason or f"it left after the game: {self._absence}")
                return
        self._note(check, "passed")

    async def _play(
        self,
        rules: Rules,
        *,
        seat: int = 0,
        packets: Packets = "whole",
        opponent: type[HouseChair] = HouseChair,
        control: TimeControl | None = None,
    ) -> Played:
        bot = await self._seat(rules)
        if isinstance(bot, Guest):
            bot.tap.packets = packets
        kind = self._wish.kind
        spec = OPPONENT if OPPONENT in kind.players else next(iter(kind.players))
        others: list[Chair] = [
            opponent(kind, number, f"opponent {number}", spec, 0) for number in range(1, rules.players)
        ]
        chairs = [*others[:seat], bot, *others[seat:]]
        self._number += 1
        self._planned = max(self._planned - 1, 0)
        judged = judge.begin(
            rules.start(), control or self._wish.control, grace_ms=[chair.grace_ms for chair in chairs]
        )
        game = GameInPlay(
            kind, judged, chairs, self._heartbeat, Watcher(),
            game_id=f"check-{self._number}", number=self._number, of=self._number + self._planned,
        )  # fmt: skip
        judged = await game.play()
        game.tell_the_end()
        if isinstance(bot, Guest):
            bot.tap.packets = "whole"
            bot.tap.flush()
        self._was_sent_away = any(gone.seat == seat for gone in judged.departures)
        left = next((gone for gone in judged.departures if gone.seat == seat), None)
        return Played(
            verdict=None if left is None else left.reason,
            detail="" if left is None else left.detail,
            own_moves=sum(mover == seat for mover, _ in judged.position.moves),
        )

    async def _seat(self, rules: Rules) -> Chair:
        """Return the bot ready for a game; let it come anew where it is gone or waits for other rules."""
        if self._chair is not None:
            await self._chair.prepare()
            is_gone = self._has_gone
            if self._rules == rules and not is_gone and self._chair.absence is None:
                return self._chair
            if is_gone and not self._was_sent_away:
                self._left_by_itself = f"it left after game {self._number}, before it was told to: {self._absence}"
            await self._leave()
        self._number = 0
        self._rules = rules
        self._chair = await self._bots.come(rules)
        return self._chair

    @property
    def _has_gone(self) -> bool:
        return isinstance(self._chair, Guest) and not self._chair.is_connected

    @property
    def _absence(self) -> str:
        absence = None if self._chair is None else self._chair.absence
        return "the connection is closed" if absence is None else absence[1]

    async def _leave(self) -> str:
        chair, self._chair = self._chair, None
        complaint = await self._bots.leave()
        if isinstance(chair, Guest):
            self._unasked += chair.unasked
        return complaint

    # Findings

    @property
    def _failed(self) -> list[str]:
        return [check for check, found in self._findings.items() if found.state == "failed"]

    def _not_wired(self, check: str) -> None:
        self._note(check, "skipped", "a player of the house hears and says nothing over a wire")

    def _pass_or_fail(self, check: str, reason: str) -> None:
        self._note(check, "failed" if reason else "passed", reason)

    def _note(self, check: str, state: State, reason: str = "") -> None:
        if check in self._findings or (check not in self._wish.checks and check != "introduces"):
            return
        found = finding(check, state, reason)
        tap = getattr(self._bots, "tap", None)
        if state == "failed" and tap is not None:
            found = msgspec.structs.replace(found, conversation=tuple(tap.lines), stderr=self._bots.stderr())
        self._findings[check] = found
        self._tell(found)
