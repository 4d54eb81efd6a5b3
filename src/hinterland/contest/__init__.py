"""Contests: what is to be played, who meets whom, by how many workers, and what comes of it.

Stands on ``host``, which plays a match, and on ``evidence``; what it prints is text for ``cli``. Begin with ``plan``
and ``engine``; ``pairings`` are pure, ``runner`` and ``workers`` know no game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from hinterland.contest.played import Played

__all__ = ["Entrant", "Plan", "run"]


def run(plan: Any, folder: Path, **options: Any) -> Played:
    """Play what is missing of a contest in a folder; the options are those of ``engine.run``."""
    from hinterland.contest import engine  # noqa: PLC0415

    return engine.run(plan, folder, **options)


def __getattr__(name: str) -> Any:
    """Load the types of a plan when they are asked for: commands that need none of them stay quick."""
    if name in ("Entrant", "Plan"):
        from hinterland.contest import plan  # noqa: PLC0415

        return getattr(plan, name)
    raise AttributeError(name)
