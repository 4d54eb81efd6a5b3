"""The house's players of the graph game. Each class is a player; its fields are its options.

The first five are those of the published experiment, as its paper defines them: they try the vertices in order,
and the first of the best is taken.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar

import msgspec
import numpy as np

from hinterland.contract import Clock, Player, rehearse
from hinterland.graph.distances.distance_ranks import RANKED, ranks_of
from hinterland.graph.distances.network import Network
from hinterland.graph.rules import Position, Rules, Token
from hinterland.graph.search import playouts
from hinterland.graph.search.expected_gain import all_kept, rivals_to_come
from hinterland.graph.search.search_player import Search
from hinterland.graph.search.search_state import new_state, state_of, turns_of

NEAR = Fraction(1.1)
"""How long an edge may be for ``neighbour`` to count what lies at its other end."""


class Random(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its token on a random free vertex."""

    name: ClassVar[str] = "random"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        """Draw a free vertex, each equally likely."""
        return position.legal_moves.sample(rng)


class Greedy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its token on the free vertex of greatest value."""

    name: ClassVar[str] = "greedy"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        """Look at nothing but values."""
        return _best_free(position, position.rules.network.values)


class Neighbour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its token where its value and those of the free neighbours along edges of at most 1.1 add up to most."""

    name: ClassVar[str] = "neighbour"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        """Add up what lies close by; whose it is does not count."""
        network = position.rules.network
        close = network.length <= int(NEAR * Fraction(2) ** network.scale)
        counted = close & _free(position)[network.to]
        sums = np.bincount(_heads(network)[counted], network.values[network.to[counted]], network.values.size)
        return _best_free(position, sums + network.values)


class Neighbour2(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Adds to a vertex's value that of each free neighbour, over its distance, that no token is nearer to."""

    name: ClassVar[str] = "neighbour2"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        """Count a neighbour unless a token, of whichever seat, is nearer to it than the edge is long."""
        network = position.rules.network
        board = position.board
        counted = _free(position)[network.to] & (board.nearest[network.to] >= network.length)
        heads, tails = _heads(network)[counted], network.to[counted]
        # where not all distances are kept, the edge stands for the way
        far = network.length[counted] if board.distances is None else board.distances[heads, tails]
        shares = network.values[tails] / np.ldexp(far.astype(np.float64), -network.scale)
        return _best_free(position, np.bincount(heads, shares, network.values.size) + network.values)


class MonteCarlo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Plays the game out at random after every free vertex, so many times each; takes the best mean difference."""

    name: ClassVar[str] = "montecarlo"
    playouts: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 25

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:
        """Compare sums, which are as many for every vertex; like gain on boards too large to keep distances of."""
        board = position.board
        if board.distances is None:
            return Gain().choose(position, clock, rng)
        turns = turns_of(position)
        sums = np.full(position.rules.vertices, np.iinfo(np.int64).min)
        free = np.flatnonzero(_free(position))
        for vertex in free:
            sums[vertex] = playouts.lead_at_random(
                board.distances,
                board.network.values,
                board.nearest,
                board.owner,
                int(vertex),
                free[free != vertex],
                turns,
                rng.random((self.playouts, turns.size - 1)),
            )
        return _best_free(position, sums)

    def warm_up(self, rules: Rules) -> None:
        """Play a game with few playouts."""
        rehearse(MonteCarlo(playouts=1), rules)


class Gain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its token where it betters the score difference most at once."""

    name: ClassVar[str] = "gain"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        """Take the vertex of greatest swing."""
        return _best_free(position, position.swings())


class Rollout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Plays the game out by gain after every free vertex; takes the one that leads to the best difference."""

    name: ClassVar[str] = "rollout"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:
        """Try every free vertex; like gain on boards of more vertices than ranks are made for."""
        if position.rules.vertices > RANKED:
            return Gain().choose(position, clock, rng)
        ranks, turns = ranks_of(position.rules), turns_of(position)
        root, work = state_of(position), new_state(ranks, position.rules.players)
        rivals = rivals_to_come(turns)
        chances = all_kept(position.rules.vertices, int(rivals.max()))
        return _best_free(position, playouts.leads_by_gain(ranks, root, work, turns, rivals, chances))


def _free(position: Position) -> np.ndarray:
    """Say which vertices hold no token: bool[n]."""
    free = np.ones(position.rules.vertices, dtype=np.bool_)
    free[[token.vertex for _, token in position.moves]] = False
    return free


def _heads(network: Network) -> np.ndarray:
    """Name the vertex from which each edge of ``network.to`` goes."""
    return np.repeat(np.arange(network.values.size), np.diff(network.start))


def _best_free(position: Position, worth: np.ndarray) -> Token:
    """Return the first free vertex of greatest worth."""
    free = np.flatnonzero(_free(position))
    return Token(int(free[worth[free].argmax()]))


PLAYERS: dict[str, type[Player]] = {
    player.name: player for player in (Random, Greedy, Neighbour, Neighbour2, MonteCarlo, Gain, Rollout, Search)
}
