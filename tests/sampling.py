"""``pytest --sampled``: fewer cases of one kind, the same in every run. `make test-ci` uses it.

If only some cases of a test are marked ``thorough``, these are left out. A test whose cases are all thorough stays. The
runs of kernels without the compiler and with bounds checks keep all cases: they take only a tenth of the processor's
time, far less than started programs and browsers.
"""

from collections import defaultdict

import pytest


def pytest_addoption(parser):
    parser.addoption("--sampled", action="store_true", help="fewer cases of one kind (see tests/sampling.py)")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if not config.getoption("sampled"):
        return
    tests = defaultdict(list)
    for item in items:
        tests[item.nodeid.split("[")[0]].append(item)
    kept = {item for cases in tests.values() for item in without_repetition(cases)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def without_repetition(cases):
    """Leave out the thorough cases of tests that have other cases."""
    return [case for case in cases if not case.get_closest_marker("thorough")] or cases
