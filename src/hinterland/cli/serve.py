"""``hinterland serve``: the arena in a browser."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["serve"]


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | None = None,
    artworks: Path | None = None,
) -> int:
    """Start the arena and say where to find it; Ctrl-C stops it.

    Parameters
    ----------
    host
        The address to listen on. The default is reached from this machine only.
    port
        The port to listen on.
    data
        Where games are kept, so that they survive a restart. By default a folder of your own for data.
    artworks
        Save a picture of every finished board in this directory.
    """
    from hinterland.web.serve import serve as serve_arena  # noqa: PLC0415
    from hinterland.web.settings import Settings, default_data  # noqa: PLC0415

    settings = Settings(host=host, port=port, data=data or default_data(), artworks=artworks)
    serve_arena(settings, lambda text: sys.stdout.write(f"{text}\n") and sys.stdout.flush())
    return 0
