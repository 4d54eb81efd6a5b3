"""``hinterland solve`` finds the exact value of a board of dots; ``count-dots`` counts boards and positions."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hinterland.cli.console import check_whole_number, make_table, print_json, print_table, read_dots_board
from hinterland.cli.options import AsJson
from hinterland.errors import BadText, IllegalMove, UnknownName, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.dots.order_types.position_counts import PositionCounts
    from hinterland.dots.rules import Line
    from hinterland.dots.rules import Position as DotsPosition
    from hinterland.dots.rules import Rules as DotsRules
    from hinterland.dots.solver.solutions import Solution

SOLVABLE_GAMES = ("dots",)
LINE_PATTERN = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)
MEMORY_MB, MOST_THREADS = 256, 64
MAX_DIGITS = 20
UNREALISABLE_TYPES = {9: 13, 10: 14_320_182 - 14_309_547}
"""Number of abstract order types that no dots in the plane have, by number of dots.

Source: Aichholzer, Aurenhammer and Krasser, "Enumerating order types" (2002).
"""


def solve(
    game: str,
    file: Path | None = None,
    /,
    *,
    circle: int | None = None,
    random: int | None = None,
    seed: int = 0,
    lines: str | None = None,
    all_moves: bool = False,
    json: AsJson = False,
    seconds: float | None = None,
    memory: int = MEMORY_MB,
    threads: int = 1,
) -> None:
    """Find the value of a board under best play, the best first moves, and a best game.

    Parameters
    ----------
    game
        The game: dots.
    file
        The dots: CSV with x,y a line, or JSON [[x, y], ...].
    circle
        Solve this many dots on a circle instead.
    random
        Solve this many dots drawn at random instead.
    seed
        The same seed draws the same dots.
    lines
        Lines drawn already, in order of play, such as `0-1,2-5`: solve the position after them.
    all_moves
        Find the value of every move.
    seconds
        Stop after this time, with bounds.
    memory
        Megabytes of memory for the search.
    threads
        Searches side by side, which share that memory; 0: one for each processor.
    """
    if game not in SOLVABLE_GAMES:
        raise UnknownName("game that can be solved", game, SOLVABLE_GAMES)
    check_whole_number("threads", threads, 0, MOST_THREADS)
    rules = read_dots_board(file, circle, random, seed)
    from hinterland.dots import boards  # noqa: PLC0415
    from hinterland.dots.solver.solutions import solve as find  # noqa: PLC0415
    from hinterland.jit import cores  # noqa: PLC0415

    find(boards.circle(5).start(), memory_mb=1, all_moves=True)  # load the kernels before the time is measured
    position = _play_lines(rules, lines)
    solution = find(position, seconds, memory, threads=threads or cores(), all_moves=all_moves)
    if json:
        print_json(_encode_solution(solution))
    else:
        _print(solution, position)


def count_dots(
    what: str | None = None,
    /,
    *,
    circle: int | None = None,
    random: int | None = None,
    seed: int = 0,
    json: AsJson = False,
) -> None:
    """Count the order types of n dots, or the positions that play can reach on a board.

    Order types are counted up to relabelling and reflection, for 3 to 10 dots; 10 take minutes. A position is a set of
    dots and of lines between them; positions on boards of 3 to 11 dots are counted, all and up to symmetry.

    Parameters
    ----------
    what
        A number of dots, to count their order types; or a file, CSV with x,y a line or JSON [[x, y], ...].
    circle
        Count the positions on a circle of this many dots.
    random
        Count the positions on this many dots drawn at random.
    seed
        The same seed draws the same dots.
    """
    if what is not None and what.isascii() and what.removeprefix("-").isdigit():
        if circle is not None or random is not None:
            raise BadText("name one board, or one number of dots whose order types to count")
        _count_types(what, json)
        return
    from hinterland.dots.order_types.position_counts import count_positions  # noqa: PLC0415

    rules = read_dots_board(None if what is None else Path(what), circle, random, seed)
    counted = count_positions(rules.sides)
    if json:
        print_json(counted)
    else:
        _print_counts(counted)


def _play_lines(rules: DotsRules, lines: str | None) -> DotsPosition:
    """Return the position after these lines. Raises BadText that names the first line that cannot be drawn."""
    from hinterland.dots.rules import Line  # noqa: PLC0415

    position = rules.start()
    for text in () if lines is None else lines.split(","):
        found = LINE_PATTERN.fullmatch(text.strip())
        if found is None:
            raise BadText(f"--lines is dots joined by hyphens, such as 0-1,2-5, not {quote(text)}")
        try:
            position = position.play(Line(int(found[1]), int(found[2])))
        except IllegalMove as error:
            raise BadText(f"--lines: {text.strip()} cannot be drawn: {error}") from None
    return position


def _encode_solution(solution: Solution) -> dict[str, Any]:
    encoded: dict[str, Any] = {
        "value": solution.value,
        "best": solution.best,
        "line": solution.line,
        "exact": solution.exact,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 3),
    }
    if solution.value is None:
        encoded |= {"low": solution.low, "high": solution.high}
    if solution.values is not None:
        encoded["moves"] = [{"move": line, "value": value} for line, value in solution.values]
    return encoded


def _print(solution: Solution, position: DotsPosition) -> None:
    if solution.value is None:
        value = f"between {solution.low} and {solution.high}, as far as the time allowed"
    else:
        value = f"{solution.value}" + ("" if solution.exact else "; not everything was found in time")
    drawn = len(position.moves)
    if drawn:
        scores = " to ".join(map(str, position.scores))
        board = f"{position.rules.dots} dots, {drawn} lines, {scores}"
        sys.stdout.write(f"{board}; value for the player to move: {value}\n")
    else:
        sys.stdout.write(f"{position.rules.dots} dots; value for the first player: {value}\n")
    if solution.best:
        sys.stdout.write(f"best {'moves' if drawn else 'first moves'}: {_join_lines(solution.best)}\n")
        sys.stdout.write(f"best play: {_join_lines(solution.line)}\n")
    sys.stdout.write(f"{solution.nodes:,} positions in {solution.seconds:.2f} s\n")
    if solution.values is not None:
        listed = make_table("move" if drawn else "first move", "value")
        for line, worth in sorted(solution.values, key=lambda found: (-found[1], found[0].numbers)):
            listed.add_row(_join_lines([line]), str(worth))
        print_table(listed)


def _join_lines(lines: Sequence[Line]) -> str:
    return " ".join(f"{line.a}-{line.b}" for line in lines)


def _count_types(text: str, json: bool) -> None:
    from hinterland.dots.order_types.enumeration import MAX_COUNTED_DOTS, count_order_types  # noqa: PLC0415

    dots = int(text) if len(text) < MAX_DIGITS else 0
    if not 3 <= dots <= MAX_COUNTED_DOTS:
        raise BadText(f"order types are counted for 3 to {MAX_COUNTED_DOTS} dots, not {quote(text)}")
    types = count_order_types(dots)
    missing = UNREALISABLE_TYPES.get(dots, 0)
    if json:
        print_json({"n": dots, "types": types, "realisable": types - missing})
        return
    sys.stdout.write(f"{types:,} order types of {dots} dots, up to reflection\n")
    if missing:
        sys.stdout.write(f"of these {types - missing:,} are of dots in the plane, as published\n")


def _print_counts(counted: PositionCounts) -> None:
    symmetries = "1 symmetry" if counted.symmetries == 1 else f"{counted.symmetries} symmetries"
    sys.stdout.write(f"a board of {counted.dots} dots with {symmetries}\n\n")
    listed = make_table("positions", "all", "up to symmetry")
    listed.add_row("with nothing removed", f"{counted.whole:,}", f"{counted.whole_classes:,}")
    listed.add_row("that play can reach", f"{counted.positions:,}", f"{counted.classes:,}")
    print_table(listed)
