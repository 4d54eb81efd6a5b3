"""Studies: each row is a contest in a folder of its own, so that any row can be played again without the others.

A study lists its rows and sums up the matches of a row. ``main`` plays missing matches and writes the table.
"""

from __future__ import annotations

import argparse
import csv
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hinterland.contest import engine
from hinterland.gravity.players import PLAYERS
from hinterland.referee.clock import TimeControl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hinterland.contest.plan import Plan
    from hinterland.contest.played import FinishedMatch

DATA = Path(__file__).parents[1] / "docs" / "research" / "data"
CLOCK = TimeControl.of_seconds(36_000)
"""Long enough that no player loses on time: players in studies count playouts and do not read the clock."""
DECIMALS = 4
"""Decimals of shares in tables."""

Cells = dict[str, Any]


class Row(NamedTuple):
    """One row of a study."""

    about: Cells
    """Its first columns, which identify it."""
    plan: Plan
    """Its contest."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return "-".join(str(value).replace(":", "_").replace("=", "") for value in self.about.values())


@contextmanager
def add_players(*kinds: type[Any]) -> Iterator[None]:
    """Add a study's own players to those of gravity while it is played."""
    PLAYERS.update({kind.name: kind for kind in kinds})
    try:
        yield
    finally:
        for kind in kinds:
            del PLAYERS[kind.name]


def play(row: Row, folder: Path, *kinds: type[Any]) -> list[FinishedMatch]:
    """Play the missing matches of a row, with the study's own players; return all its matches in order."""
    found: list[FinishedMatch] = []
    with add_players(*kinds):
        engine.run(row.plan, folder / row.name, hear=found.append)
    return sorted(found, key=lambda match: match.task.place.task)


def write(name: str, rows: Sequence[Mapping[str, Any]], folder: Path = DATA) -> Path:
    """Write a table as CSV with a heading."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: format_cell(value) for key, value in row.items()} for row in rows)
    return path


def format_cell(value: Any) -> Any:
    """Round a float; leave other values as they are."""
    return f"{value:.{DECIMALS}f}" if isinstance(value, float) else value


def main(name: str, rows: Iterable[Row], sums: Callable[[Row, list[FinishedMatch]], Cells], *kinds: type[Any]) -> None:
    """Play a study from the command line, row by row, and write its table anew after each."""
    options = argparse.ArgumentParser(prog=f"python -m research.{name}")
    options.add_argument("--games", type=Path, default=Path("build/research") / name, help="where games are kept")
    options.add_argument("--out", type=Path, default=DATA, help="the folder of the table")
    chosen = options.parse_args()
    table: list[Cells] = []
    for row in rows:
        table.append(row.about | sums(row, play(row, chosen.games, *kinds)))
        write(name, table, chosen.out)
        print(*(f"{key}={format_cell(value)}" for key, value in table[-1].items()), flush=True)
