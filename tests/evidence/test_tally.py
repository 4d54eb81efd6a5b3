"""Tallies against lists of matches, counted in plain Python."""

import itertools
import random
from collections import Counter
from fractions import Fraction
from statistics import mean, stdev

import pytest

from hinterland.errors import BadText
from hinterland.evidence import tally as tallies
from hinterland.evidence.intervals import student
from hinterland.evidence.tally import GameResult, MatchResult, Tally

NAMES = ("a", "b", "c", "d")


def drawn_matches(count, seed=1):
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        players = rng.sample(range(4), rng.choice([2, 3]))
        games = []
        for turn in range(len(players)):
            seats = tuple(players[turn:] + players[:turn])
            scores = [rng.randrange(4) for _ in seats]
            shares = tuple(10**9 * score // max(sum(scores), 1) for score in scores)
            ranks = tuple(sum(other > score for other in scores) for score in scores)
            left = tuple(rng.choice(["", "", "time"]) for _ in seats)
            games.append(GameResult(seats, ranks, shares, left, rng.choice([0, rng.randrange(1, 2**60)])))
        found.append(MatchResult(tuple(games)))
    return found


def tally_of(matches):
    made = Tally(NAMES)
    for match in matches:
        made.add(match)
    return made


def state(tally):
    standings = [vars(standing) for standing in tally.standings]
    return tally.names, tally.matches, tally.games, tally.patterns, standings, tally.repeats.counts


def test_counts_are_those_of_the_list():
    matches = drawn_matches(200)
    tally = tally_of(matches)
    assert tally.matches == 200
    assert tally.games == sum(len(match.games) for match in matches)
    for player, standing in enumerate(tally.standings):
        own = [match for match in matches if player in match.games[0].seats]
        sums = [
            {who: sum(game.shares[game.seats.index(who)] for game in match.games) for who in match.games[0].seats}
            for match in own
        ]
        best = [[who for who in totals if totals[who] == max(totals.values())] for totals in sums]
        shares = [Fraction(s[player], 10**9 * len(m.games)) for s, m in zip(sums, own, strict=True)]
        left = Counter(game.left[game.seats.index(player)] for match in own for game in match.games)
        assert standing.matches == len(own)
        assert standing.won == sum(who == [player] for who in best)
        assert standing.half_points == sum(2 if who == [player] else 1 for who in best if player in who)
        assert standing.left["time"] == left["time"]
        assert standing.share() == pytest.approx(float(mean(shares)), rel=1e-12)
        assert standing.share_spread() == pytest.approx(float(stdev(shares)), rel=1e-12)
        assert standing.share_interval() == pytest.approx(student([float(share) for share in shares]), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_does_not_matter_nor_how_matches_are_dealt_out(seed, monkeypatch):
    monkeypatch.setattr(tallies, "SAMPLED_GAMES", 40)
    matches = drawn_matches(150) + drawn_matches(30)
    whole = state(tally_of(matches))
    rng = random.Random(seed)
    rng.shuffle(matches)
    cut = rng.randrange(len(matches))
    merged = tally_of(matches[:cut])
    merged.merge(tally_of(matches[cut:]))
    assert state(merged) == whole == state(tally_of(matches))
    assert len(merged.repeats.counts) == 40


def test_the_sample_of_games_counts_exactly(monkeypatch):
    monkeypatch.setattr(tallies, "SAMPLED_GAMES", 50)
    rng = random.Random(1)
    played = [rng.randrange(200) for _ in range(2000)]
    sample = tallies.Repeats()
    for key in played:
        sample.add(key)
    assert sample.counts == {key: times for key, times in Counter(played).items() if key < 50}


def test_a_tally_does_not_grow_with_matches():
    outcomes = list(itertools.product([(0, 1), (0, 0), (1, 0)], repeat=2))
    tally = Tally(["a", "b"])
    for first, second in outcomes * 100:
        tally.add(MatchResult((GameResult((0, 1), first, (1, 1)), GameResult((1, 0), second, (1, 1)))))
    assert len(tally.patterns) == 9
    assert tally.patterns.total() == 900


def test_one_match_counted_often_is_many():
    (match,) = drawn_matches(1)
    once = Tally(NAMES)
    once.add(match, 7)
    assert state(once) == state(tally_of([match] * 7))


GOOD = GameResult((0, 1), (0, 1), (1, 0))


@pytest.mark.parametrize(
    "games",
    [
        (),
        (GameResult((0,), (0,), (1,)),),
        (GameResult((0, 0), (0, 1), (1, 0)),),
        (GameResult((0, 1), (0,), (1, 0)),),
        (GameResult((0, 4), (0, 1), (1, 0)),),
        (GameResult((0, -1), (0, 1), (1, 0)),),
        (GOOD, GameResult((0, 2), (0, 1), (1, 0))),
    ],
)
def test_what_cannot_be_a_match_is_refused_and_changes_nothing(games):
    tally = tally_of([MatchResult((GOOD,))])
    before = repr(state(tally))
    with pytest.raises(BadText):
        tally.add(MatchResult(games))
    assert repr(state(tally)) == before


def test_players_may_be_named_as_they_come_and_sorted_later():
    matches = drawn_matches(60)
    sorted_names, came = tally_of(matches), Tally()
    order = [2, 0, 3, 1]
    for match in matches:
        games = (game._replace(seats=tuple(order.index(player) for player in game.seats)) for game in match.games)
        assert [came.number(NAMES[player]) for player in order] == [0, 1, 2, 3]
        came.add(MatchResult(tuple(games)))
    assert came.names == ("c", "a", "d", "b")
    assert state(came.by_name())[:5] == state(sorted_names)[:5]


def test_two_of_one_name_and_tallies_of_others_are_refused():
    with pytest.raises(BadText, match="two players are called 'a'"):
        Tally(["a", "b", "a"])
    with pytest.raises(BadText, match="same players"):
        Tally(["a", "b"]).merge(Tally(["b", "a"]))
