"""``hinterland prepare`` compiles kernels; ``backup``, ``restore`` and ``reindex`` keep the data of an arena."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.cli.console import plain, progress
from hinterland.errors import ArenaError

if TYPE_CHECKING:
    from hinterland.storage.backup import Contents

DONE, CANNOT = 0, 2


def prepare(*, generic: bool = False) -> int:
    """Compile all kernels now, so that no later command waits for them.

    Compiled kernels of this version are kept in your cache folder, or in `hinterland` below `XDG_CACHE_HOME`.

    Parameters
    ----------
    generic
        Compile for other processors too: x86-64-v3, or any ARM. These kernels are a little slower. Later commands
        with this cache folder use them; an older processor compiles its own. `prepare` without this option undoes it.
    """
    from hinterland import catalog, jit  # noqa: PLC0415
    from hinterland.host.preparation import compile_kernels  # noqa: PLC0415
    from hinterland.host.readiness import quit_at_once_on_signals  # noqa: PLC0415

    with suppress(OSError):  # if the choice cannot be saved, no kernel can be saved either
        jit.choose_processor(generic=generic)
    folder = jit.cache_folder()
    if folder is None:
        return CANNOT  # the reason why there is no folder is printed at the end of every command
    began_s = time.monotonic()
    with progress() as bars, quit_at_once_on_signals():
        bar = bars.add_task("compiling", total=len(catalog.GAMES))
        for name in catalog.GAMES:
            bars.update(bar, description=f"compiling {name}")
            compile_kernels(name)
            bars.advance(bar)
    sys.stdout.write(f"All kernels are ready after {time.monotonic() - began_s:.0f} s, in {folder}\n")
    return DONE


def backup(data: Path, file: Path, /) -> int:
    """Save the games and records of an arena, which may be running, in one compressed file.

    Parameters
    ----------
    data
        The arena's folder, as in `hinterland serve --data`.
    file
        The new file, such as arena.tar.gz; an existing file is never overwritten.
    """
    from hinterland.storage.backup import back_up  # noqa: PLC0415

    _say(f"{data} is backed up in {file}", back_up(data, file))
    return 0


def restore(file: Path, data: Path, /) -> int:
    """Restore an arena's folder from a backup, if every file in it is sound.

    Parameters
    ----------
    file
        A file made by `hinterland backup`.
    data
        A folder that is empty or does not exist.
    """
    from hinterland.storage.backup import restore  # noqa: PLC0415

    _say(f"{file} is restored in {data}", restore(file, data))
    return 0


def reindex(data: Path, /, *, index: str | None = None) -> int:
    """Rebuild the index of an arena's games from its files.

    A running arena rebuilds it at once; an arena that does not run, at its next start.

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


def _say(what: str, contents: Contents) -> None:
    games = "1 game" if contents.games == 1 else f"{contents.games} games"
    matches = "1 match that goes on" if contents.matches == 1 else f"{contents.matches} matches that go on"
    sys.stdout.write(f"{plain(what)}: {games}, {matches}, {contents.records_bytes:,} bytes of records\n")
