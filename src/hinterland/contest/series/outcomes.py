"""What matches come to: shares with 95 % intervals, and how long the player tested thought.

Intervals count matches, not games: the games of a match have their opening or their board in common, so only matches
are independent of one another.
"""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import TYPE_CHECKING, Literal

import msgspec

from hinterland.contest.scoring import DRAW_HALF_POINTS, LOSS_HALF_POINTS, WIN_HALF_POINTS
from hinterland.contest.wording import replace_seats_by_names
from hinterland.evidence.intervals import Interval, student, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.played import FinishedMatch

Result = Literal["won", "drawn", "lost"]
RESULTS: dict[int, Result] = {WIN_HALF_POINTS: "won", DRAW_HALF_POINTS: "drawn", LOSS_HALF_POINTS: "lost"}


class MatchOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one match for the player tested, who is the first named."""

    result: Result
    """Won: it alone left the fewest games and, among those, has the largest sum."""
    share: float
    """Its sum as part of all sums; an even share where nobody scored."""
    games: int = 1
    """How many games it had."""
    drawn_openings: int = 0
    """How many of them began with moves drawn at random."""
    move_ms: tuple[int, ...] = ()
    """How long the player thought about each of its moves."""
    left: tuple[str, ...] = ()
    """Why it left a game, once for each that it left."""
    others_left: tuple[str, ...] = ()
    """The same of its opponents."""
    first_left: str | None = None
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
    won_interval: Interval | None
    """Wilson's, of 95 %."""
    share: float | None
    """The mean over matches of its part of the scores."""
    share_interval: Interval | None
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


def summarise_match(finished: FinishedMatch) -> MatchOutcome:
    """Sum up a match for the first player named."""
    records, worth = finished.records, finished.score
    opening = len(finished.task.opening) or finished.task.jitter
    games = [(record, record.players.index(finished.task.names[0])) for record in records]
    departures = [(record, seat, gone) for record, seat in games for gone in record.departures]
    words = (
        f"{record.players[gone.seat]} left: {replace_seats_by_names(gone.detail, record.players)}"
        for record, _, gone in departures
    )
    return MatchOutcome(
        result=RESULTS[worth.half_points[0]],
        share=worth.totals[0] / (sum(worth.totals) or 1) if any(worth.totals) else 1 / len(worth.totals),
        games=len(records),
        drawn_openings=len(records) if opening else 0,
        move_ms=tuple(
            ms
            for record, seat in games
            for mover, ms in list(zip(record.movers, record.times.ms, strict=True))[opening:]
            if mover == seat
        ),
        left=tuple(str(gone.reason) for _, seat, gone in departures if gone.seat == seat),
        others_left=tuple(str(gone.reason) for _, seat, gone in departures if gone.seat != seat),
        first_left=next(words, None),
    )


def summarise_row(outcomes: Sequence[MatchOutcome]) -> Figures:
    """Sum up the matches of a row."""
    results = Counter(outcome.result for outcome in outcomes)
    shares = tuple(outcome.share for outcome in outcomes)
    move_ms = [ms for outcome in outcomes for ms in outcome.move_ms]
    left = Counter(reason for outcome in outcomes for reason in outcome.left)
    won, played = results["won"], len(outcomes)
    return Figures(
        pairings=played,
        won=won,
        drawn=results["drawn"],
        lost=results["lost"],
        won_share=won / played if played else None,
        won_interval=wilson(won, played) if played else None,
        share=fmean(shares) if played else None,
        share_interval=student(shares),
        shares=shares,
        games=sum(outcome.games for outcome in outcomes),
        drawn_openings=sum(outcome.drawn_openings for outcome in outcomes),
        move_ms=fmean(move_ms) if move_ms else None,
        longest_move_ms=max(move_ms, default=None),
        late=left["time"],
        left=dict(left),
        others_left=dict(Counter(reason for outcome in outcomes for reason in outcome.others_left)),
        first_left=next((outcome.first_left for outcome in outcomes if outcome.first_left is not None), None),
    )
