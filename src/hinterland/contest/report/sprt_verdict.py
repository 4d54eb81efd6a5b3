"""State of a sequential test of two players: in words, and as a position between the two bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.plan import make_sprt
from hinterland.evidence.sprt import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hinterland.contest.pairings.rounds import Round
    from hinterland.contest.plan import Plan


class SprtVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """State of a test."""

    text: str
    """The result with its figures, in words."""
    is_over: bool
    """Whether the test has decided."""
    at: float
    """Position of the log-likelihood ratio, in per cent of the way from the lower bound to the upper."""
    start: float
    """Position of the ratio 0, in per cent of the way from the lower bound to the upper."""
    lower: str
    """Hypothesis accepted at the lower bound."""
    upper: str
    """Hypothesis accepted at the upper bound."""


def make_sprt_verdict(plan: Plan, rounds: Iterable[Round]) -> SprtVerdict | None:
    """Describe the test's state after the finished rounds; None unless the format is sprt."""
    test = make_sprt(plan)
    if test is None:
        return None
    found = walk(test, b"".join(one.pentanomial for played in rounds for one in played))
    candidate, baseline = plan.names
    said = {
        "elo1": f"{candidate} is better than {baseline} by {test.elo1:g} Elo or more rather than by {test.elo0:g}",
        "elo0": f"{candidate} is better than {baseline} by {test.elo0:g} Elo at most rather than by {test.elo1:g}",
        None: "undecided",
    }[found.accepted]
    counts, length = ", ".join(map(str, found.counts)), found.upper - found.lower
    figures = f"log-likelihood ratio {found.llr:.2f} ({found.lower:.2f} to {found.upper:.2f})"
    return SprtVerdict(
        text=f"{said}; {figures} after {sum(found.counts)} matches ({counts})",
        is_over=found.accepted is not None,
        at=round(100 * min(max((found.llr - found.lower) / length, 0.0), 1.0), 2),
        start=round(100 * -found.lower / length, 2),
        lower=f"{test.elo0:g} Elo at most",
        upper=f"{test.elo1:g} Elo or more",
    )
