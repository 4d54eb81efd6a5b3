"""Asks a bot for one move.

A function and a built-in player are called in this process. A program is seated in a live game that begins in the
position: it hears ``hello``, ``game`` and one ``turn``, as in a match, and the judge applies the same clock. The other
seats are empty, and the game ends with the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from hinterland import catalog
from hinterland.contract import Clock, Game, Move, Player, Position
from hinterland.errors import ArenaError, BadText, IllegalMove, quote
from hinterland.host import specs
from hinterland.host.lag_monitor import LagMonitor
from hinterland.host.live_game import LiveGame
from hinterland.host.observer import Observer
from hinterland.host.player_connection import PlayerConnection, SubmitEvent
from hinterland.host.players.connecting_program import HPS_PREFIX
from hinterland.host.players.program_player import ProgramPlayer
from hinterland.host.processes.bot_runner import read_numbers, split_answer
from hinterland.referee import judge
from hinterland.referee.clock import TimeControl
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol import session

USUAL_CLOCK = Clock(left_ms=TimeControl().budget_ms)
"""The whole time of a seat in a usual match."""
SHOWN_LINES = 10
"""Lines of a program's standard error that a message shows."""

Choose = Callable[[Any, Clock, np.random.Generator], Any]
Bot = Choose | Player | str | Path
"""A function ``choose(position, clock, rng)``, a player, a spec, or the path of a bot's file."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a request."""

    move: Move | None = None
    """The move, legal or not; None if the bot gave no move."""
    fault: str = ""
    """Why there is no move, in words."""
    is_unreadable: bool = False
    """Whether the bot gave an answer that is no move of the game."""
    stderr_tail: str = ""
    """The last lines that an ended program wrote to its standard error."""


def answer(bot: Bot, position: Position[Any, Any], *, clock: Clock = USUAL_CLOCK, seed: int = 0) -> Any:
    """Ask a bot once for a move of the seat to move, and return the move, legal or not.

    ``bot``: a function ``choose(position, clock, rng)`` that returns a move or its numbers, a player, the spec of a
    built-in player, of a file or of a program (``reply``, ``./mybot.py``, ``cmd:…``), or a path. ``clock``: the time
    that the bot has, in milliseconds; by default two minutes. A program that is late gives no move; a function is not
    interrupted. ``seed``: seed of the match, from which the bot's random numbers are drawn; a function and a file with
    the same function draw the same ones.

    Raises GameOver if no seat is to move, BadText if the answer is no move of the game or if an argument cannot be
    read, and ArenaError if a program cannot be started, ends, breaks the protocol or is late; the notes of this error
    show its standard error. What a function raises is not caught.
    """
    reply = _ask(bot, position, clock, seed)
    if reply.move is not None:
        return reply.move
    message = f"{_name(bot)}: {reply.fault}"
    error = BadText(message) if reply.is_unreadable else ArenaError(message)
    if reply.stderr_tail:
        error.add_note(reply.stderr_tail)
    raise error


def assert_legal(bot: Bot, position: Position[Any, Any], *, clock: Clock = USUAL_CLOCK, seed: int = 0) -> None:
    """Raise AssertionError unless a bot answers a request in a position with a legal move. Arguments as for ``answer``.

    The message says what the bot answered and why the move is illegal, or why there is no move; below that it shows
    what an ended program wrote to its standard error. Raises BadText, UnknownName or ArenaError if ``bot`` names no bot
    that can be started, GameOver if no seat is to move. What a function raises is not caught.
    """
    __tracebackhide__ = True
    reply = _ask(bot, position, clock, seed)
    where = f"seat {position.mover} at move {len(position.moves) + 1} of {position.rules.game}"
    if reply.move is None:
        tail = f"\n{reply.stderr_tail}" if reply.stderr_tail else ""
        raise AssertionError(f"{_name(bot)} gave no move for {where}: {reply.fault}{tail}")
    try:
        position.check(reply.move)
    except IllegalMove as error:
        told = ",".join(map(str, reply.move.numbers))
        raise AssertionError(f"{_name(bot)} answered {told} for {where}, which is illegal: {error.detail}") from None


def _name(bot: Bot) -> str:
    if isinstance(bot, str | Path):
        return str(bot)
    return str(getattr(bot, "__name__", None) or getattr(bot, "name", None) or type(bot).__name__)


