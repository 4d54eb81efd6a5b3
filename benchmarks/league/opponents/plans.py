"""Opponents that improve a whole plan of stones on a coarse board, and play its first stone: annealed and cma-es."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from benchmarks.league.opponents.cma import CmaEs
from benchmarks.league.opponents.turn import Opponent, Turn
from hinterland.gravity.search import candidates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.gravity.rules import Stone

GRID = 24
"""Cells a side of the coarse board."""
ANSWERS_PER_SIDE = 16
"""Rows, and columns, of cells on which a rival's greedy answers are looked for."""
UNDER_STONE_SQUARE = 1e-6
"""Least squared distance of a stone from a cell, in cells of the real board."""
HOT, COLD = 0.03, 0.001
"""First and last temperature of annealing, as shares of the board."""
WIDE, NARROW = 0.3, 0.02
"""Standard deviations of the first and the last moves of annealing, as shares of the side."""
FIRST_STEP = 0.25
"""First step of CMA-ES, as a share of the side."""
TOO_NEAR_PENALTY = 0.1
"""Share of the board that a plan loses for a stone that is too near to others."""


class Plane:
    """A turn's position on GRID x GRID points, and the stones of plans. Places are in cells of the real board."""

    def __init__(self, turn: Turn) -> None:
        self.size, self.square = turn.size, turn.spacing**2
        self._nearest = turn.position.rules.law == "nearest"
        self.points = (np.arange(GRID) + 0.5) * (turn.size / GRID) - 0.5
        self.weights = np.array([candidates.even_weight(turn.position, seat) for seat in range(2)])
        self.pulls = np.zeros((2, GRID, GRID))
        self.placed = np.array([(stone.row, stone.col) for _, stone in turn.position.moves]).reshape(-1, 2)
        for seat, stone in turn.position.moves:
            pull = stone.weight * self.pull(np.array([(stone.row, stone.col)]))[0]
            self.pulls[seat] = self.join([self.pulls[seat], pull])

    def pull(self, places: np.ndarray) -> np.ndarray:
        """Return the pulls of stones of weight 1 on all points; ``places``: (n, 2); the result: (n, GRID, GRID)."""
        down, right = ((self.points - places[:, i, None]) ** 2 for i in range(2))
        return np.asarray(1.0 / np.maximum(down[:, :, None] + right[:, None, :], UNDER_STONE_SQUARE))

    def join(self, pulls: Sequence[np.ndarray]) -> np.ndarray:
        """Return the pull of several stones together."""
        return np.asarray(np.max(pulls, axis=0) if self._nearest else np.sum(pulls, axis=0))

    def add(self, before: np.ndarray, pulls: np.ndarray) -> np.ndarray:
        """Return the pull of stones and one more, for each of ``pulls``."""
        return np.asarray(np.maximum(before, pulls) if self._nearest else before + pulls)

    def has_room(self, place: np.ndarray, others: np.ndarray) -> bool:
        """Say whether a place on the board is as far from all stones as the spacing demands."""
        stones = np.concatenate([self.placed, others])
        return bool((((stones - place) ** 2).sum(axis=1) >= self.square).all())


def lead_of(own: np.ndarray, rival: np.ndarray) -> float:
    """Return the lead on a coarse board, as a share of it."""
    return float(np.sign(own - rival).mean())


def order_of(turn: Turn) -> list[int]:
    """Return the seats of all stones that are still to come, in the order of play."""
    left = [turn.position.stones_left(seat) for seat in range(2)]
    by_turns = [seat for _ in range(max(left)) for seat in (turn.seat, 1 - turn.seat)]
    return by_turns[: sum(left)]


