"""``pytest --sampled``: fewer cases of one kind, the same in every run. `make test-ci` uses it.

Cases that are marked ``thorough`` beside others of the same test are left out: they show more of the same. Tests that
are thorough as a whole are kept. Kernels run again without the compiler and with bounds checks on all cases: measured,
that takes a tenth of the processor's time; programs and browsers that are started take the most.
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
    """Leave out the thorough cases of a test that has others."""
    return [case for case in cases if not case.get_closest_marker("thorough")] or cases
