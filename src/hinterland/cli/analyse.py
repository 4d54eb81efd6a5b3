"""``hinterland analyse``: the gain of each move of a recorded game, the best possible gain, and the losing moves."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.cli.console import make_table, plain, print_json, print_table, progress
from hinterland.cli.options import AsJson
from hinterland.cli.replay import choose_game, draw
from hinterland.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.referee.record import Record
    from hinterland.review import MoveReview, Review

UNKNOWN_VALUE = "?"


def analyse(
    file: Path,
    /,
    *,
    game: int = 1,
    png: Path | None = None,
    json: AsJson = False,
) -> int:
    """Compare each move of a recorded game with the best one, and name the losing moves.

    Parameters
    ----------
    file
        A file of records, one game a line.
    game
        Number of the game in the file, from 1.
    png
        Draw the scores and losses move by move to this file.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.referee.verification import verify  # noqa: PLC0415

    chosen, count = choose_game(file, game)
    try:
        verify(chosen)
    except RecordError as error:
        raise RecordError(f"{file}, game {game}: {error}") from None
    found = _review_game(chosen, quiet=json)
    if png is not None:
        from hinterland.drawing import film  # noqa: PLC0415
        from hinterland.review import chart  # noqa: PLC0415

        draw(png, film.encode_png(chart.draw(found)), quiet=json)
    if json:
        print_json(found)
    elif png is None:
        kind = catalog.game(chosen.game)
        rules = kind.rules.from_json(chosen.rules)
        _print(found, f"game {game} of {count}", lambda move: plain(rules.told(kind.move.from_numbers(move))))
    return 0


def _review_game(chosen: Record, *, quiet: bool) -> Review:
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.host.readiness import quit_at_once_on_signals  # noqa: PLC0415
    from hinterland.referee.verification import final  # noqa: PLC0415
    from hinterland.review import Played, review  # noqa: PLC0415

    played = Played(final(chosen), chosen.players, chosen.scores, chosen.winners)
    with progress(quiet=quiet) as bars, quit_at_once_on_signals():
        return review(catalog.game(chosen.game), played, partial(bars.track, description="weighing moves"))


def _print(found: Review, headline: str, told: Callable[[tuple[int, ...]], str]) -> None:
    from hinterland.review.chart import write_verdicts  # noqa: PLC0415

    listed = make_table("", "player", "move", "gain", "best", "at", "loss", "in the end", "")
    listed.columns[1].justify = listed.columns[8].justify = "left"
    for row in found.moves:
        losing = "losing" if row.losing else ""
        listed.add_row(str(row.number), plain(found.players[row.seat]), *_cells(row, told), losing)
    sys.stdout.write(f"{headline} · {found.rules}\n")
    print_table(listed)
    for line in write_verdicts(found):
        sys.stdout.write(f"{plain(line)}\n")


def _cells(row: MoveReview, told: Callable[[tuple[int, ...]], str]) -> tuple[str, ...]:
    """Return the cells of a table's row: move, gain, best gain, best move, loss, and the change of the lead."""
    move, gain = told(row.move), f"{row.gain:,}"
    if row.best is None or row.loss is None:
        return move, gain, UNKNOWN_VALUE, UNKNOWN_VALUE, UNKNOWN_VALUE, UNKNOWN_VALUE
    if not row.loss:
        return move, gain, f"{row.best_gain:,}", "there", "0", ""
    return move, gain, f"{row.best_gain:,}", told(row.best), f"{row.loss:,}", f"{row.swing:+,}"
