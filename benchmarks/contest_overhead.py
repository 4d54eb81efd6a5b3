"""What a contest costs beside its games: ``python -m benchmarks.contest_overhead``. Run on an idle machine.

The games are of four dots between players that move at random, as short as games can be. Overhead: the time of a longer
contest less that of a shorter one, in one process, less the time that the same matches take one after another without a
contest, by game. Then plans of a thousand and of a million games are begun by the command: seconds to the first record,
and the memory of the command when a thousand records are there.
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
"""Of a match."""
SEEN = 1000
"""Records after which a contest is looked at."""
LONGEST_S = 60.0


def plan_of(pairings: int) -> Plan:
    """Return a plan of so many matches."""
    return Plan(game="dots", players=PLAYERS, pairings=pairings, rules={"dots": 4}, seed=1)


def contest_s(folder: Path, pairings: int) -> float:
    """Time a whole contest in a process of its own."""
    began = time.perf_counter()
    engine.run(plan_of(pairings), folder / f"contest-{pairings}", jobs=1)
    return time.perf_counter() - began


def games_s(folder: Path, pairings: int) -> float:
    """Time the same matches without a contest."""
    create(folder / f"games-{pairings}", plan_of(pairings), {})
    with ContestFolder.locked(folder / f"games-{pairings}") as contest:
        matches.warm_up_contest(contest)
        tasks = list(islice(contest.played.missing(), pairings))
    began = time.perf_counter()
    for task in tasks:
        matches.play_task(task)
    return time.perf_counter() - began


def begun(folder: Path, pairings: int) -> tuple[float, float]:
    """Return the seconds to the first record of a contest, and the MiB of its command a thousand records later."""
    place = folder / f"begun-{pairings}"
    create(place, plan_of(pairings), {})
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "hinterland", "contest", "run", str(place), "--jobs", "1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _until(place, 1, process)
        first_s = time.perf_counter() - began
        _until(place, SEEN, process)
        return first_s, psutil.Process(process.pid).memory_info().rss / 2**20
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)


def _until(place: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    records, end = place / "records.jsonl", time.perf_counter() + LONGEST_S
    while not (records.exists() and records.read_bytes().count(b"\n") >= count):
        if process.poll() is not None or time.perf_counter() > end:
            raise RuntimeError(f"{place} has no {count} records after {LONGEST_S:g} s")
        time.sleep(0.01)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairings", type=int, default=2000)
    few, many = 200, options.parse_args().pairings
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole, playing = (time_of(folder, many) - time_of(folder, few) for time_of in (contest_s, games_s))
        games = GAMES * (many - few)
        print(f"{games} games: {1000 * whole / games:.2f} ms each, {1000 * playing / games:.2f} ms without a contest")
        print(f"overhead of a game: {1000 * (whole - playing) / games:.2f} ms")
        for pairings in (SEEN, 500_000):
            first_s, mib = begun(folder, pairings)
            print(f"a plan of {GAMES * pairings:,} games: first record after {first_s:.2f} s, then {mib:.0f} MiB")


if __name__ == "__main__":
    main()
