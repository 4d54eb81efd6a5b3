"""The built-in players of gravity. Each class is a player; its fields are its options."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import ClassVar

import msgspec
import numpy as np

from hinterland import search_clock
from hinterland.contract import Clock, Expectation, Player, rehearse, slip
from hinterland.gravity.lloyd import even_layout
from hinterland.gravity.replies.reply_map import ROW_BY_ROW_SIDE, reply_map_in_time
from hinterland.gravity.rules import Position, Rules, Stone
from hinterland.gravity.search import best_moves, candidates, last_but_one
from hinterland.gravity.search.config import CONFIG, SearchOptions
from hinterland.gravity.search.move_search import MoveSearch
from hinterland.gravity.search.opening import first_stone
from hinterland.gravity.search.stones_left import turns_of
from hinterland.search.budget import Budget

SMALL_SIDE, LARGE_SIDE = 16, ROW_BY_ROW_SIDE + 1
"""Cells a side of a small and of a large board to warm up on; their reply maps call different kernels."""
MOST_STONES, SEAT_WEIGHT = 3, 12
"""Most stones of each seat on a board to warm up on, and each seat's weight in games with weights."""
UNTIMED_S = 2.0
"""Seconds for a move if neither the clock nor an option says how long it may take."""
RESERVE_MS = 3000
"""Milliseconds of the clock that a search leaves unused, or half of what is left of the clock, if that is less."""
EXACT_MAP_SHARE = 0.6
"""Share of the time for a move after which an exact reply map is given up."""
PLAYED_OUT_PLIES = 4000
"""Plies of all playouts of an ``expectation`` together. The playouts take some hundredths of a second; in a melee and
at the beginning of a game, tenths."""
LEAST_PLAYOUTS, MOST_PLAYOUTS = 20, 200


def small_board(rules: Rules) -> Rules:
    """Return rules of a small board on which players call the same kernels as in games of ``rules``."""
    return msgspec.structs.replace(
        rules,
        size=SMALL_SIDE if rules.size <= ROW_BY_ROW_SIDE else LARGE_SIDE,
        stones=min(rules.stones, MOST_STONES),
        spacing=2,
        weight=rules.weight and SEAT_WEIGHT,
    )


def rehearse_judge() -> None:
    """Compile, by running them, the kernels that judge any game and those that draw a random stone."""
    position = Rules(size=SMALL_SIDE, spacing=2).start().play(Stone(4, 4))
    _ = position.to_move, position.scores, position.owners, len(position.legal_moves)


