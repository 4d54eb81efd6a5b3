"""The course that a bot runs: games of several kinds, and what they show. How long it takes at most is known before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.errors import ArenaError, HinterlandError
from hinterland.referee.shell.check import seating
from hinterland.referee.shell.check.findings import CHECKS, Finding, State, finding
from hinterland.referee.shell.check.guests import CLOSING_S, NobodyCame
from hinterland.referee.shell.check.table import OTHERS_S, Played, Round, Table
from hinterland.referee.verdicts import Verdict

if TYPE_CHECKING:
    from hinterland.contract import Game, Rules
    from hinterland.referee.clock import TimeControl
    from hinterland.referee.shell.check.guests import Bots
    from hinterland.referee.shell.heartbeat import Heartbeat

__all__ = ["Course", "Wish"]

WEIGHT_A_STONE, MORE_STONES, MOST_STONES = 10, 5, 100
GAMES = {"both_seats": 1, "own_seat": 3 * seating.PAIRS, "packets": 2, "leaver": 2, "short_clock": 1, "refused": 1}
"""How many games a check takes at most, after the first one."""
OTHER_GAMES = {"long_game": 1, "weighted": 2, "melee": 1}
"""The same with other rules, for which the bot comes anew."""
SHORT = 10
"""Little time is a tenth of the usual."""
MELEE = 3
UNWEIGHTED = 2
"""How many numbers a move of stones without weight has."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be checked."""

    kind: Game
    """The game."""
    rules: Rules
    """What is played, but for long and weighted games and the melee."""
    control: TimeControl
    """How much time there is, but for the game with little."""
    checks: tuple[str, ...] = tuple(CHECKS)
    """Names of checks."""

    @property
    def games(self) -> int:
        """How many games there are at most."""
        return 1 + sum(games for check, games in (GAMES | OTHER_GAMES).items() if check in self.checks)


