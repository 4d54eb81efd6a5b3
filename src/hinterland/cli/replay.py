"""``hinterland replay``: a recorded game move by move, and as pictures."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hinterland.cli.console import plain, print_table, progress, table, write
from hinterland.errors import BadText, RecordError

if TYPE_CHECKING:
    from hinterland.contract import Game
    from hinterland.referee.record import Record

FILM_PIXELS = 500
STILL_PIXELS = 1000


def replay(
    file: Path,
    /,
    *,
    game: int = 1,
    png: Path | None = None,
    svg: Path | None = None,
    gif: Path | None = None,
) -> int:
    """Print a recorded game move by move, or draw it.

    Parameters
    ----------
    file
        A file of records, one game a line.
    game
        Which of its games, from 1.
    png
        Draw the last position to this file.
    svg
        Draw the last position to this file.
    gif
        Draw the whole game as an animation to this file.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.referee import verification  # noqa: PLC0415

    chosen, count = chosen_game(file, game)
    kind = catalog.game(chosen.game)
    positions = list(verification.positions(chosen))
    if png is not None:
        from hinterland import film  # noqa: PLC0415

        draw(png, film.png(kind.pictures.image(positions[-1], STILL_PIXELS)))
    if svg is not None:
        draw(svg, kind.pictures.svg(positions[-1]).encode())
    if gif is not None:
        draw(gif, _film(kind, positions))
    if png is None and svg is None and gif is None:
        _print(chosen, positions, game, count)
    return 0


def _film(kind: Game, positions: list[Any]) -> bytes:
    from hinterland import film  # noqa: PLC0415

    with progress() as bars:
        shown = bars.track(positions[1:] or positions, description="drawing")
        return film.gif(kind.pictures.image(position, FILM_PIXELS) for position in shown)


def chosen_game(file: Path, number: int) -> tuple[Record, int]:
    """Return a game of a file, by its number from 1, and how many there are. Raises RecordError or BadText."""
    from hinterland.storage import records  # noqa: PLC0415

    games = [found for _, found in records.read(file)]
    if not 1 <= number <= len(games):
        raise BadText(f"{file} holds games 1 to {len(games)}, not game {number}")
    return games[number - 1], len(games)


def draw(file: Path, content: bytes, *, quiet: bool = False) -> None:
    """Write a picture and say so."""
    write(file, content)
    if not quiet:
        sys.stdout.write(f"{file} written\n")


def _print(record: Record, positions: list[Any], number: int, count: int) -> None:
    names = [plain(name) for name in record.players]
    if len(names) != positions[0].rules.players:
        raise RecordError(f"the record names {len(names)} players, its rules have {positions[0].rules.players}")
    listed = table("move", "player", *names)
    listed.columns[1].justify = "left"
    for seat, position in zip(record.movers, positions[1:], strict=True):
        said = plain(position.rules.told(position.moves[-1][1]))
        listed.add_row(said, names[seat], *(f"{score:,}" for score in position.scores))
    sys.stdout.write(f"game {number} of {count} · {positions[0].rules.summary}\n")
    print_table(listed)
    for note in record.times.notes:
        sys.stdout.write(plain(f"move {note.ply + 1}: {note.text}") + "\n")
    winners = " and ".join(names[seat] for seat in record.winners if seat < len(names)) or "nobody"
    sys.stdout.write(f"winner: {winners}; {plain(record.detail)}\n")
