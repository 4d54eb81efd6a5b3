"""The options of a search, and its constants.

``SearchOptions`` are the options of the player ``search``. ``SearchConfig`` holds the constants of the search's Python
code; constants that are compiled into kernels stand beside these kernels. The measurements behind the defaults are in
docs/performance-log.md.

Other files hold the constants that bound the time of a search: UNTIMED_S and RESERVE_MS (gravity/players.py),
BUDGET_SHARE and RESERVE_S (contract/game.py). FIRST_PLAYOUTS and CHECK_S (hinterland/search/budget.py) bound nothing:
they say how many playouts a search makes before it reads the clock again.
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
    """The constants of a search. Cells are cells of the real board unless a field says otherwise.

    A field with ``per_side`` in its name is a divisor of the board's side: 20 stands for side / 20. The value of a
    field with ``least`` or ``most`` in its name is itself allowed.
    """

    # Candidates: the moves that a tree compares in a position.
    candidates_per_node: int = 24
    """Moves compared in each position of a tree; more of them make trees shallower."""
    candidates_per_side: int = 20
    """Two candidates lie at least side / 20 apart, in rows or in columns, because neighbouring cells gain nearly
    alike."""
    most_widened_candidates: int = 200
    """A search that has proven its result begins again with twice as many candidates, if it had at most this many."""
    whole_board_side: int = 12
    """On boards of up to this many cells a side, every cell is a candidate, and playouts go by gains alone
    (mcts.py)."""

    # Boards: from a coarse one to finer ones around the best moves.
    first_board_share: float = 0.6
    """Share of the budget that is spent on the first board; 0.8 did no better."""
    grid_ratio: float = 1.6
    """A finer board has this many times the cells a side of the board before it."""
    step_ratio: int = 3
    """On a finer board, the places around a best move are this many times nearer to it than on the board before."""
    refined_moves: int = 4
    """Number of best moves of a board around which the next, finer board is searched."""
    most_cells: int = 20_000_000
    """Most cells of a coarse board, over all plies that it keeps; this bounds memory."""
    most_nodes: int = 2_000_000
    """Most nodes of all trees on one board together, of about 60 bytes each; this bounds memory."""
    most_plies: int = 400
    """The search looks at most this many plies ahead; also the greatest value of the option ``depth``."""
    mixing_least_stones: int = 13
    """In games of at least this many stones a seat, playouts are mixed (mcts.py): for two players, without weights or a
    guide.

    At 15 stones mixing won 19 of 20 boards; at five it gained nothing.
    """

    # Exact answers: the last stone, and the last stone but one.
    exact_reply_s: float = 0.1
    """Seconds allowed for the exact best cell of a 1000 x 1000 board; the time grows with the area."""
    exact_reply_stones: int = 200
    """The time allowed for the exact best cell grows with the number of stones; this many stones double it."""
    exact_steps_per_side: int = 250
    """The last stone but one is moved by steps of side / 250, then by shorter steps, down to one cell; exact answers
    say which cell is better."""
    all_cells_least_s: float = 0.2
    """All cells are compared for the last stone but one if the search has at least this many seconds; comparing takes
    0.18 s."""
    all_cells_least_playouts: int = 30_000
    """A search with the option ``playouts`` compares all cells if it has at least this many playouts."""
    all_cells_share: float = 0.5
    """Share of the budget for comparing all cells; the rest is for exact answers."""
    all_cells_grids: tuple[int, ...] = (24, 48)
    """Cells a side of the coarse boards on which all cells are compared, one board after another while there is
    time."""
    best_cells: int = 4
    """Number of best cells, found on the last board of ``all_cells_grids``, that are then moved about on a finer
    board."""
    best_cells_per_side: int = 12
    """Two best cells lie at least side / 12 apart, in rows or in columns."""
    best_cells_grid: int = 192
    """Cells a side of the board on which best cells are moved about; 288 and 384 found nothing better."""
    best_cells_step: int = 2
    """First step of a best cell, in cells of the board of 192: half a cell of a board of 48."""
    best_cells_maps: int = 60
    """Number of reply maps that it takes to move one best cell about."""

    # Stones checked by exact answers (exact_answers.py). The least times and playouts of plans and of the model
    # below are of what this check leaves.
    safe_share: float = 0.3
    """Share of the budget for checking a stone."""
    safe_gap: float = 0.02
    """Share of the board that a stone may leave less than the stone that gains the most, after the best answers."""
    trust_ratio: float = 2.0
    """A rival's habit is trusted for the last stone but one if that gains at least this many times what it may cost."""
    safe_least_answers: int = 2
    """A stone is checked if there is time for at least this many exact answers."""
    playouts_per_answer: int = 400
    """Number of playouts that take as long as an exact best answer."""

    # Draws among moves of about equal worth, so that no opponent can prepare. Draws cost a little, so there are few.
    draw_least_plies: int = 4
    """A move is drawn only if at least this many plies are still to come."""
    draw_own_stones: int = 3
    """A seat draws only its first stones, up to this number."""
    draw_gap: float = 0.004
    """Share of the board by which a move may be worse than the best and still be drawn."""
    draw_opening_gap: float = 0.012
    """The ``draw_gap`` of a seat's first stone."""

    # Places on the board (candidates.py).
    openings_per_quarter_side: int = 5
    """Number of rows, and of columns, of a quarter of the board on which first stones are tried. On boards of up to 20
    cells a side all rows and columns are tried."""
    openings_grid: int = 24
    """If the coarse board of this many cells a side is too coarse for the spacing, the middle row and column are tried,
    too: where stones may almost touch, the best reply to a first stone near the middle takes 60 %, to one in the middle
    53."""
    quick_reply_grid: int = 48
    """Cells a side of the coarse board for a player without time for the exact best cell."""
    quick_reply_cells: int = 20
    """Number of best cells of a board of ``quick_reply_grid`` that are tried until one is legal."""
    nudge_steps: int = 2
    """Most steps, down and across, by which a stone is moved from an illegal place to a legal one."""

    # Rivals: what is expected of them (habits.py), and how it is used.
    greedy_share: float = 0.99
    """A rival is greedy if each of its last two stones gained at least this share of the greatest gain, or its last
    stone gained all of it."""
    hug_margin: float = 1.5
    """A stone counts as placed close by another if their distance exceeds the spacing by less than this many cells."""
    model_least_side: int = 100
    """Rivals are predicted on boards of at least this many cells a side: on smaller boards stones fit a simple rule by
    chance too often."""
    compare_most_s: float = 1.0
    """A search with the option ``playouts`` compares rivals' stones with exact best cells only if finding such a cell
    takes at most this many seconds."""
    short_game_stones: int = 6
    """In games of up to this many stones a seat, a rival without a habit is expected to look two plies ahead. In longer
    games a plan against such a rival gains no more than a tree."""

    # Plans.
    plan_grid: int = 48
    """Cells a side of the coarse board on which plans are compared; 32, 64 and 96 gained nothing."""
    plan_least_s: float = 1.0
    """Plans against a rival without a habit need at least this many seconds; with less time a tree grows."""
    plan_least_plans: int = 1000
    """In a search with the option ``playouts``, plans against a rival without a habit need a budget of at least this
    many plans."""
    playouts_per_plan: int = 24
    """Number of playouts that take as long as a plan against a rival that looks two plies ahead."""

    # The model of a rival that looks two plies ahead: its answers are computed.
    model_depth: int = 2
    """Plies that the model looks ahead."""
    model_width: int = 24
    """Moves that the model compares in each position."""
    model_s: float = 60.0
    """Seconds that the model may take. The model stops by itself after some hundredths of a second, when all is
    proven."""
    model_steps_per_side: int = 200
    """The model compares places by smaller and smaller steps, down to side / 200; so does the search for the mover's
    stones against it."""
    model_matches: int = 2
    """A rival is taken to look two plies ahead if each of its last answers, up to this number, is the model's."""
    model_tolerance_per_side: int = 40
    """An answer counts as the model's if it is at most side / 40 away: rivals whose search ends on coarser boards
    deviate so far."""
    model_least_s: float = 1.0
    """The model's answers are computed with at least this many seconds; with less, too few stones could be compared."""
    model_least_playouts: int = 24_000
    """A search with the option ``playouts`` computes the model's answers if it has at least this many playouts."""
    model_tree_share: float = 0.2
    """Share of the budget for the first tree, which chooses stones to compare."""
    model_first_stones: int = 12
    """Number of best moves of the first tree that are compared with computed answers."""
    model_answers: int = 2
    """Number of the rival's answers that are computed after each stone; one and three did no better."""
    model_step_playouts: int = 40
    """Number of playouts that choose the mover's stone between two of the rival's computed answers."""
    model_leaf_playouts: int = 400
    """Number of playouts that estimate the lead after the last of the rival's computed answers."""
    model_stone_playouts: int = 512
    """Number of playouts that take as long as comparing one stone."""

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
    """Most seconds for a move. Without this option the clock decides; without a clock, a move takes two seconds."""
    playouts: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None = None
    """Playouts for a move. If given, the clock is not read, and the same position and seed get the same answer."""
    depth: Annotated[int, msgspec.Meta(ge=1, le=CONFIG.most_plies)] | None = None
    """Plies that the search looks ahead before it counts areas. Without this option it looks at whole games."""
    width: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """Moves compared in each position. The default is 24; on boards of up to 12 x 12 cells it is all moves."""
    grid: Annotated[int, msgspec.Meta(ge=4, le=200)] = 24
    """Cells a side of the first coarse board."""
    seed: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Seed of the draws among moves of about equal worth; without this option the match's generator decides."""
    slips: Slips = 0.0
    """Share of moves that are random."""
    threads: Annotated[int, msgspec.Meta(ge=1, le=8)] = 1
    """Trees that grow side by side."""
    guide: str | None = None
    """The file of a guide: a network that ranks moves and predicts the lead at the end."""

    def __post_init__(self) -> None:
        _ = self.network  # a bad file is refused when it is named, not in mid-game

    @cached_property
    def network(self) -> Guide:
        """The guide. Raises BadText for a file that is no guide of this game."""
        return NO_GUIDE if self.guide is None else guide_file.read(self.guide, PLANES)[1]

    def guide_for(self, rules: Rules) -> Guide:
        """Return the guide for a game. Raises RulesError if no guide can play by the rules."""
        if self.guide is not None:
            guide_file.check_rules(rules)
        return self.network
