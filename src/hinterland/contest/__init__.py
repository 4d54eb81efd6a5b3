"""Contests: plans, pairings, workers, standings and reports.

The package builds on ``host``, which plays a match, and on ``evidence``. Its reports are text, which ``cli`` writes.
Begin with ``plan`` and ``engine``. ``pairings`` holds pure functions; ``runner`` and ``workers`` know no game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from hinterland.contest.played import Played

__all__ = ["Entrant", "Plan", "run"]


def run(plan: Any, folder: Path, **options: Any) -> Played:
    """Play the missing games of a contest in a folder; the options are those of ``engine.run``."""
    from hinterland.contest import engine  # noqa: PLC0415

    return engine.run(plan, folder, **options)


def __getattr__(name: str) -> Any:
    """Load the types of a plan on first use, so that commands without them start quickly."""
    if name in ("Entrant", "Plan"):
        from hinterland.contest import plan  # noqa: PLC0415

        return getattr(plan, name)
    raise AttributeError(name)
