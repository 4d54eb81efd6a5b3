"""Swiss: a few rounds in which players with about the same points meet, and no two meet twice.

Each possible pair of players is an edge of a graph, and a round is a perfect matching of least weight. Edmonds'
blossoms find it (Z. Galil, "Efficient algorithms for finding maximum matching in graphs", 1986): so the round is the
best of all possible ones, not merely a good one. If the number of players is odd, a dummy player is added; the player
matched with the dummy has the bye. Possible rounds are compared by these criteria; each decides only between rounds
that are equal by all earlier ones:

1. no second bye for a player while another had none (such edges are left out),
2. the fewest pairs that have met before, then the fewest earlier meetings of these pairs,
3. the bye goes to the player with the fewest points,
4. the smallest sum of squared differences of points,
5. the smallest sum of squared differences of places; places go by points, then mean share of the score, then lot,
6. lot.

Each of the criteria 2 to 6 gives each edge a whole number. These numbers are packed into the edge's weight, so that a
difference in one number outweighs all differences in later numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from hinterland.contest.pairings.rounds import check_count, count_meetings, make_dice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hinterland.contest.pairings.rounds import Round, Table
    from hinterland.dice import Dice

WEIGHT_BITS = 120
"""Bits of a weight. The matching algorithm computes with 128 bits, and needs some of them for signs and doubled
weights."""
LOT_BITS = 32
"""Greatest number of random bits at the end of a weight, which are the lots of criterion 6; fewer if there is no
room."""


class Swiss(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Players with about the same points meet, and no two meet twice if avoidable. Raises RulesError."""

    players: int
    """Number of players."""
    seed: int = 0
    """Seed of the lots that break ties."""
    pairings: int = 1
    """Number of matches at each table; a bye counts as that many wins."""
    rounds: int | None = None
    """Number of rounds; None for ``default_swiss_rounds``."""

    def __post_init__(self) -> None:
        check_count("players", self.players, 2)
        check_count("pairings", self.pairings, 1)
        if self.rounds is not None:
            check_count("rounds", self.rounds, 1)
        make_dice(self.seed, 0)

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the best pairing of the next round, the leaders first and a bye last."""
        if len(finished) >= (self.rounds or default_swiss_rounds(self.players)):
            return None
        points, share = _sum_results(finished, self.players, 2 * self.pairings)
        dice = make_dice(self.seed, len(finished))
        chosen = _match_players(*_make_edges(finished, points, share, dice), dice)
        tables = [tuple(player for player in pair if player < self.players) for pair in chosen]
        return tuple(sorted(tables, key=lambda table: (len(table) == 1, *sorted(-points[list(table)]), table)))


def default_swiss_rounds(players: int) -> int:
    """Return the default number of rounds: log2 of the players, rounded up, plus two.

    Without draws, at most one player is unbeaten when two rounds are left; these two rounds order the players behind
    the leader. The number is never so great that two players must meet twice.
    """
    return min((players - 1).bit_length() + 2, players - 1 + players % 2)


def _sum_results(finished: Sequence[Round], players: int, bye: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each player's half points, int64[players], and mean share of the score, float64[players].

    ``bye``: half points for a bye.
    """
    points, shares, matches = [0] * players, [0] * players, [0] * players
    for result in (result for played in finished for result in played):
        for place, player in enumerate(result.table):
            points[player] += bye if len(result.table) == 1 else result.half_points[place]
            shares[player] += 0 if len(result.table) == 1 else result.shares[place]
            matches[player] += result.matches
    return np.array(points), np.array([share / max(count, 1) for share, count in zip(shares, matches, strict=True)])


def _make_edges(
    finished: Sequence[Round], points: np.ndarray, share: np.ndarray, dice: Dice
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Return the two ends of each edge, and the costs of each edge by criteria 2 to 5.

    Each array is int64[edges]; criterion 2 has two of them. The dummy player's number is the number of players.
    """
    players = len(points)
    met, _ = count_meetings(finished, players)
    rested = [result.table[0] for played in finished for result in played if len(result.table) == 1]
    byes = np.bincount(rested, minlength=players)
    place = np.argsort(np.lexsort((dice.shares(players), share, points)))
    one, other = np.triu_indices(players, 1)
    resting = np.flatnonzero(byes == byes.min()) if players % 2 else np.zeros(0, np.int64)
    empty = np.zeros(len(resting), np.int64)
    levels = [
        np.concatenate([met[one, other] > 0, empty]),
        np.concatenate([met[one, other], empty]),
        np.concatenate([np.zeros(len(one), np.int64), points[resting] - points.min()]),
        np.concatenate([(points[one] - points[other]) ** 2, empty]),
        np.concatenate([(place[one] - place[other]) ** 2, place[resting] ** 2]),
    ]
    return np.concatenate([one, resting]), np.concatenate([other, empty + players]), levels


def _match_players(
    one: np.ndarray, other: np.ndarray, levels: Iterable[np.ndarray], dice: Dice
) -> list[tuple[int, int]]:
    """Return the perfect matching of least cost as pairs, the lower number first. Arguments: see ``_make_edges``."""
    import rustworkx  # noqa: PLC0415  (costs start-up time that other formats need not pay)

    costs = _pack_weights(levels, int(other.max()) + 1, dice)
    dearest = max(costs)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(int(other.max()) + 1))
    graph.add_edges_from([
        (left, right, dearest - cost) for left, right, cost in zip(one.tolist(), other.tolist(), costs, strict=True)
    ])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(pair), max(pair)) for pair in found]


def _pack_weights(levels: Iterable[np.ndarray], nodes: int, dice: Dice) -> list[int]:
    """Pack each edge's costs into one number.

    The sums of two matchings then compare first by the first criterion, and so on, and last by lot.

    ``levels``: the costs by each criterion, the most important first. The last criteria are left out if their bits do
    not fit.
    """
    packed, bits = np.zeros(1, object), 0
    for level in levels:
        width = (int(level.max()) * (nodes // 2)).bit_length()
        if bits + width > WEIGHT_BITS:
            break
        bits += width
        packed = (packed << width) + level.astype(object)
    carry = nodes.bit_length()
    lot = min(max(WEIGHT_BITS - bits - carry, 0), LOT_BITS)
    packed = (packed << (lot + carry)) + dice.below(1 << lot, len(packed)).astype(object)
    return [int(cost) for cost in packed]
