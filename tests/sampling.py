"""``pytest --sampled``: fewer cases of one kind, the same in every run. `.ci/run` uses it.

- Cases that are marked ``thorough`` beside others of the same test are left out: they show more of the same.
- Without the compiler or with bounds checks, a test that has several parameters is tried with each value of each
  parameter at least once, instead of all combinations, and a test with one parameter with at most ``ONE_PARAMETER``
  values. All combinations are tried by the compiled run.
"""

import os
import zlib
from collections import defaultdict

import pytest

from hinterland.jit import JIT_ON

ONE_PARAMETER = 12
RERUN = not JIT_ON or bool(int(os.environ.get("NUMBA_BOUNDSCHECK") or 0))


def pytest_addoption(parser):
    parser.addoption("--sampled", action="store_true", help="fewer cases of one kind (see tests/sampling.py)")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if not config.getoption("sampled"):
        return
    tests = defaultdict(list)
    for item in items:
        tests[item.nodeid.split("[")[0]].append(item)
    kept = {item for cases in tests.values() for item in sample(without_repetition(cases))}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def without_repetition(cases):
    """Leave out the thorough cases of a test that has others."""
    return [case for case in cases if not case.get_closest_marker("thorough")] or cases


def sample(cases, is_rerun=RERUN):
    """Return some cases of a test: all where its kernels are compiled as usual."""
    parameters = {frozenset(found) for found in by_index(cases)}
    if not is_rerun or len(cases) <= ONE_PARAMETER or not parameters:
        return cases
    return covering(cases) if len(parameters) > 1 else evenly(cases)


def by_index(cases):
    """Group the names of parameters that change together; yield each group."""
    groups = defaultdict(set)
    for name in (getattr(cases[0], "callspec", None) and cases[0].callspec.indices) or ():
        groups[tuple(case.callspec.indices.get(name) for case in cases)].add(name)
    return groups.values()


def covering(cases):
    """Return cases in which every parameter has each of its values at least once."""
    seen, kept = set(), []
    for case in sorted(cases, key=lambda case: zlib.crc32(case.nodeid.encode())):
        values = set(case.callspec.indices.items())
        if not values <= seen:
            seen |= values
            kept.append(case)
    return kept


def evenly(cases):
    """Return as many cases as are tried of one parameter, the first and the last among them."""
    step = (len(cases) - 1) / (ONE_PARAMETER - 1)
    return [cases[round(number * step)] for number in range(ONE_PARAMETER)]
