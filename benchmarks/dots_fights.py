"""Best play when cycles are about to be closed: ``python -m benchmarks.dots_fights``.

The positions come from games of ``mcts`` against itself, where few legal lines are left and the game is not nearly
over. Each is solved with the value of every move. They fall into three phases: the mover can close a cycle; or else it
can draw a safe line, after which no cycle can be closed; or neither. The report is the same every time.
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
MOST_LINES, LEAST_DOTS = 34, 7
"""Legal lines and dots of the positions."""


class Move(NamedTuple):
    """A legal line: the dots that it takes, the most that the reply can take, and its value."""

    takes: int
    gives: int
    value: int


def positions() -> Iterator[Position]:
    """Play games and yield their positions that count."""
    player = MonteCarlo(playouts=2000)
    for game in range(GAMES):
        position, rng = boards.random(SIZES[game % len(SIZES)], seed=game).start(), np.random.default_rng(game)
        while position.to_move is not None:
            if len(position.legal_moves) <= MOST_LINES and len(position.dots) >= LEAST_DOTS:
                yield position
            position = position.play(player.choose(position, Clock(), rng))


def moves(position: Position, solver: Solver) -> list[Move]:
    """Solve a position and describe its moves."""
    forest = position.forest
    all_moves = []
    for line, value in solver.solve(position, all_moves=True).values or ():
        number = forest.segments.number[line.numbers]
        all_moves.append(Move(forest.cycle(number).bit_count(), _longest(forest.after(number, 0)), value))
    return all_moves


def _longest(forest: Forest) -> int:
    return max((forest.cycle(line).bit_count() for line in bits(forest.legal)), default=0)


def main() -> None:
    """Print the report."""
    solver = Solver(256)
    phases: dict[str, list[list[Move]]] = {"a cycle can be closed": [], "a safe line is left": [], "neither": []}
    for position in positions():
        all_moves = moves(position, solver)
        closing, safe = any(move.takes for move in all_moves), any(not move.gives for move in all_moves)
        phases[list(phases)[0 if closing else 1 if safe else 2]].append(all_moves)
    for phase, found in phases.items():
        signs = [int(np.sign(max(move.value for move in all_moves))) for all_moves in found]
        shares = ", ".join(f"{signs.count(s) / len(signs):.0%} {w}" for s, w in ((1, "won"), (0, "even"), (-1, "lost")))
        print(f"{phase}: {len(found)} positions, {shares} for the mover")
        for kind, which in KINDS.items():
            _print_kind(kind, [(all_moves, kept) for all_moves in found if (kept := which(all_moves))])


def _longest_cycle(all_moves: list[Move]) -> list[Move]:
    most = max(move.takes for move in all_moves)
    return [move for move in all_moves if most and move.takes == most]


KINDS: dict[str, Callable[[list[Move]], list[Move]]] = {
    "a longest cycle": _longest_cycle,
    "any cycle": lambda all_moves: [move for move in all_moves if move.takes],
    "a safe line": lambda all_moves: [move for move in all_moves if not move.takes and not move.gives],
    "a line that gives a cycle": lambda all_moves: [move for move in all_moves if not move.takes and move.gives],
}
"""Kinds of moves, and the moves of each kind among all."""


def _print_kind(kind: str, found: list[tuple[list[Move], list[Move]]]) -> None:
    """Print how often the best move of a kind is the best of all, and its mean loss."""
    if not found:
        return
    lost = [max(move.value for move in all_moves) - max(move.value for move in kept) for all_moves, kept in found]
    print(f"  {kind:<28}{lost.count(0) / len(lost):>5.0%} best, costs {np.mean(lost):.1f} dots")


if __name__ == "__main__":
    main()
