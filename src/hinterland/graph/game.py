"""The game on graphs as the catalogue shows it."""

from __future__ import annotations

from functools import cache

import numpy as np

from hinterland.contract import Clock, Game, Level, Page, Preset, in_words, several
from hinterland.graph import boards
from hinterland.graph.board_options import estimate
from hinterland.graph.drawing import graph_pictures
from hinterland.graph.drawing.drawing_data import drawing_data, page_rules
from hinterland.graph.graphs.ranges import RANGES
from hinterland.graph.last_token import PUZZLES
from hinterland.graph.players import PLAYERS
from hinterland.graph.rules import Position, Rules, Token
from hinterland.graph.search.final_values import expectation

WARM_CLOCK = Clock(move_ms=50)
WEB_LIMITS = {
    **{"vertices": 1000, "rows": 1000, "cols": 1000, "tokens": 100, "edges": 50_000},
    **{"seconds": 10, "playouts": 200},
}


@cache
def warm_up() -> None:
    """Run every kernel once on a small board, which compiles it."""
    rng = np.random.default_rng(0)
    for tokens, players in ((6, 2), (2, 3)):
        position = boards.road(vertices=30, tokens=tokens, players=players).start()
        for kind in PLAYERS.values():
            position = position.play(kind().choose(position, WARM_CLOCK, rng))
            if position.to_move is None:
                break
    _warm_up_large()
    drawing_data(boards.sparse(vertices=30, density=0.2, tokens=1))


def _warm_up_large() -> None:
    """Play as on a board too large for a table of distances."""
    rules = boards.road(vertices=30, tokens=1)
    vars(rules)["distances"] = None
    position = rules.start().play(Token(0))
    _ = position.gains(), position.swings(), position.scores


def words(rules: Rules) -> str:
    """Return rules in a few words; boards of one size drawn anew have the same."""
    parts = [f"{rules.vertices} vertices", several(rules.tokens, "token")]
    if rules.is_unweighted:
        parts.append("all edges of length 1")
    return in_words(rules.players, *parts)


GAME = Game(
    name="graph",
    title="Voronoi on graphs",
    summary="Tokens claim the vertices nearest to them; each vertex scores its value.",
    rules=Rules,
    position=Position,
    move=Token,
    players=PLAYERS,
    levels=(
        Level("beginner", "Places three tokens in four anywhere.", "search:playouts=1,slips=0.76", -1038),
        Level("novice", "Sees where a token takes much, every other time.", "search:playouts=1,slips=0.5", -777),
        Level("casual", "Takes what it can at once, and slips now and then.", "search:playouts=1,slips=0.26", -553),
        Level("regular", "Thinks of your answers, and slips now and then.", "search:playouts=15,slips=0.13", -222),
        Level("club", "Thinks of your answers.", "search:playouts=15", 102),
        Level("strong", "Thinks some games through to their end.", "search:playouts=120", 391),
        Level("expert", "Thinks many games through to their end.", "search:playouts=1000", 769),
        Level("master", "Thinks for up to a second; its last tokens are perfect.", "search:seconds=1", 1328),
    ),
    presets=(
        Preset(
            "roads", "Roads", "Towns joined by roads, five tokens each.",
            {"board": "road", "vertices": 60, "tokens": 5},
        ),
        Preset(
            "course", "Course", "100 vertices, two pairs in three joined, ten tokens each, as in the experiment.",
            {"board": "random", "vertices": 100, "density": 0.1, "tokens": 10},
        ),
        Preset("grid", "Grid", "A square grid, where distances tie.", {"board": "grid", "rows": 10, "cols": 10}),
        Preset(
            "small_world", "Small world", "A ring with short cuts.",
            {"board": "small_world", "vertices": 60, "tokens": 5},
        ),
        Preset(
            "melee", "Melee", "Four players on a map of a hundred towns.",
            {"board": "road", "vertices": 100, "tokens": 5, "players": 4},
        ),
    ),
    max_players=RANGES["players"][1],
    page=Page(WEB_LIMITS, page_rules, words, estimate, drawing_data),
    pictures=graph_pictures,
    warm_up=warm_up,
    expectation=expectation,
    puzzles=PUZZLES,
)  # fmt: skip
