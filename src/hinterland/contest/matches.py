"""Plays one match. Built-in players think in this process; each program has a process of its own."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import hinterland
from hinterland import catalog
from hinterland.contest.plan import CONNECT, Entrant
from hinterland.host import specs, synchronous
from hinterland.host.log_keeper import LogKeeper
from hinterland.host.observer import Observer, Observers
from hinterland.host.processes.command import USUAL_START, ProgramOptions
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.record import Versions, placed
from hinterland.referee.verdicts import Verdict
from hinterland.storage.log_folder import LogFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hinterland.contest.folder import ContestFolder, UnsavedContest
    from hinterland.contest.schedule import Task
    from hinterland.contract import Game, Player
    from hinterland.host.live_game import LiveGame
    from hinterland.host.live_match import MatchConfig
    from hinterland.referee.judge import Effect
    from hinterland.referee.record import Record


def warm_up(config: MatchConfig, players: Iterable[str]) -> None:
    """Compile the kernels of a match before any clock runs, once in each process."""
    config.kind.warm_up(config.rules, make_built_in_players(config.kind, players))


def make_built_in_players(kind: Game, players: Iterable[str]) -> list[Player]:
    """Make the built-in players of a list of specs; skip programs and players that connect."""
    return specs.make_built_in_players(kind, (spec for spec in players if spec != CONNECT))


def warm_up_contest(contest: ContestFolder | UnsavedContest) -> None:
    """Compile the kernels of a contest's next match and of all players; worker processes then only load them."""
    task = next(contest.played.missing(), None)
    if task is not None:
        located = msgspec.structs.replace(task, folder=str(contest.paths))
        warm_up(located.config(), (player.spec for player in contest.plan.players))


class VoidGames(Observer):
    """Passes the record of each void game to ``keep``."""

    def __init__(self, keep: Callable[[Record], object]) -> None:
        self._keep = keep

    def on_game_over(self, game: LiveGame, record: Record) -> None:  # noqa: ARG002
        if record.reason == Verdict.VOID:
            self._keep(record)


def ignore_effect(_: Effect) -> None:
    """Ignore an effect of the judge."""


def play_task(
    task: Task, observer: Observer | None = None, watch: Callable[[Effect], None] = ignore_effect
) -> list[Record]:
    """Play the games that ``task.missing`` lists; return their records and the records of void games.

    Each record holds its game's place in the contest. ``observer`` and ``watch`` are passed to ``play_match``.
    """
    config = task.config()
    warm_up(config, task.players)
    void: list[Record] = []
    with make_log_keeper(task) if task.logs else nullcontext(Observer()) as keeper:
        records = play_match(
            config, tuple(map(Entrant, task.names, task.players)), Observers([observer or Observer(), keeper]), watch,
            void=void.append, games=task.missing, programs=task.programs,
        )  # fmt: skip
    return [complete_record(record, task) for record in (*void, *records)]


def complete_record(record: Record, task: Task) -> Record:
    """Return a record with its place in the contest, and with the versions of programs that could not be started."""
    known = {name: version for name, version in zip(task.names, task.versions, strict=False) if version}
    found = tuple(version or known.get(name, "") for name, version in zip(record.players, record.versions, strict=True))
    if known and found != record.versions:
        times = msgspec.structs.replace(record.times, versions=Versions(found, hinterland.__version__))
        record = msgspec.structs.replace(record, times=times)
    return placed(record, task.place)


def make_log_keeper(task: Task) -> LogKeeper:
    """Return the keeper of the logs of a match."""
    return LogKeeper(_open_logs(task.logs), lambda _, record: task.place.address_of(record.number))


@cache
def _open_logs(path: str) -> LogFolder:
    """Return the folder of logs, once in each process: it remembers when it has looked at the size of its files."""
    return LogFolder(Path(path))


def play_match(
    config: MatchConfig,
    players: Sequence[Entrant],
    observer: Observer,
    watch: Callable[[Effect], None],
    keep: Callable[[Record], None] = lambda _: None,
    *,
    void: Callable[[Record], None] = lambda _: None,
    games: Sequence[int] | None = None,
    programs: ProgramOptions = USUAL_START,
) -> list[Record]:
    """Play a match between built-in players and programs; call ``keep`` with each record before the next game begins.

    If a program plays, ``observer`` observes the match; if no program plays, ``watch`` is called with each effect of
    the judge. ``void`` is called with the record of each void game, and the game is played again. ``games``: numbers of
    the games to play, the first game being 0; None: all games.
    """
    names = tuple(player.name for player in players)
    chosen = [player.spec for player in players]
    if any(map(specs.is_program, chosen)):
        observers = Observers([VoidGames(void), observer])
        return asyncio.run(
            specs.play_match(config, chosen, names, observers, keep, games=games, programs=programs)
        )
    made = [catalog.player(config.kind, spec) for spec in chosen]
    terms = GameTerms(rules=config.rules, names=names, clock=config.control, seed=config.seed or 0)
    return synchronous.play_match(
        terms, made, keep, lambda _, effect: watch(effect), opening=config.opening, games=games, void=void
    )
