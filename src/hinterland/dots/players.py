"""The house's players of Join the dots. Each class is a player; its fields are its options."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, ClassVar

import msgspec
import numpy as np

from hinterland import stopwatch
from hinterland.contract import Clock, Player, Slips, rehearse, slip
from hinterland.dots.rules import Line, Position, Rules
from hinterland.dots.search.playout_policy import CAREFUL, CLOSER, best_by_policy
from hinterland.dots.search.progressive_widening import LineSearch, most_visited
from hinterland.dots.search.proof_beside_search import UNPROVEN, think
from hinterland.dots.solver.board_tables import MOST
from hinterland.dots.solver.kept_solvers import solver_for
from hinterland.dots.solver.transpositions import Growth, new_transpositions
from hinterland.search.random_numbers import seed_of

LIKELY = 80
"""``perfect`` tries to solve a position where no more lines than this may be drawn: others take minutes."""
THREADS = 2
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
        return best_by_policy(position, CLOSER, rng)


class Careful(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Closes the longest cycle that it can, and else gives the other as little to close as it can."""

    name: ClassVar[str] = "careful"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:  # noqa: ARG002
        """Take the most dots, or open none, or join as few as can be; of equals, any."""
        return best_by_policy(position, CAREFUL, rng)


class MonteCarlo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Searches a tree of games played out with care, for at most so many seconds or playouts."""

    name: ClassVar[str] = "mcts"
    seconds: Seconds = 1.0
    """The most it takes for a move; less when its clock says so."""
    playouts: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    """When given, the clock is not looked at, and the same position gets the same answer."""
    slips: Slips = 0.0
    """The share of its moves that it leaves to chance."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:
        """Take the line that the search came back to most often."""
        if (chance := slip(self.slips, position.legal_moves, rng)) is not None:
            return chance
        search = LineSearch(position, seed_of(rng))
        if self.playouts is not None:
            search.grow(self.playouts)
        else:
            until_s = stopwatch.now_s() + clock.thinking_s(_moves_left(position), self.seconds)
            search.grow_until(lambda: stopwatch.now_s() >= until_s)
        return Line(*most_visited([search]))

    def warm_up(self, rules: Rules) -> None:
        """Play a game with few playouts."""
        rehearse(MonteCarlo(playouts=2), rules)


def _moves_left(position: Position) -> int:
    """Return about how many moves a seat has left: a game draws one and a half lines for each dot, or less.

    Never under two: it may be more than a guess says, and a busy machine may take twice what was planned for the last.
    """
    return max(len(position.dots) * 3 // 4 - len(position.lines) // 2, 2)


class Perfect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Plays exactly what is best where it can be worked out in time, and else like mcts.

    What surely wins or draws comes before what is only searched. It thinks on two threads.
    """

    name: ClassVar[str] = "perfect"
    seconds: Seconds = 2.0
    """The most it takes for a move; less when its clock says so."""
    memory_mb: Annotated[int, msgspec.Meta(ge=1, le=65536)] = 256
    """How much the solver may remember."""
    traps: bool = True
    """Whether to look for that of several best moves which is hardest to answer."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:
        """Solve the position; when time is over first, take a line that surely wins or draws, or the most searched."""
        return self.choose_and_tell(position, clock, rng)[0]

    def choose_and_tell(self, position: Position, clock: Clock, rng: np.random.Generator) -> tuple[Line, str]:
        """Return a line, and that it is not proven best where it is not."""
        until_s = stopwatch.now_s() + clock.thinking_s(_moves_left(position), self.seconds)
        if position.withdrawn or len(position.dots) > MOST or len(position.legal_moves) > LIKELY:
            return _searched(position, until_s, rng), UNPROVEN
        with solver_for(position.rules, self.memory_mb) as solver:
            return think(position, solver, until_s, rng, traps=self.traps)

    def warm_up(self, rules: Rules) -> None:
        """Solve a small game, with and without time for it, search one, and let what is remembered grow."""
        for _ in range(2):  # in the first game the compiler may use up all the time
            rehearse(Perfect(seconds=0.2, memory_mb=1, traps=self.traps), rules)
        _searched(rules.start(), 0.0, np.random.default_rng(0))
        Growth(new_transpositions()).go_on()


def _searched(position: Position, until_s: float, rng: np.random.Generator) -> Line:
    """Search as mcts does, a tree a thread."""
    searches = [LineSearch(position, seed_of(rng)) for _ in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda search: search.grow_until(lambda: stopwatch.now_s() >= until_s), searches))
    return Line(*most_visited(searches))


PLAYERS: dict[str, type[Player]] = {player.name: player for player in (Random, Closer, Careful, MonteCarlo, Perfect)}
