"""How a finished match is told: as a table, or as one JSON object."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from hinterland.cli.console import plain, print_table, table, with_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.referee.match import Result
    from hinterland.referee.record import Record

__all__ = ["print_result", "told", "who_won"]


def told(result: Result) -> dict[str, Any]:
    """Return a result as JSON values."""
    return {
        "game": result.game,
        "players": [{"name": p.name, "scores": p.scores, "total": p.total} for p in result.players],
        "winners": result.winners,
        "record": result.record,
    }


def who_won(result: Result) -> str:
    """Say who won, or that they share it."""
    return f"{' and '.join(result.winners)} {'wins' if len(result.winners) == 1 else 'share the win'}"


def print_result(result: Result, played: Sequence[Record], headline: str) -> None:
    """Print a result as a table, with who left which game and why."""
    games = [f"game {record.number}" for record in played]
    listed = table("player", *games, "sum", "share")
    whole = sum(player.total for player in result.players) or 1
    for player in result.players:
        share = f"{100 * player.total / whole:.1f} %"
        listed.add_row(plain(player.name), *(f"{score:,}" for score in player.scores), f"{player.total:,}", share)
    sys.stdout.write(f"{headline}\n")
    print_table(listed)
    for record in played:
        for left in record.departures:
            name, detail = record.players[left.seat], with_names(left.detail, record.players)
            sys.stdout.write(plain(f"game {record.number}: {name} left, {left.reason}: {detail}") + "\n")
    sys.stdout.write(f"{plain(who_won(result))}\n")
    if result.record is not None:
        sys.stdout.write(f"recorded in {result.record}\n")
