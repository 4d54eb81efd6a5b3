"""Fewer tests of one kind, the same in every run: ``--sampled`` for `make test-ci`, ``--quick`` for `make test`.

``--sampled``: if only some cases of a test are marked ``thorough``, these are left out. A test whose cases are all
thorough stays. The runs of kernels without the compiler and with bounds checks keep all cases: they take only a tenth of
the processor's time, far less than started programs and browsers.

``--quick``: no thorough tests; of a test's cases the first and the last, and of a file of browser tests the first test,
except where ``each`` marks cases or tests that have nothing in common, such as pages or commands.
"""

from collections import defaultdict

import pytest


def pytest_addoption(parser):
    parser.addoption("--sampled", action="store_true", help="fewer cases of one kind (see tests/sampling.py)")
    parser.addoption("--quick", action="store_true", help="two cases of one kind, and a test of each page")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    for option, choose in (("sampled", without_repetition), ("quick", two_of_a_kind)):
        if config.getoption(option):
            leave_out(config, items, choose)


def leave_out(config, items, choose):
    """Keep of the cases of each test those that ``choose`` returns, and of browser tests one a file if it is quick."""
    tests = defaultdict(list)
    for item in items:
        tests[kind_of(item) if choose is two_of_a_kind else item.nodeid.split("[")[0]].append(item)
    kept = {item for cases in tests.values() for item in choose(cases)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def kind_of(item):
    """Return what tests have in common: the function, or the file of browser tests."""
    return item.nodeid.split("::" if item.get_closest_marker("browser") else "[")[0]


def without_repetition(cases):
    """Leave out the thorough cases of tests that have other cases."""
    return [case for case in cases if not case.get_closest_marker("thorough")] or cases


def two_of_a_kind(cases):
    """Keep the first and the last case, the first of a browser's, and each that is marked so."""
    cases = [case for case in cases if not case.get_closest_marker("thorough")]
    each = [case for case in cases if case.get_closest_marker("each")]
    rest = [case for case in cases if not case.get_closest_marker("each")]
    if rest and rest[0].get_closest_marker("browser"):
        return each or rest[:1]
    return each + rest[:1] + rest[1:][-1:]
