"""Contests: plans, pairings, workers, standings and reports.

A contest has rounds. Its format, such as round robin or Swiss, makes the tables of each round; a table is a set of
players that meet. Each table plays ``Plan.pairings`` matches under each variation of the rules. In a match of n players
there are n games, so that each player starts once.

The package builds on ``host``, which plays matches, and on ``evidence``, the statistics. Reports are made as text,
which ``cli`` writes to files. Begin with ``plan`` and ``engine``. The package ``pairings`` holds the formats, as pure
functions; ``runner`` and ``workers`` know no game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from hinterland.contest.played import Played

__all__ = ["Entrant", "Plan", "run"]


def run(plan: Any, folder: Path, **options: Any) -> Played:
    """Play the games that are missing in a contest's folder; ``options`` are further arguments of ``engine.run``."""
    from hinterland.contest import engine  # noqa: PLC0415

    return engine.run(plan, folder, **options)


def __getattr__(name: str) -> Any:
    """Import ``Entrant`` and ``Plan`` on first use, so that commands that need neither start quickly."""
    if name in ("Entrant", "Plan"):
        from hinterland.contest import plan  # noqa: PLC0415

        return getattr(plan, name)
    raise AttributeError(name)
