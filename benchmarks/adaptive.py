"""How many matches an adaptive contest needs to order players: ``python -m benchmarks.adaptive --seeds=120``.

Twelve players have known strengths in the Bradley-Terry model, drawn from a normal distribution or evenly spaced. Both
formats are ranked by the same fit. A row stands for a number of whole round robins. It shows how many of the 66 pairs
are then in the wrong order (median and mean over the seeds), the same for the adaptive format after as many matches,
and the number of matches after which the mean of the adaptive format is first as low.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from hinterland.contest.pairings.adaptive import PRIOR_SPREAD, Adaptive
from hinterland.contest.pairings.rounds import TableResult
from hinterland.evidence.likelihood import fit_pairs, win_chances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.pairings.rounds import Round, Table

PLAYERS, CYCLES = 12, 6
PAIRS = PLAYERS * (PLAYERS - 1) // 2


def strengths(kind: str, seed: int) -> np.ndarray:
    """Return the strengths of the players: float64[PLAYERS]."""
    rng = np.random.default_rng([seed, 0])
    return rng.normal(0, 1, PLAYERS) if kind == "normal" else 0.3 * rng.permutation(PLAYERS)


def count_wrong_pairs(truth: np.ndarray, wins: np.ndarray) -> int:
    """Count the pairs that a fit of the results puts in the wrong order."""
    found = fit_pairs(wins, PRIOR_SPREAD).mean
    return int(((truth[:, None] > truth) & (found[:, None] <= found)).sum())


def play_match(table: Table, truth: np.ndarray, wins: np.ndarray, rng: np.random.Generator) -> TableResult:
    """Play one match and count it."""
    one, other = table
    won = int(rng.random() < win_chances(truth)[one, other])
    wins[one, other] += won
    wins[other, one] += 1 - won
    return TableResult(table, 1, (2 * won, 2 - 2 * won), (0, 0))


def play_round_robins(kind: str, seed: int) -> np.ndarray:
    """Return the pairs in the wrong order after each round robin: int64[CYCLES]."""
    truth, rng, wins = strengths(kind, seed), np.random.default_rng([seed, 1]), np.zeros((PLAYERS, PLAYERS))
    curve = []
    for _ in range(CYCLES):
        for one, other in zip(*np.triu_indices(PLAYERS, 1), strict=True):
            play_match((int(one), int(other)), truth, wins, rng)
        curve.append(count_wrong_pairs(truth, wins))
    return np.array(curve)


def adaptive(kind: str, seed: int, matches: int) -> np.ndarray:
    """Return the matches after each round, and the pairs then in the wrong order: int64[2, rounds]."""
    truth, rng, wins = strengths(kind, seed), np.random.default_rng([seed, 2]), np.zeros((PLAYERS, PLAYERS))
    form = Adaptive(players=PLAYERS, seed=seed, rounds=matches)
    finished: list[Round] = []
    curve = []
    while wins.sum() < matches and (tables := form.tables(finished)) is not None:
        finished.append(tuple(play_match(table, truth, wins, rng) for table in tables))
        curve.append((int(wins.sum()), count_wrong_pairs(truth, wins)))
    return np.array(curve).T


def main(words: Sequence[str]) -> None:
    """Print a table for each kind of strengths."""
    seeds = range(int(next((word.removeprefix("--seeds=") for word in words), "120")))
    for kind in ("normal", "even"):
        robins = np.array([play_round_robins(kind, seed) for seed in seeds])
        curves = np.array([adaptive(kind, seed, CYCLES * PAIRS) for seed in seeds])
        counts, wrong = curves[0, 0], curves[:, 1]
        print(f"{kind} strengths, {PLAYERS} players, {len(seeds)} seeds: pairs in the wrong order, median (mean)")
        print(f"{'matches':>9}{'round robin':>16}{'adaptive':>16}{'as few after':>15}{'part':>8}")
        for cycle, robin in enumerate(robins.T):
            matches = (cycle + 1) * PAIRS
            own = wrong[:, np.searchsorted(counts, matches, side="right") - 1]
            enough = counts[np.flatnonzero(wrong.mean(axis=0) <= robin.mean())[0]]
            cells = [f"{np.median(column):.0f} ({column.mean():.1f})" for column in (robin, own)]
            print(f"{matches:>9}{cells[0]:>16}{cells[1]:>16}{enough:>15}{enough / matches:>8.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
