"""The model of all ratings here: a game is a series of choices among sets of players.

From all players of a game, the winner is chosen, or the set of players that share the first rank; then the next rank is
chosen from the remaining players, and so on. The players that remain before a choice are a *menu*. The chance of a set
is proportional to the exponential of its *worth*: the mean strength of its players, plus the mean value of their seats,
plus a number for sets of this size. That is the Davidson-Luce model: Firth, Kosmidis and Turner, "Davidson-Luce model
for multi-item choice with ties" (2019), section 2. For two players it is the model of Davidson, "On extending the
Bradley-Terry model to accommodate ties" (1970); without ties, Plackett-Luce; for two players without ties,
Bradley-Terry.

Such a model is an exponential family. A worth is a sum of parameters, each times a *feature* of the set, and the
likelihood depends on the results only through sums of features. Its logarithm is concave, and the Hessian is a sum of
covariances of features, one for each menu.

Shapes use these letters: K parameters, M menus, A sets that can be chosen from all menus together, P patterns of
matches (see ``tally.py``).
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import scipy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hinterland.evidence.tally import Pattern, Tally

Menu = tuple[int, tuple[tuple[int, int], ...]]
"""(number of players in the game, (player, seat) of each player that may be chosen)."""
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def split_game(seats: tuple[int, ...], ranks: tuple[int, ...]) -> Iterator[tuple[Menu, tuple[int, ...]]]:
    """Yield each choice of a game, the best rank first: the menu, and the indices in the menu of the chosen players."""
    menu = [(player, seat) for seat, player in enumerate(seats)]
    for rank in sorted(set(ranks)):
        best = tuple(place for place, (_, seat) in enumerate(menu) if ranks[seat] == rank)
        if len(menu) > 1:
            yield (len(seats), tuple(menu)), best
        menu = [item for place, item in enumerate(menu) if place not in best]


class Choices:
    """The choices in the matches of a tally, as sparse matrices.

    The K parameters are logarithms, in nats. First come the strengths of the players, then the value of each seat for
    each number of players in a game (``seat_columns``; empty if seats cannot be separated from strengths), then a
    number for each size of ties (``tie_columns``).
    """

    def __init__(self, tally: Tally) -> None:
        self.patterns: list[Pattern] = sorted(tally.patterns)
        self.counts: Floats = np.array([tally.patterns[pattern] for pattern in self.patterns], dtype=float)
        """Matches of each pattern: (P,)."""
        self.players = len(tally.names)
        games = {game for pattern in self.patterns for game in pattern}
        made = {game: list(split_game(*game)) for game in games}
        choices = [choice for game in made.values() for choice in game]
        self.tie_columns: dict[int, int] = {}
        self.seat_columns: dict[int, list[int]] = {}
        self._name_columns({menu[0] for menu, _ in choices}, {len(best) for _, best in choices} - {1})
        self._lay_out(made)
        self.pools = self._pools()
        """Number of each player's pool, from 0. Players of different pools are not connected by games, not even by a
        chain of common opponents."""
        self.is_bounded = self._is_bounded(choices)
        """Whether the likelihood has a maximum: no group of players was always chosen before all others of its pool."""
        self.free = self._find_free()
        """Directions in which the parameters can move without changing any chance: one a row, (directions, K)."""
        if len(self.free) > self.pools.max(initial=-1) + 1 + len(self.seat_columns):
            self.seat_columns = {}
            self._name_columns(set(), set(self.tie_columns))
            self._lay_out(made)
            self.free = self._find_free()

    def _name_columns(self, tables: set[int], ties: set[int]) -> None:
        at = self.players
        for size in sorted(tables):
            self.seat_columns[size] = list(range(at, at + size))
            at += size
        self.tie_columns = {size: at + place for place, size in enumerate(sorted(ties))}
        self.parameters = at + len(ties)

    def _lay_out(self, made: dict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[Menu, tuple[int, ...]]]]) -> None:
        """Give numbers to the menus and to the sets that can be chosen from each, and count both in each pattern."""
        menus = {menu: number for number, menu in enumerate(sorted({m for game in made.values() for m, _ in game}))}
        sizes = (1, *self.tie_columns)
        sets = {menu: [s for size in sizes for s in combinations(range(len(menu[1])), size)] for menu in menus}
        self.starts = np.cumsum([0, *(len(alternatives) for alternatives in sets.values())])
        """Number of the first set of each menu; at the end, the number of all sets: (M + 1,)."""
        self.menu_of = np.repeat(np.arange(len(menus)), np.diff(self.starts))
        cells = [self._cells(menu, one) for menu, alternatives in sets.items() for one in alternatives]
        self.features = _matrix(cells, self.parameters)
        """Features of each set that can be chosen: (A, K)."""
        place = {(menu, one): row for row, (menu, one) in enumerate((m, s) for m, found in sets.items() for s in found)}
        taken = [[(place[choice], 1.0) for game in pattern for choice in made[game]] for pattern in self.patterns]
        offered = [[(menus[menu], 1.0) for game in pattern for menu, _ in made[game]] for pattern in self.patterns]
        self.offered = _matrix(offered, len(menus))
        """How often each menu occurs in a match of each pattern: (P, M)."""
        self.taken = _matrix(taken, len(place)) @ self.features
        """Sum of the features of the chosen sets in a match of each pattern: (P, K)."""

    def _cells(self, menu: Menu, one: tuple[int, ...]) -> list[tuple[int, float]]:
        table, items = menu
        cells = [(items[place][0], 1 / len(one)) for place in one]
        if table in self.seat_columns:
            cells += [(self.seat_columns[table][items[place][1]], 1 / len(one)) for place in one]
        return cells + [(self.tie_columns[size], 1.0) for size in (len(one),) if size > 1]

    def _pools(self) -> np.ndarray:
        """Return the number of each player's pool.

        Two players are linked if they were ever in one menu: the players among whom a rank was chosen. A pool is a set
        of players whom chains of links connect.
        """
        of_menu = scipy.sparse.csr_array(
            (np.ones(self.features.nnz), (self.menu_of[self.features.tocoo().row], self.features.tocoo().col)),
            shape=(len(self.starts) - 1, self.parameters),
        )[:, : self.players]
        return np.asarray(scipy.sparse.csgraph.connected_components(of_menu.T @ of_menu, directed=False)[1])

    def _is_bounded(self, choices: Iterable[tuple[Menu, tuple[int, ...]]]) -> bool:
        """Say whether the relation "was chosen before" strongly connects each pool; a tie counts in both directions."""
        edges = {
            (menu[best[0]][0], menu[other][0])
            for (_, menu), best in choices
            for other in range(len(menu))
            if other != best[0]
        } | {(menu[place][0], menu[best[0]][0]) for (_, menu), best in choices for place in best[1:]}
        ahead, behind = zip(*sorted(edges), strict=True) if edges else ((), ())
        graph = scipy.sparse.coo_array((np.ones(len(edges)), (ahead, behind)), shape=(self.players, self.players))
        strong, _ = scipy.sparse.csgraph.connected_components(graph, directed=True, connection="strong")
        return bool(strong == self.pools.max(initial=-1) + 1)

    def _find_free(self) -> Floats:
        """Return an orthonormal basis of the null space of the Hessian at equal strengths, (directions, K)."""
        if not len(self.menu_of):
            return np.eye(self.parameters)
        even = self.hessian(np.zeros(self.parameters), self.counts)
        values, vectors = np.linalg.eigh(even)
        return np.asarray(vectors.T[values < 1e-9 * values.max()])

    @cached_property
    def held(self) -> Floats:
        """Matrix, (K, K), that is added to a Hessian to hold the parameters along the free directions."""
        return np.asarray(self.counts.sum() * self.free.T @ self.free)

    def chances(self, parameters: Floats) -> Floats:
        """Return the chance of each set to be chosen from its menu: (A,), or (A, B) for B columns of parameters."""
        worth = np.exp(self.features @ parameters)
        whole = np.add.reduceat(worth, self.starts[:-1], axis=0)
        worth /= np.repeat(whole, np.diff(self.starts), axis=0)
        return np.asarray(worth)

    def log_likelihood(self, parameters: Floats, counts: Floats) -> float:
        """Return the log-likelihood of the results; ``counts``: number of matches of each pattern, (P,)."""
        whole = np.log(np.add.reduceat(np.exp(self.features @ parameters), self.starts[:-1]))
        return float(counts @ (self.taken @ parameters) - (self.offered.T @ counts) @ whole)

    def expected(self, parameters: Floats) -> scipy.sparse.csr_array:
        """Return the mean features of the set chosen from each menu: (M, K)."""
        chances = self.chances(parameters)
        average = scipy.sparse.csr_array((chances, np.arange(len(chances)), self.starts))
        return average @ self.features

    def scores(self, parameters: Floats) -> Floats:
        """Return the gradient of the log-likelihood of one match of each pattern: (P, K)."""
        return np.asarray((self.taken - self.offered @ self.expected(parameters)).toarray())

    def slope(self, parameters: Floats, counts: Floats) -> Floats:
        """Return the gradient of ``log_likelihood``: (K,)."""
        return np.asarray(counts @ self.taken - (self.offered.T @ counts) @ self.expected(parameters))

    def hessian(self, parameters: Floats, counts: Floats) -> Floats:
        """Return the negative Hessian of ``log_likelihood``: (K, K)."""
        menus = self.offered.T @ counts
        mean = self.expected(parameters)
        weights = self.chances(parameters) * menus[self.menu_of]
        squares = self.features.T @ (self.features.multiply(weights[:, None])).tocsr()
        return np.asarray((squares - mean.T @ mean.multiply(menus[:, None]).tocsr()).toarray())

    def curvatures(self, parameters: Floats) -> scipy.sparse.csr_array:
        """Return for each menu the negative Hessian of one choice from it, as a column of K * K numbers: (K * K, M)."""
        chances = self.chances(parameters)
        average = scipy.sparse.csr_array((chances, np.arange(len(chances)), self.starts))
        return (average @ _outer_products(self.features) - _outer_products(self.expected(parameters))).T.tocsr()


def _matrix(rows: list[list[tuple[int, float]]], columns: int) -> scipy.sparse.csr_array:
    """Make a sparse matrix from the (column, value) of each row; values of the same cell add up."""
    ends = np.cumsum([0, *(len(row) for row in rows)])
    places = np.array([column for row in rows for column, _ in row], dtype=np.int64)
    values = np.array([value for row in rows for _, value in row], dtype=float)
    made = scipy.sparse.csr_array((values, places, ends), shape=(len(rows), columns))
    made.sum_duplicates()
    return made


def _outer_products(rows: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    """Return the outer product of each row, (R, K), with itself, as a row of K * K numbers: (R, K * K)."""
    lengths = np.diff(rows.indptr)
    each = np.repeat(lengths, lengths)
    first = np.repeat(np.arange(rows.nnz), each)
    begins = np.repeat(rows.indptr[:-1], lengths)
    second = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each) + np.repeat(begins, each)
    columns = rows.indices[first].astype(np.int64) * rows.shape[1] + rows.indices[second]
    values, ends = rows.data[first] * rows.data[second], np.r_[0, np.cumsum(lengths**2)]
    return scipy.sparse.csr_array((values, columns, ends), shape=(rows.shape[0], rows.shape[1] ** 2))
