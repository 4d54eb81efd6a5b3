"""``hinterland atlas``: solves every order type of a few dots."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hinterland.cli.console import check_whole_number, make_table, print_json, print_table, progress
from hinterland.contest.wording import format_percent
from hinterland.errors import BadText

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.cli.solving.atlas_journal import AtlasJournal
    from hinterland.dots.atlas.atlas_file import Entry

MIN_DOTS, MAX_DOTS, MOST_JOBS = 3, 9, 256
TYPES_PER_PROCESS = 400
"""Number of unsolved order types for each process: starting a process for fewer would not pay."""
FILE_ENDINGS = (".csv", ".parquet")


def atlas(
    n: int,
    /,
    *,
    jobs: int = 0,
    cluster: str | None = None,
    out: Path | None = None,
    json: bool = False,
) -> None:
    """Solve the game of dots for every order type of n dots, and count the values.

    With --out you can stop at any time; the same command goes on from there.

    Parameters
    ----------
    n
        Number of dots, from 3 to 9.
    jobs
        Processes to work on; 0: one for each processor. A small atlas uses one process.
    cluster
        The address of a Dask scheduler, to work on its cluster.
    out
        Write a line for each order type to this file: .csv, or .parquet.
    json
        Print one JSON object at the end.
    """
    if not MIN_DOTS <= n <= MAX_DOTS:
        raise BadText(f"there are atlases of {MIN_DOTS} to {MAX_DOTS} dots, not of {n}")
    check_whole_number("jobs", jobs, 0, MOST_JOBS)
    with _open_journal(out, n) as journal:
        found = _solve_types(n, jobs, cluster, journal)
    values = sorted(Counter(entry.value for entry in found).items(), reverse=True)
    if json:
        print_json({"n": n, "types": len(found), "values": {str(value): count for value, count in values}})
        return
    _print(n, found, values)
    if out is not None:
        sys.stdout.write(f"written to {out}\n")


@contextmanager
def _open_journal(out: Path | None, dots: int) -> Iterator[AtlasJournal | None]:
    """Open the file ``out``. For .parquet open a CSV file beside ``out``, which is converted at the end."""
    if out is None:
        yield None
        return
    if out.suffix not in FILE_ENDINGS:
        raise BadText(f"--out is a file named .csv or .parquet, not {out.name}")
    from hinterland.cli.solving.atlas_journal import AtlasJournal  # noqa: PLC0415
    from hinterland.dots.atlas.atlas_file import Entry  # noqa: PLC0415
    from hinterland.storage.tables import table_files  # noqa: PLC0415

    csv = out
    if out.suffix == ".parquet":
        table_files.check_output(out)
        csv = out.with_name(out.name + ".unfinished.csv")
    with AtlasJournal(csv, dots) as journal:
        yield journal
    if out.suffix == ".parquet":
        table_files.write_rows(out, map(msgspec.to_builtins, journal.entries), Entry)
        csv.unlink()


def _solve_types(dots: int, jobs: int, cluster: str | None, journal: AtlasJournal | None) -> Sequence[Entry]:
    """Solve the order types that are not in the journal yet; return the entries of all order types."""
    from hinterland import jit  # noqa: PLC0415
    from hinterland.contest import workers  # noqa: PLC0415
    from hinterland.contest.runner import run  # noqa: PLC0415
    from hinterland.dots.atlas import atlas_survey  # noqa: PLC0415
    from hinterland.dots.atlas.atlas_file import count_types  # noqa: PLC0415

    found: list[Entry] = [] if journal is None else list(journal.entries)
    types = count_types(dots)
    processes = min(jobs or jit.cores(), max(1, (types - len(found)) // TYPES_PER_PROCESS))
    with progress() as bars:
        bar = bars.add_task("preparing", total=None)
        atlas_survey.survey(3, 0, [0])  # compiles the kernels once, before several processes would do so
        bars.update(bar, description=f"order types of {dots} dots", total=types, completed=len(found))
        with workers.open_executor(processes, cluster) as (executor, ahead):
            for entries in run(
                atlas_survey.survey_chunk, atlas_survey.split_into_chunks(dots, len(found)), executor, ahead
            ):
                if journal is not None:
                    journal.add(entries)
                found += entries
                bars.update(bar, completed=len(found))
    return found


def _print(dots: int, found: Sequence[Entry], values: Sequence[tuple[int, int]]) -> None:
    sys.stdout.write(f"{len(found):,} order types of {dots} dots\n\n")
    listed = make_table("value", "types", "share", "crossings", "first moves that keep it")
    for value, count in values:
        those = [entry for entry in found if entry.value == value]
        listed.add_row(
            str(value),
            f"{count:,}",
            format_percent(count / len(found), 2),
            _describe_range([entry.crossings for entry in those]),
            _describe_range([entry.best for entry in those]),
        )
    print_table(listed)


def _describe_range(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least} to {most}"
