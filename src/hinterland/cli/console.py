"""Input and output of the commands: tables on stdout and progress on stderr. Control characters are escaped."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from hinterland.contest.wording import format_percent
from hinterland.errors import BadText
from hinterland.referee.verdicts import replace_seats_by_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.progress import Progress
    from rich.table import Table

    from hinterland.contract import Game, Rules
    from hinterland.dots.rules import Rules as DotsRules
    from hinterland.referee.match import Result
    from hinterland.referee.record import Record


def plain(text: str) -> str:
    """Return a text in which every character that is not printable is escaped."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def say(line: str) -> None:
    """Print a line for people on stderr; results go to stdout."""
    sys.stderr.write(f"{plain(line)}\n")


def read_rules(game: Game, players: int, options: Mapping[str, str]) -> Rules:
    """Make rules from options; if a board is read from a file, print a note on it. Raises HinterlandError."""
    from hinterland.contest import plan  # noqa: PLC0415

    return plan.make_rules(game, players, read_typed_values(options), say)


def read_typed_values(options: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of the rules by name, with each text converted to a number or another value."""
    from hinterland.contract import read_value  # noqa: PLC0415

    return {name.replace("-", "_"): read_value(text) for name, text in options.items()}


def read_dots_board(file: Path | None, circle: int | None, random: int | None, seed: int) -> DotsRules:
    """Return the board of a file, of a circle or of random dots.

    Raises BadText unless exactly one is given, and RulesError for impossible dots.
    """
    from hinterland.dots import boards  # noqa: PLC0415

    if sum(way is not None for way in (file, circle, random)) != 1:
        raise BadText("name one board: a FILE, --circle N, or --random N with --seed S")
    if circle is not None:
        return boards.circle(circle)
    if random is not None:
        return boards.random(random, seed=seed)
    assert file is not None
    return boards.from_file(file)


def check_whole_number(option: str, value: int, least: int, most: int) -> None:
    """Raise BadText unless the value of an option is from ``least`` to ``most``."""
    if not least <= value <= most:
        raise BadText(f"--{option} is a whole number from {least} to {most}, not {value}")


def make_table(*columns: str, numbers: bool = True) -> Table:
    """Return an empty table. The first column is text. ``numbers``: whether the other columns are numbers."""
    from rich import box  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        right = numbers and place > 0
        made.add_column(column, justify="right" if right else "left", no_wrap=right)
    return made


def print_table(content: Table) -> None:
    """Print a table. Outside a terminal the table may be as wide as its content needs."""
    from rich.console import Console  # noqa: PLC0415

    Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False).print(content)


def print_json(value: Any) -> None:
    """Print a value as one JSON document."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Progress]:
    """Show progress bars within the context, if stderr is a terminal. They vanish at the end."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    silent = quiet or not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=silent) as bars:
        yield bars


def write(path: Path | None, content: str | bytes, mode: Literal["w", "a"] = "w") -> None:
    """Write a file, unless ``path`` is None. Raises BadText if it cannot be written.

    Before long work, call this with "" and mode "a" to learn whether the file can be written.
    """
    if path is None:
        return
    try:
        with path.open(f"{mode}b") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise BadText(f"{path} cannot be written: {error.strerror}") from None


def encode_result(result: Result) -> dict[str, Any]:
    """Return a result as JSON values."""
    return {
        "game": result.game,
        "players": [{"name": p.name, "scores": p.scores, "total": p.total} for p in result.players],
        "winners": result.winners,
        "record": result.record,
        **({"unplayed": result.unplayed} if result.unplayed else {}),
    }


def describe_winners(result: Result) -> str:
    """Name the winner, or the winners that share the win."""
    return f"{' and '.join(result.winners)} {'wins' if len(result.winners) == 1 else 'share the win'}"


def print_result(result: Result, played: Sequence[Record], headline: str) -> None:
    """Print a result as a table, and every departure of a player."""
    games = [f"game {record.number}" for record in played]
    listed = make_table("player", *games, "sum", "share")
    whole = sum(player.total for player in result.players) or 1
    for player in result.players:
        scores = (f"{score:,}" for score in (*player.scores, player.total))
        listed.add_row(plain(player.name), *scores, format_percent(player.total / whole))
    sys.stdout.write(f"{headline}\n")
    print_table(listed)
    for record in played:
        for left in record.departures:
            name, detail = record.players[left.seat], replace_seats_by_names(left.detail, record.players)
            sys.stdout.write(plain(f"game {record.number}: {name} left, {left.reason}: {detail}") + "\n")
    if result.unplayed:
        sys.stdout.write(f"{plain(result.unplayed)}\n")
    sys.stdout.write(f"{plain(describe_winners(result))}\n")
    if result.record is not None:
        sys.stdout.write(f"recorded in {result.record}\n")
