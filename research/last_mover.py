"""The advantage of the last move: ``search`` plays itself, ``python -m research.last_mover``.

A match is two games with the seats changed, on a graph of its own. Both players are the same, so the share of the seat
that moves last, less one half, is the advantage of the last move, as far as this search sees it.
"""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any

from hinterland.contest.plan import Entrant, Plan
from hinterland.evidence.intervals import student
from research.measuring import CLOCK, Cells, Row, main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.contest.played import FinishedMatch
    from hinterland.referee.record import Record

SEED = 176
GRAVITY = {"size": 60, "spacing": 4}
STONES = (1, 2, 3, 4, 6, 8, 12)
TOKENS = (1, 2, 3, 5, 8, 12)
DENSITIES = (0.1, 0.3, 0.5, 0.7, 0.9)
VERTICES = 60
TOKENS_OF_DENSITIES = 5
PLAYERS = {"gravity": "search:playouts=100", "graph": "search:playouts=200"}
PAIRINGS = {"gravity": 30, "graph": 200}


def plan_of(game: str, rules: dict[str, Any], pairings: int) -> Plan:
    """Return a contest of a player with itself."""
    spec = PLAYERS[game]
    return Plan(
        game=game, players=(Entrant("one", spec), Entrant("other", spec)), pairings=pairings,
        rules=rules, boards=game == "graph", clock=CLOCK, seed=SEED,
    )  # fmt: skip


def rows() -> Iterator[Row]:
    """Yield all rows: tokens on graphs of density 0.1, densities with five tokens, stones of gravity."""
    for tokens in TOKENS:
        yield graph_row(tokens, DENSITIES[0])
    for density in DENSITIES[1:]:
        yield graph_row(TOKENS_OF_DENSITIES, density)
    for stones in STONES:
        about = {"game": "gravity", "stones": stones, "density": ""}
        yield Row(about, plan_of("gravity", {**GRAVITY, "stones": stones}, PAIRINGS["gravity"]))


def graph_row(tokens: int, density: float) -> Row:
    """Return the row of a number of tokens on graphs of a density."""
    rules = {"board": "random", "vertices": VERTICES, "density": density, "tokens": tokens}
    return Row({"game": "graph", "stones": tokens, "density": density}, plan_of("graph", rules, PAIRINGS["graph"]))


def share_of_last(record: Record) -> float:
    """Return the last seat's share of all scores; half if all are 0."""
    return record.scores[-1] / sum(record.scores) if any(record.scores) else 0.5


def points_of_last(record: Record) -> float:
    """Return 1 for a win of the last seat, half for a draw."""
    return (1 in record.winners) / len(record.winners)


def sums(_: Row, matches: list[FinishedMatch]) -> Cells:
    """Return the share of the seat that moves last, and how often it wins; intervals count matches, not games."""
    games = [record for match in matches for record in match.records]
    shares = [fmean(map(share_of_last, match.records)) for match in matches]
    points = [fmean(map(points_of_last, match.records)) for match in matches]
    low, high = student(shares) or (None, None)
    points_low, points_high = student(points) or (None, None)
    return {
        "matches": len(matches), "games": len(games), "last_share": fmean(shares), "low": low, "high": high,
        "last_won": sum(record.winners == (1,) for record in games),
        "drawn": sum(len(record.winners) == 2 for record in games),
        "last_points": fmean(points), "points_low": points_low, "points_high": points_high,
    }  # fmt: skip


if __name__ == "__main__":
    main("last_mover", rows(), sums)
