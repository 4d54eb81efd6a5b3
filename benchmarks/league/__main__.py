"""Plays the league of gravity and prints its table: ``python -m benchmarks.league --quick --folder build/league``.

The player under test meets each opponent on each board, from both seats; the table has the worst cell first. Matches
that the folder has already are not played again, so a stopped league goes on with the same command.

``--only boards=1000-66-3+100-1-3,opponents=reply+search:seconds=1@../before`` plays some boards, or other opponents:
those of the league (benchmarks/league/opponents), built-in players, and built-in players of another checkout.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.league import boards, contests, table
from hinterland.contest import workers
from hinterland.errors import BadText, HinterlandError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.played import FinishedMatch

PAIRINGS = 3
"""Matches with each opponent on each board: with two, intervals would be three times as wide."""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    first, _, rest = (__doc__ or "").partition("\n\n")
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.league", description=first, epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    options.add_argument("--quick", action="store_true", help="eight boards and four opponents, in three minutes")
    options.add_argument("--player", default="search:seconds=1", help="the player under test (search:seconds=1)")
    options.add_argument("--folder", type=Path, help="where contests lie (build/league, or build/league-quick)")
    options.add_argument("--jobs", type=int, default=1, help="matches at a time, at most one a processor")
    options.add_argument("--pairings", type=int, default=PAIRINGS, help="matches of each opponent on each board (3)")
    options.add_argument("--only", default="", help="boards=NAME+NAME,opponents=PLAYER+PLAYER, or one of the two")
    options.add_argument("--table", action="store_true", help="print the table of the matches so far, and play none")
    options.add_argument("--compare", type=Path, metavar="FOLDER", help="print the table beside that of another league")
    given = options.parse_args(words)
    given.folder = given.folder or Path("build/league-quick" if given.quick else "build/league")
    return given


def choose(given: argparse.Namespace) -> tuple[tuple[boards.Board, ...], tuple[str, ...]]:
    """Return the boards and opponents of a league. Raises HinterlandError for unknown ones."""
    listed, opponents = boards.FULL, contests.FULL_OPPONENTS
    if given.quick:
        listed, opponents = boards.QUICK, tuple(map(contests.quicken, contests.QUICK_OPPONENTS))
    for part in filter(None, re.split(r",(?=boards=|opponents=)", given.only)):
        name, _, several = part.partition("=")
        match name:
            case "boards":
                known = {board.name: board for board in (*boards.FULL, *boards.QUICK)}
                for board in several.split("+"):
                    if board not in known:
                        raise UnknownName("board", board, known)
                listed = tuple(known[board] for board in several.split("+"))
            case "opponents":
                opponents = tuple(several.split("+"))
            case _:
                raise BadText(f"--only is boards=… or opponents=…, separated by a comma, not {part}")
    return listed, opponents


def main(words: Sequence[str]) -> None:
    """Play what is missing, and print the table."""
    given = parse(words)
    if not given.table:
        listed, opponents = choose(given)
        if given.jobs > (cores := len(workers.list_processors()) or given.jobs):
            raise BadText(f"{given.jobs} jobs on {cores} processors would disturb the players: take at most {cores}")
        plans = [
            (board.name, contests.plan_contest(board, given.player, opponents, given.pairings)) for board in listed
        ]
        contests.play(plans, given.folder, given.jobs, partial(report, time.monotonic()))
    cells = table.read_cells(given.folder)
    table.print_table(cells)
    if given.compare:
        print()
        table.print_comparison(cells, table.read_cells(given.compare))


def report(began_s: float, match: FinishedMatch) -> None:
    """Print the players and scores of a match to standard error."""
    minutes = (time.monotonic() - began_s) / 60
    print(f"{minutes:6.1f} min  {match.task.names} {match.score.totals}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except HinterlandError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on")
