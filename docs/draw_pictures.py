"""Draw every picture of the documentation again: ``python docs/draw_pictures.py``.

The games are played with seeds and written down in ``pictures/games.txt``, one position a line; every picture is drawn
from its line. A test draws them again and compares.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from PIL import Image

from hinterland import catalog
from hinterland.contract import Clock
from hinterland.contract import Position as AnyPosition
from hinterland.contract import Rules as AnyRules
from hinterland.drawing import film
from hinterland.graph import boards, published_experiment
from hinterland.gravity import Position, Rules
from hinterland.gravity.drawing import regions

FOLDER = Path(__file__).parent / "pictures"
GAMES = FOLDER / "games.txt"
EXPERIMENT = FOLDER / "experiment.csv"
"""Written by ``hinterland experiment voronoi-on-graphs --strong --csv``."""
SEED = 1
HEAT_PIXELS = 500


class Game(NamedTuple):
    """One game of the house's players, to be drawn at its end."""

    rules: AnyRules
    players: tuple[str, ...]


PLAYED = {
    "match": Game(Rules(), ("reply", "lloyd")),
    "melee": Game(Rules(players=5, stones=4), ("reply", "lloyd", "hug", "random", "reply")),
    "weighted": Game(Rules(size=500, stones=5, spacing=60, weight=1000), ("reply", "random")),
    "roads": Game(boards.road(vertices=60, tokens=5, seed=2), ("search:playouts=2000", "gain")),
}
MIRRORED = "gravity players=2 size=41 stones=3 spacing=6 law=gravity ; 0:8,12 1:8,28 0:24,6 1:24,34 0:34,15 1:34,25"
"""Every stone has a twin across the middle column, which therefore belongs to nobody."""


def play(game: Game) -> AnyPosition:
    """Play a game to its end."""
    kind = catalog.game(game.rules.game)
    players = [catalog.player(kind, spec) for spec in game.players]
    rng = np.random.default_rng(SEED)
    position = game.rules.start()
    while position.to_move is not None:
        position = position.play(players[position.to_move].choose(position, Clock(), rng))
    return position


def positions() -> dict[str, AnyPosition]:
    """Return what is drawn, by the name of its picture: the games, and what is made from the first of them."""
    found = {name: play(game) for name, game in PLAYED.items()}
    first = found["match"]
    found["nearest"] = Position(msgspec.structs.replace(first.rules, law="nearest"), first.moves)
    found["opening"] = first.after(5)
    found["mirrored"] = Position.parse(MIRRORED)
    return found


def heat(position: Position) -> Image.Image:
    """Draw the reply map over the board; the stones show where it is cut out."""
    board = regions.image(position, HEAT_PIXELS).convert("RGBA")
    margin = regions.margin_pixels(position, HEAT_PIXELS)
    side = HEAT_PIXELS - 2 * margin
    gains = regions.heat(position, {}).resize((side, side), Image.Resampling.NEAREST)
    board.alpha_composite(gains, (margin, margin))
    return board.convert("RGB")


def read_games() -> dict[str, AnyPosition]:
    """Read the games that were written down."""
    lines = (line.split("\t") for line in GAMES.read_text().splitlines())
    return {name: catalog.game(text.partition(" ")[0]).position.parse(text) for name, text in lines}


def draw(found: dict[str, AnyPosition], folder: Path) -> None:
    """Draw the pictures into a folder."""
    for name, position in found.items():
        (folder / f"{name}.svg").write_text(catalog.game(position.rules.game).pictures.svg(position))
    results = published_experiment.from_csv(EXPERIMENT.read_text())
    (folder / "experiment.svg").write_text(published_experiment.plot(results))
    (folder / "reply-map.png").write_bytes(film.encode_png(heat(found["opening"])))


if __name__ == "__main__":
    played = positions()
    GAMES.write_text("".join(f"{name}\t{position}\n" for name, position in played.items()))
    draw(played, FOLDER)
