"""Gravity as the catalogue shows it."""

from __future__ import annotations

from functools import cache

import numpy as np

from hinterland.contract import Clock, Game, Level, Page, Preset
from hinterland.gravity.drawing import regions
from hinterland.gravity.players import PLAYERS, Search
from hinterland.gravity.rules import LAWS, RANGES, Position, Rules, Stone
from hinterland.gravity.search import candidates


@cache
def warm_up() -> None:
    """Run every kernel once on a small board, which compiles it."""
    for law in LAWS:
        position = Rules(size=16, spacing=2, law=law).start()
        while len(position.moves) < 3:
            position = position.play(regions.best(position, {})[0])
            _ = position.reply_map()  # against one stone and against several
        _ = candidates.best_coarse(position, 1), position.scores, position.owners, len(position.legal_moves)
    Search(playouts=1).choose(Rules(size=16, spacing=2, stones=1).start(), Clock(), np.random.default_rng(0))


GAME = Game(
    name="gravity",
    title="Gravity",
    summary="Stones pull at every cell with weight / distance²; the strongest colour owns it.",
    rules=Rules,
    position=Position,
    move=Stone,
    players=PLAYERS,
    levels=(
        Level("beginner", "random", -916),
        Level("novice", "mirror", -345),
        Level("casual", "lloyd", -132),
        Level("club", "reply", 136),
        Level("strong", "search:playouts=30", 338),
        Level("expert", "search:playouts=120", 381),
        Level("master", "search:playouts=500", 400),
    ),
    presets=(
        Preset("course", "Course", "Ten stones each on 1000 x 1000, as in the contests.", {}),
        Preset("quick", "Quick", "Three stones each: a game of a minute.", {"stones": 3}),
        Preset("nearest", "Nearest", "The classic game: a cell goes to the nearest stone.", {"law": "nearest"}),
        Preset(
            "weighted", "Weighted", "Five stones that share 1000 units of weight.",
            {"size": 500, "stones": 5, "spacing": 60, "weight": 1000},
        ),
        Preset("melee", "Melee", "Four players, five stones each.", {"players": 4, "stones": 5}),
    ),
    max_players=RANGES["players"][1],
    page=Page({"size": 2000, "stones": 200, "seconds": 10, "playouts": 10_000, "width": 200, "grid": 100}),
    pictures=regions,
    warm_up=warm_up,
)  # fmt: skip
