"""An arena in this process, and real servers in others; what they open they must close."""

import contextlib
import socket
import sys
from pathlib import Path

import msgspec
import pytest
from litestar.testing import TestClient

sys.path.insert(0, str(Path(__file__).parent))

from web_play import BASE, SHOW, Server

from hinterland import catalog
from hinterland.web.app import create_app
from hinterland.web.settings import Limits, Settings


@pytest.fixture(scope="session", autouse=True)
def _compiled():
    """Keep compiling out of the clocks."""
    catalog.game("gravity").warm_up()


@pytest.fixture
def settings(tmp_path):
    return Settings(data=tmp_path / "data", show=SHOW)


@pytest.fixture
def limited(settings):
    """Return settings with other limits."""
    return lambda **limits: msgspec.structs.replace(settings, limits=Limits(**limits))


@pytest.fixture
def opened():
    """Open an arena in this process; it is closed at the end of the test."""
    with contextlib.ExitStack() as stack:
        yield lambda settings: stack.enter_context(TestClient(create_app(settings), base_url=BASE))


@pytest.fixture
def client(settings, opened):
    return opened(settings)


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
    """No test may leave a file of its archives open."""
    folder = Path("/proc/self/fd")
    yield
    if folder.exists():
        left = []
        for entry in folder.iterdir():
            with contextlib.suppress(OSError):
                left.append(entry.readlink())
        assert [path for path in left if path.is_relative_to(tmp_path)] == []
