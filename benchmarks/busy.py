"""Whether built-in players keep to their clocks on a busy machine: ``python -m benchmarks.busy gravity``.

Every player of a game, or each that is named, plays itself at a tenth of the default clock, beside eight processes that
never rest. The report counts games that are lost on time, and other departures: each is a failure.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland import catalog
from hinterland.contest import engine, workers
from hinterland.contest.plan import Entrant, Plan
from hinterland.referee.clock import TimeControl
from hinterland.referee.verdicts import Verdict
from hinterland.storage import records as files

if TYPE_CHECKING:
    from hinterland.referee.record import Record

DEFAULT_CLOCK_S = 120.0
"""Seconds that `match` and `referee` give each player for a game by default."""


def burn() -> None:
    """Keep a processor busy."""
    while True:
        pass


def meet_itself(game: str, spec: str, games: int, jobs: int, clock: float, folder: Path) -> list[Record]:
    """Let a player meet itself on the game's default boards, in pairings of two games; resume a contest in `folder`.

    Void games, for instance where the whole machine stood still, are left out and played again.
    """
    players = (Entrant("first", spec), Entrant("second", spec))
    control = TimeControl.of_seconds(clock)
    plan = Plan(game=game, players=players, pairings=-(-games // 2), jitter=1, clock=control)
    engine.run(plan, folder, jobs=jobs, crowded=True)
    return [record for _, record in files.read(folder / "records.jsonl") if record.reason != Verdict.VOID]


def summarise(spec: str, records: list[Record], clock: float, seconds: float) -> str:
    """Return a row of the report."""
    gone = [departure for record in records for departure in record.departures]
    late = sum(departure.reason == Verdict.TIME for departure in gone)
    spent = [
        sum(ms for mover, ms in zip(record.movers, record.times.ms, strict=True) if mover == seat)
        for record in records
        for seat in range(len(record.players))
    ]
    slowest = max(ms for record in records for ms in record.times.ms)
    return (
        f"{spec:<24}{len(records):>6}{late:>9}{len(gone) - late:>8}{slowest / 1000:>12.2f}{max(spent) / 1000:>12.2f}"
        f" of {clock:g}{seconds:>10.0f}"
    )


def main() -> None:
    """Read the options and print a row for each player."""
    options = argparse.ArgumentParser()
    options.add_argument("game")
    options.add_argument("--players", default="", help="such as search,reply; all of the game's, if not given")
    options.add_argument("--games", type=int, default=500)
    options.add_argument("--clock", type=float, default=DEFAULT_CLOCK_S / 10)
    options.add_argument("--busy", type=int, default=8, help="processes that never rest")
    options.add_argument("--jobs", type=int, default=len(workers.list_processors()))
    options.add_argument("--keep", type=Path, help="a folder for the contests and their records")
    chosen = options.parse_args()
    specs = chosen.players.split(",") if chosen.players else list(catalog.game(chosen.game).players)
    print(
        f"{'player':<24}{'games':>6}{'too late':>9}{'else':>8}{'slowest, s':>12}{'most of a clock':>18}{'took, s':>10}"
    )
    with ExitStack() as at_end:
        kept = (chosen.keep or Path(at_end.enter_context(tempfile.TemporaryDirectory()))) / chosen.game
        kept.mkdir(parents=True, exist_ok=True)
        for _ in range(chosen.busy):
            process = multiprocessing.Process(target=burn, daemon=True)
            process.start()
            at_end.callback(process.terminate)
        for spec in specs:
            began = time.monotonic()
            records = meet_itself(chosen.game, spec, chosen.games, chosen.jobs, chosen.clock, kept / spec)
            print(summarise(spec, records, chosen.clock, time.monotonic() - began), flush=True)


if __name__ == "__main__":
    main()
