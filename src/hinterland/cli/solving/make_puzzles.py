"""``hinterland puzzles``: one move, one best answer."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.cli.console import print_table, progress, table, whole, write
from hinterland.errors import BadText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contract import Game
    from hinterland.puzzles.puzzle import Puzzle

MOST = 5000
SUFFIX = ".jsonl.gz"


def puzzles(game: str, out: Path | None = None, /, *, count: int = 500, seed: int = 0) -> None:
    """Make puzzles of a game: one move, with one best answer by a margin, each rated.

    The same seed makes the same puzzles. Those that the arena shows were made so.

    Parameters
    ----------
    game
        The game: gravity, graph or dots.
    out
        Write them to this file, .jsonl.gz, a line each, the easiest first; without it they are only counted.
    count
        How many, up to 5000.
    seed
        Another seed, other puzzles.
    """
    whole("count", count, 1, MOST)
    whole("seed", seed, 0, 2**63 - 1)
    if out is not None and not out.name.endswith(SUFFIX):
        raise BadText(f"puzzles are written to a file named {SUFFIX}, not {out.name}")
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.puzzles import collection, making  # noqa: PLC0415

    kind = catalog.game(game)
    write(out, b"", "a")
    with progress() as bars:
        bar = bars.add_task(f"puzzles of {kind.title}", total=making.SPARE * count)
        made = making.make(kind, count, seed, lambda: bars.advance(bar))
    write(out, collection.packed(made))
    _print(kind, made)
    if out is not None:
        sys.stdout.write(f"written to {out}\n")


def _print(game: Game, made: Sequence[Puzzle]) -> None:
    sys.stdout.write(f"{len(made):,} puzzles of {game.title}\n\n")
    listed = table("goal", "puzzles", "rating", "found by levels")
    for goal, count in Counter(puzzle.goal for puzzle in made).items():
        those = [puzzle for puzzle in made if puzzle.goal == goal]
        share = sum(puzzle.found for puzzle in those) / sum(puzzle.asked for puzzle in those)
        listed.add_row(goal, f"{count:,}", f"{those[0].rating} to {those[-1].rating}", f"{share:.0%}")
    print_table(listed)