class Random(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places a stone of random weight on a random free cell."""

    name: ClassVar[str] = "random"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:  # noqa: ARG002
        """Draw a legal stone, each equally likely."""
        return position.legal_moves.sample(rng)


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its stone where it gains the most cells at once, by the exact reply map."""

    name: ClassVar[str] = "reply"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Take the best cell, with an even share of the weight that is left; draw among equally good cells.

        On an empty board, take a cell on which the stone keeps the most after the best reply. If the clock leaves no
        time for the exact map, take the best cell of a coarse board.
        """
        weight = candidates.even_weight(position)
        has_time = _exact_map_timer(position, clock)
        if not position.moves:
            return first_stone(position.rules, weight, has_time, rng)
        gains = reply_map_in_time(position.new_stone(weight), has_time)
        return candidates.best_coarse(position, weight) if gains is None else _draw_best(gains, weight, rng)


class Hug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places its stone close by one of its opponents' stones, where that gains the most."""

    name: ClassVar[str] = "hug"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Take the best free cell of the rings around the opponents' stones; if none is free, the best of the board.

        If the clock leaves no time for the exact map, the map of a coarse board decides.
        """
        weight = candidates.even_weight(position)
        gains = reply_map_in_time(position.new_stone(weight), _exact_map_timer(position, clock))
        if gains is None:
            gains = candidates.map_coarsely(position, weight)
        on_rings = np.full_like(gains, -1)
        for seat, stone in position.moves:
            if seat != position.to_move:
                rows, cols = _ring_around(stone, position.rules.spacing, position.rules.size)
                on_rings[rows, cols] = gains[rows, cols]
        return _draw_best(on_rings if on_rings.max() >= 0 else gains, weight, rng)


class Mirror(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Reflects the last opposing stone through the centre of the board; if that is illegal, plays like reply."""

    name: ClassVar[str] = "mirror"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Reflect the last opposing stone; keep its weight."""
        last = position.rules.size - 1
        for seat, stone in reversed(position.moves):
            if seat != position.to_move:
                image = Stone(last - stone.row, last - stone.col, stone.weight)
                if image in position.legal_moves:
                    return image
                break
        return Reply().choose(position, clock, rng)

    def warm_up(self, rules: Rules) -> None:
        """Rehearse ``reply``, which chooses where this player cannot."""
        rehearse(Reply(), small_board(rules))


class Lloyd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Spreads its stones evenly: places them on the sites of a Lloyd layout, the site that gains most first."""

    name: ClassVar[str] = "lloyd"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Take the free cell of the layout that gains the most; if none is free, choose like ``reply``."""
        weight = candidates.even_weight(position)
        places = [Stone(row, col, weight) for row, col in even_layout(position.rules.size, position.rules.stones)]
        free = [place for place in places if place in position.legal_moves]
        if not free:
            return Reply().choose(position, clock, rng)
        return max(free, key=lambda place: position.play(place).scores[position.to_move or 0])

    def warm_up(self, rules: Rules) -> None:
        """Rehearse ``reply``, which chooses where this player cannot."""
        rehearse(Reply(), small_board(rules))


class Search(SearchOptions, frozen=True, forbid_unknown_fields=True):
    """Searches a tree of moves on coarse, then finer boards, valued by playouts; its last stone is the exact best.

    For an early move it takes up to twice an even share of the clock, because trees are widest and playouts longest
    then; for the last moves it takes an even share. The search leaves RESERVE_MS of the clock unused. With a budget of
    playouts it does not read the clock, and the same position and seed get the same answer.
    """

    name: ClassVar[str] = "search"

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Choose the last stone exactly, any other by the search (search/best_moves.py)."""
        if (chance := slip(self.slips, position.legal_moves, rng)) is not None:
            return chance
        seed = int(rng.integers(1, 2**31)) if self.seed is None else 0
        seconds = self.seconds_for(position, clock)
        is_large = position.rules.size > CONFIG.whole_board_side
        has_time = self.playouts is not None or seconds > CONFIG.seconds_for_exact_reply(position)
        if turns_of(position).plies == 1 and is_large and has_time:
            return self._choose_last(position, seconds)
        if found := best_moves.find_best_moves(self, position, seconds, seed):
            return found[0]
        return candidates.best_reply(position) if has_time else candidates.first_free(position)

    def warm_up(self, rules: Rules) -> None:
        """Compile, by running them, the kernels for first and last stones and, on large boards, for plans."""
        rehearse(Reply(), small_board(rules))  # the search computes what replies gain, to recognise habits
        quick = msgspec.structs.replace(self, playouts=1, slips=0.0)
        is_large = rules.size >= CONFIG.model_least_side
        size = CONFIG.model_least_side if is_large else CONFIG.whole_board_side
        mirrored = Rules(size=size, spacing=2, stones=3).start().play(Stone(0, 0)).play(Stone(size - 1, size - 1))
        for position in (Rules(size=16, spacing=2, stones=1, players=rules.players).start(), mirrored):
            quick.choose(position, Clock(), np.random.default_rng(0))
        candidates.best_reply(mirrored)
        last_but_one.find_best_moves(Rules(size=16, spacing=2, stones=1).start(), Budget(1, 0.0))

    def _choose_last(self, position: Position, seconds: float) -> Stone:
        """Return the exact best last stone, or if a busy machine takes too long, the best one of a coarse board."""
        if self.playouts is not None:
            return candidates.best_reply(position)
        until_s = search_clock.now_s() + seconds
        exact = _last_stone_thread().submit(candidates.best_reply, position)
        coarse = MoveSearch(self, position, 0.0).find_best_moves()
        wait([exact], max(until_s - search_clock.now_s(), 0.0) if coarse else None)
        return exact.result() if exact.done() else coarse[0]

    def seconds_for(self, position: Position, clock: Clock) -> float:
        """Return how many seconds to think about the next move.

        Without a clock, return the option ``seconds``, or UNTIMED_S if it is not given. With a clock for the whole
        game, RESERVE_MS is held back. ``Clock.thinking_s`` then divides what is left of the clock, bounded by the
        option ``seconds``, BUDGET_SHARE and RESERVE_S (contract/game.py).
        """
        if clock.left_ms is None and clock.move_ms is None:
            return self.seconds or UNTIMED_S
        if clock.left_ms is not None:
            reserve_ms = min(RESERVE_MS, clock.left_ms // 2)
            clock = msgspec.structs.replace(clock, left_ms=clock.left_ms - reserve_ms)
        moves = position.stones_left(position.to_move or 0)
        return clock.thinking_s(moves // 2 + 1, self.seconds or math.inf)


@cache
def _last_stone_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_name_prefix="last stone")


def _exact_map_timer(position: Position, clock: Clock) -> Callable[[], bool]:
    """Return a function that says whether a player still has time for an exact reply map.

    On a board whose map is made row by row there is always time: a coarse board would take as long.
    """
    if position.rules.size <= ROW_BY_ROW_SIDE:
        return lambda: True
    stones = position.stones_left(position.to_move or 0)
    until_s = search_clock.now_s() + EXACT_MAP_SHARE * clock.thinking_s(stones, math.inf)
    return lambda: search_clock.now_s() < until_s


def _ring_around(stone: Stone, spacing: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns of the cells from ``spacing`` to less than ``spacing + 1`` away from a stone."""
    offsets = np.arange(-spacing - 1, spacing + 2)
    squares = offsets[:, None] ** 2 + offsets[None, :] ** 2
    down, right = np.nonzero((squares >= spacing**2) & (squares < (spacing + 1) ** 2))
    rows = stone.row + offsets[down]
    cols = stone.col + offsets[right]
    on_board = (rows >= 0) & (rows < size) & (cols >= 0) & (cols < size)
    return rows[on_board], cols[on_board]


def _draw_best(gains: np.ndarray, weight: int, rng: np.random.Generator) -> Stone:
    """Return a stone of greatest gain, each equally likely."""
    best = np.flatnonzero(gains == gains.max())
    row, col = divmod(int(best[rng.integers(best.size)]), gains.shape[1])
    return Stone(row, col, weight)


PLAYERS: dict[str, type[Player]] = {player.name: player for player in (Random, Mirror, Hug, Lloyd, Reply, Search)}


def expectation(position: Position) -> Expectation | None:
    """Return the areas at the end of a game, exactly or as a search expects them.

    They are exact if the game is over or, in a game without weights, if one stone is to come. The same position always
    gets the same answer.
    """
    if position.to_move is None:
        return Expectation(tuple(map(float, position.scores)), is_exact=True)
    plies = turns_of(position).plies
    if plies == 1 and position.weight_left(position.to_move) is None:
        last = position.play_unchecked(candidates.best_reply(position))
        return Expectation(tuple(map(float, last.scores)), is_exact=True)
    playouts = min(max(PLAYED_OUT_PLIES // plies, LEAST_PLAYOUTS), MOST_PLAYOUTS)
    depth = plies if plies == 2 else None  # a depth skips slow exact answers to the last stone but one
    search = MoveSearch(SearchOptions(playouts=playouts, depth=depth), position, 0.0)
    search.find_best_moves()
    if not search.shares:
        return None
    return Expectation(tuple(share * position.rules.size**2 for share in search.shares), is_exact=False)
