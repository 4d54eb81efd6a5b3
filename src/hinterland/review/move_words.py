"""What a review comes to, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hinterland.review.story import Review

MOST_NAMED = 5
"""Losing moves of a player that are named; all are marked."""
MOST_OTHERS = 2
"""Players without losing moves that are named."""


def verdicts(found: Review) -> list[str]:
    """Say what lost the game to whom: a sentence for each that has losing moves, one for the others."""
    if not found.winners:
        return ["the game does not count: nobody lost it"]
    told, others = [], []
    for seat, behind in enumerate(found.behind):
        if behind and (numbers := _numbers(found, seat)):
            told.append(f"{found.players[seat]} was {behind:,} short; {numbers}")
        elif behind:
            others.append(f"{found.players[seat]} ({behind:,} short)")
    if others:
        is_known = all(move.loss is not None for move in found.moves)
        whom = _listed(others) if len(others) <= MOST_OTHERS else f"anyone{' else' if told else ''}"
        told.append(f"no single move {'' if is_known else 'is known that '}lost it for {whom}")
    if gone := [found.players[seat] for seat, behind in enumerate(found.behind) if behind is None]:
        told.append(f"{_listed(gone)} left the game")
    return told or ["nobody lost"]


def _numbers(found: Review, seat: int) -> str:
    """Name the losing moves of a seat; nothing where it has none."""
    numbers = [str(number) for number in found.losing if found.moves[number - 1].seat == seat]
    more = len(numbers) - MOST_NAMED
    if more > 0:
        return f"losing moves {', '.join(numbers[:MOST_NAMED])} and {more} more"
    return f"losing move{'s' if len(numbers) > 1 else ''} {_listed(numbers)}" if numbers else ""


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
