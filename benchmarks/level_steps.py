"""The rows of docs/levels.md: ``python -m benchmarks.level_steps FOLDER …``, contests of neighbours as in docs/levels.

Each folder has a column: the share of matches that a level won against the one below, a drawn match counting half, and
the number of matches. Elo come from the first folder.
"""

from __future__ import annotations

import sys
from itertools import accumulate
from math import log10
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from hinterland.contest.folder import ContestFolder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hinterland.contest.pairings.rounds import TableResult


def elo_of(results: Mapping[int, TableResult], players: int) -> list[int]:
    """Add up the steps between neighbours, from 0, with half a match more for each side; the mean of all is 0."""
    steps = [log10((result.half_points[1] + 1) / (result.half_points[0] + 1)) for _, result in sorted(results.items())]
    heights = list(accumulate((400 * step for step in steps), initial=0.0))[:players]
    return [round(height - fmean(heights[1:])) for height in heights]


def results_of(contest: ContestFolder) -> dict[int, TableResult]:
    """Return the result of each player against the one below."""
    found, played = {}, contest.played
    for result in played.rounds[0] if played.is_over else played.tables_so_far():
        below, above = result.table
        assert above == below + 1, "neighbours meet, and nobody else"
        found[above] = result
    return found


def rows(folders: Sequence[Path]) -> list[str]:
    """Return the rows of the table, the highest level first, without `random`."""
    contests = [ContestFolder(folder) for folder in folders]
    players, columns = contests[0].plan.players, [results_of(contest) for contest in contests]
    elo = elo_of(columns[0], len(players))
    lines = []
    for number, player in reversed(list(enumerate(players))[1:]):
        taken = " | ".join(
            f"{one[number].half_points[1] / one[number].matches * 50:.1f} % of {one[number].matches}" for one in columns
        )
        lines.append(f"| {number} {player.name} | {player.spec} | {elo[number]} | {taken} |")
    return lines


if __name__ == "__main__":
    print("\n".join(rows([Path(name) for name in sys.argv[1:]])))
