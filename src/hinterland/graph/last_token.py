"""Puzzles of the game on graphs: the one vertex for the last token of a game, by the exact gains of all vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from hinterland.contract import Goal, PuzzleDraft, PuzzleKind, Reckoning
from hinterland.graph.rules import Position, Rules, Token

BOARDS = {"road": 0.7, "geometric": 0.15, "tree": 0.15}
"""Boards by name, and how often each is drawn."""
VERTICES = (20, 61)
TOKENS = (2, 6)
"""From, and to before."""
SHORT = 10
"""Every other vertex gains less than the best one by at least one part in so many."""
CHOICES = 5
"""A player looks at up to so many vertices for a token, some at more than others."""


def draw(rng: np.random.Generator) -> PuzzleDraft:
    """Play a game at random, with some care, until one token is left."""
    options: dict[str, Any] = {
        "board": str(rng.choice(list(BOARDS), p=list(BOARDS.values()))),
        "vertices": int(rng.integers(*VERTICES)),
        "tokens": int(rng.integers(*TOKENS)),
        "board_seed": int(rng.integers(2**31)),
    }
    if options["board"] == "geometric":
        options["radius"] = 0.25
    position = Rules.from_options(options).start()
    choices = rng.integers(2, CHOICES + 1, 2)
    while len(position.moves) < 2 * options["tokens"] - 1:
        position = position.play(_placed(position, int(choices[position.to_move or 0]), rng))
    return PuzzleDraft(options, position)


def _placed(position: Position, choices: int, rng: np.random.Generator) -> Token:
    gains = position.gains()
    free = rng.permutation(np.flatnonzero(gains >= 0))[:choices]
    return Token(int(free[gains[free].argmax()]))


def reckon(position: Position) -> Reckoning:
    """Return what all vertices gain; none is near another."""
    gains = position.gains()
    vertices = np.flatnonzero(gains >= 0)
    best = int(gains.argmax())
    return Reckoning.of(gains[vertices], vertices == best, Token(best), -(-int(gains[best]) // SHORT))


def needed(position: Position, found: Reckoning) -> tuple[str, int]:
    """Ask for the win, which is more than half of all values, where only the answer brings it; else for the most."""
    lacking = position.rules.total_score // 2 + 1 - position.scores[position.to_move or 0]
    if found.worth - found.margin < lacking <= found.worth:
        return "win", lacking
    return "most", found.worth


def worth(position: Position, token: Token) -> int:
    """Return what one token gains."""
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
    reckon=reckon,
    needed=needed,
    worth=worth,
)
