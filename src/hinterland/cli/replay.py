"""``hinterland replay``: a recorded game move by move, and as pages, pictures, posters and films."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hinterland.cli.console import make_table, plain, print_table, progress, write
from hinterland.errors import BadText, RecordError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hinterland.contract import Game
    from hinterland.prints.sheet import Scene
    from hinterland.referee.diary import NoteMark
    from hinterland.referee.record import Record

STILL_PIXELS = 1000
MARKS_SHOWN = 10


def replay(
    file: Path,
    /,
    *,
    game: int = 1,
    move: int | None = None,
    html: Path | None = None,
    png: Path | None = None,
    svg: Path | None = None,
    poster: Path | None = None,
    gif: Path | None = None,
    mp4: Path | None = None,
    size: str = "medium",
    paper: str = "a4",
    title: str = "",
) -> int:
    """Print a recorded game move by move, or draw it.

    Parameters
    ----------
    file
        A file of records, one game a line.
    game
        Number of the game in the file, from 1.
    move
        Draw the position after this many moves, and films up to it; a page opens there. Default: the last.
    html
        Write a page that steps through the game, as one file for any browser, without a network.
    png
        Draw the position to this file.
    svg
        Draw the position to this file.
    poster
        Draw the position with contours, names and scores to this file, .svg or .png.
    gif
        Draw the game with names and scores as an animation to this file.
    mp4
        Draw the same as a video, which needs pip install 'hinterland[video]'.
    size
        Size of films: small, medium and large are 4:5, story is tall, hd and full-hd are wide.
    paper
        Size of a poster: a5, a4 or a3.
    title
        Title of a page, poster or film. Default: the game's name.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.referee import verification  # noqa: PLC0415

    chosen, count = choose_game(file, game)
    kind = catalog.game(chosen.game)
    positions = list(verification.positions(chosen))
    if not any((html, png, svg, poster, gif, mp4)):
        _print(chosen, positions, game, count)
        return 0
    position = positions[-1] if move is None else _find_position(positions, move)
    if html is not None:
        _draw_page(html, kind, chosen, title, move)
    if png is not None or svg is not None:
        _draw_still(kind, position, png, svg)
    if poster is not None or gif is not None or mp4 is not None:
        scene = _make_scene(kind, chosen, position, title)
        _draw_print(scene, chosen, poster, paper)
        _draw_films(scene, {"gif": gif, "mp4": mp4}, size)
    return 0


def _find_position(positions: Sequence[Any], move: int) -> Any:
    if not 0 <= move < len(positions):
        raise BadText(f"--move counts the moves made: it can be 0 to {len(positions) - 1}, not {move}")
    return positions[move]


def _draw_page(file: Path, kind: Game, record: Record, title: str, first: int | None) -> None:
    from hinterland.prints.game_page import draw_game_page  # noqa: PLC0415
    from hinterland.prints.lettering import read_title  # noqa: PLC0415

    heading = read_title(title)
    with progress() as bars:

        def track(positions: Iterable[Any]) -> Iterable[Any]:
            tracked: Iterable[Any] = bars.track(positions, description="drawing")
            return tracked

        content = draw_game_page(kind, record, heading, first, track)
    draw(file, content)


def _draw_still(kind: Game, position: Any, png: Path | None, svg: Path | None) -> None:
    from hinterland.drawing import film  # noqa: PLC0415

    if png is not None:
        draw(png, film.encode_png(kind.pictures.image(position, STILL_PIXELS)))
    if svg is not None:
        draw(svg, kind.pictures.svg(position).encode())


def _make_scene(kind: Game, record: Record, position: Any, title: str) -> Scene:
    from hinterland.prints.lettering import read_title  # noqa: PLC0415
    from hinterland.prints.sheet import Scene  # noqa: PLC0415

    return Scene(kind, position, record.players, read_title(title), len(record.moves))


def _draw_print(scene: Scene, record: Record, file: Path | None, paper: str) -> None:
    from hinterland.prints.poster import Poster, describe_day, draw_poster  # noqa: PLC0415

    if file is None:
        return
    ending = file.suffix.lower().removeprefix(".")
    if ending not in ("svg", "png"):
        raise BadText(f"a poster ends in .svg or .png, not {plain(file.name)}")
    draw(file, draw_poster(Poster(scene, ending, paper, describe_day(record.times.started))))


def _draw_films(scene: Scene, files: dict[str, Path | None], size: str) -> None:
    from hinterland.prints.films import Film, draw_film  # noqa: PLC0415

    for kind, file in files.items():
        if file is None:
            continue
        with progress() as bars:

            def track(plies: Iterable[int], bars: Any = bars) -> Iterable[int]:
                tracked: Iterable[int] = bars.track(plies, description="drawing")
                return tracked

            content = draw_film(Film(scene, kind, size), track)
        draw(file, content)


def choose_game(file: Path, number: int) -> tuple[Record, int]:
    """Return game ``number`` of a file, counted from 1, and how many games the file has.

    Raises RecordError or BadText.
    """
    from hinterland.storage import records  # noqa: PLC0415

    chosen, count = None, 0
    for count, (_, found) in enumerate(records.read(file), start=1):
        if count == number:
            chosen = found
    if chosen is None:
        raise BadText(f"{file} holds games 1 to {count}, not game {number}")
    return chosen, count


def draw(file: Path, content: bytes, *, quiet: bool = False) -> None:
    """Write a picture to a file, and report that it was written."""
    write(file, content)
    if not quiet:
        sys.stdout.write(f"{file} written\n")


def _print(record: Record, positions: list[Any], number: int, count: int) -> None:
    names = [plain(name) for name in record.players]
    if len(names) != positions[0].rules.players:
        raise RecordError(f"the record names {len(names)} players, its rules have {positions[0].rules.players}")
    listed = make_table("move", "player", *names)
    listed.columns[1].justify = "left"
    for seat, position in zip(record.movers, positions[1:], strict=True):
        said = plain(position.rules.told(position.moves[-1][1]))
        listed.add_row(said, names[seat], *(f"{score:,}" for score in position.scores))
    sys.stdout.write(f"game {number} of {count} · {positions[0].rules.summary}\n")
    print_table(listed)
    for note in record.times.notes:
        lines = [*note.text.splitlines(), *_describe_marks(note.marks)]
        sys.stdout.write(f"move {note.ply + 1}: " + "\n    ".join(map(plain, lines)) + "\n")
    winners = " and ".join(names[seat] for seat in record.winners if seat < len(names)) or "nobody"
    sys.stdout.write(f"winner: {winners}; {plain(record.detail)}\n")


def _describe_marks(marks: Sequence[NoteMark]) -> Iterator[str]:
    """Yield the marks of a note as one line, unless there are none."""
    if not marks:
        return
    told = []
    for mark in marks[:MARKS_SHOWN]:
        places = (" → " if mark.shape == "arrow" else " – ").join(",".join(map(str, place)) for place in mark.places)
        told.append(places if mark.value is None else f"{places}: {mark.value:g}")
    if len(marks) > MARKS_SHOWN:
        told.append(f"and {len(marks) - MARKS_SHOWN} more")
    yield f"marked {' · '.join(told)}"
