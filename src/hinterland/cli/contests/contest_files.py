"""``hinterland contest report`` and ``export``: a contest as a page to share, and as rows for other tools."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from hinterland.cli.console import plain, say, write
from hinterland.errors import BadText

FILE_ENDINGS = (".csv", ".json", ".parquet", ".txt")


def report(folder: Path, out: Path | None = None, /) -> int:
    """Write a contest as one self-contained HTML file: standings, strengths, pairings, warnings.

    Parameters
    ----------
    folder
        The contest's folder.
    out
        The file. Default: FOLDER/report.html.
    """
    from hinterland.contest.report.contest_sums import FollowedContest  # noqa: PLC0415
    from hinterland.contest.report.report_page import render  # noqa: PLC0415

    file = folder / "report.html" if out is None else out
    write(file, render(FollowedContest(folder).view()))
    say(f"{file} is written; open it in a browser")
    return 0


def export(
    folder: Path,
    file: Path,
    /,
    *,
    games: Annotated[bool, Parameter(negative="")] = False,
    by_board: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Write the standings of a contest, or its games, to a file for other tools.

    Parameters
    ----------
    folder
        The contest's folder.
    file
        The new file. Its ending chooses the format: .csv, .json, .parquet (which needs
        `pip install 'hinterland[data]'`), or .txt, as in the terminal.
    games
        Write a row for each game instead: its place, players, scores, winners, reason of the end, and times.
    by_board
        Write separate standings for each kind of board, if the plan varies the rules.
    """
    from hinterland.contest.report import export_rows  # noqa: PLC0415
    from hinterland.contest.report.contest_sums import FollowedContest  # noqa: PLC0415
    from hinterland.storage.tables.table_files import encode_rows  # noqa: PLC0415

    form = file.suffix.lower()
    if form not in FILE_ENDINGS:
        raise BadText(f"{file} should end in one of {', '.join(FILE_ENDINGS)}")
    if games and by_board:
        raise BadText("--games has a row for each game and --by-board one for each player and board; choose one")
    if form == ".txt":
        if games or by_board:
            option = "--games" if games else "--by-board"
            raise BadText(f"{option} is written as .csv, .json or .parquet, not as .txt")
        write(file, _format_standings(folder))
        return 0
    if games:
        write(file, encode_rows(form, export_rows.game_rows(folder), export_rows.GameOfContest))
    elif by_board:
        write(file, encode_rows(form, export_rows.board_rows(folder), export_rows.EntrantOnBoard))
    else:
        rows = export_rows.standing_rows(FollowedContest(folder).view())
        write(file, encode_rows(form, rows, export_rows.RankedEntrant))
    return 0


def _format_standings(folder: Path) -> str:
    """Return the standings as the terminal shows them."""
    from rich.console import Console  # noqa: PLC0415

    from hinterland.cli.contests import show  # noqa: PLC0415

    contest, standings = show.read_contest(folder)
    text = io.StringIO()
    Console(file=text, width=200, highlight=False, markup=False).print(show.make_standings_table(contest, standings))
    lines = [
        show.describe_progress(contest),
        *text.getvalue().rstrip().splitlines(),
        "",
        *show.list_remarks(contest, standings),
    ]
    return "".join(f"{plain(line).rstrip()}\n" for line in lines)
