"""Ratings against published fits, another package, and likelihoods written out in plain Python."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize

from evidence.contests import FIRST, SECOND, TIE, drawn, game, match_of_two
from hinterland.errors import BadText, UnknownName
from hinterland.evidence import likelihood
from hinterland.evidence.choices import Choices
from hinterland.evidence.davidson import davidson
from hinterland.evidence.plackett_luce import plackett_luce
from hinterland.evidence.ratings import Anchor
from hinterland.evidence.tally import MatchResult, Tally

ELO = 400 / math.log(10)

PUDDINGS = {
    (0, 1): (19, 22, 16), (0, 2): (16, 19, 12), (1, 2): (19, 19, 10), (0, 3): (18, 23, 13), (1, 3): (23, 19, 9),
    (2, 3): (19, 20, 15), (0, 4): (13, 19, 18), (1, 4): (16, 20, 12), (2, 4): (16, 15, 17), (3, 4): (17, 14, 16),
    (0, 5): (18, 21, 12), (1, 5): (22, 20, 12), (2, 5): (13, 18, 10), (3, 5): (14, 19, 18), (4, 5): (11, 21, 12),
}  # fmt: skip
"""Davidson (1970), table 2: how often the first of two puddings was preferred, the second, neither."""


@pytest.mark.parametrize("model", [davidson, plackett_luce])
def test_the_puddings_of_davidson(model):
    tally = Tally([f"pudding {number}" for number in range(1, 7)])
    for (one, other), (won, lost, tied) in PUDDINGS.items():
        tally.add(match_of_two(one, other, FIRST, SECOND), won)
        tally.add(match_of_two(one, other, SECOND, FIRST), lost)
        tally.add(match_of_two(one, other, TIE, TIE), tied)
    found = model(tally, times=10)
    worths = np.exp(found.elo / ELO)
    published = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
    # What was published had not quite converged.
    assert worths / worths.sum() == pytest.approx(published, abs=3e-5)
    assert found.ties[2] == pytest.approx(0.7468147, abs=1e-4)
    assert found.seats[2] == pytest.approx((0, 0), abs=1e-6)


def test_bradley_terry_as_another_package_fits_it():
    import choix  # with all of scipy.stats

    rng = np.random.default_rng(1)
    strengths = np.array([0.9, 0.3, 0.0, -0.4, -0.8])
    tally, data = Tally("abcde"), []
    for _ in range(200):
        one, other = (int(player) for player in rng.choice(5, 2, replace=False))
        won = rng.random() < 1 / (1 + math.exp(strengths[other] - strengths[one]))
        # Both games alike, so that seats even out.
        tally.add(match_of_two(one, other, *((FIRST, SECOND) if won else (SECOND, FIRST))))
        data.append((one, other) if won else (other, one))
    found = davidson(tally, times=10)
    assert found.elo / ELO == pytest.approx(choix.opt_pairwise(5, data), abs=1e-3)


def log_likelihood(theta, seat, log_tie, tally):
    total = 0.0
    for pattern, times in tally.patterns.items():
        for (first, second), ranks in pattern:
            ahead = theta[first] - theta[second] + seat
            worths = {FIRST: math.exp(ahead / 2), TIE: math.exp(log_tie), SECOND: math.exp(-ahead / 2)}
            total += times * math.log(worths[ranks] / sum(worths.values()))
    return total


def test_ties_and_seats_as_a_general_optimiser_fits_them():
    tally = drawn(np.array([0.5, 0.1, -0.2, -0.4]), 15, np.random.default_rng(2), seat=0.4, tie=0.7)
    best = minimize(lambda x: -log_likelihood([*x[:3], -sum(x[:3])], x[3], x[4], tally), np.zeros(5), tol=1e-10)
    found = davidson(tally, times=10)
    assert found.elo / ELO == pytest.approx([*best.x[:3], -sum(best.x[:3])], abs=1e-4)
    assert (found.seats[2][0] - found.seats[2][1]) / ELO == pytest.approx(best.x[3], abs=1e-4)
    assert math.log(found.ties[2]) == pytest.approx(best.x[4], abs=1e-4)
    assert not found.prior


def test_plackett_luce_as_another_package_fits_it():
    import choix  # with all of scipy.stats

    rng = np.random.default_rng(3)
    strengths = np.array([0.8, 0.4, 0.0, -0.5, -0.7])
    tally, data = Tally("abcde"), []
    for _ in range(60):
        players = [int(player) for player in rng.choice(5, 3, replace=False)]
        order = sorted(players, key=lambda player: -(strengths[player] + rng.gumbel()))
        data.append(order)
        seated = [tuple(seats) for seats in itertools.permutations(players)]
        tally.add(MatchResult(tuple(game(seats, [order.index(player) for player in seats]) for seats in seated)))
    found = plackett_luce(tally, times=10)
    assert found.elo / ELO == pytest.approx(choix.opt_rankings(5, data), abs=1e-3)
    assert found.seats[3] == pytest.approx((0, 0, 0), abs=1e-6)


def melee_log_likelihood(theta, seats, log_ties, games):
    """Split each game into choices: the best set among all sets of the remaining players."""
    total = 0.0
    for players, ranks in games:
        left = list(range(len(players)))
        while len(left) > 1:
            best = tuple(seat for seat in left if ranks[seat] == min(ranks[other] for other in left))
            sets = [found for size in (1, *log_ties) for found in itertools.combinations(left, size)]
            worths = {
                one: math.exp(
                    sum(theta[players[seat]] + seats[seat] for seat in one) / len(one)
                    + (log_ties[len(one)] if len(one) > 1 else 0)
                )
                for one in sets
            }
            total += math.log(worths[best] / sum(worths.values()))
            left = [seat for seat in left if seat not in best]
    return total


def test_melees_with_ties_and_seats_as_a_general_optimiser_fits_them():
    rng = np.random.default_rng(4)
    tally, games = Tally("abcd"), []
    for _ in range(25):
        players = [int(player) for player in rng.permutation(4)[:3]]
        rotated = [tuple(players[turn:] + players[:turn]) for turn in range(3)]
        scores = [np.round(rng.gumbel(size=3) + 0.3 * np.array(seats) + [0.5, 0, 0]) for seats in rotated]
        ranks = [tuple(int((score > own).sum()) for own in score) for score in scores]
        games += zip(rotated, ranks, strict=True)
        tally.add(MatchResult(tuple(game(*one) for one in zip(rotated, ranks, strict=True))))
    sizes = sorted({list(ranks).count(rank) for _, ranks in games for rank in ranks} - {1})
    assert sizes == [2, 3]

    def loss(x):
        theta, seats = [*x[:3], -sum(x[:3])], [*x[3:5], -sum(x[3:5])]
        return -melee_log_likelihood(theta, seats, {2: x[5], 3: x[6]}, games)

    best = minimize(loss, np.zeros(7), tol=1e-9).x
    found = plackett_luce(tally, times=10)
    assert found.elo / ELO == pytest.approx([*best[:3], -sum(best[:3])], abs=1e-3)
    assert np.array(found.seats[3]) / ELO == pytest.approx([*best[3:5], -sum(best[3:5])], abs=1e-3)
    assert [math.log(found.ties[size]) for size in (2, 3)] == pytest.approx(best[5:], abs=1e-3)


def test_the_anchor_moves_its_own_pool_alone():
    tally = drawn(np.array([0.5, 0.1, -0.4]), 10, np.random.default_rng(5))
    pools = Tally([*tally.names, "x", "y", "nobody"])
    pools.patterns.update(tally.patterns)
    pools.add(match_of_two(3, 4, FIRST, SECOND), 6)
    pools.add(match_of_two(3, 4, SECOND, SECOND), 5)
    pools.add(match_of_two(3, 4, SECOND, FIRST), 5)
    for standing, own in zip(pools.standings, tally.standings, strict=False):
        standing.matches = own.matches
    free, held = davidson(pools, seed=1), davidson(pools, Anchor("p1", 1500), seed=1)
    assert free.pools == (0, 0, 0, 1, 1, 2)
    assert sum(free.elo[:3]) == pytest.approx(0, abs=1e-6)
    assert sum(free.elo[3:5]) == pytest.approx(0, abs=1e-6)
    assert held.elo[:3] - free.elo[:3] == pytest.approx(1500 - free.elo[1])
    assert held.elo[3:5] == pytest.approx(free.elo[3:5])
    assert (held.low[1], held.high[1]) == (1500, 1500)
    assert np.isnan([free.elo[5], free.low[5], free.high[5], free.superior[0, 3]]).all()
    assert free.superior[0, 1] + free.superior[1, 0] == pytest.approx(1)


@pytest.mark.parametrize("matches", [(MatchResult((game((0, 1), FIRST),)),), (match_of_two(0, 1, FIRST, SECOND),) * 9])
def test_who_won_everything_has_a_finite_rating_and_a_wide_interval(matches):
    tally = Tally(["a", "b"])
    for match in matches:
        tally.add(match)
    found = davidson(tally)
    assert found.prior
    assert 50 < found.elo[0] < 1500
    assert found.high[0] - found.low[0] > 300
    assert found.superior[0, 1] > 0.7


def test_a_seat_that_decides_every_game_needs_the_prior_and_rates_players_alike():
    tally = Tally(["a", "b", "c"])
    for one, other in ((0, 1), (1, 2), (2, 0)):
        tally.add(match_of_two(one, other, FIRST, FIRST), 5)
    found = davidson(tally)
    assert found.prior
    assert found.elo == pytest.approx([0, 0, 0], abs=1e-6)
    assert found.seats[2][0] > 200


def test_a_seat_that_cannot_be_told_from_its_player_is_left_out():
    tally = Tally(["a", "b"])
    tally.add(MatchResult((game((0, 1), FIRST),)), 6)
    tally.add(MatchResult((game((0, 1), SECOND),)), 3)
    found = davidson(tally)
    assert found.seats == {}
    assert found.elo[0] - found.elo[1] == pytest.approx(ELO * math.log(2))


def test_only_where_somebody_beat_everybody_nothing_fits_best(rng):
    """Newton's method converges exactly under Ford's condition."""
    found = set()
    for _ in range(60):
        tally = Tally("abcd")
        for _ in range(rng.integers(3, 14)):
            one, other = rng.choice(4, 2, replace=False)
            ranks = (FIRST, SECOND, TIE)[rng.choice(3, p=[0.45, 0.45, 0.1])]
            tally.add(MatchResult((game((int(one), int(other)), ranks),)))
        choices = Choices(tally)
        has_maximum = likelihood._maximise(choices, choices.counts, 0.0) is not None
        assert choices.is_bounded or not has_maximum
        found.add((choices.is_bounded, has_maximum))
    assert found >= {(True, True), (False, False)}


def test_what_cannot_be_rated_is_refused():
    tally = Tally("abc")
    with pytest.raises(BadText, match="nothing to rate"):
        davidson(tally)
    tally.add(MatchResult((game((0, 1, 2), (0, 1, 2)),)))
    with pytest.raises(BadText, match="use plackett-luce"):
        davidson(tally)
    with pytest.raises(UnknownName, match="known: a, b, c"):
        plackett_luce(tally, Anchor("d"))


@pytest.mark.parametrize("seed", range(10))
def test_no_variance_is_rounded_to_less_than_zero(seed):
    """Nor for a player without games, whose variance is 0 but for rounding."""
    rng = np.random.default_rng(seed)
    tally = Tally("abcdef")
    for _ in range(6):
        one, other = (int(player) for player in rng.choice(4, 2, replace=False))
        tally.add(match_of_two(one, other, *([FIRST, SECOND, TIE][result] for result in rng.integers(3, size=2))))
    assert np.diag(likelihood.fit(Choices(tally)).covariance).min() >= 0
