"""How long 100,000 records take to become a table, and to be records again. Run on an idle machine:

    python -m benchmarks.tables
    python -m benchmarks.tables --records 20000 .parquet

Half of the games are gravity with ten stones a side, half are dots, no two of them alike. Each ending is timed once; then
the table is turned into lines again and compared with what went in, byte for byte. It exits with 1 where they differ, or
a table takes longer than ten seconds to write.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import msgspec

from hinterland import catalog
from hinterland.host import synchronous
from hinterland.referee import record
from hinterland.referee.clock import TimeControl
from hinterland.storage import records
from hinterland.storage.tables.record_rows import KINDS

MOST_S = 10.0
ENDINGS = (".parquet", ".arrow", ".jsonl", ".csv")
PLAYED = {"gravity": {"size": 1000, "stones": 10}, "dots": {"dots": 12}}
MATCHES = 10
"""Of each game; the records are those of their games, with other seeds."""


def played() -> list[record.Record]:
    """Play some games, of both kinds in turn."""
    found = []
    for seed in range(MATCHES):
        for name, options in PLAYED.items():
            game = catalog.game(name)
            players = [catalog.player(game, "random")] * 2
            rules = game.rules.from_options(options)
            found += synchronous.play_match(game, rules, players, ("one", "other"), TimeControl(), seed=seed)
    return found


def write_records(file: Path, count: int) -> None:
    """Write so many records, no two alike."""
    with file.open("wb") as out:
        for number, one in enumerate(islice(cycle(played()), count)):
            out.write(record.to_line(record.sealed(msgspec.structs.replace(one, seed=number))))


def timed(work: Callable[[], Any]) -> float:
    """Return the seconds that something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--records", type=int, default=100_000)
    options.add_argument("endings", nargs="*", default=ENDINGS)
    told = options.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        lines, again = Path(name, "lines.jsonl"), Path(name, "again.jsonl")
        write_records(lines, told.records)
        print(f"{told.records:,} records, {lines.stat().st_size / 2**20:.0f} MiB of lines")
        for by in KINDS:
            for ending in told.endings:
                table = Path(name, f"by-{by}{ending}")
                written_s = timed(lambda table=table, by=by: records.export([lines], table, by))
                said = f"by {by} to {ending}: {written_s:.2f} s, {table.stat().st_size / 2**20:.1f} MiB"
                failed |= written_s > MOST_S
                if by == "game" and ending != ".csv":
                    read_s = timed(lambda table=table: records.export([table], again))
                    equal = again.read_bytes() == lines.read_bytes()
                    failed |= not equal
                    said += f"; back in {read_s:.2f} s, {'equal' if equal else 'NOT EQUAL'}"
                    again.unlink()
                print(said, flush=True)
                table.unlink()
        print(f"a frame of games: {timed(lambda: records.frame(lines)):.2f} s")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
