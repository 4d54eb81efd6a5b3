"""Fixtures for tests of files and databases."""

import sys
from pathlib import Path

import pytest
from sqlalchemy import text

import real_postgresql
from hinterland.storage.archive import Archive
from hinterland.storage.index import database

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def server():
    with real_postgresql.started() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """Return the URL of an index: its default file, or an emptied database of a real server."""
    if request.param == "sqlite":
        return None
    server = request.getfixturevalue("server")
    url = database.read_url(server.url)
    engine = database.make_engine(url)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return url


@pytest.fixture
def archive(tmp_path):
    opened = Archive(tmp_path / "arena")
    yield opened
    opened.close()
