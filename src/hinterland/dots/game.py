"""Join the dots as the catalogue shows it."""

from __future__ import annotations

import numpy as np

from hinterland.contract import Clock, Game, Preset
from hinterland.dots import boards
from hinterland.dots.atlas.atlas_gallery import ATLAS
from hinterland.dots.drawing import dots_images
from hinterland.dots.drawing.dot_places import drawing_data
from hinterland.dots.players import PLAYERS
from hinterland.dots.rules import Line, Position, Rules
from hinterland.dots.search.hints import analysis
from hinterland.dots.solver.transpositions import grown, new_transpositions

__all__ = ["GAME"]

WARM_CLOCK = Clock(move_ms=50)


def warm_up() -> None:
    """Run every kernel once on a small board, which compiles it."""
    rng = np.random.default_rng(0)
    position = boards.random(dots=8).start()
    analysis(position)
    grown(new_transpositions(), 1)
    for kind in PLAYERS.values():
        position = position.play(kind().choose(position, WARM_CLOCK, rng))


GAME = Game(
    name="dots",
    title="Join the dots",
    summary="Lines that cross no other join dots; who closes a cycle of n dots scores n and takes them away.",
    rules=Rules,
    position=Position,
    move=Line,
    players=PLAYERS,
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
    widest={"dots": 40, "seconds": 10, "playouts": 100_000, "memory_mb": 256},
    pictures=dots_images,
    warm_up=warm_up,
    drawing_data=drawing_data,
    analysis=analysis,
    atlas=ATLAS,
)
