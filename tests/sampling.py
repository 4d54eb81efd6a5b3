"""Fewer tests of one kind, the same in every run: ``--sampled`` for `make test-ci`, ``--quick`` for `make test`.

``--sampled``: of a test's cases at most six, evenly spread, and without those marked ``thorough`` where it has others;
where all are thorough, the first and the last. No test marked ``rare``.

``--quick``: no thorough or rare tests; of a test's cases the first and the last; of a file of browser tests one test.

Both keep every case marked ``each``: it has nothing in common with the others, like a page, a rule or a command.
"""

from collections import defaultdict

import pytest

SAMPLED_CASES, THOROUGH_CASES, QUICK_CASES, QUICK_BROWSER_TESTS = 6, 2, 2, 1


def pytest_addoption(parser):
    parser.addoption("--sampled", action="store_true", help="six cases of one kind (see tests/sampling.py)")
    parser.addoption("--quick", action="store_true", help="two cases of one kind, and one test of each browser file")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    quick = config.getoption("quick")
    if not quick and not config.getoption("sampled"):
        return
    tests = defaultdict(list)
    for item in items:
        if not item.get_closest_marker("rare") and not (quick and is_thorough(item)):
            tests[kind_of(item, quick)].append(item)
    kept = {item for kind, cases in tests.items() for item in choose(cases, most_of(cases, quick))}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def kind_of(item, quick):
    """Return what tests have in common: the function; if it is quick, the file of browser tests."""
    return item.nodeid.split("::" if quick and item.get_closest_marker("browser") else "[")[0]


def most_of(cases, quick):
    """Return how many of these cases are kept besides those marked ``each``."""
    if not quick:
        return THOROUGH_CASES if all(map(is_thorough, cases)) else SAMPLED_CASES
    return QUICK_BROWSER_TESTS if cases[0].get_closest_marker("browser") else QUICK_CASES


def choose(cases, most):
    """Keep each case that is marked so, and of the others the first, the last and some between."""
    cases = [case for case in cases if not is_thorough(case)] or cases
    each = [case for case in cases if case.get_closest_marker("each")]
    rest = [case for case in cases if not case.get_closest_marker("each")]
    if len(rest) > most:
        rest = [rest[number * (len(rest) - 1) // max(most - 1, 1)] for number in range(most)]
    return each + rest


def is_thorough(item):
    return item.get_closest_marker("thorough") is not None
