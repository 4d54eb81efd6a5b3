"""Each planted defect of a contest is found, and sound contests give no warning."""

import itertools
import re

import numpy as np
import pytest

from evidence.contests import FIRST, RANKS, SECOND, drawn, game, match_of_two, outcomes
from hinterland.evidence.davidson import davidson
from hinterland.evidence.diagnosis import diagnose
from hinterland.evidence.plackett_luce import plackett_luce
from hinterland.evidence.tally import MatchResult, Tally

STRENGTHS = np.array([0.4, 0.1, -0.1, -0.4])


def found(tally, model=davidson):
    return {defect.kind: defect.text for defect in diagnose(tally, model(tally, times=20))}


def rng():
    return np.random.default_rng(1)


def with_cycle():
    tally = Tally("abc")
    for one, other in ((0, 1), (1, 2), (2, 0)):
        for outcome, times in enumerate(rng().multinomial(150, outcomes(0.9, 0.0))):
            tally.add(match_of_two(one, other, RANKS[outcome // 3], RANKS[outcome % 3]), int(times))
    return tally


def with_pools():
    tally = Tally("abcd")
    for one, other in ((0, 1), (2, 3)):
        for outcome, times in enumerate(rng().multinomial(60, outcomes(0.2, 0.0))):
            tally.add(match_of_two(one, other, RANKS[outcome // 3], RANKS[outcome % 3]), int(times))
    return tally


def with_games(change):
    """Draw matches one by one; ``change`` (its number, its games) modifies each."""
    tally = Tally("abcd")
    generator = rng()
    for one, other in itertools.combinations(range(4), 2):
        for number in range(30):
            outcome = int(generator.choice(9, p=outcomes(STRENGTHS[one], STRENGTHS[other])))
            played = match_of_two(one, other, RANKS[outcome // 3], RANKS[outcome % 3]).games
            tally.add(MatchResult(tuple(change(number, generator, one) for one in played)))
    return tally


def repeated(number, _, played):
    return played._replace(fingerprint=1 + number % 5)


def timing_out(_, generator, played):
    late = [generator.random() < (0.2 if player == 2 else 0.01) for player in played.seats]
    return played._replace(left=tuple("time" if is_late else "" for is_late in late))


def with_one_who_always(wins):
    tally = drawn(np.array([*STRENGTHS, 0.0]), 30, rng())
    plain = Tally([*tally.names[:4], "x"])
    for pattern, times in tally.patterns.items():
        if 4 in pattern[0][0]:
            games = [game(seats, [int((seat == 4) != wins) for seat in seats]) for seats, _ in pattern]
        else:
            games = [game(seats, ranks) for seats, ranks in pattern]
        plain.add(MatchResult(tuple(games)), times)
    return plain


PLANTED = {
    "seats": (lambda: drawn(STRENGTHS, 60, rng(), seat=0.6), "seat [12] of 2 is worth"),
    "cycle": (with_cycle, "no ladder: .* beats .* beats .* beats"),
    "pools": (with_pools, "2 pools of players never met: a, b; c, d"),
    "repeats": (lambda: with_games(repeated), "of the games repeat another"),
    "openings": (lambda: drawn(STRENGTHS, 60, rng(), opening=2.0), "the same seat won both games"),
    "left": (lambda: with_games(timing_out), r"c left \d+ of its 180 games by time; all others .* left \d+ of 540"),
    "all-won": (lambda: with_one_who_always(wins=True), "x won all of its 240 games"),
    "all-lost": (lambda: with_one_who_always(wins=False), "x lost all of its 240 games"),
    "few": (lambda: drawn(STRENGTHS, 3, rng()), "ratings are provisional, with fewer than 10 matches: p0 9"),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_defect_is_named_and_nothing_else_is(kind):
    plant, text = PLANTED[kind]
    told = found(plant())
    assert list(told) == [kind]
    assert re.search(text, told[kind])


@pytest.mark.thorough
def test_sound_contests_are_left_alone():
    """Of 200 contests, at most two per cent may give a warning."""
    generator = rng()
    warned = [found(drawn(STRENGTHS, 20, generator)) for _ in range(200)]
    assert sum(map(bool, warned)) <= 4


def test_a_seat_that_wins_everything_is_told_with_what_it_does_to_ratings():
    tally = Tally("abc")
    for one, other in itertools.combinations(range(3), 2):
        tally.add(match_of_two(one, other, FIRST, FIRST), 10)
    assert list(found(tally)) == ["unbounded", "seats"]


def test_melees_are_diagnosed_as_well():
    generator = rng()
    tally = Tally("abcd")
    for _ in range(80):
        players = [int(player) for player in generator.permutation(4)[:3]]
        seatings = [tuple(players[turn:] + players[:turn]) for turn in range(3)]
        worths = [generator.gumbel([0, 0, 1.5]) for _ in seatings]
        ranks = [tuple(int((worth > own).sum()) for own in worth) for worth in worths]
        tally.add(MatchResult(tuple(map(game, seatings, ranks))))
    told = found(tally, plackett_luce)
    assert list(told) == ["seats"]
    assert told["seats"].startswith("seat 3 of 3 is worth more than the others")


def test_one_game_is_too_few_and_decides_everything():
    tally = Tally("ab")
    tally.add(MatchResult((game((0, 1), SECOND),)))
    assert list(found(tally)) == ["few", "all-lost", "all-won"]
