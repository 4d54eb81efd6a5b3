"""An arena in this process, and real servers in others; what they open they must close."""

import contextlib
import socket
import sys
import time
from pathlib import Path

import msgspec
import pytest
from litestar.testing import TestClient

sys.path.insert(0, str(Path(__file__).parent))

from two_forms import House, relay_of
from web_play import AT_ONCE, BASE, SHOW, Server

import real_redis
from hinterland import catalog
from hinterland.web.app import create_app
from hinterland.web.settings import Limits, Settings

PATIENCE_S = 10.0


@pytest.fixture(scope="session", autouse=True)
def _compiled():
    """Keep compiling out of the clocks."""
    catalog.game("gravity").warm_up()


@pytest.fixture
def settings(tmp_path):
    return Settings(data=tmp_path / "data", show=SHOW, limits=Limits(**AT_ONCE))


@pytest.fixture
def limited(settings):
    """Return settings with other limits."""
    return lambda **limits: msgspec.structs.replace(settings, limits=Limits(**(AT_ONCE | limits)))


@pytest.fixture
def opened():
    """Open an arena in this process; it is closed at the end of the test."""
    with contextlib.ExitStack() as stack:
        yield lambda settings: stack.enter_context(TestClient(create_app(settings), base_url=BASE))


@pytest.fixture
def client(settings, opened):
    return opened(settings)


@pytest.fixture(scope="session")
def redis_server():
    """A real Redis, or none where it is not installed; tests take databases of their own."""
    with real_redis.started() as server:
        yield server


@pytest.fixture(params=["one process", "a relay"])
def house(request, opened, limited):
    """Open an arena whose viewers without a key come to the arena itself, or to a relay."""
    with contextlib.ExitStack() as stack:

        def call(**limits):
            settings = limited(**limits)
            if request.param == "one process":
                return House(opened(settings))
            url = request.getfixturevalue("redis_server").url()
            arena = opened(msgspec.structs.replace(settings, redis=url))
            return House(arena, stack.enter_context(relay_of(url, settings.limits)))

        yield call


@pytest.fixture
def serving(tmp_path):
    """Start servers that are stopped at the end of the test."""
    servers = []

    def begin(data=None, **limits):
        servers.append(Server(data or tmp_path / "data", **limits))
        return servers[-1]

    yield begin
    for server in servers:
        server.close()


@pytest.fixture
def busy_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


@pytest.fixture(autouse=True)
def _nothing_left_open(tmp_path):
    """No test may leave a file of its archives open; the index lets go of its own when it has done its work."""
    yield
    end = time.monotonic() + PATIENCE_S
    while (left := open_below(tmp_path)) and time.monotonic() < end:
        time.sleep(0.05)
    assert left == []


def open_below(place):
    """Return the files of this process in a folder."""
    found, folder = [], Path("/proc/self/fd")
    for entry in folder.iterdir() if folder.exists() else ():
        with contextlib.suppress(OSError):
            found.append(entry.readlink())
    return [path for path in found if path.is_relative_to(place)]
