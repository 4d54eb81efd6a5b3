"""How one player of dots fares against another: ``python -m benchmarks.dots_players perfect mcts:seconds=2``.

Each board is played from both seats, one game at a time, so that both players think on an otherwise equally busy
machine. A game is a point, half of one when it is drawn; the share is given of the points, and of all dots scored,
each with twice its standard error over the boards; and of the points of games that were not drawn.

Options: ``--dots=12,16`` for the sizes, ``--boards=4`` for how many of each, ``--seed=1`` for the first of them.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import numpy as np

from hinterland import catalog
from hinterland.contract import Clock
from hinterland.dots import boards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contract import Player
    from hinterland.dots import Rules

KINDS = ("random", "jittered")
"""Boards are of one kind and the other by turns."""
OPTIONS = {"dots": "12,16,20,24,30", "boards": "4", "seed": "1"}


def play(rules: Rules, players: Sequence[Player], seed: int) -> tuple[int, ...]:
    """Play a game and return the scores; players have no clock but their own."""
    position = rules.start()
    rng = np.random.default_rng(seed)
    while position.to_move is not None:
        position = position.play(players[position.to_move].choose(position, Clock(), rng))
    return position.scores


def tally(own: Player, other: Player, dots: int, seeds: Sequence[int]) -> np.ndarray:
    """Play on boards from both seats and print what came of it: (boards, games of a board, own and other's score)."""
    scores = []
    for seed in seeds:
        rules = boards.BOARDS[KINDS[seed % len(KINDS)]](dots, seed)
        scores.append([play(rules, (own, other), seed), play(rules, (other, own), seed)[::-1]])
    print(f"  {dots:>7} dots{told(np.array(scores))}   load {os.getloadavg()[0]:.1f}", flush=True)
    return np.array(scores)


def told(scores: np.ndarray) -> str:
    """Sum up in a line: games, won, drawn, lost, dots, and shares with their uncertainty."""
    lead = scores[..., 0] - scores[..., 1]
    won, drawn, lost = (int((np.sign(lead) == sign).sum()) for sign in (1, 0, -1))
    points = (np.sign(lead) + 1).mean(axis=1) / 2
    own, other = scores.sum(axis=(0, 1))
    share = own / (own + other)
    strayed = (scores[..., 0] - share * scores.sum(axis=2)).sum(axis=1) / scores.sum(axis=(1, 2)).mean()
    return (
        f"{lead.size:>7}{won:>7}{drawn:>7}{lost:>7}{_percent(points.mean(), points)}"
        f"{100 * won / max(won + lost, 1):>8.0f} %"
        f"{f'{own} : {other}':>14}{_percent(share, strayed)}"
    )


def _percent(share: float, values: np.ndarray) -> str:
    error = f"{200 * values.std(ddof=1) / np.sqrt(len(values)):.0f}" if len(values) > 1 else "?"
    return f"{100 * share:>8.0f} ± {error:>2} %"


def main(words: Sequence[str]) -> None:
    """Print a row for each size, and one for all."""
    options = OPTIONS | dict(word.removeprefix("--").split("=", 1) for word in words if word.startswith("--"))
    own, other = (catalog.player(catalog.game("dots"), word) for word in words if not word.startswith("--"))
    seeds = range(int(options["seed"]), int(options["seed"]) + int(options["boards"]))
    print(
        f"{'':>14}{'games':>7}{'won':>7}{'drawn':>7}{'lost':>7}{'points':>14}{'decided':>10}{'dots':>14}{'share':>13}"
    )
    scores = [tally(own, other, int(dots), seeds) for dots in options["dots"].split(",")]
    print(f"  {'all':>7}     {told(np.concatenate(scores))}")


if __name__ == "__main__":
    main(sys.argv[1:])
