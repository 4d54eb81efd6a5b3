"""``hinterland verify``: every recorded game judged again."""

from __future__ import annotations

import sys
from pathlib import Path

from hinterland.cli.console import plain, print_json, progress
from hinterland.errors import ArenaError, RecordError


def verify(file: Path, /, *, json: bool = False) -> int:
    """Judge every game of a record file again; exit with 1 and name the first difference if there is one.

    Parameters
    ----------
    file
        A file of records, one game a line.
    json
        Print one JSON object: {"file", "games", "agrees", "difference"}.
    """
    from hinterland.referee import verification  # noqa: PLC0415
    from hinterland.storage import records  # noqa: PLC0415

    if not file.is_file():
        what = "a directory, not a file of records" if file.is_dir() else "not there"
        raise ArenaError(f"{plain(str(file))} is {what}")
    games = 0
    difference = None
    try:
        with progress(quiet=json) as bars:
            bar = bars.add_task("judging", total=None)
            for line, record in records.read(file):
                try:
                    verification.verify(record)
                except RecordError as error:
                    raise RecordError(f"{file}, line {line} (game {games + 1}): {error}") from None
                games += 1
                bars.advance(bar)
    except RecordError as error:
        difference = plain(str(error))
    if json:
        print_json({"file": str(file), "games": games, "agrees": difference is None, "difference": difference})
    elif difference is None:
        sys.stdout.write(f"{file}: {games} {'game' if games == 1 else 'games'} judged again, all agree\n")
    else:
        sys.stderr.write(f"hinterland: {difference}\n")
    return 0 if difference is None else 1
