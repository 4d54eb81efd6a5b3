"""``hinterland rate``: rates the players of recorded games, with intervals and warnings."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from hinterland.cli.console import make_table, plain, print_json, print_table, write
from hinterland.contest.wording import format_percent
from hinterland.errors import ArenaError, BadText, UnknownName, quote

if TYPE_CHECKING:
    from hinterland.contest.rated_records import RatedRecords
    from hinterland.contest.report.rating_table import RatedPlayer
    from hinterland.evidence.ratings import Anchor, Ratings
    from hinterland.evidence.tally import Tally

FileOrOut = Annotated[Path, Parameter(allow_leading_hyphen=True)]
"""A path; ``-`` stands for standard output."""


def rate(
    *files: Path,
    game: str = "",
    model: Literal["davidson", "plackett-luce"] | None = None,
    anchor: str = "",
    seed: int = 0,
    json: bool = False,
    csv: FileOrOut | None = None,
    svg: FileOrOut | None = None,
) -> int:
    """Rate the players of recorded games in Elo, with 95 % intervals and warnings.

    Parameters
    ----------
    files
        Files of records, one game a line.
    game
        Rate only games of this name, if the files hold several.
    model
        davidson for two players, plackett-luce for any number. Default: chosen by the games.
    anchor
        NAME=ELO: give this player that rating. Default: ratings have mean 0.
    seed
        Seed of the bootstrap for the intervals.
    json
        Print one JSON object with all figures.
    csv
        Write the table to this file as well; - prints it instead.
    svg
        Draw the ratings into this file as well; - prints the drawing instead.
    """
    if not files:
        raise BadText("name at least one file of records to rate: hinterland rate FILE")
    for file in files:
        if not file.is_file():
            what = "a directory, not a file of records" if file.is_dir() else "not there"
            raise ArenaError(f"{plain(str(file))} is {what}")
    from hinterland.contest import rated_records  # noqa: PLC0415
    from hinterland.contest.report import rating_table  # noqa: PLC0415
    from hinterland.evidence.plackett_luce import rate_tally  # noqa: PLC0415

    _check_game(game)
    for path in (csv, svg):
        if path != Path("-"):
            write(path, "", mode="a")
    held = _read_anchor(anchor)
    found = rated_records.read_files(files, game)
    tally = found.finish()
    if not tally.matches:
        what = f" of {game}" if game else ""
        raise BadText(f"there is nothing to rate: the files hold no game{what} that counts")
    ratings = rate_tally(tally, model, held, seed=seed)
    listed = rating_table.rows(tally, ratings)
    printed = json
    for path, content in ((csv, rating_table.to_csv), (svg, rating_table.to_svg)):
        if path == Path("-"):
            printed = True
            sys.stdout.write(content(listed))
        else:
            write(path, content(listed) if path is not None else "")
    if json:
        print_json(rating_table.to_json(found.game, tally, ratings))
    elif not printed:
        _print(found, tally, ratings, listed)
    return 0


def _check_game(game: str) -> None:
    from hinterland import catalog  # noqa: PLC0415

    if game and game not in catalog.GAMES:
        raise UnknownName("game", game, catalog.GAMES)


def _read_anchor(text: str) -> Anchor | None:
    """Read NAME=ELO. Raises BadText."""
    from hinterland.evidence.ratings import Anchor  # noqa: PLC0415

    if not text:
        return None
    name, _, elo = text.rpartition("=")
    try:
        value = float(elo)
    except ValueError:
        value = math.nan
    if not name or not math.isfinite(value):
        raise BadText(f"--anchor is NAME=ELO, such as random=0, not {quote(text)}")
    return Anchor(name, value)


def _print(found: RatedRecords, tally: Tally, ratings: Ratings, listed: list[RatedPlayer]) -> None:
    from hinterland.evidence.diagnosis import diagnose  # noqa: PLC0415

    made = make_table("player", "rating", "95 %", "games", "matches", "points", "share", "above next")
    for row in listed:
        made.add_row(
            plain(row.name),
            f"{round(row.elo):+}",
            f"{round(row.low):+} to {round(row.high):+}",
            f"{row.games:,}",
            f"{row.matches:,}",
            f"{row.points:,.1f}",
            format_percent(row.share),
            format_percent(row.above_next),
        )
    games, matches = _count_with_noun(tally.games, "game"), _count_with_noun(tally.matches, "match")
    sys.stdout.write(f"{found.game} · {games} in {matches} · {ratings.model}\n")
    print_table(made)
    if 2 in ratings.seats:
        sys.stdout.write(f"the first seat is worth {round(ratings.seats[2][0] - ratings.seats[2][1]):+} Elo\n")
    if found.void:
        sys.stdout.write(f"not counted: {_count_with_noun(found.void, 'void game')}\n")
    if found.incomplete:
        sys.stdout.write(f"games are missing of {_count_with_noun(found.incomplete, 'match')}\n")
    for defect in diagnose(tally, ratings):
        sys.stdout.write(f"warning: {plain(defect.text)}\n")


def _count_with_noun(count: int, what: str) -> str:
    plural = f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{count:,} {what if count == 1 else plural}"
