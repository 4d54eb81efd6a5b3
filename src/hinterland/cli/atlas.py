"""``hinterland atlas``: every order type of a few dots, solved."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hinterland.cli.console import print_json, print_table, progress, table
from hinterland.errors import BadText

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.dots.atlas.atlas_file import Entry
    from hinterland.dots.atlas.atlas_journal import AtlasJournal

__all__ = ["atlas"]

FEWEST, MOST, MOST_JOBS = 3, 9, 256
SUFFIXES = (".csv", ".parquet")


def atlas(
    n: int,
    /,
    *,
    jobs: int = 0,
    cluster: str | None = None,
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Solve every order type of n dots for the game of joining dots, and count their values.

    With --out, work can be stopped at any time; the same command goes on with it.

    Parameters
    ----------
    n
        How many dots, from 3 to 9.
    jobs
        Processes to work on; 0 for one a processor. A small atlas takes one.
    cluster
        Work on the Dask cluster whose scheduler has this address.
    out
        Write a line for each order type to this file: .csv, or .parquet.
    json
        Print one JSON object at the end.
    """
    if not FEWEST <= n <= MOST:
        raise BadText(f"there are atlases of {FEWEST} to {MOST} dots, not of {n}")
    if not 0 <= jobs <= MOST_JOBS:
        raise BadText(f"--jobs is a whole number from 0 to {MOST_JOBS}, not {jobs}")
    with _kept(out, n) as journal:
        found = _work(n, jobs, cluster, journal)
    values = sorted(Counter(entry.value for entry in found).items(), reverse=True)
    if json:
        print_json({"n": n, "types": len(found), "values": {str(value): count for value, count in values}})
        return
    _print(n, found, values)
    if out is not None:
        sys.stdout.write(f"written to {out}\n")


@contextmanager
def _kept(out: Path | None, dots: int) -> Iterator[AtlasJournal | None]:
    """Offer the file to write to; for .parquet a CSV file beside it, which is turned into it at the end."""
    if out is None:
        yield None
        return
    if out.suffix not in SUFFIXES:
        raise BadText(f"--out is a file named .csv or .parquet, not {out.name}")
    from hinterland.cli import atlas_parquet  # noqa: PLC0415
    from hinterland.dots.atlas.atlas_journal import AtlasJournal  # noqa: PLC0415
    from hinterland.storage.append_file import AppendFile  # noqa: PLC0415

    csv = out
    if out.suffix == ".parquet":
        atlas_parquet.check(out)
        csv = out.with_name(out.name + ".unfinished.csv")
    with AppendFile(csv) as file:
        journal = AtlasJournal(file, dots)
        yield journal
    if out.suffix == ".parquet":
        atlas_parquet.write(out, journal.entries)
        csv.unlink()


def _work(dots: int, jobs: int, cluster: str | None, journal: AtlasJournal | None) -> Sequence[Entry]:
    """Solve what is not in the file yet; return all."""
    from hinterland.cli import atlas_workers  # noqa: PLC0415
    from hinterland.dots.atlas.atlas_file import types_of  # noqa: PLC0415
    from hinterland.dots.atlas.atlas_survey import explore  # noqa: PLC0415

    found: list[Entry] = [] if journal is None else list(journal.entries)
    types = types_of(dots)
    with progress() as bars:
        bar = bars.add_task("preparing", total=None)
        with atlas_workers.hired(jobs, cluster, types - len(found)) as (workers, ahead):
            bars.update(bar, description=f"order types of {dots} dots", total=types, completed=len(found))
            for entries in explore(dots, workers, len(found), ahead):
                if journal is not None:
                    journal.append(entries)
                found += entries
                bars.update(bar, completed=len(found))
    return found


def _print(dots: int, found: Sequence[Entry], values: Sequence[tuple[int, int]]) -> None:
    sys.stdout.write(f"{len(found):,} order types of {dots} dots\n\n")
    listed = table("value", "types", "share", "crossings", "first moves that keep it")
    for value, count in values:
        those = [entry for entry in found if entry.value == value]
        listed.add_row(
            str(value),
            f"{count:,}",
            f"{100 * count / len(found):.2f} %",
            _range([entry.crossings for entry in those]),
            _range([entry.best for entry in those]),
        )
    print_table(listed)


def _range(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least} to {most}"
