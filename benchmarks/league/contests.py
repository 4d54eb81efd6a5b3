"""The contests of the league: a folder for each board, in which the player under test meets every opponent.

A folder holds a contest of format `gauntlet`, so a league that was stopped goes on where it was. Built-in players think
in the worker processes of the contest, opponents of the league and players of other checkouts in processes of their
own, on the same processor.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import msgspec

from benchmarks.league.bot import make_player
from benchmarks.league.opponents import OPPONENTS
from hinterland import catalog
from hinterland.contest import engine, workers
from hinterland.contest.plan import Entrant, Plan
from hinterland.errors import ArenaError
from hinterland.host.processes.command import COMMAND_PREFIX
from hinterland.referee.clock import TimeControl
from hinterland.referee.protocol import messages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from benchmarks.league.boards import Board
    from hinterland.contest.played import FinishedMatch

BUILT_IN = ("reply", "lloyd", "mirror", "hug")
"""Built-in players that are opponents."""
FULL_OPPONENTS = (*OPPONENTS, *BUILT_IN)
QUICK_OPPONENTS = ("two-plies", "layout-feint", "reply", "lloyd")
"""Two that think about a move, and two that answer at once."""
QUICK_SECONDS = 0.5
"""Seconds for a move of an opponent in a quick league."""
CLOCK_S, CLOCK_SHARE = 5.0, 2.0
"""A clock for the game has these seconds, and this many times the player's seconds for each stone: so ``search`` takes
all of its seconds for each move."""
PLAYER_S = 1.0
"""Seconds for a move of a player without the option ``seconds``."""
PREPARE_S = 600
"""Most seconds in which another checkout compiles its kernels."""


def spec_of(word: str) -> str:
    """Return the spec by which a contest knows a player. Raises HinterlandError for an unknown player.

    ``word``: an opponent or a built-in player with its options, and ``@DIR`` if it is of the checkout at DIR.
    """
    spec, _, checkout = word.partition("@")
    if not checkout:
        make_player(spec)
        if spec.partition(":")[0] not in OPPONENTS:
            return spec
    return COMMAND_PREFIX + shlex.join([sys.executable, "-m", "benchmarks.league.bot", word])


def quicken(word: str) -> str:
    """Return an opponent of the league with fewer seconds for a move."""
    return f"{word}:seconds={QUICK_SECONDS}" if word in OPPONENTS else word


def seconds_of(word: str) -> float:
    """Return the seconds that a player takes for a move."""
    options = word.partition("@")[0].partition(":")[2].split(",")
    return next((float(one[8:]) for one in options if one.startswith("seconds=")), PLAYER_S)


def plan_contest(board: Board, player: str, opponents: Sequence[str], pairings: int) -> Plan:
    """Plan the contest of one board. The clock is the same for all players."""
    words = (player, *opponents)
    seconds = max(map(seconds_of, words))
    plan = Plan(
        game="gravity",
        players=tuple(Entrant(word, spec_of(word)) for word in words),
        format="gauntlet",
        pairings=min(pairings, board.most_pairings),
        rules=board.rules,
        clock=TimeControl.of_seconds(CLOCK_S + CLOCK_SHARE * seconds * board.stones),
        jitter=board.jitter,
    )
    plan.check()
    return plan


def play(
    plans: Sequence[tuple[str, Plan]], folder: Path, jobs: int, hear: Callable[[FinishedMatch], None] = lambda _: None
) -> None:
    """Play the missing matches of contests, each in its folder. Raises HinterlandError.

    ``plans``: names of folders, and the contests. ``jobs``: matches that are played at a time.
    """
    _prepare([plan for _, plan in plans])
    with ExitStack() as at_end:
        executor: Executor | None = None
        if jobs > 1:
            executor, _ = at_end.enter_context(workers.open_executor(jobs))
        for name, plan in plans:
            engine.run(plan, folder / name, executor=executor, hear=hear)


def _prepare(plans: Sequence[Plan]) -> None:
    """Compile the kernels of all players, so that programs find them compiled when they start.

    A program has ten seconds to introduce itself, which is less than a compiler takes.
    """
    game = catalog.game("gravity")
    for rules in {plan.rules["size"]: _rules_of(plan) for plan in plans}.values():
        words = {player.name: None for plan in plans for player in plan.players}
        game.warm_up(rules, tuple(make_player(word) for word in words if "@" not in word))
        for word in (word for word in words if "@" in word):
            hello = messages.RefereeHello(messages.PROTOCOL, "gravity", msgspec.to_builtins(rules), 0, False)
            command = [sys.executable, "-m", "benchmarks.league.bot", word]
            done = subprocess.run(
                command, input=messages.encode(hello), stdout=subprocess.PIPE, timeout=PREPARE_S, check=False
            )
            if not done.stdout:
                raise ArenaError(f"{word} does not introduce itself; see its message above, and check the checkout")


def _rules_of(plan: Plan) -> Any:
    return catalog.game(plan.game).rules.from_options({**plan.rules, "players": 2})
