"""Opponents that compare many places by exact areas: two-plies, ensemble and random-best."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from benchmarks.league.opponents import places
from benchmarks.league.opponents.turn import Opponent, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hinterland.gravity.rules import Stone

JUDGED_SIDE = 1000
"""Cells a side of the largest board on which places are judged."""
PLACES = 24
"""Places that two-plies compares before it moves the best one about."""
COMPARED_SHARE = 0.6
"""Share of the time for comparing them."""
STEPS_PER_SIDE = 32
"""First step of the best place: side / 32; then shorter steps, down to one cell."""
OPENINGS_PER_SIDE = 5
"""Rows and columns of a lattice of first stones."""


class TwoPlies(Opponent, frozen=True):
    """Compares places of great gain and places beside stones by what is left after the exact best answer.

    The idea is a minimax search of depth two, as students write it once they have a fast map of replies.
    """

    name: ClassVar[str] = "two-plies"
    largest_side: ClassVar[int] = JUDGED_SIDE

    def pick(self, turn: Turn) -> Stone:
        leads = _judge(turn, _propose(turn), 1, COMPARED_SHARE)
        best, step = max(leads, key=leads.__getitem__), max(turn.size // STEPS_PER_SIDE, 1)
        while step > 0 and turn.spent < 1:
            near = [stone for stone in places.around(turn, best, step) if stone not in leads]
            leads |= _judge(turn, near, 1, 1.0) if near else {}
            better = max(leads, key=leads.__getitem__)
            step = step if better != best else step // 2
            best = better
        return best


def _propose(turn: Turn) -> list[Stone]:
    """Return places some way apart and places beside the rival's last two stones, by turns, the best of each first."""
    if not turn.position.moves:
        openings = places.on_lattice(turn, OPENINGS_PER_SIDE)
        return [openings[i] for i in turn.rng.permutation(len(openings))]
    gains = turn.gains()
    near = places.beside(turn, turn.rival_stones[:2])
    near.sort(key=lambda stone: -gains[stone.row, stone.col])
    return places.take_turns(places.at_peaks(turn, gains, PLACES // 2), near[: PLACES // 2])


def _judge(turn: Turn, stones: Iterable[Stone], answers: int, until: float) -> dict[Stone, int]:
    """Return the lead after each stone and some greedy answers: of the first stone, and of others while there is time.

    ``until``: share of the turn's time.
    """
    leads: dict[Stone, int] = {}
    for stone in stones:
        if leads and turn.spent >= until:
            break
        leads[stone] = turn.lead_after(stone, answers)
    return leads


class Ensemble(Opponent, frozen=True):
    """Collects places from many generators, and judges them by exact areas after a few greedy answers.

    The generators are those of other players: the best reply, the sites of a layout, places beside stones,
    reflections, random places and the middles of the largest empty circles.
    """

    name: ClassVar[str] = "ensemble"
    largest_side: ClassVar[int] = JUDGED_SIDE
    answers: int = 3

    def pick(self, turn: Turn) -> Stone:
        rivals = turn.rival_stones
        stones = places.take_turns(
            [turn.best()] if rivals else [],
            places.on_layout(turn),
            places.beside(turn, rivals[:1]),
            places.reflect(turn, rivals),
            places.at_random(turn, 50),
            places.in_empty_circles(turn, 10),
        )
        leads = _judge(turn, stones, self.answers, 1.0)
        return max(leads, key=leads.__getitem__)


class RandomBest(Opponent, frozen=True):
    """Draws a few hundred cells, and takes the one on which its area is largest at once."""

    name: ClassVar[str] = "random-best"
    largest_side: ClassVar[int] = JUDGED_SIDE
    cells: int = 300

    def pick(self, turn: Turn) -> Stone:
        leads = _judge(turn, places.at_random(turn, self.cells), 0, 1.0)
        return max(leads, key=leads.__getitem__)
