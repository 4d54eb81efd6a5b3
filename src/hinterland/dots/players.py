"""The built-in players of Join the dots. Each class is a player; its fields are its options."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, ClassVar

import msgspec
import numpy as np

from hinterland import search_clock
from hinterland.contract import Clock, Player, Slips, rehearse, slip
from hinterland.dots.rules import Line, Position, Rules
from hinterland.dots.search.playout_policy import CAREFUL, CLOSER, best_by_policy
from hinterland.dots.search.progressive_widening import LineSearch, find_most_visited
from hinterland.dots.search.proof_beside_search import UNPROVEN, think
from hinterland.dots.solver.board_tables import MAX_DOTS
from hinterland.dots.solver.solutions import solver_for
from hinterland.dots.solver.transpositions import Growth, new_transpositions
from hinterland.search.random_numbers import seed_of

MAX_PROVABLE_LINES = 80
"""``perfect`` tries to solve a position with at most this many legal lines; with more, it would take minutes."""
THREADS = 2
Seconds = Annotated[float, msgspec.Meta(gt=0, le=3600)]


class Random(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Draws any legal line."""

    name: ClassVar[str] = "random"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:  # noqa: ARG002
        return position.legal_moves.sample(rng)


class Closer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Closes the longest cycle it can; otherwise draws any line."""

    name: ClassVar[str] = "closer"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:  # noqa: ARG002
        """Choose a line that takes the most dots, at random among several such lines."""
        return best_by_policy(position, CLOSER, rng)


class Careful(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Closes the longest cycle it can; otherwise gives the opponent as little to close as possible."""

    name: ClassVar[str] = "careful"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:  # noqa: ARG002
        """Choose a line by the policy CAREFUL (see ``playout_policy.py``), at random among equally good lines."""
        return best_by_policy(position, CAREFUL, rng)


class MonteCarlo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Searches a tree of games played out carefully, for a limited number of seconds or playouts."""

    name: ClassVar[str] = "mcts"
    seconds: Seconds = 1.0
    """Most seconds for a move; the clock may allow less."""
    playouts: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    """Number of playouts for a move. If given, the clock is ignored, and the same position and random numbers give the
    same move."""
    slips: Slips = 0.0
    """The share of the player's moves that are random."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:
        """Take the line that the search tried most often."""
        if (chance := slip(self.slips, position.legal_moves, rng)) is not None:
            return chance
        search = LineSearch(position, seed_of(rng))
        if self.playouts is not None:
            search.grow(self.playouts)
        else:
            until_s = search_clock.now_s() + clock.thinking_s(_moves_left(position), self.seconds)
            search.grow_until(lambda: search_clock.now_s() >= until_s)
        return Line(*find_most_visited([search]))

    def warm_up(self, rules: Rules) -> None:
        rehearse(MonteCarlo(playouts=2), rules)


def _moves_left(position: Position) -> int:
    """Estimate how many moves a seat has left, if a game has one and a half lines for each dot.

    The estimate is at least two: the game may last longer than estimated, and a busy machine may take twice the planned
    time.
    """
    return max(len(position.dots) * 3 // 4 - len(position.lines) // 2, 2)


class Perfect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Plays an exactly best move if it can be found in time; otherwise like mcts.

    It prefers a line that is proven to win or draw to the line that the search likes best. It thinks on two threads.
    """

    name: ClassVar[str] = "perfect"
    seconds: Seconds = 2.0
    """Most seconds for a move; the clock may allow less."""
    memory_mb: Annotated[int, msgspec.Meta(ge=1, le=65536)] = 256
    """Memory limit of the solver's table."""
    traps: bool = True
    """Whether to choose, among the best moves, the one that is hardest to answer."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Line:
        """Solve the position; if time runs out, take a line proven to win or draw, else the line tried most often."""
        return self.choose_and_tell(position, clock, rng)[0]

    def choose_and_tell(self, position: Position, clock: Clock, rng: np.random.Generator) -> tuple[Line, str]:
        """Return a line, and a note if it is not proven best."""
        until_s = search_clock.now_s() + clock.thinking_s(_moves_left(position), self.seconds)
        if position.withdrawn or len(position.dots) > MAX_DOTS or len(position.legal_moves) > MAX_PROVABLE_LINES:
            return _search(position, until_s, rng), UNPROVEN
        with solver_for(position.rules, self.memory_mb) as solver:
            return think(position, solver, until_s, rng, traps=self.traps)

    def warm_up(self, rules: Rules) -> None:
        """Compile the kernels: play small games with the solver, search one position, and grow a table by one step."""
        for _ in range(2):  # twice, because compiling may use up all the time of the first
            rehearse(Perfect(seconds=0.2, memory_mb=1, traps=self.traps), rules)
        _search(rules.start(), 0.0, np.random.default_rng(0))
        Growth(new_transpositions()).move_step()


def _search(position: Position, until_s: float, rng: np.random.Generator) -> Line:
    """Search as mcts does, with a tree for each thread."""
    searches = [LineSearch(position, seed_of(rng)) for _ in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda search: search.grow_until(lambda: search_clock.now_s() >= until_s), searches))
    return Line(*find_most_visited(searches))


PLAYERS: dict[str, type[Player]] = {player.name: player for player in (Random, Closer, Careful, MonteCarlo, Perfect)}
