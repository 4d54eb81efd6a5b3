"""What a user may ask of a search, and the constants by which it spends its budget.

``SearchOptions`` are the options of the player ``search``. ``SearchConfig`` holds the constants of all Python code of
the search. Constants that are compiled into kernels stand beside these kernels. The measurements that chose the
defaults are in docs/performance.md.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import msgspec

from hinterland.contract import Slips
from hinterland.gravity.guide import guide_file
from hinterland.gravity.guide.network import NO_GUIDE, Guide
from hinterland.gravity.rules import Position, Rules
from hinterland.gravity.search.guide_planes import PLANES


class SearchConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The constants of a search. Where a field counts cells, they are those of the real board unless it says otherwise.

    A name with ``per_side`` divides the side of the board: 20 stands for side / 20. "Least" and "most" are bounds that
    are still allowed.
    """

    # Candidates: the moves that a tree compares in a position.
    candidates_per_node: int = 24
    """Moves compared in each position of the tree; more of them make trees shallower."""
    candidates_per_side: int = 20
    """Two candidates lie at least side / 20 apart, in rows or in columns: neighbouring cells gain nearly alike."""
    most_widened_candidates: int = 200
    """A search that has proven its result begins again with twice the candidates, while it has at most this many."""
    whole_board_side: int = 12
    """Cells. On boards up to this side every cell is a candidate, and playouts count gains and areas alone."""

    # Boards: from a coarse one to finer ones around the best moves.
    first_board_share: float = 0.6
    """Share of the budget for the first board; four fifths did no better."""
    grid_ratio: float = 1.6
    """Each board has this many times the cells a side of the one before."""
    step_ratio: int = 3
    """Places around a move lie this many times closer to it than on the board before."""
    refined_moves: int = 4
    """Best moves of a board around which the next one looks."""
    most_cells: int = 20_000_000
    """Cells of the largest coarse board, over all its plies: bounds memory."""
    most_nodes: int = 2_000_000
    """Nodes of all trees of one board together, of about 60 bytes each: bounds memory."""
    most_plies: int = 400
    """Plies of the longest line of play."""
    mixing_least_stones: int = 13
    """Stones a seat from which playouts are mixed (mcts.py), between two without weights or a guide.

    At 15 stones mixing won 19 of 20 boards, at five it gained nothing.
    """

    # Exact answers: the last stone, and the last stone but one.
    exact_reply_s: float = 0.4
    """Seconds allowed for the exact best cell of an empty 1000 x 1000 board; they grow with the area."""
    exact_reply_stones: int = 200
    """Stones on the board that take as much time again."""
    exact_steps_per_side: int = 250
    """The last stone but one first moves by side / 250, then by halves of that, down to one cell."""
    all_cells_least_s: float = 0.2
    """Seconds from which all cells are compared for the last stone but one, which takes 0.18 s."""
    all_cells_least_playouts: int = 30_000
    """Playouts from which they are, where playouts are counted."""
    all_cells_share: float = 0.5
    """Share of the budget for that; exact answers have the rest."""
    all_cells_grids: tuple[int, ...] = (24, 48)
    """Cells a side of the coarse boards whose cells are all compared, one after the other, as far as there is time."""
    best_cells: int = 4
    """Best cells of the last of them that are moved about on a finer board."""
    best_cells_per_side: int = 12
    """Two of them lie at least side / 12 apart, in rows or in columns."""
    best_cells_grid: int = 192
    """Cells a side of that finer board; 288 and 384 found nothing better."""
    best_cells_step: int = 2
    """Cells of that board by which they move at first: half a cell of a board of 48."""
    best_cells_maps: int = 60
    """Reply maps that moving one of them about takes."""

    # Draws: no opponent can prepare for a search that draws among equals. Each draw costs a little, so there are few.
    draw_least_plies: int = 4
    """Stones still to come, of all seats, from which a move is drawn."""
    draw_own_stones: int = 3
    """Stones that a seat draws: its first ones."""
    draw_gap: float = 0.004
    """Share of the board by which a move may be worse than the best and still be drawn."""
    draw_opening_gap: float = 0.012
    """The gap for a seat's first stone."""

    # Plans.
    plan_grid: int = 48
    """Cells a side of the coarse board on which plans are compared; 32, 64 and 96 took no more."""

    # Places on the board (candidates.py).
    openings_per_quarter_side: int = 5
    """Rows and columns of a quarter of the board on which first stones are tried; boards up to 20 cells try all."""
    quick_reply_grid: int = 48
    """Cells a side of the coarse board on which a player looks that has no time for the exact best cell."""
    quick_reply_cells: int = 20
    """Best cells of that board that are tried until one is legal."""
    nudge_steps: int = 2
    """Steps by which a stone may be moved to a legal place, where its own is not."""

    # Rivals: what is expected of them (habits.py), and how it is used.
    greedy_share: float = 0.99
    """Share of the greatest gain that a rival's last two stones must each take for it to count as greedy."""
    hug_margin: float = 1.5
    """Cells beyond the spacing up to which a stone counts as placed close by another."""
    model_least_side: int = 100
    """Cells. On smaller boards stones stand by chance too often where a simple rule would put them."""
    compare_most_s: float = 1.0
    """Where playouts are counted: seconds that an exact best cell may take for rivals' stones to be compared to it."""
    short_game_stones: int = 6
    """Stones a seat up to which a stranger is expected to look two plies ahead; in longer games a plan against that
    takes no more than a tree does."""
    plan_least_s: float = 1.0
    """Seconds from which plans are made against a stranger; with less, a tree grows."""
    plan_least_plans: int = 1000
    """Plans that must be possible where playouts are counted."""
    playouts_per_plan: int = 24
    """Playouts that a plan against two plies counts for: it takes as long."""

    # The model of a rival that looks two plies ahead: its answers are computed.
    model_depth: int = 2
    """Plies that it looks ahead."""
    model_width: int = 24
    """Moves that it compares in each position."""
    model_s: float = 60.0
    """Seconds it may take. It stops by itself, when all that it looks at is proven, after some hundredths of one."""
    model_steps_per_side: int = 200
    """Places are compared until they are closer than side / 200, for the model and for the stones that it answers."""
    model_matches: int = 2
    """Last answers of a rival that must be the model's, or all if there are fewer."""
    model_tolerance_per_side: int = 40
    """An answer is the model's up to side / 40 away: rivals that end on coarser boards are off by so much."""
    model_least_s: float = 1.0
    """Seconds from which answers are computed; with less, too few stones could be compared."""
    model_least_playouts: int = 24_000
    """Playouts from which they are, where playouts are counted."""
    model_tree_share: float = 0.2
    """Share of the budget for a tree that names the first stones to compare."""
    model_first_stones: int = 12
    """Best moves of that tree that are compared."""
    model_answers: int = 2
    """Answers of the rival that are computed behind each stone; one and three did no better."""
    model_step_playouts: int = 40
    """Playouts for the mover's own stone between two answers."""
    model_leaf_playouts: int = 400
    """Playouts that say what a stone is worth, after those answers."""
    model_stone_playouts: int = 512
    """Playouts that comparing one stone counts for: it takes as long."""

    def seconds_for_exact_reply(self, position: Position) -> float:
        """Return how long the exact best cell of a position may take, with a wide margin."""
        area = (position.rules.size / 1000) ** 2
        return self.exact_reply_s * area * (1 + len(position.moves) / self.exact_reply_stones)

    def can_compare_exactly(self, options: SearchOptions, position: Position, seconds: float) -> bool:
        """Say whether there is time to compare rivals' stones with the exact best ones."""
        most_s = self.compare_most_s if options.playouts is not None else seconds / 4
        return self.seconds_for_exact_reply(position) <= most_s


