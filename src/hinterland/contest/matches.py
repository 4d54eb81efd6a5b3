"""One match, played: in this process as long as nobody needs another one."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING

from hinterland import catalog
from hinterland.host import synchronous
from hinterland.host.observer import Observer, Observers
from hinterland.host.players import specs
from hinterland.host.processes.command import USUAL
from hinterland.referee import match
from hinterland.referee.record import placed
from hinterland.referee.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hinterland.contest.schedule import Task
    from hinterland.contract import Game
    from hinterland.host.live_game import LiveGame
    from hinterland.host.live_match import MatchConfig
    from hinterland.host.processes.process_limits import ProcessLimits
    from hinterland.referee.judge import Effect
    from hinterland.referee.record import Record


@cache
def ready(game: str) -> Game:
    """Return a game by name; its kernels are loaded once in each process, before any clock runs."""
    found = catalog.game(game)
    found.warm_up()
    return found


class VoidGames(Observer):
    """Passes on the records of games that do not count."""

    def __init__(self, keep: Callable[[Record], object]) -> None:
        self._keep = keep

    def game_over(self, game: LiveGame, record: Record) -> None:  # noqa: ARG002
        """Keep one that the referee spoiled."""
        if record.reason == Verdict.VOID:
            self._keep(record)


def ignore(_: Effect) -> None:
    """Pass over what a judge decides."""


def play_task(
    task: Task, observer: Observer | None = None, watch: Callable[[Effect], None] = ignore
) -> list[Record]:
    """Play what is missing of a match: the work of a worker. Void games are among the records, which are placed.

    The rest is as in ``play_match``.
    """
    ready(task.game)
    void: list[Record] = []
    records = play_match(
        task.config(), task.players, observer or Observer(), watch, void=void.append,
        names=task.names, games=task.missing, sandbox=task.sandbox, limits=task.limits,
    )  # fmt: skip
    return [placed(record, task.place) for record in (*void, *records)]


def play_match(
    config: MatchConfig,
    players: Sequence[str],
    observer: Observer,
    watch: Callable[[Effect], None],
    keep: Callable[[Record], None] = lambda _: None,
    *,
    void: Callable[[Record], None] = lambda _: None,
    names: Sequence[str] = (),
    games: Sequence[int] | None = None,
    sandbox: bool = False,
    limits: ProcessLimits = USUAL,
) -> list[Record]:
    """Play a match between players named by specs. ``keep`` gets each record before the next game begins.

    ``observer`` hears of a match with programs, ``watch`` of the effects of one that this process plays alone;
    ``void`` gets the record of each game that does not count, and is begun anew; ``games``: which of them, from 0,
    None for all.
    """
    names = names or match.distinct(players)
    if any(map(specs.is_program, players)):
        observers = Observers([VoidGames(void), observer])
        return asyncio.run(
            specs.play_match(config, players, names, observers, keep, games=games, sandbox=sandbox, limits=limits)
        )
    made = [catalog.player(config.kind, spec) for spec in players]
    return synchronous.play_match(
        config.kind, config.rules, made, names, config.control, config.seed or 0, keep,
        lambda _, effect: watch(effect), opening=config.opening, games=games, void=void,
    )  # fmt: skip
