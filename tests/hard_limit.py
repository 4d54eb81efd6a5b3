"""Ends the process if pytest's own time limit could not end a test, or if the process does not exit.

pytest-timeout raises an exception by a signal. That does not end a test that waits for a lock again, nor an interpreter
that joins a thread for ever at its exit. faulthandler does: it needs neither the interpreter nor its lock, prints the
stack of every thread, and exits. pytest-xdist then reports the test and starts another worker.
"""

import faulthandler
import os
import sys

import pytest

GRACE_S = 60.0
EXIT_S = 60.0
STDERR = pytest.StashKey[int]()


def pytest_addoption(parser):
    parser.addini("hard_limit_grace", "seconds from a test's own limit until its process is ended", default=GRACE_S)
    parser.addini("hard_limit_exit", "seconds until a process that does not exit is ended", default=EXIT_S)


def pytest_configure(config):
    """Keep the process's own standard error, which pytest captures during tests."""
    config.stash[STDERR] = os.dup(sys.__stderr__.fileno())


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    """Limit the time of a test with its fixtures."""
    marker = item.get_closest_marker("timeout")
    own = float(marker.args[0] if marker and marker.args else item.config.getini("timeout"))
    arm(item.config, own + float(item.config.getini("hard_limit_grace")))
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    arm(config, float(config.getini("hard_limit_exit")))


def arm(config, seconds):
    faulthandler.dump_traceback_later(seconds, exit=True, file=config.stash[STDERR])
