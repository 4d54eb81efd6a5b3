"""Plays the games in which a bot is checked: seats the bot, plays games of every kind, and notes how they went."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec

from hinterland.contract import Game, Position, Rules
from hinterland.host.check.bot_sources import BotSource
from hinterland.host.check.checked_player import BOT, CheckedPlayer, Packets
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.live_game import LiveGame
from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.players.in_process import InProcessPlayer
from hinterland.referee import judge
from hinterland.referee.clock import TimeControl
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol import session
from hinterland.referee.verdicts import Illegal, Verdict

OPPONENT_SPEC = "random"
MOVES_BEFORE_LEAVING = 1
"""Number of moves that the opponent makes before it leaves."""
GAME_OVERHEAD_S = 10.0
"""Most seconds of a game besides the bot's time: for opponents, the referee, and the wait for a late answer."""


class GamePlan(msgspec.Struct, frozen=True, kw_only=True):
    """One game to play."""

    rules: Rules
    control: TimeControl
    seat: int = 0
    """Seat of the bot."""
    packets: Packets = "whole"
    """How messages to the bot are cut into packets."""
    position: Position[Any, Any] | None = None
    """Position from which the game begins; None: the usual start."""
    number: int = BOT
    """Number of the bot in the match, from 0."""
    refusals: int = 0
    """How many of the bot's first answers are refused, even if they are legal."""
    leaves: bool = False
    """Whether the opponents leave."""


class CheckedGame(msgspec.Struct, frozen=True, kw_only=True):
    """How a game went for the bot."""

    verdict: Verdict | None
    """Why the bot left the game; None if it stayed."""
    detail: str
    """The reason in words; empty if the bot stayed."""
    own_moves: int
    """Number of the bot's moves."""
    end: Position[Any, Any] | None = None
    """The last position."""
    answers: tuple[tuple[object, ...], ...] = ()
    """For each answer of the bot, the numbers that it sent."""
    budget_ms: int | None = None
    """The bot's time for the game, in milliseconds."""
    took_s: tuple[float, ...] = ()
    """Seconds from each request to its answer."""

    @property
    def reason(self) -> str:
        """Why and at which of its moves the bot left, in words; empty if it stayed."""
        if self.verdict is None:
            return ""
        return f"{self.verdict} at its move {self.own_moves + 1}: {self.detail}{self._times()}"

    def _times(self) -> str:
        if self.verdict is not Verdict.TIME or self.budget_ms is None:
            return ""
        had = f"; it had {self.budget_ms / 1000:g} s for the game"
        if not self.took_s:
            return f"{had}, and answered nothing"
        total_s, slowest_s = sum(self.took_s), max(self.took_s)
        return f"{had}, and its answers took {total_s:.3g} s in all, {slowest_s:.3g} s at most"


class Leaver(InProcessPlayer):
    """An opponent that leaves in the middle of the game."""

    _moves = 0

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:
        if self._moves < MOVES_BEFORE_LEAVING:
            self._moves += 1
            return super().request_move(request, message, position)
        assert self._submit_event is not None
        left = judge.Fault(request.seat, Verdict.DISCONNECT, "it left, as this check wants it to")
        asyncio.get_running_loop().call_soon(self._submit_event, left, time.monotonic_ns())
        return True


class CheckGames:
    """Plays game after game with a bot that stays connected as long as possible.

    Use an instance only within one event loop.
    """

    def __init__(self, kind: Game, bots: BotSource, lag_monitor: LagMonitor, planned: int) -> None:
        """``planned``: number of games that the bot is told to expect."""
        self.player: PlayerConnection | None = None
        self.unasked: list[str] = []
        """A description of each message that the bot sent unasked."""
        self.left_by_itself = ""
        """If the bot left before it was told to, a sentence that says so; otherwise empty."""
        self._kind, self._bots, self._lag_monitor, self._planned = kind, bots, lag_monitor, planned
        self._rules: Rules | None = None
        self._number = 0
        self._was_sent_away = False

    @property
    def has_gone(self) -> bool:
        return isinstance(self.player, CheckedPlayer) and not self.player.is_connected

    @property
    def is_here(self) -> bool:
        return isinstance(self.player, CheckedPlayer) and self.player.is_connected

    @property
    def absence(self) -> str:
        absence = None if self.player is None else self.player.absence
        return "the connection is closed" if absence is None else absence[1]

    async def seat(self, rules: Rules, number: int = BOT) -> PlayerConnection:
        """Return the bot, ready for a game.

        The bot is connected anew if it is gone, or if it was told other rules or another number.
        """
        if self.player is not None:
            await self.player.prepare()
            has_gone = self.has_gone
            is_same = self._rules == rules and self.player.number == number
            if is_same and not has_gone and self.player.absence is None:
                return self.player
            if has_gone and not self._was_sent_away:
                self.left_by_itself = f"it left after game {self._number}, before it was told to: {self.absence}"
            await self.clear()
        self._number = 0
        self._rules = rules
        self.player = await self._bots.connect(rules, number)
        return self.player

    async def clear(self) -> str:
        """Send the bot away. Return a complaint if the bot did not end as it should, otherwise an empty text."""
        player, self.player = self.player, None
        complaint = await self._bots.leave()
        if isinstance(player, CheckedPlayer):
            self.unasked += player.unasked
        return complaint

    async def play(self, wanted: GamePlan) -> CheckedGame:
        """Play a game with the bot. Raises ArenaError if the bot does not connect."""
        rules, seat = wanted.rules, wanted.seat
        bot = await self.seat(rules, wanted.number)
        players = self._others(wanted)
        players.insert(seat, bot)
        self._number += 1
        self._planned = max(self._planned - 1, 0)
        terms = GameTerms(
            rules=rules, names=tuple(player.name for player in players), clock=wanted.control,
            number=self._number, games=self._number + self._planned,
        )  # fmt: skip
        judged = judge.begin(
            wanted.position or rules.start(),
            terms.clock,
            illegal=Illegal.RETRY if wanted.refusals else Illegal.FORFEIT,
            grace_ms=[player.grace_ms for player in players],
        )
        game = LiveGame(
            terms, judged, players, self._lag_monitor, Observer(), game_id=f"check-{self._number}"
        )
        if isinstance(bot, CheckedPlayer):
            bot.begin(wanted.packets, wanted.refusals)
        judged = await game.play()
        game.announce_end()
        left = next((gone for gone in judged.departures if gone.seat == seat), None)
        self._was_sent_away = left is not None
        played = CheckedGame(
            verdict=None if left is None else left.reason,
            detail="" if left is None else left.detail,
            own_moves=sum(mover == seat for mover, _ in judged.position.moves),
            end=judged.position,
            budget_ms=wanted.control.budget_ms,
        )
        if isinstance(bot, CheckedPlayer):
            bot.end()
            played = msgspec.structs.replace(played, answers=tuple(bot.answers), took_s=tuple(bot.took_s))
        return played

    def _others(self, wanted: GamePlan) -> list[PlayerConnection]:
        kind = self._kind
        spec = OPPONENT_SPEC if OPPONENT_SPEC in kind.players else next(iter(kind.players))
        seat = Leaver if wanted.leaves else InProcessPlayer
        numbers = [number for number in range(wanted.rules.players) if number != wanted.number]
        # The number of the game is the seed: if the opponents repeated their moves, a game would prove nothing new.
        return [seat(kind, number, f"opponent {number}", spec, self._number) for number in numbers]
