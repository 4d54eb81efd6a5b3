"""What best play looks like when cycles are about to be closed: ``python -m benchmarks.dots_fights``.

Positions are those of games of ``mcts`` against itself that have at most so many legal lines and are not nearly over;
each is solved with the value of every move. They are told apart by what the mover can do: close a cycle, or else draw
a safe line, after which none can be closed, or neither. The same every time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hinterland.contract import Clock
from hinterland.dots import Position, boards
from hinterland.dots.order_types.forest import Forest, bits
from hinterland.dots.players import MonteCarlo
from hinterland.dots.solver.solutions import Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GAMES = 60
SIZES = (12, 14, 16, 20)
MOST_LINES, FEWEST_DOTS = 34, 7


class Move(NamedTuple):
    """A legal line: the dots that it takes, the most that the reply can take, and what it is worth."""

    takes: int
    gives: int
    value: int


def positions() -> Iterator[Position]:
    """Play games and yield what was on the board."""
    player = MonteCarlo(playouts=2000)
    for game in range(GAMES):
        position, rng = boards.random(SIZES[game % len(SIZES)], seed=game).start(), np.random.default_rng(game)
        while position.to_move is not None:
            if len(position.legal_moves) <= MOST_LINES and len(position.dots) >= FEWEST_DOTS:
                yield position
            position = position.play(player.choose(position, Clock(), rng))


def moves(position: Position, solver: Solver) -> list[Move]:
    """Solve a position and describe its moves."""
    forest = position.forest
    told = []
    for line, value in solver.solve(position, all_moves=True).values or ():
        number = forest.segments.number[line.numbers]
        told.append(Move(forest.cycle(number).bit_count(), _longest(forest.after(number, 0)), value))
    return told


def _longest(forest: Forest) -> int:
    return max((forest.cycle(line).bit_count() for line in bits(forest.legal)), default=0)


def main() -> None:
    """Print the report."""
    solver = Solver(256)
    phases: dict[str, list[list[Move]]] = {"a cycle can be closed": [], "a safe line is left": [], "neither": []}
    for position in positions():
        told = moves(position, solver)
        closing, safe = any(move.takes for move in told), any(not move.gives for move in told)
        phases[list(phases)[0 if closing else 1 if safe else 2]].append(told)
    for phase, found in phases.items():
        signs = [int(np.sign(max(move.value for move in told))) for told in found]
        shares = ", ".join(f"{signs.count(s) / len(signs):.0%} {w}" for s, w in ((1, "won"), (0, "even"), (-1, "lost")))
        print(f"{phase}: {len(found)} positions, {shares} for the mover")
        for kind, which in KINDS.items():
            _tell(kind, [(told, kept) for told in found if (kept := which(told))])


def _longest_cycle(told: list[Move]) -> list[Move]:
    most = max(move.takes for move in told)
    return [move for move in told if most and move.takes == most]


KINDS: dict[str, Callable[[list[Move]], list[Move]]] = {
    "a longest cycle": _longest_cycle,
    "any cycle": lambda told: [move for move in told if move.takes],
    "a safe line": lambda told: [move for move in told if not move.takes and not move.gives],
    "a line that gives a cycle": lambda told: [move for move in told if not move.takes and move.gives],
}
"""Kinds of moves, and which of all moves are of each."""


def _tell(kind: str, found: list[tuple[list[Move], list[Move]]]) -> None:
    """Print how often the best of a kind is the best of all, and what it costs on average to play it."""
    if not found:
        return
    lost = [max(move.value for move in told) - max(move.value for move in kept) for told, kept in found]
    print(f"  {kind:<28}{lost.count(0) / len(lost):>5.0%} best, costs {np.mean(lost):.1f} dots")


if __name__ == "__main__":
    main()
