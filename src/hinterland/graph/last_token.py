"""Puzzles of the game on graphs: the best vertex for the last token of a game, by the exact gains of all vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from hinterland.contract import Goal, PuzzleDraft, PuzzleKind, Reckoning
from hinterland.graph.rules import Position, Rules, Token

BOARD_CHANCES = {"road": 0.7, "geometric": 0.15, "tree": 0.15}
"""The boards of puzzles, by name, and the probability of each."""
VERTICES_RANGE = (20, 61)
"""Number of vertices: at least the first number, fewer than the second."""
TOKENS_RANGE = (2, 6)
"""Tokens of each player: at least the first number, fewer than the second."""
MARGIN_DIVISOR = 10
"""In a puzzle, the best gain less any other gain is at least the best gain divided by this number."""
MAX_CHOICES = 5
"""In the random game, each token goes to the best of at most this many vertices."""


def draw(rng: np.random.Generator) -> PuzzleDraft:
    """Draw a position: each token goes to the best of a few random vertices, until one token is left."""
    options: dict[str, Any] = {
        "board": str(rng.choice(list(BOARD_CHANCES), p=list(BOARD_CHANCES.values()))),
        "vertices": int(rng.integers(*VERTICES_RANGE)),
        "tokens": int(rng.integers(*TOKENS_RANGE)),
        "board_seed": int(rng.integers(2**31)),
    }
    if options["board"] == "geometric":
        options["radius"] = 0.25
    position = Rules.from_options(options).start()
    choices = rng.integers(2, MAX_CHOICES + 1, 2)
    while len(position.moves) < 2 * options["tokens"] - 1:
        position = position.play(_choose_token(position, int(choices[position.to_move or 0]), rng))
    return PuzzleDraft(options, position)


def _choose_token(position: Position, choices: int, rng: np.random.Generator) -> Token:
    gains = position.gains()
    free = rng.permutation(np.flatnonzero(gains >= 0))[:choices]
    return Token(int(free[gains[free].argmax()]))


def measure_vertices(position: Position) -> Reckoning:
    """Compute the gain of all free vertices; only the best one solves the puzzle, not vertices near it."""
    gains = position.gains()
    vertices = np.flatnonzero(gains >= 0)
    best = int(gains.argmax())
    return Reckoning.of(gains[vertices], vertices == best, Token(best), -(-int(gains[best]) // MARGIN_DIVISOR))


def choose_goal(position: Position, found: Reckoning) -> tuple[str, int]:
    """Ask for more than half of all values if only the best vertex achieves this; else for the greatest gain."""
    lacking = position.rules.total_score // 2 + 1 - position.scores[position.to_move or 0]
    if found.worth - found.margin < lacking <= found.worth:
        return "win", lacking
    return "most", found.worth


def measure_vertex(position: Position, token: Token) -> int:
    """Return the gain of one token."""
    position.check(token)
    return int(position.gains()[token.vertex])


PUZZLES = PuzzleKind(
    goals={
        "win": Goal("Win with the last token", "Place it so that you own more than half of all values."),
        "most": Goal("Take the most", "Place the last token where it gains the most."),
    },
    unit="points",
    is_gain=True,
    draw=draw,
    reckon=measure_vertices,
    needed=choose_goal,
    worth=measure_vertex,
)
