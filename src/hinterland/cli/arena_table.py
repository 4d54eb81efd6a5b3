"""How an arena test is told: a table for people, CSV, and one JSON object."""

from __future__ import annotations

import csv
import io
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.cli.arena_figures import figures
from hinterland.cli.console import plain, print_table, table
from hinterland.contract import read_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from hinterland.cli.arena_figures import Outcome
    from hinterland.cli.arena_games import Plan, Row

__all__ = ["show", "standing", "to_csv", "told"]

COLUMNS = (
    *("pairings", "won", "drawn", "lost", "won_share", "won_low", "won_high", "share", "share_low", "share_high"),
    *("games", "drawn_openings", "move_ms", "longest_move_ms", "late"),
)
"""Of the CSV file, after the opponents and the options that vary."""


def standing(plan: Plan, row: int, outcomes: Sequence[Sequence[Outcome]]) -> str:
    """Say how a row stands, in few words."""
    sums = figures(outcomes[row])
    return plain(f"{_title(plan.rows[row])}: won {sums.won} of {sums.pairings}")


def show(plan: Plan, outcomes: Sequence[Sequence[Outcome]], record: Path | None) -> None:
    """Print the table, narrow enough for a terminal, and under it what else there is to know."""
    listed = table("against", *plan.rows[0].varied, "won", "drawn", "lost", "won, 95 %", "share", "share, 95 %")
    for row, played in zip(plan.rows, outcomes, strict=True):
        sums = figures(played)
        listed.add_row(
            plain(_against(row)),
            *map(plain, row.varied.values()),
            *map(str, (sums.won, sums.drawn, sums.lost)),
            _between(sums.won_interval, 0),
            "-" if sums.share is None else f"{100 * sums.share:.1f} %",
            _between(sums.share_interval, 1),
        )
    sys.stdout.write(plain(_headline(plan)) + "\n")
    print_table(listed)
    for line in (_beginnings(plan), _thinking(plan, outcomes), *_leavings(plan, outcomes)):
        sys.stdout.write(plain(line) + "\n")
    if record is not None:
        sys.stdout.write(plain(f"recorded in {record}") + "\n")


def _headline(plan: Plan) -> str:
    """Say what was played."""
    player, *others = plan.rows[0].players
    rules = " ".join([plan.game, *(f"{name}={value}" for name, value in plan.options.items())])
    pairings = "1 pairing" if plan.pairings == 1 else f"{plan.pairings} pairings"
    clock = f"{(plan.control.budget_ms or 0) / 1000:g} s each"
    return f"{player} at {rules} · {pairings} a row, {len(others) + 1} games each · {clock} · seed {plan.seed}"


def _beginnings(plan: Plan) -> str:
    """Say how the games began, and what an even share would be."""
    moves = "first move" if plan.jitter == 1 else f"first {plan.jitter} moves"
    began = f"each pairing began with its {moves} drawn at random" if plan.jitter else "no move was drawn"
    if plan.boards:
        began = f"each pairing had a board of its own; {began}"
    elif not plan.jitter and plan.pairings > 1:
        began = f"{began}: where no player draws or looks at a clock, all pairings are the same games"
    return f"{began}; an even share is {100 / len(plan.rows[0].players):.1f} %"


def _thinking(plan: Plan, outcomes: Sequence[Sequence[Outcome]]) -> str:
    """Say how long the player thought, and how often for too long."""
    sums = figures([outcome for played in outcomes for outcome in played])
    if sums.move_ms is None or sums.longest_move_ms is None:
        return "nothing was played to its end"
    seconds = f"{sums.move_ms / 1000:.2f} s a move, {sums.longest_move_ms / 1000:.2f} s at most"
    return f"{plan.rows[0].players[0]} took {seconds}; it lost {sums.late} of {sums.games} games on time"


def _leavings(plan: Plan, outcomes: Sequence[Sequence[Outcome]]) -> Iterator[str]:
    """Say who left games before their end, and why."""
    for row, played in zip(plan.rows, outcomes, strict=True):
        sums = figures(played)
        for who, left in ((row.players[0], sums.left), (_against(row), sums.others_left)):
            if left:
                reasons = ", ".join(f"{count} by {reason}" for reason, count in left.items())
                yield f"{_title(row)}: {who} left games: {reasons}"
        if sums.first_left is not None:
            yield f"  first {sums.first_left}"


def to_csv(plan: Plan, outcomes: Sequence[Sequence[Outcome]]) -> str:
    """Write the table as CSV with a heading; shares go from 0 to 1, what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["game", "player", "against", *plan.rows[0].varied, *COLUMNS])
    for row, played in zip(plan.rows, outcomes, strict=True):
        sums = figures(played)
        flat = msgspec.structs.asdict(sums)
        for name in ("won", "share"):
            flat[f"{name}_low"], flat[f"{name}_high"] = flat[f"{name}_interval"] or (None, None)
        cells = [flat[column] for column in COLUMNS]
        shown = [round(cell, 4) if isinstance(cell, float) else cell for cell in cells]
        writer.writerow([plan.game, row.players[0], _against(row), *row.varied.values(), *shown])
    return text.getvalue()


def told(
    plan: Plan, outcomes: Sequence[Sequence[Outcome]], record: Path | None, *, interrupted: bool
) -> dict[str, Any]:
    """Return all figures as JSON values."""
    return {
        "game": plan.game,
        "player": plan.rows[0].players[0],
        "rules": _values(plan.options),
        "seed": plan.seed,
        "pairings": plan.pairings,
        "jitter": plan.jitter,
        "another_board_each": plan.boards,
        "clock": plan.control,
        "record": None if record is None else str(record),
        "interrupted": interrupted,
        "rows": [
            {"against": row.players[1:], "varied": _values(row.varied), **msgspec.to_builtins(figures(played))}
            for row, played in zip(plan.rows, outcomes, strict=True)
        ],
    }


def _values(options: Mapping[str, str]) -> dict[str, object]:
    return {name: read_value(text) for name, text in options.items()}


def _title(row: Row) -> str:
    """Name a row."""
    return " ".join([f"against {_against(row)}", *(f"{name}={value}" for name, value in row.varied.items())])


def _against(row: Row) -> str:
    return " and ".join(row.players[1:])


def _between(bounds: tuple[float, float] | None, places: int) -> str:
    return "-" if bounds is None else f"{100 * bounds[0]:.{places}f} to {100 * bounds[1]:.{places}f}"
