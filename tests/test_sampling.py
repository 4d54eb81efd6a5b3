"""Which cases ``--sampled`` keeps."""

from types import SimpleNamespace

import pytest

from sampling import ONE_PARAMETER, covering, evenly, sample, without_repetition


def case(nodeid, marks=(), **indices):
    callspec = SimpleNamespace(indices=indices)
    return SimpleNamespace(nodeid=nodeid, callspec=callspec, get_closest_marker=lambda name: name in marks or None)


GRID = [case(f"t[{check}-{rules}]", check=check, name=rules, rules=rules) for check in range(9) for rules in range(30)]
LIST = [case(f"t[{number}]", number=number) for number in range(100)]


def test_every_value_of_every_parameter_is_kept():
    kept = covering(GRID)
    for name in ("check", "name", "rules"):
        values = [{one.callspec.indices[name] for one in some} for some in (GRID, kept)]
        assert values[0] == values[1]
    assert len(kept) <= 9 + 30
    assert [one.nodeid for one in covering(GRID[::-1])] == [one.nodeid for one in kept], "the order counts for nothing"


def test_of_one_parameter_some_are_kept_from_the_first_to_the_last():
    kept = evenly(LIST)
    assert len({one.nodeid for one in kept}) == ONE_PARAMETER
    assert (kept[0], kept[-1]) == (LIST[0], LIST[-1])


@pytest.mark.parametrize(("cases", "count"), [(GRID, None), (LIST, ONE_PARAMETER), (LIST[:12], 12)])
def test_a_rerun_is_sampled_and_no_other(cases, count):
    assert sample(cases, is_rerun=False) == cases
    assert len(sample(cases, is_rerun=True)) == (count or len(covering(cases)))


def test_tests_without_parameters_are_kept():
    plain = [SimpleNamespace(nodeid="t")]
    assert sample(plain, is_rerun=True) == plain


def test_thorough_cases_beside_others_are_more_of_the_same():
    first, more = case("t[0]", number=0), case("t[1]", marks=("thorough",), number=1)
    assert without_repetition([first, more]) == [first]
    assert without_repetition([more]) == [more], "a test that is thorough as a whole shows something of its own"
