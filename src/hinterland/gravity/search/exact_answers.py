"""Compares stones by the lead that is left after the exact best answer, and replaces a stone that gives too much away.

A search predicts its rivals and counts on coarse boards, and both can be wrong. They are wrong most where stones may
almost touch: there a stone beside another takes half of what the other holds, and one cell decides which half. But
exact best answers suppose nothing: no answer leaves less. So a stone is kept only if the best answer to it leaves
nearly as much as the best answer to the stone that gains the most at once, which is the stone of the player ``reply``.
What is nearly as much bounds the loss if the rival was predicted wrongly, as in safe opponent exploitation (Ganzfried
and Sandholm 2015).

Stones are not checked by the law "nearest". There a stone beside another takes one side of the other's region, as any
stone does, and the stone that leaves most after one answer is often a bad one: a first stone in the middle.
"""

from __future__ import annotations

import math

import numpy as np

from hinterland import search_clock
from hinterland.gravity.coarse.coarse_board import needs_rings
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search import candidates
from hinterland.gravity.search.config import CONFIG, SearchOptions
from hinterland.gravity.search.habits import predict_stone
from hinterland.gravity.search.opening import first_stone
from hinterland.gravity.search.stones_left import turns_of
from hinterland.search.budget import Budget


def lead_when_answered(position: Position, stone: Stone) -> int:
    """Return the exact lead of the seat to move over all others after ``stone`` and the stone that then gains the most.

    The answer has an even share of its seat's weight: as the last stone of a game, all that is left.
    """
    after = position.play(stone)
    answered = after if after.to_move is None else after.play(candidates.best_reply(after))
    return 2 * answered.scores[position.to_move or 0] - sum(answered.scores)


class AnsweredStones:
    """Stones of a position and the exact leads that the best answers leave, as far as a budget of answers goes."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        self._answer_s = CONFIG.seconds_for_exact_reply(position) / 2
        self._leads = dict[Stone, int]()

    def lead(self, stone: Stone) -> int | None:
        """Return the lead that the best answer leaves after ``stone``; None if there is no time to find the answer."""
        if stone in self._leads:
            return self._leads[stone]
        if self._budget.left() <= 0 or not self._budget.has_seconds(self._answer_s):
            return None
        began_s = search_clock.now_s()
        lead = self._leads[stone] = lead_when_answered(self._position, stone)
        self._budget.spend(1)
        self._answer_s = max(self._answer_s, search_clock.now_s() - began_s)
        return lead

    def climb(self, stones: list[Stone]) -> Stone:
        """Move a stone, step by step, to where the best answer leaves most; return it when the time is spent.

        The steps begin at the first of ``stones``; in the first round the others are compared, too.
        """
        stone, most, others = stones[0], -math.inf, stones[1:]
        step = max(self._position.rules.size // CONFIG.exact_steps_per_side, 1)
        while step > 0:
            before = stone
            for near in [*candidates.around(self._position, [stone], step), *others]:
                lead = self.lead(near)
                if lead is None:
                    return stone
                if lead > most:
                    stone, most = near, lead
            if stone == before:
                step //= 2
            others = []
        return stone


def is_worth_trusting(position: Position, trusting: Stone, safe: Stone, habit: int) -> bool:
    """Compare two stones before the rival's last one: by what it does out of habit, and by the best that it can do.

    Say whether ``trusting`` gains at least ``trust_ratio`` times as much over ``safe`` if the rival keeps its habit as
    it loses otherwise: a rival may have kept to a habit only to be trusted.
    """
    gained = _lead_by_habit(position, trusting, habit) - _lead_by_habit(position, safe, habit)
    lost = lead_when_answered(position, safe) - lead_when_answered(position, trusting)
    return gained >= CONFIG.trust_ratio * lost


def _lead_by_habit(position: Position, stone: Stone, habit: int) -> int:
    after = position.play(stone)
    ended = after.play(predict_stone(after, habit) or candidates.best_reply(after))
    return 2 * ended.scores[position.to_move or 0] - sum(ended.scores)


def can_check(options: SearchOptions, position: Position, seconds: float) -> bool:
    """Say whether stones of this position are checked by exact answers, and whether there is time for that.

    They are checked in games of two on boards that are too large for all cells to be candidates. The last stone but one
    is not, since exact answers are compared for it anyway; the first of a game only where stones may almost touch.
    """
    rules, turns = position.rules, turns_of(position)
    if rules.law == "nearest" or not (position.moves or needs_rings(rules, CONFIG.openings_grid)):
        return False
    is_searched = options.depth is None and options.width is None and options.guide is None
    is_open = rules.players == 2 and turns.plies > 2 and bool(turns.stones.all())
    if not (is_searched and is_open and rules.size > CONFIG.whole_board_side):
        return False
    if options.playouts is not None:
        return int(options.playouts * CONFIG.safe_share) >= CONFIG.safe_least_answers * CONFIG.playouts_per_answer
    return seconds * CONFIG.safe_share >= CONFIG.safe_least_answers * CONFIG.seconds_for_exact_reply(position)


def open_safely(position: Position, seconds: float, seed: int) -> Stone | None:
    """Return the first stone of a game that keeps the most after the exact best answer; None later in a game.

    ``seed`` turns and mirrors the stone.
    """
    if position.moves:
        return None
    until_s, weight = search_clock.now_s() + seconds, candidates.even_weight(position)
    return first_stone(position.rules, weight, lambda: search_clock.now_s() < until_s, np.random.default_rng(seed))


def replace_unsafe(position: Position, found: list[Stone], budget: Budget) -> list[Stone]:
    """Return the stones ``found``, best first, but put a safer one before a first stone that gives too much away.

    ``budget`` counts exact best answers.
    """
    answered = AnsweredStones(position, budget)
    safe = position.best_reply(found[0].weight if found else candidates.even_weight(position))[0]
    kept, least = answered.lead(found[0]) if found else -math.inf, answered.lead(safe)
    if kept is None or least is None or kept >= least - CONFIG.safe_gap * position.rules.size**2:
        return found
    return [answered.climb([safe]), *found]
