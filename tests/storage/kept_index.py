"""An index that is kept up to date as in an arena."""

import contextlib
import time

from hinterland.storage.index.game_index import GameIndex

WAIT_S = 60


@contextlib.contextmanager
def kept_up(archive, url=None, sources=tuple):
    """Run an index on an archive, as an arena does."""
    index = GameIndex(archive.directory, url, sources)
    archive.on_change = index.touch
    index.start()
    try:
        until(lambda: index.left is None or index.fault)
        yield index
    finally:
        archive.on_change = lambda _: None
        index.close()


def until(there, seconds=WAIT_S):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not (found := there()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.02)
    return found
