"""Whether games played side by side disturb one another: ``python -m benchmarks.side_by_side --pairings 4``.

`search` plays itself with one job a processor, and with one job. With a fixed number of playouts both play the same
games, so the times of moves give the playouts a second. With a clock, any game lost on time is the contest's failure,
and is counted.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

import msgspec

from hinterland.contest import engine, workers
from hinterland.contest.plan import Entrant, Plan
from hinterland.referee.clock import TimeControl
from hinterland.referee.record import Record
from hinterland.storage import records as files

RULES = {"size": 200, "spacing": 13, "stones": 4}


def play(spec: str, pairings: int, jobs: int, control: TimeControl) -> list[Record]:
    """Let a player meet itself; return the games in the order of the plan."""
    players = (Entrant("first", spec), Entrant("second", spec))
    plan = Plan(game="gravity", players=players, pairings=pairings, rules=RULES, jitter=1, clock=control)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "contest"
        engine.run(plan, folder, jobs=jobs)
        kept = [record for _, record in files.read(folder / "records.jsonl")]
    return sorted(kept, key=place_of)


def place_of(record: Record) -> tuple[int, int]:
    """Return the task of a game in its contest, and its number."""
    assert not isinstance(record.contest, msgspec.UnsetType)
    return record.contest.task, record.number


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--pairings", type=int, default=4)
    options.add_argument("--playouts", type=int, default=1500)
    options.add_argument("--clock", type=float, default=4.0)
    chosen = options.parse_args()
    jobs = len(workers.list_processors())
    alone, beside = (
        play(f"search:playouts={chosen.playouts}", chosen.pairings, count, TimeControl()) for count in (1, jobs)
    )
    assert [record.moves for record in alone] == [record.moves for record in beside]
    first, last = 1, -2  # the drawn move takes no time; the last stones are no matter of playouts
    pairs = [
        (quick, slow)
        for one, other in zip(alone, beside, strict=True)
        for quick, slow in zip(one.times.ms[first:last], other.times.ms[first:last], strict=True)
    ]
    ratio = median(quick / slow for quick, slow in pairs)
    print(f"{len(pairs)} moves of {chosen.playouts} playouts: with {jobs} jobs {ratio:.1%} of the playouts of one job")
    timed = play("search", chosen.pairings * jobs, jobs, TimeControl.of_seconds(chosen.clock))
    late = [gone for record in timed for gone in record.departures]
    print(f"{len(timed)} games of {chosen.clock:g} s a player, {jobs} jobs: {len(late)} lost on time or otherwise")


if __name__ == "__main__":
    main()
