"""``hinterland prepare``: compiles all kernels, for an image or before the first start."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import Annotated

from cyclopts import Parameter

DONE, CANNOT = 0, 2


def prepare(*, generic: Annotated[bool, Parameter(negative="")] = False) -> int:
    """Compile all kernels now, so that no later command waits for them.

    Compiled kernels of this version are kept in your cache folder, or in `hinterland` below `XDG_CACHE_HOME`.

    Parameters
    ----------
    generic
        Compile for other processors too: x86-64-v3, or any ARM. These kernels are a little slower. Later commands
        with this cache folder use them; an older processor compiles its own. `prepare` without this option undoes it.
    """
    from hinterland import catalog, jit  # noqa: PLC0415
    from hinterland.cli.console import progress  # noqa: PLC0415
    from hinterland.host.preparation import compile_kernels  # noqa: PLC0415
    from hinterland.host.readiness import quit_at_once_on_signals  # noqa: PLC0415

    with suppress(OSError):  # if the choice cannot be saved, no kernel can
        jit.choose_processor(generic=generic)
    folder = jit.cache_folder()
    if folder is None:
        return CANNOT  # every command prints the reason at its end
    began_s = time.monotonic()
    with progress() as bars, quit_at_once_on_signals():
        bar = bars.add_task("compiling", total=len(catalog.GAMES))
        for name in catalog.GAMES:
            bars.update(bar, description=f"compiling {name}")
            compile_kernels(name)
            bars.advance(bar)
    sys.stdout.write(f"All kernels are ready after {time.monotonic() - began_s:.0f} s, in {folder}\n")
    return DONE
