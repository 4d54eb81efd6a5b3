"""The time to export 100,000 records as a table, and to read them back. Run on an idle machine:

    python -m benchmarks.tables
    python -m benchmarks.tables --records 20000 .parquet

Half of the games are gravity with ten stones a side, half are dots. Each format is timed once. A table of games that
can be read back is turned into lines and compared with the original, byte for byte. It exits with 1 if they differ, or
if such a table takes longer than ten seconds to write.
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
from hinterland.referee.game_terms import GameTerms
from hinterland.storage import records
from hinterland.storage.tables.record_rows import RowKind
from hinterland.storage.tables.table_files import WRITERS

MOST_WRITE_S = 10.0
READABLE_SUFFIXES = (".parquet", ".arrow", ".jsonl")
"""Formats that are read like a file of records."""
GAMES = {"gravity": {"size": 1000, "stones": 10}, "dots": {"dots": 12}}
MATCHES = 100
"""Matches of each game. Records are copies of theirs, with other seeds."""


def play_games() -> list[record.Record]:
    """Play some games, of both kinds in turn."""
    found = []
    for seed in range(MATCHES):
        for name, options in GAMES.items():
            game = catalog.game(name)
            players = [catalog.player(game, "random")] * 2
            rules = game.rules.from_options(options)
            found += synchronous.play_match(GameTerms(rules=rules, names=("one", "other"), seed=seed), players)
    return found


def write_records(file: Path, count: int) -> None:
    """Write ``count`` records, no two alike."""
    with file.open("wb") as out:
        for number, one in enumerate(islice(cycle(play_games()), count)):
            out.write(record.to_line(record.sealed(msgspec.structs.replace(one, seed=number))))


def time_export(lines: Path, table: Path, by: RowKind) -> float:
    """Return the seconds of an export."""
    began = time.perf_counter()
    records.export([lines], table, by)
    return time.perf_counter() - began


def measure(lines: Path, table: Path, by: RowKind) -> bool:
    """Export one table and print its time and size; say whether it keeps its bar and reads back equal."""
    seconds = time_export(lines, table, by)
    summary = f"by {by} to {table.suffix}: {seconds:.2f} s, {table.stat().st_size / 2**20:.1f} MiB"
    if by != "game" or table.suffix not in READABLE_SUFFIXES:
        print(summary, flush=True)
        return True
    again = table.with_name("again.jsonl")
    back_s = time_export(table, again, by)
    is_equal = again.read_bytes() == lines.read_bytes()
    again.unlink()
    print(f"{summary}; lines again in {back_s:.2f} s, {'equal' if is_equal else 'NOT EQUAL'}", flush=True)
    return is_equal and seconds <= MOST_WRITE_S


def main() -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--records", type=int, default=100_000)
    options.add_argument("endings", nargs="*", default=list(WRITERS))
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        lines = Path(name, "lines.jsonl")
        write_records(lines, given.records)
        print(f"{given.records:,} records, {lines.stat().st_size / 2**20:.0f} MiB of lines", flush=True)
        kinds: tuple[RowKind, ...] = get_args(RowKind)
        kept = [measure(lines, Path(name, f"by-{by}{ending}"), by) for by in kinds for ending in given.endings]
        began = time.perf_counter()
        records.frame(lines)
        print(f"a frame of games: {time.perf_counter() - began:.2f} s")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