CONFIG = SearchConfig()


class SearchOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """How much a search may spend, and where it looks."""

    seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] | None = None
    """Most seconds for a move. Without it the clock decides; where there is none either, it takes two seconds."""
    playouts: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    """Playouts for a move. The clock is not read then, and the same position and seed get the same answer."""
    depth: Annotated[int, msgspec.Meta(ge=1, le=CONFIG.most_plies)] | None = None
    """Plies it looks ahead, to count areas there; without it, it looks at whole games."""
    width: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """Moves compared in each position; without it 24, and on boards of up to 12 x 12 all."""
    grid: Annotated[int, msgspec.Meta(ge=4, le=200)] = 24
    """Cells a side of the first coarse board."""
    seed: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Another seed, another order among moves of about equal promise; without it, the match's decides."""
    slips: Slips = 0.0
    """The share of its moves that it leaves to chance."""
    threads: Annotated[int, msgspec.Meta(ge=1, le=8)] = 1
    """How many trees it grows side by side."""
    guide: str | None = None
    """The file of a guide: a network that says which moves to look at, and what they lead to."""

    def __post_init__(self) -> None:
        _ = self.network  # a bad file is refused when it is named, not in mid-game

    @cached_property
    def network(self) -> Guide:
        """The guide. Raises BadText for a file that is none of this game."""
        return NO_GUIDE if self.guide is None else guide_file.read(self.guide, PLANES)[1]

    def guide_for(self, rules: Rules) -> Guide:
        """Return the guide for a game. Raises RulesError for rules that no guide is for."""
        if self.guide is not None:
            guide_file.check_rules(rules)
        return self.network
