"""``hinterland verify`` and ``export``: judge every recorded game again, and write records as tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from hinterland.cli.console import plain, print_json, progress
from hinterland.errors import ArenaError, BadText, RecordError


def verify(file: Path, /, *, json: bool = False, salvage: Path | None = None) -> int:
    """Judge every game of a record file again, and name the first difference.

    Exit code 1: there is a difference.

    Parameters
    ----------
    file
        A file of records, one game a line.
    json
        Print one JSON object: {"file", "games", "agrees", "difference"}.
    salvage
        Save every whole record of a damaged file in this new file, and list the places that hold none.
    """
    from hinterland.referee import verification  # noqa: PLC0415
    from hinterland.storage import records  # noqa: PLC0415

    if not file.is_file():
        what = "a directory, not a file of records" if file.is_dir() else "not there"
        raise ArenaError(f"{plain(str(file))} is {what}")
    if salvage is not None:
        return _salvage(file, salvage, json=json)
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


def _salvage(file: Path, out: Path, *, json: bool) -> int:
    """Save the whole records of a file, and list where it is damaged. Return 1 if the file is damaged."""
    from hinterland.storage import records  # noqa: PLC0415

    if out.exists():
        raise ArenaError(f"{plain(str(out))} is there already; name a new file for what is whole")
    saved, lost = 0, []
    salvaged = records.salvage(file)
    with records.RecordFile(out) as kept:
        for line, found in salvaged:
            if isinstance(found, RecordError):
                lost.append({"line": line, "fault": plain(str(found))})
            else:
                kept.add(found)
                saved += 1
    if json:
        print_json({"file": str(file), "saved": saved, "in": str(out), "lost": lost})
        return 1 if lost else 0
    for place in lost:
        sys.stderr.write(f"hinterland: {file}, line {place['line']}: {place['fault']}\n")
    whole = "1 whole record" if saved == 1 else f"{saved} whole records"
    places = "1 place holds" if len(lost) == 1 else f"{len(lost)} places hold"
    rest = f"{places} none" if lost else "nothing else was in it"
    sys.stdout.write(f"{file}: {whole} saved in {out}; {rest}\n")
    return 1 if lost else 0


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
