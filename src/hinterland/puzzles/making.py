"""Makes puzzles: draws positions, keeps those with a clearly best answer, and lets the game's levels solve them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hinterland import catalog
from hinterland.contract import Clock, Game, Player, Position, PuzzleDraft, PuzzleKind, Reckoning, is_timed
from hinterland.puzzles.puzzle import Puzzle, kind_of

OVERSAMPLING = 2
"""Number of puzzles drawn for each puzzle wanted."""


def make(game: Game, count: int, seed: int, tell: Callable[[], object] = lambda: None) -> list[Puzzle]:
    """Make ``count`` puzzles, equally many of each goal, the easiest first. The same seed makes the same puzzles.

    ``OVERSAMPLING * count`` puzzles are drawn, and those whose ratings are spread most evenly are kept. ``tell`` is
    called for each puzzle drawn. Raises UnknownName for a game without puzzles.
    """
    kind, rng, levels = kind_of(game), np.random.default_rng(seed), untimed_levels(game)
    goals = list(kind.goals)
    shares = {goal: len(range(number, count, len(goals))) for number, goal in enumerate(goals)}
    pools: dict[str, dict[tuple[object, ...], Puzzle]] = {goal: {} for goal in goals}
    while any(len(pools[goal]) < OVERSAMPLING * shares[goal] for goal in goals):
        draft = kind.draw(rng)
        found = None if draft is None else kind.reckon(draft.position)
        if draft is None or found is None or found.worth - found.elsewhere < found.margin:
            continue
        goal, needed = kind.needed(draft.position, found)
        pool, key = pools[goal], (str(draft.options), draft.position.history)
        if len(pool) < OVERSAMPLING * shares[goal] and key not in pool:
            pool[key] = _puzzle(draft, found, goal, needed, _try_levels(levels, kind, draft.position, needed, rng))
            tell()
    puzzles = [puzzle for goal in goals for puzzle in choose_evenly(list(pools[goal].values()), shares[goal])]
    return sorted(puzzles, key=lambda puzzle: puzzle.rating)


def choose_evenly(pool: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """Choose ``count`` puzzles whose ratings are spread evenly from the easiest to the hardest."""
    left = sorted(pool, key=lambda puzzle: puzzle.rating)
    chosen = []
    for aim in np.linspace(left[0].rating, left[-1].rating, count) if left else ():
        nearest = min(range(len(left)), key=lambda at: abs(left[at].rating - aim))
        chosen.append(left.pop(nearest))
    return chosen


def untimed_levels(game: Game) -> list[Player]:
    """Return the players of those levels that try puzzles: their play does not depend on the speed of the machine."""
    players = [catalog.player(game, level.spec) for level in game.levels]
    return [player for player in players if not is_timed(player)]


def _try_levels(
    levels: Sequence[Player], kind: PuzzleKind, position: Position[Any, Any], needed: int, rng: np.random.Generator
) -> list[bool]:
    """Say for each level whether it chooses a move that is worth at least ``needed``."""
    return [kind.worth(position, level.choose(position, Clock(), rng)) >= needed for level in levels]


def _puzzle(draft: PuzzleDraft, found: Reckoning, goal: str, needed: int, found_by: Sequence[bool]) -> Puzzle:
    return Puzzle(
        options=draft.options,
        history=tuple(move.numbers for _, move in draft.position.moves),
        goal=goal,
        best=found.best.numbers,
        worth=found.worth,
        needed=needed,
        elsewhere=found.elsewhere,
        moves=found.moves,
        near_misses=found.near_misses,
        found=sum(found_by),
        asked=len(found_by),
    )
