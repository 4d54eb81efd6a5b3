"""The ``Game`` that describes the game on graphs to the catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from hinterland import jit
from hinterland.contract import Game, Level, Page, Player, Preset, WarmablePlayer, in_words, rehearse, several
from hinterland.graph import boards, planes
from hinterland.graph.board_options import estimate
from hinterland.graph.distances.shortest_paths import MAX_TABLE_VERTICES, compute_distances_from
from hinterland.graph.drawing import graph_pictures
from hinterland.graph.drawing.drawing_data import drawing_data, locate, page_rules
from hinterland.graph.graphs.ranges import RANGES
from hinterland.graph.last_token import PUZZLES
from hinterland.graph.players import PLAYERS, Rollout
from hinterland.graph.rules import Position, Rules, Token
from hinterland.graph.search.search_player import Search, expectation
from hinterland.graph.search.search_state import MAX_RANKED_VERTICES

WEB_LIMITS = {
    **{"vertices": 1000, "rows": 1000, "cols": 1000, "tokens": 100, "edges": 50_000},
    **{"seconds": 10, "playouts": 200},
}


def warm_up(rules: Rules | None = None, players: Iterable[Player] | None = None) -> None:
    """Compile the kernels that games call; see ``contract.WarmUp``."""
    if not jit.JIT_ON:
        return
    built_in = tuple(player() for player in PLAYERS.values()) if players is None else tuple(players)
    if rules is None:
        _warm_up_tables()
    else:
        _ = rules.distances  # the judge needs them first
    for is_large in (
        (False, True) if rules is None else {rules.vertices > MAX_TABLE_VERTICES, rules.vertices > MAX_RANKED_VERTICES}
    ):
        _warm_up_judge(is_large=is_large)
        for player in built_in:
            _warm_up(player, 2 if rules is None else rules.players, is_large=is_large)
    if players is None:
        drawing_data(boards.sparse(vertices=30, density=0.2, tokens=1))


def _small_board(tokens: int, players: int, *, is_large: bool) -> Rules:
    """Return rules of a small board; with ``is_large`` the table of distances is left out, as on a large board."""
    rules = boards.road(vertices=30, tokens=tokens, players=players)
    if is_large:
        vars(rules)["distances"] = None
    return rules


@cache
def _warm_up_tables() -> None:
    """Compile both ways to compute distances: between all vertices at once, and by a search from one vertex."""
    board = boards.road(vertices=30, tokens=1)
    _ = board.distances, compute_distances_from(board.network, 0)


@cache
def _warm_up_judge(*, is_large: bool) -> None:
    position = _small_board(1, 2, is_large=is_large).start().play(Token(0))
    _ = position.scores, position.legal_moves.mask()


@lru_cache(maxsize=64)
def _warm_up(player: Player, players: int, *, is_large: bool) -> None:
    if isinstance(player, Search | Rollout) and is_large:
        for has_table in (False, True):
            _ = _small_board(1, players, is_large=not has_table).start().play(Token(0)).swings()
    elif isinstance(player, WarmablePlayer):
        player.warm_up(_small_board(4, players, is_large=is_large))
    else:
        rehearse(player, _small_board(4, players, is_large=is_large))


def words(rules: Rules) -> str:
    """Describe rules in a few words; all boards of one size that are drawn at random have the same words."""
    parts = [f"{rules.vertices} vertices", several(rules.tokens, "token")]
    if rules.is_unweighted:
        parts.append("all edges of length 1")
    return in_words(rules.players, *parts)


GAME = Game(
    name="graph",
    title="Voronoi on graphs",
    summary="Claim the towns nearest to your tokens. Bigger towns score more.",
    rules=Rules,
    position=Position,
    move=Token,
    players=PLAYERS,
    levels=(
        Level("beginner", "Mostly random.", "search:playouts=1,slips=0.76", -1038),
        Level("novice", "Plays a good move about half of the time.", "search:playouts=1,slips=0.5", -777),
        Level("casual", "Greedy, with a mistake now and then.", "search:playouts=1,slips=0.26", -553),
        Level("regular", "Considers your answers, with a mistake now and then.", "search:playouts=15,slips=0.13", -222),
        Level("club", "Considers your answers.", "search:playouts=15", 102),
        Level("strong", "Thinks ahead.", "search:playouts=120", 391),
        Level("expert", "Thinks far ahead.", "search:playouts=1000", 769),
        Level("master", "Thinks for up to a second; its last tokens are perfect.", "search:seconds=1", 1328),
    ),
    presets=(
        Preset(
            "roads", "Roads", "Towns joined by roads, five tokens each.",
            {"board": "road", "vertices": 60, "tokens": 5},
        ),
        Preset(
            "course", "Standard", "100 vertices, two pairs in three joined, ten tokens each, as in the experiment.",
            {"board": "random", "vertices": 100, "density": 0.1, "tokens": 10},
        ),
        Preset("grid", "Grid", "A square grid with many equal distances.", {"board": "grid", "rows": 10, "cols": 10}),
        Preset(
            "small_world", "Small world", "A ring with shortcuts.",
            {"board": "small_world", "vertices": 60, "tokens": 5},
        ),
        Preset(
            "melee", "Melee", "Four players on a map of a hundred towns.",
            {"board": "road", "vertices": 100, "tokens": 5, "players": 4},
        ),
    ),
    max_players=RANGES["players"][1],
    page=Page(WEB_LIMITS, page_rules, words, estimate, drawing_data, locate),
    pictures=graph_pictures,
    planes=planes,
    warm_up=warm_up,
    opponent="gain",
    expectation=expectation,
    puzzles=PUZZLES,
)  # fmt: skip
