"""``hinterland reindex``: rebuilds the index of an arena's games."""

from __future__ import annotations

import sys
from pathlib import Path

from hinterland.cli.console import plain
from hinterland.errors import ArenaError


def reindex(data: Path, /, *, index: str | None = None) -> int:
    """Rebuild the index of an arena's games from its files.

    A running arena does it at once, another when it starts.

    Parameters
    ----------
    data
        The arena's folder, as in `hinterland serve --data`.
    index
        The database in which the arena lists its games, as in `hinterland serve --index`.
    """
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

    from hinterland.storage.index import database  # noqa: PLC0415

    if not (data / "games").is_dir():
        raise ArenaError(f"{plain(str(data))} is no data folder of an arena: there is no games/ in it")
    engine = database.make_engine(database.default_url(data) if index is None else database.read_url(index))
    try:
        database.request_rebuild(engine)
    except SQLAlchemyError as error:
        raise ArenaError(f"the index cannot be reached: {plain(database.describe_error(error))}") from None
    finally:
        engine.dispose()
    sys.stdout.write("The index is rebuilt: at once by an arena that runs on this folder, else when one starts.\n")
    return 0