class Course:
    """Lets a bot run the course. It belongs to one event loop."""

    def __init__(self, wish: Wish, bots: Bots, heartbeat: Heartbeat, tell: Callable[[Finding], None]) -> None:
        """Make ready. ``tell`` hears of each finding when it is known."""
        self._wish, self._bots, self._tell = wish, bots, tell
        self._findings: dict[str, Finding] = {}
        planned = 1 + sum(games for check, games in GAMES.items() if check in wish.checks)
        self._table = Table(wish.kind, bots, heartbeat, planned)
        self._heavy = ""

    @property
    def most_s(self) -> float:
        """How long it can take: a bot that uses all its time in each game, and comes anew for each."""
        a_game_s = (self._wish.control.budget_ms or 0) / 1000 + OTHERS_S + self._bots.coming_s + CLOSING_S
        return self._wish.games * a_game_s + CLOSING_S

    async def run(self) -> list[Finding]:
        """Run all checks that are wished for; return what they found."""
        why = "not tried: first a whole game must go well"
        try:
            async with asyncio.timeout(self.most_s - CLOSING_S):
                await self._run()
        except TimeoutError:
            why = f"not tried: {self.most_s:.0f} s are over"
        finally:
            await self._bots.leave()
        for check in self._wish.checks:
            self._note(check, "skipped", why)
        return [self._findings[check] for check in CHECKS if check in self._findings]

    async def _run(self) -> None:
        if await self._first_game():
            await self._more_games()
            self._pass_or_fail_weights()
            await self._end()
            await self._other_rules()
        elif "in_time" in self._failed:
            await self._table.clear()  # who does not answer cannot be asked to end
        elif self._table.is_here:
            await self._end()

    # The checks

    async def _first_game(self) -> bool:
        """Play the game on which all others depend; say whether it went well."""
        try:
            await self._table.seat(self._wish.rules)
        except HinterlandError as error:
            self._note("introduces", "skipped" if isinstance(error, NobodyCame) else "failed", str(error))
            return False
        self._pass_or_fail("introduces", "") if self._bots.is_wired else self._not_wired("introduces")
        played = await self._play()
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
        await self._try("both_seats", lambda: self._play(seat=1))
        if self._bots.is_wired:
            await self._try_seats()
            await self._try(
                "packets", lambda: self._play(packets="pieces"), lambda: self._play(packets="joined", seat=1)
            )
        else:
            self._not_wired("own_seat")
            self._not_wired("packets")
        await self._try("leaver", lambda: self._play(leaves=True), lambda: self._play(seat=1))
        if self._bots.speaks_of_time:
            await self._try("short_clock", lambda: self._play(control=self._short()))
        else:
            self._note("short_clock", "skipped", "protocol hps does not say how much time there is")
        if self._bots.is_wired:
            hurried = self._short() if self._has_passed("short_clock") else self._wish.control
            await self._try("refused", lambda: self._play(refusals=1, control=hurried))
        else:
            self._not_wired("refused")

    async def _try_seats(self) -> None:
        """Find out whether the bot takes itself for somebody else."""
        if not self._bots.speaks_json:
            self._note("own_seat", "skipped", "protocol hps does not say which turns were lost")
        if "own_seat" in self._findings or "own_seat" not in self._wish.checks:
            return
        reason = "in seat 1 it answers as if it sat in seat 0: to the same moves the same, whose ever they are"
        for seed in range(seating.PAIRS):
            answers: list[object] = []
            try:
                for position, seat in zip(seating.positions(self._wish.rules, seed), seating.SEATS, strict=True):
                    played = await self._play(position=position, seat=seat)
                    if played.reason:
                        self._note("own_seat", "failed", played.reason)
                        return
                    answers.append(played.answers[:1])
            except HinterlandError as error:
                self._note("own_seat", "failed" if type(error) is ArenaError else "skipped", str(error))
                return
            if not seating.takes_itself_for_another(tuple(answers)):
                reason = ""
                break
        self._pass_or_fail("own_seat", reason)

    def _pass_or_fail_weights(self) -> None:
        """Judge what it answered in games without weights."""
        if not self._bots.speaks_json:
            self._note("no_weights", "skipped", "only protocol json takes a move of two numbers for one without weight")
        elif not self._has_weights or getattr(self._wish.rules, "weight", None) is not None:
            self._note("no_weights", "skipped", "no game without weights was played")
        else:
            self._pass_or_fail("no_weights", self._heavy)

    async def _end(self) -> None:
        """See the bot off. What it said unasked up to here is known now."""
        if not self._bots.is_wired:
            self._not_wired("quiet")
            self._not_wired("ends")
            return
        table = self._table
        is_here = table.is_here
        complaint = await table.clear()
        self._pass_or_fail("quiet", f"{len(table.unasked)} times, first: {table.unasked[0]}" if table.unasked else "")
        if is_here or table.left_by_itself:
            self._pass_or_fail("ends", table.left_by_itself or complaint)
        else:
            self._note("ends", "skipped", "it was gone before it was told to end")

    async def _other_rules(self) -> None:
        rules = self._wish.rules
        stones = getattr(rules, "stones", None)
        if type(stones) is int:
            more = max(min(stones * MORE_STONES, MOST_STONES), stones)
            await self._try_with("long_game", {"stones": more}, 0)
        else:
            self._note("long_game", "skipped", f"{rules.game} has no stones to play more of")
        if not self._has_weights:
            self._note("weighted", "skipped", f"{rules.game} has no weights")
        elif getattr(rules, "weight", None) is not None:
            self._note("weighted", "skipped", "all games were weighted")
        else:
            await self._try_with("weighted", {"weight": WEIGHT_A_STONE * (stones or 1)}, 0, 1)
        if rules.players >= MELEE:
            self._note("melee", "skipped", "all games were melees")
        else:
            await self._try_with("melee", {"players": MELEE}, MELEE - 1)

    async def _try_with(self, check: str, changes: dict[str, Any], *seats: int) -> None:
        """Play a game with other rules from each of some seats."""
        try:
            rules = msgspec.structs.replace(self._wish.rules, **changes)
            rules.start()
        except HinterlandError as error:
            self._note(check, "skipped", str(error))
        else:
            await self._try(check, *(lambda seat=seat: self._play(rules=rules, seat=seat) for seat in seats))

    # Games

    def _short(self) -> TimeControl:
        control = self._wish.control
        return msgspec.structs.replace(control, budget_ms=max((control.budget_ms or 0) // SHORT, 1))

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
            if played.reason or (self._table.has_gone and game is not games[-1]):
                self._note(check, "failed", played.reason or f"it left after the game: {self._table.absence}")
                return
        self._note(check, "passed")

    async def _play(self, **wanted: Any) -> Played:
        given = {"rules": self._wish.rules, "control": self._wish.control} | wanted
        played = await self._table.play(Round(**given))
        if self._has_weights and getattr(given["rules"], "weight", None) is None:
            heavy = next((answer for answer in played.answers if len(answer) > UNWEIGHTED), None)
            self._heavy = self._heavy or ("" if heavy is None else f"its answer {list(heavy)} has one")
        return played

    @property
    def _has_weights(self) -> bool:
        return "weight" in self._wish.rules.__struct_fields__

    # Findings

    @property
    def _failed(self) -> list[str]:
        return [check for check, found in self._findings.items() if found.state == "failed"]

    def _has_passed(self, check: str) -> bool:
        return check in self._findings and self._findings[check].state == "passed"

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
