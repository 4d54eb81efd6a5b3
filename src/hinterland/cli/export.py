"""``hinterland export``: finished games as a table for other tools, and tables as records again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from hinterland.cli.console import plain
from hinterland.errors import BadText


def export(*files: Path, by: Literal["game", "move", "seat"] = "game") -> int:
    """Write records as one table: `hinterland export FILE… OUT`.

    A table of games holds everything in the records: other commands read it like the file that it was made from, and
    exporting it to .jsonl gives the same lines again.

    Parameters
    ----------
    files
        Files of records, of either format, or tables of games; last the new file. Its ending chooses the format:
        .parquet or .arrow (which need `pip install 'hinterland[data]'`), .csv, .jsonl or .json.
    by
        What a row stands for.
    """
    from hinterland.storage import records  # noqa: PLC0415

    if len(files) < 2:
        raise BadText("export needs one or more files of records and the new file: FILE… OUT.parquet")
    *sources, out = files
    games = records.export(sources, out, by)
    sys.stdout.write(plain(f"{out}: {games:,} {'game' if games == 1 else 'games'}, a row a {by}") + "\n")
    return 0
