"""The overhead of a contest beside its games: ``python -m benchmarks.contest_overhead``. Run on an idle machine.

The games are of four dots between random players: as short as games can be. The overhead of a game is the time of a
longer contest less that of a shorter one, in one process, less the time of the same matches without a contest. Then the
command begins plans of a thousand and of a million games. The report shows the seconds to the first record, and the
memory of the command after a thousand records.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import psutil

from hinterland.contest import engine, matches
from hinterland.contest.folder import ContestFolder, create
from hinterland.contest.plan import Entrant, Plan

PLAYERS = (Entrant("one", "random"), Entrant("other", "random"))
GAMES = 2
"""Games of a match."""
MEASURED_RECORDS = 1000
"""Records after which the memory of a contest is measured."""
TIMEOUT_S = 60.0
"""Seconds that records may take to appear."""


def plan_of(pairings: int) -> Plan:
    return Plan(game="dots", players=PLAYERS, pairings=pairings, rules={"dots": 4}, seed=1)


def time_contest(folder: Path, pairings: int) -> float:
    """Time a whole contest in a process of its own."""
    began = time.perf_counter()
    engine.run(plan_of(pairings), folder / f"contest-{pairings}", jobs=1)
    return time.perf_counter() - began


def time_games(folder: Path, pairings: int) -> float:
    """Time the same matches without a contest."""
    create(folder / f"games-{pairings}", plan_of(pairings), {})
    with ContestFolder.locked(folder / f"games-{pairings}") as contest:
        matches.warm_up_contest(contest)
        tasks = list(islice(contest.played.missing(), pairings))
    began = time.perf_counter()
    for task in tasks:
        matches.play_task(task)
    return time.perf_counter() - began


def measure_start(folder: Path, pairings: int) -> tuple[float, float]:
    """Return the seconds to the first record of a contest, and the MiB of its command after a thousand records."""
    place = folder / f"begun-{pairings}"
    create(place, plan_of(pairings), {})
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "hinterland", "contest", "run", str(place), "--jobs", "1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _await_records(place, 1, process)
        first_s = time.perf_counter() - began
        _await_records(place, MEASURED_RECORDS, process)
        return first_s, psutil.Process(process.pid).memory_info().rss / 2**20
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)


def _await_records(place: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    records, end = place / "records.jsonl", time.perf_counter() + TIMEOUT_S
    while not (records.exists() and records.read_bytes().count(b"\n") >= count):
        if process.poll() is not None or time.perf_counter() > end:
            raise RuntimeError(f"{place} has no {count} records after {TIMEOUT_S:g} s")
        time.sleep(0.01)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairings", type=int, default=2000)
    few, many = 200, options.parse_args().pairings
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole, playing = (time_of(folder, many) - time_of(folder, few) for time_of in (time_contest, time_games))
        games = GAMES * (many - few)
        print(f"{games} games: {1000 * whole / games:.2f} ms each, {1000 * playing / games:.2f} ms without a contest")
        print(f"overhead of a game: {1000 * (whole - playing) / games:.2f} ms")
        for pairings in (MEASURED_RECORDS, 500_000):
            first_s, mib = measure_start(folder, pairings)
            print(f"a plan of {GAMES * pairings:,} games: first record after {first_s:.2f} s, then {mib:.0f} MiB")


if __name__ == "__main__":
    main()
