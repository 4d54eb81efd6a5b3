"""``hinterland puzzles``: makes puzzles of one move with one best answer."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.cli.console import check_whole_number, make_table, print_table, progress, write
from hinterland.errors import BadText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contract import Game
    from hinterland.puzzles.puzzle import Puzzle

MAX_PUZZLES = 5000
FILE_ENDING = ".jsonl.gz"


def puzzles(game: str, out: Path | None = None, /, *, count: int = 500, seed: int = 0) -> None:
    """Make rated puzzles of a game: one move, with one best answer by a margin.

    The same seed makes the same puzzles. The arena's own puzzles were made with this command.

    Parameters
    ----------
    game
        The game: gravity, graph or dots.
    out
        Write the puzzles to this file, .jsonl.gz, a line each, the easiest first. Default: only count them.
    count
        Number of puzzles, up to 5000.
    seed
        Seed of all random choices.
    """
    check_whole_number("count", count, 1, MAX_PUZZLES)
    check_whole_number("seed", seed, 0, 2**63 - 1)
    if out is not None and not out.name.endswith(FILE_ENDING):
        raise BadText(f"puzzles are written to a file named {FILE_ENDING}, not {out.name}")
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.puzzles import collection, making  # noqa: PLC0415

    kind = catalog.game(game)
    write(out, b"", "a")
    with progress() as bars:
        bar = bars.add_task(f"puzzles of {kind.title}", total=making.OVERSAMPLING * count)
        made = making.make(kind, count, seed, lambda: bars.advance(bar))
    write(out, collection.pack(made))
    _print(kind, made)
    if out is not None:
        sys.stdout.write(f"written to {out}\n")


def _print(game: Game, made: Sequence[Puzzle]) -> None:
    sys.stdout.write(f"{len(made):,} puzzles of {game.title}\n\n")
    listed = make_table("goal", "puzzles", "rating", "found by levels")
    for goal, count in Counter(puzzle.goal for puzzle in made).items():
        those = [puzzle for puzzle in made if puzzle.goal == goal]
        share = sum(puzzle.found for puzzle in those) / sum(puzzle.asked for puzzle in those)
        listed.add_row(goal, f"{count:,}", f"{those[0].rating} to {those[-1].rating}", f"{share:.0%}")
    print_table(listed)
