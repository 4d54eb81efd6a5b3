"""The built-in players of the graph game. Each class is a player; its fields are its options.

The first five players are those of the published experiment, as its paper defines them. Except ``random``, these five
take the lowest of equally good vertices.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar

import msgspec
import numpy as np

from hinterland.contract import Clock, Player, rehearse
from hinterland.graph.distances.network import Network
from hinterland.graph.rules import Position, Rules, Token
from hinterland.graph.search import playouts
from hinterland.graph.search.expected_gain import count_rival_tokens, make_certain_chances
from hinterland.graph.search.search_player import Search
from hinterland.graph.search.search_state import MAX_RANKED_VERTICES, new_state, ranks_of, state_of, turns_of

MAX_NEIGHBOUR_LENGTH = Fraction(1.1)
"""Longest edge along which ``neighbour`` counts the vertex at the other end."""


class Random(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its token on a random free vertex."""

    name: ClassVar[str] = "random"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        return position.legal_moves.sample(rng)


class Greedy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its token on the free vertex of greatest value."""

    name: ClassVar[str] = "greedy"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        """Choose by value alone."""
        return _choose_best_free(position, position.rules.network.values)


class Neighbour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its token where its value plus those of free neighbours along edges of at most 1.1 is greatest."""

    name: ClassVar[str] = "neighbour"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        """Add to a vertex's value the values of its near, free neighbours, whoever owns them."""
        network = position.rules.network
        close = network.length <= int(MAX_NEIGHBOUR_LENGTH * Fraction(2) ** network.scale)
        counted = close & _find_free(position)[network.to]
        sums = np.bincount(_heads(network)[counted], network.values[network.to[counted]], network.values.size)
        return _choose_best_free(position, sums + network.values)


class Neighbour2(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Adds to a vertex's value that of each free neighbour divided by its distance, unless a token is nearer to it."""

    name: ClassVar[str] = "neighbour2"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        """Leave out a free neighbour if the edge to it is longer than its distance to the nearest token."""
        network = position.rules.network
        board = position.board
        counted = _find_free(position)[network.to] & (board.nearest[network.to] >= network.length)
        heads, tails = _heads(network)[counted], network.to[counted]
        # without a table of distances, use the edge's length
        far = network.length[counted] if board.distances is None else board.distances[heads, tails]
        shares = network.values[tails] / np.ldexp(far.astype(np.float64), -network.scale)
        return _choose_best_free(position, np.bincount(heads, shares, network.values.size) + network.values)


class MonteCarlo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Plays the game out at random after every free vertex, equally often; takes the best mean difference."""

    name: ClassVar[str] = "montecarlo"
    playouts: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 25

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:
        """Compare sums, since all vertices have equally many playouts.

        On a board without a table of distances, play like ``gain``.
        """
        board = position.board
        if board.distances is None:
            return Gain().choose(position, clock, rng)
        turns = turns_of(position)
        sums = np.full(position.rules.vertices, np.iinfo(np.int64).min)
        free = np.flatnonzero(_find_free(position))
        for vertex in free:
            sums[vertex] = playouts.sum_random_leads(
                board.distances,
                board.network.values,
                board.nearest,
                board.owner,
                int(vertex),
                free[free != vertex],
                turns,
                rng.random((self.playouts, turns.size - 1)),
            )
        return _choose_best_free(position, sums)

    def warm_up(self, rules: Rules) -> None:
        rehearse(MonteCarlo(playouts=1), rules)


class Gain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its token where it improves the score difference most at once."""

    name: ClassVar[str] = "gain"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:  # noqa: ARG002
        """Take the vertex with the greatest swing: what it adds to the seat's lead over all others."""
        return _choose_best_free(position, position.swings())


class Rollout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Plays the game out by gain after every free vertex; takes the one that leads to the best difference."""

    name: ClassVar[str] = "rollout"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Token:
        """Try every free vertex; on boards with more than MAX_RANKED_VERTICES vertices, play like ``gain``."""
        if position.rules.vertices > MAX_RANKED_VERTICES:
            return Gain().choose(position, clock, rng)
        ranks, turns = ranks_of(position.rules), turns_of(position)
        root, work = state_of(position), new_state(ranks, position.rules.players)
        rivals = count_rival_tokens(turns)
        chances = make_certain_chances(position.rules.vertices, int(rivals.max()))
        return _choose_best_free(position, playouts.compute_leads_by_gain(ranks, root, work, turns, rivals, chances))


def _find_free(position: Position) -> np.ndarray:
    """Say which vertices hold no token: bool[n]."""
    free = np.ones(position.rules.vertices, dtype=np.bool_)
    free[[token.vertex for _, token in position.moves]] = False
    return free


def _heads(network: Network) -> np.ndarray:
    """Return the vertex at which each edge of ``network.to`` starts."""
    return np.repeat(np.arange(network.values.size), np.diff(network.start))


def _choose_best_free(position: Position, worth: np.ndarray) -> Token:
    """Return a token on the free vertex of greatest worth, the lowest among equals."""
    free = np.flatnonzero(_find_free(position))
    return Token(int(free[worth[free].argmax()]))


PLAYERS: dict[str, type[Player]] = {
    player.name: player for player in (Random, Greedy, Neighbour, Neighbour2, MonteCarlo, Gain, Rollout, Search)
}