class Annealed(Opponent, frozen=True):
    """Anneals the places of all stones to come, its own and the rival's by turns, and plays the first of them.

    Each stone moves for the good of its own side, so that the plan tends to one that neither side wants to leave.
    """

    name: ClassVar[str] = "annealed"

    def pick(self, turn: Turn) -> Stone:
        plane, seats, rng = Plane(turn), np.array(order_of(turn)), turn.rng
        plan = rng.uniform(0, turn.size - 1, (seats.size, 2))
        pulls = plane.pull(plan) * plane.weights[seats][:, None, None]
        totals = [plane.join([plane.pulls[seat], *pulls[seats == seat]]) for seat in range(2)]
        lead = lead_of(totals[0], totals[1])
        while (spent := turn.spent) < 1:
            moved, width = int(rng.integers(seats.size)), WIDE * (NARROW / WIDE) ** spent
            place = np.clip(plan[moved] + rng.normal(0, width * turn.size, 2), 0, turn.size - 1)
            if not plane.has_room(place, np.delete(plan, moved, axis=0)):
                continue
            seat, before = int(seats[moved]), pulls[moved].copy()
            pulls[moved] = plane.pull(place[None])[0] * plane.weights[seat]
            total = plane.join([plane.pulls[seat], *pulls[seats == seat]])
            changed = lead_of(total, totals[1]) if seat == 0 else lead_of(totals[0], total)
            better = (changed - lead) * (1 if seat == 0 else -1)
            if better >= 0 or rng.random() < np.exp(better / (HOT * (COLD / HOT) ** spent)):
                plan[moved], totals[seat], lead = place, total, changed
            else:
                pulls[moved] = before
        return turn.nearest_legal(*plan[0])


class Evolved(Opponent, frozen=True):
    """Improves the places of all its own stones by CMA-ES, each answered greedily, and plays the first of them."""

    name: ClassVar[str] = "cma-es"

    def pick(self, turn: Turn) -> Stone:
        plane, count = Plane(turn), turn.position.stones_left(turn.seat)
        answers = _Answers(plane, turn, order_of(turn).count(1 - turn.seat))
        evolution = CmaEs(turn.rng.uniform(0.1, 0.9, 2 * count), FIRST_STEP, turn.rng)
        best, least = evolution.mean, np.inf
        while turn.spent < 1:
            plans = evolution.ask()
            losses = np.full(len(plans), np.inf)
            for number, plan in enumerate(plans):
                losses[number] = answers.loss(plan.reshape(-1, 2))
                if turn.spent >= 1:
                    break
            if losses.min() < least:
                best, least = plans[losses.argmin()], losses.min()
            if np.isfinite(losses).all():
                evolution.tell(plans, losses)
        return turn.nearest_legal(*(np.clip(best[:2], 0, 1) * (turn.size - 1)))


class _Answers:
    """A rival that answers each stone of a plan greedily, on a lattice of cells."""

    def __init__(self, plane: Plane, turn: Turn, answers: int) -> None:
        self._plane, self._seat, self._answers = plane, turn.seat, answers
        lines = (np.arange(ANSWERS_PER_SIDE) + 0.5) * (turn.size / ANSWERS_PER_SIDE) - 0.5
        self._cells = np.stack(np.meshgrid(lines, lines, indexing="ij"), axis=-1).reshape(-1, 2)
        self._pulls = plane.pull(self._cells) * plane.weights[1 - turn.seat]

    def loss(self, plan: np.ndarray) -> float:
        """Return the rival's lead after a plan, and penalties; ``plan``: (n, 2), rows and columns from 0 to 1."""
        inside = np.clip(plan, 0, 1)
        outside, penalty = float(np.abs(plan - inside).sum()), 0.0
        plane, seat, places = self._plane, self._seat, inside * (self._plane.size - 1)
        own, rival = plane.pulls[seat], plane.pulls[1 - seat]
        answered = np.empty((0, 2))
        for number, place in enumerate(places):
            if not plane.has_room(place, np.concatenate([places[:number], answered])):
                penalty += TOO_NEAR_PENALTY
                continue
            own = plane.add(own, plane.pull(place[None])[0] * plane.weights[seat])
            if number < self._answers:
                taken = np.sign(plane.add(rival, self._pulls) - own).sum(axis=(1, 2))
                best = int(taken.argmax())
                rival = plane.add(rival, self._pulls[best])
                answered = np.concatenate([answered, self._cells[best][None]])
        return lead_of(rival, own) + penalty + outside
