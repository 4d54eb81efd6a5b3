"""An index kept up as an arena keeps it."""

import contextlib
import time

from hinterland.storage.index.game_index import GameIndex

LONGEST_S = 60


@contextlib.contextmanager
def kept_up(archive, url=None, sources=tuple):
    """Keep an index up, as an arena does."""
    index = GameIndex(archive.directory, url, sources)
    archive.on_change = index.touch
    index.start()
    try:
        until(lambda: index.left is None or index.fault)
        yield index
    finally:
        archive.on_change = lambda _: None
        index.close()


def until(there, seconds=LONGEST_S):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not (found := there()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.02)
    return found
