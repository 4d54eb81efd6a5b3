"""``hinterland analyse``: what each move of a recorded game gained, what the best would have, and what lost it."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hinterland.cli.console import plain, print_json, print_table, progress, quitting_at_once, table
from hinterland.cli.replay import chosen_game, write
from hinterland.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.referee.record import Record
    from hinterland.review import MoveReview, Review

__all__ = ["analyse"]

UNKNOWN = "?"


def analyse(
    file: Path,
    /,
    *,
    game: int = 1,
    png: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Weigh each move of a recorded game against the best there was, and name the moves that lost it.

    Parameters
    ----------
    file
        A file of records, one game a line.
    game
        Which of its games, from 1.
    png
        Draw the scores and the losses move by move to this file.
    json
        Print one JSON object.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.referee import record as records  # noqa: PLC0415

    chosen, count = chosen_game(file, game)
    try:
        records.verify(chosen)
    except RecordError as error:
        raise RecordError(f"{file}, game {game}: {error}") from None
    found = _reviewed(chosen, quiet=json)
    if png is not None:
        from hinterland import film  # noqa: PLC0415
        from hinterland.review import chart  # noqa: PLC0415

        write(png, film.png(chart.draw(found)), quiet=json)
    if json:
        print_json(found)
    elif png is None:
        kind = catalog.game(chosen.game)
        rules = kind.rules.from_json(chosen.rules)
        _print(found, f"game {game} of {count}", lambda move: plain(rules.told(kind.move.from_numbers(move))))
    return 0


def _reviewed(chosen: Record, *, quiet: bool) -> Review:
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.referee import record as records  # noqa: PLC0415
    from hinterland.review import Played, review  # noqa: PLC0415

    *_, last = records.positions(chosen)
    left = tuple((departure.seat, departure.plies) for departure in chosen.departures)
    for seat in (seat for seat, _ in left if seat not in last.withdrawn):
        last = last.withdraw(seat)
    played = Played(last, chosen.players, chosen.scores, chosen.winners, left)
    with progress(quiet=quiet) as bars, quitting_at_once():
        return review(catalog.game(chosen.game), played, partial(bars.track, description="weighing moves"))


def _print(found: Review, headline: str, told: Callable[[tuple[int, ...]], str]) -> None:
    from hinterland.review.words import verdicts  # noqa: PLC0415

    listed = table("", "player", "move", "gain", "best", "at", "loss", "in the end", "")
    listed.columns[1].justify = listed.columns[8].justify = "left"
    for row in found.moves:
        losing = "losing" if row.losing else ""
        listed.add_row(str(row.number), plain(found.players[row.seat]), *_cells(row, told), losing)
    sys.stdout.write(f"{headline} · {found.rules}\n")
    print_table(listed)
    for line in verdicts(found):
        sys.stdout.write(f"{plain(line)}\n")


def _cells(row: MoveReview, told: Callable[[tuple[int, ...]], str]) -> tuple[str, ...]:
    """Write move, gain, best gain, best move, loss and swing."""
    move, gain = told(row.move), f"{row.gain:,}"
    if row.best is None or row.loss is None:
        return move, gain, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN
    if not row.loss:
        return move, gain, f"{row.best_gain:,}", "there", "0", ""
    return move, gain, f"{row.best_gain:,}", told(row.best), f"{row.loss:,}", f"{row.swing:+,}"
