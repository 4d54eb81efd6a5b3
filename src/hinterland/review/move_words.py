"""The result of a review, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hinterland.review.annotations import Review

MAX_MOVES_NAMED = 5
"""Losing moves named for a player; a chart marks all of them."""
MAX_OTHERS_NAMED = 2
"""Players without losing moves that are named; of more, none is."""


def write_verdicts(found: Review) -> list[str]:
    """Say which moves lost the game for whom: a sentence for each player with losing moves, and one for the others."""
    if not found.winners:
        return ["the game does not count: nobody lost it"]
    sentences, others = [], []
    for seat, behind in enumerate(found.behind):
        if behind and (numbers := _name_losing_moves(found, seat)):
            sentences.append(f"{found.players[seat]} lost by {behind:,}; {numbers}")
        elif behind:
            others.append(f"{found.players[seat]} (lost by {behind:,})")
    if others:
        is_known = all(move.loss is not None for move in found.moves)
        whom = _join_names(others) if len(others) <= MAX_OTHERS_NAMED else f"anyone{' else' if sentences else ''}"
        sentences.append(f"no single move {'' if is_known else 'is known that '}lost it for {whom}")
    if gone := [found.players[seat] for seat, behind in enumerate(found.behind) if behind is None]:
        sentences.append(f"{_join_names(gone)} left the game")
    return sentences or ["nobody lost"]


def _name_losing_moves(found: Review, seat: int) -> str:
    """Name the losing moves of a seat; empty if it has none."""
    numbers = [str(number) for number in found.losing if found.moves[number - 1].seat == seat]
    more = len(numbers) - MAX_MOVES_NAMED
    if more > 0:
        return f"losing moves {', '.join(numbers[:MAX_MOVES_NAMED])} and {more} more"
    return f"losing move{'s' if len(numbers) > 1 else ''} {_join_names(numbers)}" if numbers else ""


def _join_names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
