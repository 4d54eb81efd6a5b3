"""Join the dots as the catalogue shows it."""

from __future__ import annotations

from functools import cache

import numpy as np

from hinterland.contract import Atlas, AtlasBoard, Clock, Game, Level, Page, Preset
from hinterland.dots import boards
from hinterland.dots.atlas import atlas_file
from hinterland.dots.drawing import dots_images
from hinterland.dots.drawing.dot_places import drawing_data, page_rules
from hinterland.dots.players import PLAYERS
from hinterland.dots.points.orientation import orientation
from hinterland.dots.rules import Line, Position, Rules
from hinterland.dots.search.hints import analysis
from hinterland.dots.solver.transpositions import grown, new_transpositions

WARM_CLOCK = Clock(move_ms=20)
WEB_LIMITS = {"dots": 40, "seconds": 10, "playouts": 100_000, "memory_mb": 256}


@cache
def warm_up() -> None:
    """Run every kernel once on a small board, which compiles it."""
    rng = np.random.default_rng(0)
    position = boards.random(dots=6).start()
    analysis(position)
    grown(new_transpositions(), 1)
    for kind in PLAYERS.values():
        position = position.play(kind().choose(position, WARM_CLOCK, rng))


def outline(board: AtlasBoard) -> list[tuple[int, int]]:
    """Return the corners of the hull against the clock, from the leftmost on (Jarvis, 1973)."""
    corners = [min(board.points)]
    while True:
        others = [point for point in board.points if point != corners[-1]]
        ahead = next(to for to in others if all(orientation(corners[-1], to, other) >= 0 for other in others))
        if ahead == corners[0]:
            return corners
        corners.append(ahead)


GAME = Game(
    name="dots",
    title="Join the dots",
    summary="Lines that cross no other join dots; who closes a cycle of n dots scores n and takes them away.",
    rules=Rules,
    position=Position,
    move=Line,
    players=PLAYERS,
    levels=(
        Level("beginner", "random", -1753),
        Level("novice", "closer", -355),
        Level("casual", "careful", 128),
        Level("strong", "mcts:playouts=30", 417),
        Level("expert", "mcts:playouts=300", 636),
        Level("master", "perfect:seconds=1", 927),
    ),
    presets=(
        Preset("ten", "Ten", "Ten dots: few enough for perfect play.", {"board": "jittered", "dots": 10}),
        Preset("circle", "Circle", "Twelve dots on a circle.", {"board": "circle", "dots": 12}),
        Preset(
            "double", "Double circle", "A circle with a dent in every side.", {"board": "double_circle", "dots": 12}
        ),
        Preset("sky", "Night sky", "Twenty-four dots, evenly strewn.", {"board": "jittered", "dots": 24}),
        Preset("flocks", "Flocks", "Eighteen dots in three clusters.", {"board": "clusters", "dots": 18}),
    ),
    max_players=2,
    page=Page(WEB_LIMITS, page_rules, drawing_data=drawing_data),
    pictures=dots_images,
    warm_up=warm_up,
    analysis=analysis,
    atlas=Atlas(
        unit="dots",
        sizes=atlas_file.SHIPPED_SIZES,
        boards=atlas_file.entries,
        filters=("hull",),
        outline=outline,
        options=lambda board: {"points": [list(point) for point in board.points]},
    ),
)
