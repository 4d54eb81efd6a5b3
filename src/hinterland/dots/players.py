"""The house's players of Join the dots. Each class is a player; its fields are its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from hinterland import stopwatch
from hinterland.dots import playouts, tree
from hinterland.dots.ground import MOST
from hinterland.dots.playouts import CAREFUL, CLOSER
from hinterland.dots.rules import Line, Position
from hinterland.dots.solver import Solver

if TYPE_CHECKING:
    import numpy as np

    from hinterland.contract import Clock, Player

__all__ = ["PLAYERS", "Careful", "Closer", "MonteCarlo", "Perfect", "Random"]

MOST_NODES = 1_000_000
ROUNDS = 64
"""Playouts between two looks at the time: some milliseconds."""
TELLING = 0.15
"""A lead of this share of the dots there counts as all but won."""
SOLVING = 0.5
"""The share of its time in which ``perfect`` tries to solve a position that it can hold."""
LIKELY = 60
"""It tries where no more lines than this may be drawn: others take minutes."""
Seconds = Annotated[float, msgspec.Meta(gt=0, le=3600)]


class Random(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Draws any legal line."""

    name: ClassVar[str] = "random"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:  # noqa: ARG002
        """Draw a legal line, each equally likely."""
        return position.legal_moves.sample(rng)


class Closer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Closes the longest cycle that it can, and else draws any line."""

    name: ClassVar[str] = "closer"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:  # noqa: ARG002
        """Take the most dots; of equals, any."""
        return _thought(position, CLOSER, rng)


class Careful(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Closes the longest cycle that it can, and else gives the other as little to close as it can."""

    name: ClassVar[str] = "careful"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:  # noqa: ARG002
        """Take the most dots, or open none, or join as few as can be; of equals, any."""
        return _thought(position, CAREFUL, rng)


def _thought(position: Position, thought: int, rng: np.random.Generator) -> Line:
    return Line(*playouts.best_thought(position, thought, rng))


class MonteCarlo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Searches a tree of games played out with care, for at most so many seconds or playouts."""

    name: ClassVar[str] = "mcts"
    seconds: Seconds = 1.0
    """The most it takes for a move; less when its clock says so."""
    playouts: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    """When given, the clock is not looked at, and the same position gets the same answer."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:
        """Take the line that the search came back to most often."""
        return _searched(position, clock.thinking_s(_moves_left(position), self.seconds), self.playouts, rng)


def _moves_left(position: Position) -> int:
    """Return about how many moves a seat has left: a game draws one and a half lines for each dot, or less."""
    return len(position.dots) * 3 // 4 - len(position.lines) // 2


def _searched(position: Position, seconds: float, rounds: int | None, rng: np.random.Generator) -> Line:
    """Search for so long, or so many rounds; at least one."""
    until_s = stopwatch.now_s() + seconds
    grown = tree.new_tree(MOST_NODES)
    crossed, root = playouts.crossed_of(position.rules), playouts.standing_of(position)
    scale = max(len(position.dots) * TELLING, 1.0)
    seed = playouts.seed_of(rng)
    if rounds is not None:
        tree.grow(grown, rounds, crossed, root, scale, seed)
    else:
        tree.grow(grown, 1, crossed, root, scale, seed)
        while stopwatch.now_s() < until_s:
            tree.grow(grown, ROUNDS, crossed, root, scale, seed)
    return Line(*tree.best_child(grown))


UNPROVEN = "not proven best in time; chosen like mcts"
"""What perfect says of a move that it could not work out."""


class Perfect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Plays exactly what is best where it can be worked out in time, and else like mcts."""

    name: ClassVar[str] = "perfect"
    seconds: Seconds = 2.0
    """The most it takes for a move; less when its clock says so."""
    memory_mb: Annotated[int, msgspec.Meta(ge=1, le=65536)] = 256
    """How much the solver may remember."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:
        """Solve the position; when time is over first, take the line that a tree search came back to most often."""
        return self.choose_and_tell(position, clock, rng)[0]

    def choose_and_tell(self, position: Position, clock: Clock, rng: np.random.Generator) -> tuple[Line, str]:
        """Return a line, and that it is not proven best where it is not."""
        seconds = clock.thinking_s(_moves_left(position), self.seconds)
        until_s = stopwatch.now_s() + seconds
        if not position.withdrawn and len(position.dots) <= MOST and len(position.legal_moves) <= LIKELY:
            solved = Solver(self.memory_mb).best_move(position, seconds * SOLVING)
            if solved is not None:
                return solved, ""
        return _searched(position, until_s - stopwatch.now_s(), None, rng), UNPROVEN


PLAYERS: dict[str, type[Player]] = {player.name: player for player in (Random, Closer, Careful, MonteCarlo, Perfect)}
