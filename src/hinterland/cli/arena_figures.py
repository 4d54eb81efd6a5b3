"""What the matches of an arena test come to: shares with 95 % intervals, and how long the player thought.

Intervals count matches, not games: the games of a match have their opening or their board in common, so only matches
are independent of one another. The share of matches won has Wilson's interval ("Probable inference, the law of
succession, and statistical inference", 1927). The mean share of the scores has Student's ("The probable error of a
mean", 1908).
"""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Literal

import msgspec

from hinterland.cli.console import with_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.referee.record import Record

__all__ = ["Figures", "Outcome", "figures", "outcome_of", "quantile", "student", "wilson"]

Z = 1.959964
"""The normal distribution holds 95 % between -Z and Z."""


class Outcome(msgspec.Struct, frozen=True):
    """What came of one match for the player tested, who is the first named."""

    result: Literal["won", "drawn", "lost"]
    """Won: it alone left the fewest games and, among those, has the largest sum."""
    share: float
    """Its sum as part of all sums; an even share where nobody scored."""
    games: int
    """How many games it had."""
    drawn_openings: int
    """How many of them began with moves drawn at random."""
    move_ms: tuple[int, ...]
    """How long the player thought about each of its moves."""
    left: tuple[str, ...]
    """Why it left a game, once for each that it left."""
    others_left: tuple[str, ...]
    """The same of its opponents."""
    first_left: str | None
    """The first that left, why in words; None where nobody did."""


class Figures(msgspec.Struct, frozen=True):
    """A row of the table. Shares go from 0 to 1; an interval is None where there are too few matches for one."""

    pairings: int
    """Matches played to their end."""
    won: int
    """By the player tested, alone."""
    drawn: int
    """Matches in which it shares the win."""
    lost: int
    """All others."""
    won_share: float | None
    """Matches won as part of all."""
    won_interval: tuple[float, float] | None
    """Wilson's, of 95 %."""
    share: float | None
    """The mean over matches of its part of the scores."""
    share_interval: tuple[float, float] | None
    """Student's, of 95 %."""
    shares: tuple[float, ...]
    """Its part of the scores in each match, in order."""
    games: int
    """All games of these matches."""
    drawn_openings: int
    """How many of them began with moves drawn at random."""
    move_ms: float | None
    """How long it thought about a move, on average."""
    longest_move_ms: int | None
    """How long at most."""
    late: int
    """Games that it lost on time."""
    left: dict[str, int]
    """How many games it left for which reason, time included."""
    others_left: dict[str, int]
    """The same of its opponents."""
    first_left: str | None
    """The first of all these, in words."""


def outcome_of(records: Sequence[Record], names: Sequence[str], winners: Sequence[str], opening: int) -> Outcome:
    """Sum up a match. ``winners``: of ``match.result``; ``opening``: how many moves of each game were drawn."""
    own = whole = 0
    move_ms: list[int] = []
    words: list[str] = []
    left: dict[bool, list[str]] = {True: [], False: []}
    for record in records:
        seat = record.players.index(names[0])
        own += record.scores[seat]
        whole += sum(record.scores)
        timed = list(zip(record.movers, record.times.ms, strict=True))[opening:]
        move_ms += [ms for mover, ms in timed if mover == seat]
        for departure in record.departures:
            left[departure.seat == seat].append(str(departure.reason))
            words.append(f"{record.players[departure.seat]} left: {with_names(departure.detail, record.players)}")
    return Outcome(
        result="lost" if names[0] not in winners else "won" if len(winners) == 1 else "drawn",
        share=own / whole if whole else 1 / len(names),
        games=len(records),
        drawn_openings=len(records) if opening else 0,
        move_ms=tuple(move_ms),
        left=tuple(left[True]),
        others_left=tuple(left[False]),
        first_left=next(iter(words), None),
    )


def figures(outcomes: Sequence[Outcome]) -> Figures:
    """Sum up the matches of a row."""
    results = [outcome.result for outcome in outcomes]
    shares = tuple(outcome.share for outcome in outcomes)
    move_ms = [ms for outcome in outcomes for ms in outcome.move_ms]
    left = [reason for outcome in outcomes for reason in outcome.left]
    won, played = results.count("won"), len(results)
    return Figures(
        pairings=played,
        won=won,
        drawn=results.count("drawn"),
        lost=results.count("lost"),
        won_share=won / played if played else None,
        won_interval=wilson(won, played) if played else None,
        share=fmean(shares) if played else None,
        share_interval=student(shares),
        shares=shares,
        games=sum(outcome.games for outcome in outcomes),
        drawn_openings=sum(outcome.drawn_openings for outcome in outcomes),
        move_ms=fmean(move_ms) if move_ms else None,
        longest_move_ms=max(move_ms, default=None),
        late=left.count("time"),
        left=_counted(left),
        others_left=_counted([reason for outcome in outcomes for reason in outcome.others_left]),
        first_left=next((outcome.first_left for outcome in outcomes if outcome.first_left is not None), None),
    )


def _counted(reasons: Sequence[str]) -> dict[str, int]:
    return {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}


def wilson(won: int, played: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of at least one."""
    share, spread = won / played, Z * Z / played
    half = Z * math.sqrt(share * (1 - share) / played + spread / (4 * played))
    low, high = (share + spread / 2 - half) / (1 + spread), (share + spread / 2 + half) / (1 + spread)
    return (low if won else 0.0), (high if won < played else 1.0)


def student(shares: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean of shares, kept within 0 to 1; None for fewer than two."""
    if len(shares) < 2:
        return None
    mean = fmean(shares)
    half = quantile(len(shares) - 1) * stdev(shares) / math.sqrt(len(shares))
    return max(mean - half, 0.0), min(mean + half, 1.0)


def quantile(freedom: int) -> float:
    """Return the t between whose -t and t Student's distribution holds 95 %, by halving.

    With t = sqrt(freedom) tan(angle), what lies between is a finite sum: Abramowitz and Stegun, "Handbook of
    mathematical functions", 26.7.3 and 26.7.4.
    """
    low, high = 0.0, math.pi / 2
    while low < (angle := (low + high) / 2) < high:
        low, high = (angle, high) if _between(angle, freedom) < 0.95 else (low, angle)
    return math.sqrt(freedom) * math.tan(low)


def _between(angle: float, freedom: int) -> float:
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    whole = term if freedom > 1 else 0.0
    for number in range(2 + odd, freedom - 1, 2):
        term *= (number - 1) / number * math.cos(angle) ** 2
        whole += term
    return 2 / math.pi * (angle + math.sin(angle) * whole) if odd else math.sin(angle) * whole
