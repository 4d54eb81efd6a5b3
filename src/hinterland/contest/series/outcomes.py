"""Results of matches for one tested player: shares with 95 % intervals, and its time for moves.

Intervals count matches, not games: the games of a match share an opening or a board, so only matches are independent.
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
    """Result of one match for the tested player, who is named first."""

    result: Result
    """``won``: no other player left as few games and has as large a sum of scores."""
    share: float
    """The player's share of all scores; an even share if nobody scored."""
    games: int = 1
    """Games of the match."""
    drawn_openings: int = 0
    """Games that began with random moves."""
    move_ms: tuple[int, ...] = ()
    """Time for each of the player's moves."""
    left: tuple[str, ...] = ()
    """Reason for each game that the player left."""
    others_left: tuple[str, ...] = ()
    """Reason for each game that an opponent left."""
    first_left: str | None = None
    """First departure of any player, in words; None if nobody left."""


class Figures(msgspec.Struct, frozen=True):
    """Figures of a row. Shares go from 0 to 1; an interval is None if there are too few matches."""

    pairings: int
    """Finished matches."""
    won: int
    """Matches that the tested player won alone."""
    drawn: int
    """Matches with a shared win."""
    lost: int
    """All other matches."""
    won_share: float | None
    """Share of matches won."""
    won_interval: Interval | None
    """Wilson's 95 % interval."""
    share: float | None
    """Mean share of the scores over matches."""
    share_interval: Interval | None
    """Student's 95 % interval."""
    shares: tuple[float, ...]
    """Share of the scores in each match, in order."""
    games: int
    """Games of these matches."""
    drawn_openings: int
    """Games that began with random moves."""
    move_ms: float | None
    """Mean time for a move."""
    longest_move_ms: int | None
    """Longest time for a move."""
    late: int
    """Games lost on time."""
    left: dict[str, int]
    """Number of games left, by reason, time included."""
    others_left: dict[str, int]
    """Number of games that opponents left, by reason."""
    first_left: str | None
    """First departure of any player, in words."""


def summarise_match(finished: FinishedMatch) -> MatchOutcome:
    """Sum up a match for the player named first."""
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
