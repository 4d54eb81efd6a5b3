"""How long 100,000 records take to become a table, and to be records again. Run on an idle machine:

    python -m benchmarks.tables
    python -m benchmarks.tables --records 20000 .parquet

Half of the games are gravity with ten stones a side, half are dots. Each ending is timed once; a table of games that
can be read again is turned into lines and compared with what went in, byte for byte. It exits with 1 where they differ,
or such a table takes longer than ten seconds to write.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import get_args

import msgspec

from hinterland import catalog
from hinterland.host import synchronous
from hinterland.referee import record
from hinterland.referee.clock import TimeControl
from hinterland.storage import records
from hinterland.storage.tables.record_rows import RowKind
from hinterland.storage.tables.table_files import WRITERS

MOST_S = 10.0
BACK = (".parquet", ".arrow", ".jsonl")
"""What is read like a file of records."""
PLAYED = {"gravity": {"size": 1000, "stones": 10}, "dots": {"dots": 12}}
MATCHES = 100
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


def written_s(lines: Path, table: Path, by: RowKind) -> float:
    """Return the seconds that a table takes."""
    began = time.perf_counter()
    records.export([lines], table, by)
    return time.perf_counter() - began


def measure(lines: Path, table: Path, by: RowKind) -> bool:
    """Make one table and print what it costs; say whether it is as it should be."""
    seconds = written_s(lines, table, by)
    said = f"by {by} to {table.suffix}: {seconds:.2f} s, {table.stat().st_size / 2**20:.1f} MiB"
    if by != "game" or table.suffix not in BACK:
        print(said, flush=True)
        return True
    again = table.with_name("again.jsonl")
    back_s = written_s(table, again, by)
    is_equal = again.read_bytes() == lines.read_bytes()
    again.unlink()
    print(f"{said}; lines again in {back_s:.2f} s, {'equal' if is_equal else 'NOT EQUAL'}", flush=True)
    return is_equal and seconds <= MOST_S


def main() -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--records", type=int, default=100_000)
    options.add_argument("endings", nargs="*", default=list(WRITERS))
    told = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        lines = Path(name, "lines.jsonl")
        write_records(lines, told.records)
        print(f"{told.records:,} records, {lines.stat().st_size / 2**20:.0f} MiB of lines", flush=True)
        kinds: tuple[RowKind, ...] = get_args(RowKind)
        kept = [measure(lines, Path(name, f"by-{by}{ending}"), by) for by in kinds for ending in told.endings]
        began = time.perf_counter()
        records.frame(lines)
        print(f"a frame of games: {time.perf_counter() - began:.2f} s")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
