"""The strength of one player against another, or of two checkouts: ``python -m benchmarks.strength GAME ONE OTHER``.

    python -m benchmarks.strength dots perfect perfect@../before --boards=40
    python -m benchmarks.strength graph search:seconds=0.1 search:seconds=0.1@../before --boards=100 --threads=1,1

Each board is played from both seats, one game at a time, so that the machine is equally busy for both players. A won
game is a point, a drawn one half a point. The report gives the first player's share of points and of scores, each with
twice its standard error over the boards, and its share of the games that were not drawn. A board is won by the player
that scored more on it in both games together. In a melee each player takes every other seat, and the scores of its
seats are added.

Options: ``--sizes=12,16`` for rows of 12 and 16 dots, vertices or stones; ``--kinds=random,road`` for kinds of boards
(of gravity: `1000`, `1000x4` for a melee of four, or `500w1000` for 500 x 500 with weight 1000 a player);
``--boards=4`` for the number of boards of each row, ``--seed=1`` for the first of them; ``--jobs=2`` for games side by
side; ``--threads=2,2`` to count processor time, divided by each player's number of threads.
"""

from __future__ import annotations

import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.checkouts import CheckoutPlayer
from hinterland import catalog, gravity
from hinterland.dots import boards as dots_boards
from hinterland.graph import boards as graph_boards

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from hinterland.contract import Position

    Board = Position[Any, Any]
    Pair = tuple[CheckoutPlayer, CheckoutPlayer]

SPACING_SIDES = 0.066
"""Spacing of stones, as a share of the side."""
OPTIONS = {"sizes": "", "kinds": "", "boards": "4", "seed": "1", "jobs": "1", "threads": ""}


def on_points(kind: str, size: int, seed: int) -> Board:
    """Return a board of ``size`` dots."""
    return dots_boards.make(kind, dots=size, seed=seed).start()


def on_graph(kind: str, size: int, seed: int) -> Board:
    """Return a board of ``size`` vertices."""
    side = round(size**0.5)
    sizes = {"rows": side, "cols": side} if kind == "grid" else {"vertices": size}
    return graph_boards.make(kind, seed=seed, **sizes).start()


def on_square(kind: str, size: int, seed: int) -> Board:
    """Return a board of ``size`` stones each with its first stone drawn; ``kind``: as above."""
    board, _, weight = kind.partition("w")
    side, _, players = board.partition("x")
    spacing = round(int(side) * SPACING_SIDES)
    rules = gravity.Rules(
        size=int(side), spacing=spacing, stones=size, players=int(players or 2), weight=int(weight) if weight else None
    )
    position = rules.start()
    return position.play(position.legal_moves.sample(np.random.default_rng(seed)))


ROWS: dict[str, tuple[Callable[[str, int, int], Board], str, str, bool]] = {
    "dots": (on_points, "random,jittered", "12,16,20,24,30", False),
    "graph": (on_graph, ",".join(graph_boards.BOARDS), "100", True),
    "gravity": (on_square, "1000", "3,5,10,15", True),
}
"""By game: the maker of its boards, their kinds and sizes, and whether each kind has a row; else kinds take turns."""


def play(start: Board, players: Sequence[CheckoutPlayer], seed: int) -> tuple[int, ...]:
    """Play a game, the players on the seats by turns, and return the sum of scores of each player."""
    position, moves = start, itertools.count(1000 * seed)
    while position.to_move is not None:
        player = players[position.to_move % len(players)]
        position = position.play(player.choose(position, next(moves)))
    return tuple(sum(position.scores[number :: len(players)]) for number in range(len(players)))


def tally(title: str, starts: Sequence[Board], pairs: Sequence[Pair], seed: int) -> np.ndarray:
    """Play boards from both seats and print a row; return the scores (boards, games of a board, players)."""

    def boards(job: int) -> list[list[tuple[int, ...]]]:
        own, other = pairs[job]
        mine = range(job, len(starts), len(pairs))
        return [[play(starts[i], (own, other), seed + i), play(starts[i], (other, own), seed + i)[::-1]] for i in mine]

    with ThreadPoolExecutor(len(pairs)) as threads:
        scores = np.array([board for job in threads.map(boards, range(len(pairs))) for board in job])
    print(f"{title:>16}{summarise(scores)}   load {os.getloadavg()[0]:.1f}", flush=True)
    return scores


def summarise(scores: np.ndarray) -> str:
    """Return a row: games and boards won, drawn and lost, scores, and shares with their uncertainty."""
    lead = scores[..., 0] - scores[..., 1]
    won, drawn, lost = (int((np.sign(lead) == sign).sum()) for sign in (1, 0, -1))
    points = (np.sign(lead) + 1).mean(axis=1) / 2
    own, other = scores.sum(axis=(0, 1))
    share = own / (own + other)
    strayed = (scores[..., 0] - share * scores.sum(axis=2)).sum(axis=1) / scores.sum(axis=(1, 2)).mean()
    return (
        f"{lead.size:>7}{won:>7}{drawn:>7}{lost:>7}{_percent(points.mean(), points)}"
        f"{100 * won / max(won + lost, 1):>8.0f} %{f'{int((lead.sum(axis=1) > 0).sum())} of {len(lead)}':>12}"
        f"{f'{own} : {other}':>24}{_percent(share, strayed)}"
    )


def _percent(share: float, values: np.ndarray) -> str:
    error = f"{200 * values.std(ddof=1) / np.sqrt(len(values)):.1f}" if len(values) > 1 else "?"
    return f"{100 * share:>8.1f} ± {error:>4} %"


def main(words: Sequence[str]) -> None:
    """Print a row for each kind and size of boards, and one for all."""
    if "--help" in words or "-h" in words:
        print(__doc__)
        return
    options = OPTIONS | dict(word.removeprefix("--").split("=", 1) for word in words if word.startswith("--"))
    game, one, other = (word for word in words if not word.startswith("--"))
    make, kinds, sizes, is_apart = ROWS[game]
    named = (options["kinds"] or kinds).split(",")
    threads = [int(number) for number in options["threads"].split(",")] if options["threads"] else [None, None]
    first, boards = int(options["seed"]), int(options["boards"])
    catalog.game(game)
    pairs = [
        (CheckoutPlayer(game, one, threads[0]), CheckoutPlayer(game, other, threads[1]))
        for _ in range(int(options["jobs"]))
    ]
    print(
        f"{'':>16}{'games':>7}{'won':>7}{'drawn':>7}{'lost':>7}{'points':>17}{'decided':>10}"
        f"{'boards won':>12}{'scored':>24}{'share':>17}"
    )
    scores = []
    for size, kind in itertools.product((options["sizes"] or sizes).split(","), named if is_apart else [""]):
        starts = [make(kind or named[i % len(named)], int(size), first + i) for i in range(boards)]
        scores.append(tally(f"{kind} {size}", starts, pairs, first))
    print(f"{'all':>16}{summarise(np.concatenate(scores))}")
    for player in itertools.chain(*pairs):
        player.close()


if __name__ == "__main__":
    main(sys.argv[1:])
