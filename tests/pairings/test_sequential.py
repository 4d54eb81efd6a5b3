"""Two players until a test has decided."""

import pytest

from hinterland.contest.pairings.rounds import TableResult
from hinterland.contest.pairings.static import Sequential
from hinterland.errors import RulesError


def batch(pentanomial):
    return (TableResult((0, 1), len(pentanomial), (0, 0), (0, 0), bytes(pentanomial)),)


def test_the_test_sees_every_match_in_order():
    seen = []
    form = Sequential(has_decided=lambda results: seen.append(list(results)) or sum(results) > 10)
    finished = []
    for results in ([4, 0], [3, 1], [2, 4]):
        assert form.tables(finished) == ((0, 1),)
        finished.append(batch(results))
    assert form.tables(finished) is None
    assert seen == [[], [4, 0], [4, 0, 3, 1], [4, 0, 3, 1, 2, 4]]


def test_it_ends_after_its_rounds_all_the_same():
    assert Sequential(rounds=2).tables([batch([2])]) == ((0, 1),)
    assert Sequential(rounds=2).tables([batch([2]), batch([2])]) is None


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 1}, {"rounds": 0}])
def test_impossible_options_are_refused(options):
    with pytest.raises(RulesError, match=next(iter(options))):
        Sequential(**options)
