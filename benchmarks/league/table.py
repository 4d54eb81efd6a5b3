"""The league's table: what the player under test takes of each board, against each opponent.

A match is two games, one from each seat. A *share* is the player's part of all cells that both players own at the end
of a match. Intervals count matches, since the two games of a match may share their first move.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import msgspec
import scipy

from hinterland.contest.folder import ContestFolder
from hinterland.contest.scoring import contest_scores
from hinterland.contract import several

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from hinterland.contest.played import FinishedMatch
    from hinterland.referee.record import Record

CONFIDENCE = 0.95
ALL = "all"


class Estimate(msgspec.Struct, frozen=True):
    """A mean with its standard error."""

    mean: float
    error: float = math.nan
    """Standard error; nan if a single match does not tell it."""
    freedom: float = math.nan
    """Degrees of freedom of the error."""

    @property
    def half_width(self) -> float:
        """Half the width of Student's 95 % interval."""
        if not self.error > 0:
            return self.error
        return float(scipy.special.stdtrit(self.freedom, (1 + CONFIDENCE) / 2)) * self.error

    def __sub__(self, other: Estimate) -> Estimate:
        """Return the difference of two independent means."""
        error, freedom = _combine([self, other])
        return Estimate(self.mean - other.mean, error, freedom)

    def __str__(self) -> str:
        half = self.half_width
        return f"{100 * self.mean:6.1f} ± {'?' if math.isnan(half) else f'{100 * half:.1f}':>4} %"


def estimate(shares: Sequence[float]) -> Estimate:
    """Return the mean of the shares of independent matches."""
    if len(shares) < 2:
        return Estimate(fmean(shares))
    return Estimate(fmean(shares), stdev(shares) / math.sqrt(len(shares)), len(shares) - 1)


def mean_of(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean of independent estimates, each of the same weight."""
    error, freedom = _combine(estimates)
    return Estimate(fmean(one.mean for one in estimates), error / len(estimates), freedom)


def _combine(estimates: Iterable[Estimate]) -> tuple[float, float]:
    """Return the standard error of a sum, and its degrees of freedom: Satterthwaite (1946), Welch (1947)."""
    errors = [(one.error, one.freedom) for one in estimates if one.error != 0]
    total = math.hypot(*(error for error, _ in errors))
    return total, total**4 / sum(error**4 / freedom for error, freedom in errors) if errors else math.nan


class Cell:
    """The results of one opponent on one board."""

    def __init__(self, board: str, opponent: str) -> None:
        self.board, self.opponent = board, opponent
        self.shares: list[float] = []
        """The player's share in each match."""
        self.by_seat: tuple[list[float], list[float]] = ([], [])
        """Its shares in the games of the first and of the second seat."""
        self.games = 0
        self.different: set[tuple[tuple[int, ...], ...]] = set()
        """The games that differ by more than a symmetry of the board."""
        self.left: Counter[str] = Counter()
        """Departures by player and reason, such as a loss on time."""

    @property
    def share(self) -> Estimate:
        """The share over both seats."""
        return estimate(self.shares)

    def count(self, match: FinishedMatch) -> None:
        """Count a match; the player under test is the first of its table."""
        totals, name = match.score.totals, match.task.names[0]
        self.shares.append(totals[0] / sum(totals) if sum(totals) else 0.5)
        for record in match.records:
            seat, scores = record.players.index(name), contest_scores(record)
            self.by_seat[seat].append(scores[seat] / sum(scores) if sum(scores) else 0.5)
            self.games += 1
            self.different.add(fold(record))
            self.left.update(f"{record.players[gone.seat]} left by {gone.reason}" for gone in record.departures)


def fold(record: Record) -> tuple[tuple[int, ...], ...]:
    """Return the moves of a game and its first player's seat, alike for games that are mirror images of one another."""
    last = record.rules["size"] - 1
    images = []
    for down, right, across in product((False, True), repeat=3):
        moves = [(last - row if down else row, last - col if right else col, *more) for row, col, *more in record.moves]
        images.append(tuple((col, row, *more) if across else (row, col, *more) for row, col, *more in moves))
    return ((record.number,), *min(images))


def read_cells(folder: Path) -> list[Cell]:
    """Return the cells of a league's folder, the worst first. Raises HinterlandError."""
    cells = [cell for plan in sorted(folder.glob("*/plan.toml")) for cell in read_board(plan.parent) if cell.shares]
    return sorted(cells, key=lambda cell: fmean(cell.shares))


def read_board(folder: Path) -> Iterator[Cell]:
    """Yield the cells of one contest, in the order of its players; a cell without matches is among them."""
    matches: list[FinishedMatch] = []
    with ContestFolder(folder, matches.append) as contest:
        cells = {name: Cell(folder.name, name) for name in contest.plan.names[1:]}
    for match in matches:
        cells[match.task.names[1]].count(match)
    yield from cells.values()


def print_table(cells: Sequence[Cell]) -> None:
    """Print a line for each cell, the worst first, then one for each opponent, and the mean of all."""
    print(f"{'board':<20}{'opponent':<28}{'matches':>8}{'games':>9}{'share':>17}{'1st seat':>11}{'2nd seat':>11}")
    for cell in cells:
        seats = "".join(f"{100 * fmean(shares):>9.1f} %" for shares in cell.by_seat)
        games = f"{len(cell.different)}/{cell.games}"
        print(f"{cell.board:<20}{cell.opponent:<28}{len(cell.shares):>8}{games:>9}{cell.share!s:>17}{seats}")
    print()
    for opponent, found in group_by_opponent(cells).items():
        mean, worst = mean_of([cell.share for cell in found]), min(found, key=lambda cell: cell.share.mean)
        least = f"least on {worst.board}: {100 * worst.share.mean:.1f} %"
        matches = sum(len(cell.shares) for cell in found)
        print(f"{several(len(found), 'cell'):<20}{opponent:<28}{matches:>8}{mean!s:>26}   {least}")
    for words, count in sum((cell.left for cell in cells), Counter[str]()).items():
        print(f"{words} in {count} games")


def group_by_opponent(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """Return the cells of each opponent, the worst opponent first, and of all opponents."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell.opponent, []).append(cell)
    ordered = sorted(found.items(), key=lambda one: mean_of([cell.share for cell in one[1]]).mean)
    return dict(ordered) | ({ALL: list(cells)} if cells else {})


def print_comparison(cells: Sequence[Cell], others: Sequence[Cell]) -> None:
    """Print the cells that two leagues have in common, the one in which the first fell behind the most first."""
    theirs = {(cell.board, cell.opponent): cell.share for cell in others}
    pairs = [
        (cell, cell.share, theirs[cell.board, cell.opponent]) for cell in cells if (cell.board, cell.opponent) in theirs
    ]
    pairs.sort(key=lambda pair: pair[1].mean - pair[2].mean)
    print(f"{'board':<20}{'opponent':<28}{'share':>17}{'other':>17}{'difference':>17}")
    for cell, own, other in pairs:
        print(f"{cell.board:<20}{cell.opponent:<28}{own!s:>17}{other!s:>17}{own - other!s:>17}")
    if pairs:
        mean, other_mean = mean_of([own for _, own, _ in pairs]), mean_of([other for _, _, other in pairs])
        print(f"{several(len(pairs), 'cell'):<20}{ALL:<28}{mean!s:>17}{other_mean!s:>17}{mean - other_mean!s:>17}")