def _ask(bot: Bot, position: Position[Any, Any], clock: Clock, seed: int) -> Reply:
    if not isinstance(position, Position):
        raise BadText(
            f"a bot is asked in a position, which hinterland.testing.position makes, not in {quote(position)}"
        )
    if not isinstance(clock, Clock):
        raise BadText(f"clock is a Clock of hinterland.contract, such as Clock(left_ms=5000), not {quote(clock)}")
    control = TimeControl(budget_ms=clock.left_ms, increment_ms=clock.increment_ms, move_ms=clock.move_ms)
    rules, seat = position.rules, position.mover
    names = tuple(_name(bot) if number == seat else f"seat {number}" for number in range(rules.players))
    terms = GameTerms(rules=rules, names=names, clock=control, seed=seed)
    kind = terms.game
    if isinstance(bot, Path):
        bot = str(bot.absolute())
    if isinstance(bot, str) and specs.is_program(bot):
        if bot.startswith(HPS_PREFIX):
            raise BadText(f"{quote(bot)} connects to a port; name a bot that speaks over its pipes: a file or cmd:…")
        specs.check_spec(kind, bot)
        kind.warm_up(rules, ())  # the program finds compiled kernels, so that it introduces itself in time
        return _run(_ask_program(bot, position, terms))
    choose = _find_choose(bot, kind, position)
    chosen = choose(position, clock, np.random.default_rng(terms.seed_of_seat(seat)))
    try:
        move, _, _ = split_answer(chosen)
        return Reply(move=kind.move.from_numbers(read_numbers(move, kind.move)))
    except BadText as error:
        return Reply(fault=str(error), is_unreadable=True)


def _find_choose(bot: Any, kind: Game, position: Position[Any, Any]) -> Choose:
    """Return the function of a bot in this process; compile the kernels of a built-in player."""
    if isinstance(bot, str):
        player = catalog.player(kind, bot)
        kind.warm_up(position.rules, (player,))
        return player.choose
    choose = bot if callable(bot) else getattr(bot, "choose", None)
    if not callable(choose):
        raise BadText(f"a bot is a function choose(position, clock, rng), a player or a spec, not {quote(bot)}")
    found: Choose = choose
    return found


def _run(asking: Coroutine[Any, Any, Reply]) -> Reply:
    """Run a coroutine to its end, also from within a running event loop, such as a notebook's."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(asking)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asking).result()


class _AskedOnce(ProgramPlayer):
    """A program that gets a single request. Its first event, such as an answer or a fault, is kept."""

    event: judge.Event | None = None

    def start(self, start: session.Start, submit_event: SubmitEvent) -> None:
        def keep(event: judge.Event, stamp_ns: int) -> None:
            self.event = self.event or event
            submit_event(event, stamp_ns)

        super().start(start, keep)

    def request_move(self, request: judge.Request, message: session.MoveRequest, position: Position[Any, Any]) -> bool:
        return self.event is not None or super().request_move(request, message, position)


class _Witness(Observer):
    """Ends the game after the first move or departure, and keeps the program's last words."""

    stderr_tail = ""

    def on_last_words(self, name: str, text: str) -> None:  # noqa: ARG002
        self.stderr_tail = "\n".join(text.splitlines()[-SHOWN_LINES:])

    def on_effects(self, game: LiveGame, effects: Sequence[judge.Effect]) -> None:
        if any(isinstance(effect, judge.Played | judge.Departure) for effect in effects):
            game.void("the bot has answered")


async def _ask_program(spec: str, position: Position[Any, Any], terms: GameTerms) -> Reply:
    seat, lag_monitor, witness = position.mover, LagMonitor(), _Witness()
    command = specs.make_command(spec)
    bot = _AskedOnce(terms.game, terms.rules, seat, spec, command, lag_monitor, witness)
    players = [PlayerConnection(number, name) for number, name in enumerate(terms.names)]
    players[seat] = bot
    costs, grace_ms = [player.illegal for player in players], [player.grace_ms for player in players]
    game = LiveGame(
        terms, judge.begin(position, terms.clock, illegal=costs, grace_ms=grace_ms), players, lag_monitor, witness,
        game_id="test-1",
    )  # fmt: skip
    try:
        async with specs.open_players([bot]):
            judged = await game.play()
    except ArenaError as error:
        return Reply(fault=str(error).removeprefix(f"{spec}: "), stderr_tail=witness.stderr_tail)
    return _read_reply(bot.event, judged, witness.stderr_tail)


def _read_reply(event: judge.Event | None, judged: judge.Judged, stderr_tail: str) -> Reply:
    """Return the reply of a program: its move, unless the judge says that it was late, unreadable or none."""
    gone = judged.departures[0] if judged.departures else None
    if isinstance(event, judge.Answer) and (gone is None or gone.reason is judge.Verdict.ILLEGAL):
        return Reply(move=event.move)
    if gone is None:
        return Reply(fault=judged.ending.detail if judged.ending else "", stderr_tail=stderr_tail)
    is_unreadable = gone.reason is judge.Verdict.ILLEGAL
    return Reply(fault=f"{gone.reason}: {gone.detail}", is_unreadable=is_unreadable, stderr_tail=stderr_tail)
