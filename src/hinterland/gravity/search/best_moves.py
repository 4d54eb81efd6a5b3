"""Chooses a stone of ``search``.

On boards on which not every cell is a candidate, ``Search.choose`` (gravity/players.py) chooses the last stone itself
if there is time for the exact best cell. The first stone of a game, if it is to be checked (``can_check``), is the one
that keeps the most after the exact best answer (``open_safely``). Any other stone is found in the first of four ways
that applies:

1. The rival is known to look two plies ahead. Then the rival's answers are computed, and stones are compared by the
   lead that is left after these answers (opponent_model.py), until the rival answers differently.
2. The stone is the last but one. Then all cells are compared (last_but_one.py), and the best one is improved by exact
   answers to it. A layout or a mirror is relied on only where that is worth its risk.
3. All rivals are predictable: each follows a habit (habits.py), or is only expected, not known, to look two plies
   ahead. Then plans for all our remaining stones are compared (best_response.py).
4. In all other cases a tree (mcts.py) grows on a coarse board, and then on finer boards around its best moves.

The first way is ``find_best_against_model`` (opponent_model.py); the other three are in ``MoveSearch.find_best_moves``
(move_search.py). A stone found in the first, third or fourth way is checked by exact answers (exact_answers.py) if
there is time. Begin with ``find_best_moves``.
"""

from __future__ import annotations

import msgspec

from hinterland import search_clock
from hinterland.gravity.rules import Position, Stone
from hinterland.gravity.search.config import CONFIG, SearchOptions
from hinterland.gravity.search.exact_answers import can_check, open_safely, replace_unsafe
from hinterland.gravity.search.move_search import MoveSearch
from hinterland.gravity.search.opponent_model import find_best_against_model
from hinterland.search.budget import Budget


def find_best_moves(options: SearchOptions, position: Position, seconds: float, seed: int = 0) -> list[Stone]:
    """Return the best stones that there was time to find, best first; none if no coarse board shows a free cell.

    ``seed`` is used if ``options`` have none. Raises RulesError if the guide in ``options`` cannot play by the rules.
    """
    if not can_check(options, position, seconds):
        return _find_unchecked(options, position, seconds, seed)
    if opening := open_safely(position, seconds, seed):
        return [opening]
    until_s, share = search_clock.now_s() + seconds, 1 - CONFIG.safe_share
    playouts = options.playouts and int(options.playouts * share)
    found = _find_unchecked(msgspec.structs.replace(options, playouts=playouts), position, seconds * share, seed)
    answers = options.playouts and (options.playouts - (playouts or 0)) // CONFIG.playouts_per_answer
    return replace_unsafe(position, found, Budget(answers, until_s - search_clock.now_s()))


def _find_unchecked(options: SearchOptions, position: Position, seconds: float, seed: int) -> list[Stone]:
    until_s = search_clock.now_s() + seconds
    found = find_best_against_model(options, position, seconds, seed)
    return found or MoveSearch(options, position, until_s - search_clock.now_s(), seed).find_best_moves()
