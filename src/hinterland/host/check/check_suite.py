"""Runs the checks of a bot: plays games of several kinds and judges them, within a time that is known in advance."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from hinterland.contract import Game, Rules, StoneRules
from hinterland.errors import ArenaError, HinterlandError
from hinterland.host.check import seat_knowledge
from hinterland.host.check.bot_sources import CLEANUP_TIMEOUT_S, BotSource, NobodyCame
from hinterland.host.check.check_games import GAME_OVERHEAD_S, CheckedGame, CheckGames, GamePlan
from hinterland.host.check.seat_knowledge import Ranks
from hinterland.host.lag_monitor import LagMonitor
from hinterland.referee.clock import TimeControl
from hinterland.referee.verdicts import Verdict

State = Literal["passed", "failed", "skipped"]
CHECKS: dict[str, str] = {
    "introduces": "starts and introduces itself in time",
    "first_move": "makes a legal first move",
    "in_time": "answers in time",
    "whole_game": "plays a whole game legally",
    "both_seats": "plays the next game, from the other seat",
    "own_seat": "knows which seat is its own",
    "packets": "copes with messages that come in pieces, and with several in one packet",
    "leaver": "copes with an opponent that leaves, and plays the next game",
    "short_clock": "finishes when there is little time",
    "refused": "answers again when a move is refused",
    "no_weights": "gives no weight where stones have none",
    "quiet": "says nothing unasked, and nothing twice",
    "ends": "ends when told",
    "crowds": "keeps no more threads busy than there are processors",
    "long_game": "copes with a long game",
    "weighted": "plays with weighted stones, in both seats",
    "melee": "plays a melee of three",
}
"""All checks by name, in the order in which they are reported."""
WEIGHT_PER_STONE, STONES_FACTOR, MAX_STONES = 10, 5, 100
GAMES = {
    "both_seats": 1,
    "own_seat": 2 * seat_knowledge.POSITIONS_PER_ROLE + 3 * seat_knowledge.PAIRS_OF_STONES,
    "packets": 2,
    "leaver": 2,
    "short_clock": 1,
    "refused": 1,
}
"""For each check with the usual rules: the most games that it needs besides the first game."""
OTHER_GAMES = {"long_game": 1, "weighted": 2, "melee": 1}
"""For each check with other rules: the most games that it needs. The bot is started anew for such a check."""
SHORT_CLOCK_DIVISOR = 10
"""The check ``short_clock`` gives the bot its usual time divided by this number."""
MELEE_PLAYERS = 3
NO_CONNECTION = "a built-in player has no connection"
CROWDED_SHARE, MIN_CROWDED_LOOKS = 0.5, 3
"""A bot fails the check ``crowds`` if it wanted more processors than there are at more than ``MIN_CROWDED_LOOKS``
looks, and at more than the fraction ``CROWDED_SHARE`` of all looks at its processes."""
SEAT_WORDS = {
    "": "",
    "one": "in one of the two seats it plays as if it sat in the other: its moves are worth more to its opponent there",
    "both": "its moves are worth more to its opponent, in both seats: it takes itself for the other player",
}
UNWEIGHTED_NUMBERS = 2
"""An answer that places a stone without a weight has this many numbers."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The finding of one check."""

    check: str
    title: str
    """What a bot does if it passes the check."""
    state: State
    """The result."""
    reason: str = ""
    """Why the bot failed, or why it was not checked."""
    conversation: tuple[str, ...] = ()
    """If the bot failed, the last lines between bot and referee: ``<`` marks lines to the bot, ``>`` lines from it."""
    stderr: tuple[str, ...] = ()
    """If the bot failed and is a program, the last lines of its standard error."""


class _LeftError(ArenaError):
    """The bot left a game in which a check looks at its moves."""


class CheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to check."""

    kind: Game
    rules: Rules
    """Rules of all games except the long game, the weighted games and the melee."""
    control: TimeControl
    """The usual clock. The checks ``short_clock`` and ``refused`` may use a shorter one."""
    checks: tuple[str, ...] = tuple(CHECKS)
    """Names of the checks."""

    @property
    def games(self) -> int:
        """Most games that the wanted checks need."""
        return 1 + sum(games for check, games in (GAMES | OTHER_GAMES).items() if check in self.checks)


class CheckSuite:
    """Runs the checks of a bot. It belongs to one event loop."""

    def __init__(
        self, request: CheckRequest, bots: BotSource, lag_monitor: LagMonitor, tell: Callable[[Finding], None]
    ) -> None:
        """``tell`` is called with each finding as soon as it is known."""
        self._request, self._bots, self._tell = request, bots, tell
        self._findings: dict[str, Finding] = {}
        planned = 1 + sum(games for check, games in GAMES.items() if check in request.checks)
        self._games = CheckGames(request.kind, bots, lag_monitor, planned)
        self._heavy = ""
        self._impossible = dict(_list_impossible_checks(request.rules, bots))

    @property
    def most_s(self) -> float:
        """Most seconds that the checks take, if the bot uses all its time and is started anew in each game."""
        a_game_s = (
            (self._request.control.budget_ms or 0) / 1000 + GAME_OVERHEAD_S + self._bots.connect_s + CLEANUP_TIMEOUT_S
        )
        return self._request.games * a_game_s + CLEANUP_TIMEOUT_S

    async def run(self) -> list[Finding]:
        """Run all requested checks; return their findings."""
        why = "not tried: first a whole game must go well"
        try:
            async with asyncio.timeout(self.most_s - CLEANUP_TIMEOUT_S):
                await self._run()
        except TimeoutError:
            why = f"not tried: {self.most_s:.0f} s are over"
        finally:
            await self._bots.leave()
        for check in self._request.checks:
            self._note(check, "skipped", why)
        return [self._findings[check] for check in CHECKS if check in self._findings]

    async def _run(self) -> None:
        if await self._first_game():
            await self._more_games()
            if self._wants("no_weights"):
                self._pass_or_fail("no_weights", self._heavy)
            await self._end()
            await self._other_rules()
        elif self._has("in_time", "failed"):
            await self._games.clear()  # a bot that does not answer cannot be asked to end
        elif self._games.is_here:
            await self._end()

    # The checks

    async def _first_game(self) -> bool:
        """Play the game on which all other checks depend; return whether it went well."""
        try:
            await self._games.seat(self._request.rules)
        except HinterlandError as error:
            self._note("introduces", "skipped" if isinstance(error, NobodyCame) else "failed", str(error))
            return False
        if self._wants("introduces"):
            self._pass_or_fail("introduces", "")
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
        control = self._request.control
        short = msgspec.structs.replace(control, budget_ms=max((control.budget_ms or 0) // SHORT_CLOCK_DIVISOR, 1))
        await self._try("both_seats", {"seat": 1})
        if self._bots.speaks_json and self._wants("own_seat"):
            await self._try_seats()
        await self._try("packets", {"packets": "pieces"}, {"packets": "joined", "seat": 1})
        await self._try("leaver", {"leaves": True}, {"seat": 1})
        await self._try("short_clock", {"control": short})
        await self._try("refused", {"refusals": 1, "control": short if self._has("short_clock", "passed") else control})

    async def _try_seats(self) -> None:
        """Find out whether the bot takes itself for the player in another seat (json) or with another number (hps)."""
        try:
            reason = SEAT_WORDS[await self._mistaken_by_worth()]
            if not reason and self._bots.speaks_json and await self._answers_as_seat_0():
                reason = "in seat 1 it answers as if it sat in seat 0: to the same moves the same, whose ever they are"
        except _LeftError as left:
            self._note("own_seat", "failed", str(left))
        except HinterlandError as error:
            self._note("own_seat", "failed" if type(error) is ArenaError else "skipped", str(error))
        else:
            self._pass_or_fail("own_seat", reason)

    async def _mistaken_by_worth(self) -> Literal["", "one", "both"]:
        """Return in how many of two roles the bot plays for its opponent.

        A role is a seat in json, a player number in hps. Raises HinterlandError if the bot's games do not show for whom
        it plays.
        """
        by_seat = self._bots.speaks_json
        found: tuple[list[Ranks], list[Ranks]] = ([], [])
        for game, role in enumerate(seat_knowledge.list_roles(alternately=by_seat)):
            seat, number = (role, 0) if by_seat else (game % 2, role)
            position = seat_knowledge.draw_position(self._request.rules, seat, game)
            played = await self._stay(position=position, seat=seat, number=number)
            assert played.end is not None
            ranks = await asyncio.to_thread(seat_knowledge.rank_move, played.end, len(position.moves))
            found[role].extend([] if ranks is None else [ranks])
            if seat_knowledge.is_cleared(found):
                break
        return seat_knowledge.find_mistaken_roles(found)

    async def _answers_as_seat_0(self) -> bool:
        """Say whether the bot answers in seat 1 as if it sat in seat 0. Random bots hardly ever do."""
        for seed in range(seat_knowledge.PAIRS_OF_STONES):
            answers: list[object] = []
            positions = seat_knowledge.make_positions(self._request.rules, seed)
            for position, seat in zip(positions, seat_knowledge.PAIR_SEATS, strict=True):
                answers.append((await self._stay(position=position, seat=seat)).answers[:1])
            if not seat_knowledge.is_seat_mistaken(tuple(answers)):
                return False
        return True

    async def _stay(self, **wanted: Any) -> CheckedGame:
        played = await self._play(**wanted)
        if played.reason:
            raise _LeftError(played.reason)
        return played

    async def _end(self) -> None:
        """Send the bot away; judge what it sent unasked, how it ended, and how many processors it wanted."""
        is_here, complaint = self._games.is_here, await self._games.clear()
        unasked, left = self._games.unasked, self._games.left_by_itself
        if self._wants("quiet"):
            self._pass_or_fail("quiet", f"{len(unasked)} times, first: {unasked[0]}" if unasked else "")
        if self._wants("ends") and not (is_here or left):
            self._note("ends", "skipped", "it was gone before it was told to end")
        elif self._wants("ends"):
            self._pass_or_fail("ends", left or complaint)
        if self._wants("crowds"):
            self._tell_crowding()

    def _tell_crowding(self) -> None:
        """Judge whether the bot itself delays the referee: a bot is charged for delays that it causes."""
        looks, crowded = self._bots.looks, self._bots.crowded_looks
        if not looks:
            self._note("crowds", "skipped", "its processes cannot be seen")
        else:
            words = f"at {crowded} of {looks} looks it wanted more processors than there are: delays count against it"
            self._pass_or_fail("crowds", words if crowded > max(looks * CROWDED_SHARE, MIN_CROWDED_LOOKS) else "")

    async def _other_rules(self) -> None:
        if self._wants("own_seat"):
            await self._try_seats()  # in hps the bot is started anew for each number
        stones = getattr(self._request.rules, "stones", 1)
        await self._try_with("long_game", {"stones": max(min(stones * STONES_FACTOR, MAX_STONES), stones)}, 0)
        await self._try_with("weighted", {"weight": WEIGHT_PER_STONE * stones}, 0, 1)
        await self._try_with("melee", {"players": MELEE_PLAYERS}, MELEE_PLAYERS - 1)

    async def _try_with(self, check: str, changes: dict[str, Any], *seats: int) -> None:
        """Run a check with other rules: the bot plays one game from each of ``seats``."""
        if not self._wants(check):
            return
        try:
            rules = msgspec.structs.replace(self._request.rules, **changes)
            rules.start()
        except HinterlandError as error:
            self._note(check, "skipped", str(error))
        else:
            await self._try(check, *({"rules": rules, "seat": seat} for seat in seats))

    # Games

    async def _try(self, check: str, *games: dict[str, Any]) -> None:
        """Run a check: play its games one after another, until the bot leaves one and fails."""
        if not self._wants(check):
            return
        for game in games:
            try:
                played = await self._play(**game)
            except ArenaError as error:
                self._note(check, "skipped" if isinstance(error, NobodyCame) else "failed", str(error))
                return
            if played.reason or (self._games.has_gone and game is not games[-1]):
                self._note(check, "failed", played.reason or f"it left after the game: {self._games.absence}")
                return
        self._note(check, "passed")

    async def _play(self, **wanted: Any) -> CheckedGame:
        plan = GamePlan(**{"rules": self._request.rules, "control": self._request.control} | wanted)
        played = await self._games.play(plan)
        if _is_unweighted(plan.rules):
            heavy = next((answer for answer in played.answers if len(answer) > UNWEIGHTED_NUMBERS), None)
            self._heavy = self._heavy or ("" if heavy is None else f"its answer {list(heavy)} has one")
        return played

    # Findings

    def _wants(self, check: str) -> bool:
        """Say whether to run a check. If the check is impossible, note why."""
        if check in self._impossible:
            self._note(check, "skipped", self._impossible[check])
        return check not in self._findings and (check in self._request.checks or check == "introduces")

    def _has(self, check: str, state: State) -> bool:
        return check in self._findings and self._findings[check].state == state

    def _pass_or_fail(self, check: str, reason: str) -> None:
        self._note(check, "failed" if reason else "passed", reason)

    def _note(self, check: str, state: State, reason: str = "") -> None:
        if check in self._findings or (check not in self._request.checks and check != "introduces"):
            return
        found = Finding(check=check, title=CHECKS[check], state=state, reason=reason)
        if state == "failed" and self._bots.tap is not None:
            lines = tuple(self._bots.tap.lines)
            found = msgspec.structs.replace(found, conversation=lines, stderr=self._bots.stderr())
        self._findings[check] = found
        self._tell(found)


def _list_impossible_checks(rules: Rules, bots: BotSource) -> Iterable[tuple[str, str]]:
    """Yield the checks that are impossible for this bot or these rules, with the reasons."""
    if not bots.is_wired:
        yield from (
            (check, NO_CONNECTION) for check in ("introduces", "own_seat", "packets", "refused", "quiet", "ends")
        )
    if not bots.speaks_json:
        yield "short_clock", "protocol hps does not say how much time there is"
        yield "no_weights", "only protocol json takes a move of two numbers for one without weight"
    elif not _is_unweighted(rules):
        yield "no_weights", "no game without weights was played"
    if not isinstance(rules, StoneRules):
        yield "long_game", f"{rules.game} has no stones to play more of"
        yield "weighted", f"{rules.game} has no weights"
    elif rules.weight is not None:
        yield "weighted", "all games were weighted"
    if rules.players >= MELEE_PLAYERS:
        yield "melee", "all games were melees"


def _is_unweighted(rules: Rules) -> bool:
    return isinstance(rules, StoneRules) and rules.weight is None
