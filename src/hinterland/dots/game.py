"""Describes Join the dots to the catalogue and the arena: its ``Game``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from hinterland import jit
from hinterland.contract import (
    Atlas,
    AtlasBoard,
    Game,
    Level,
    Page,
    Player,
    Preset,
    WarmablePlayer,
    rehearse,
    several,
)
from hinterland.dots import boards, planes
from hinterland.dots.atlas import atlas_file
from hinterland.dots.drawing import dots_pictures
from hinterland.dots.drawing.dot_places import drawing_data, locate, page_rules
from hinterland.dots.only_line import PUZZLES
from hinterland.dots.players import PLAYERS
from hinterland.dots.points.orientation import orientation
from hinterland.dots.rules import Line, Position, Rules
from hinterland.dots.search.hints import analysis, expectation

WEB_LIMITS = {"dots": 40, "seconds": 10, "playouts": 100_000, "memory_mb": 256}


def warm_up(rules: Rules | None = None, players: Iterable[Player] | None = None) -> None:
    """Compile the kernels that games call; see ``contract.WarmUp``. Players call the same kernels for all rules."""
    del rules
    if not jit.JIT_ON:
        return
    _warm_up_judge()
    for player in (kind() for kind in PLAYERS.values()) if players is None else players:
        _warm_up(player)
    if players is None:
        _warm_up_pages()


@cache
def _warm_up_judge() -> None:
    position = boards.random(dots=6).start()
    _ = position.play(next(iter(position.legal_moves))).scores


@lru_cache(maxsize=64)
def _warm_up(player: Player) -> None:
    if isinstance(player, WarmablePlayer):
        player.warm_up(boards.random(dots=6))
    else:
        rehearse(player, boards.random(dots=6))


@cache
def _warm_up_pages() -> None:
    """Run what hints call."""
    analysis(boards.random(dots=6).start())


def words(rules: Rules) -> str:
    """Describe rules in a few words; boards with equally many dots have the same words."""
    return several(rules.dots, "dot")


def outline(board: AtlasBoard) -> list[tuple[int, int]]:
    """Return the corners of the hull anticlockwise, from the leftmost corner on (Jarvis, 1973)."""
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
    summary="Connect dots without crossing a line. Close a loop and you score every dot on it.",
    rules=Rules,
    position=Position,
    move=Line,
    players=PLAYERS,
    levels=(
        Level("beginner", "Mostly random.", "mcts:playouts=1,slips=0.75", -903),
        Level("novice", "Closes loops, but misses half of them.", "mcts:playouts=1,slips=0.46", -690),
        Level("casual", "Closes loops, with a mistake now and then.", "mcts:playouts=1,slips=0.18", -524),
        Level("regular", "Closes loops, and gives little away.", "mcts:playouts=1", -386),
        Level("club", "Thinks ahead.", "mcts:playouts=8", 93),
        Level("strong", "Thinks far ahead.", "mcts:playouts=120", 459),
        Level("expert", "Overlooks little.", "mcts:playouts=1500", 696),
        Level("master", "Plays perfectly whenever a second is enough to solve the board.", "perfect:seconds=1", 1255),
    ),
    presets=(
        Preset("ten", "Ten", "Ten dots: small enough to be solved.", {"board": "jittered", "dots": 10}),
        Preset("circle", "Circle", "Twelve dots on a circle.", {"board": "circle", "dots": 12}),
        Preset(
            "double", "Double circle", "A circle with a dent in every side.", {"board": "double_circle", "dots": 12}
        ),
        Preset("sky", "Night sky", "Twenty-four dots, evenly scattered.", {"board": "jittered", "dots": 24}),
        Preset("flocks", "Flocks", "Eighteen dots in three clusters.", {"board": "clusters", "dots": 18}),
    ),
    max_players=2,
    page=Page(WEB_LIMITS, page_rules, words, drawing_data=drawing_data, locate=locate),
    pictures=dots_pictures,
    planes=planes,
    warm_up=warm_up,
    opponent="careful",
    analysis=analysis,
    expectation=expectation,
    atlas=Atlas(
        unit="dots",
        sizes=atlas_file.SHIPPED_SIZES,
        boards=atlas_file.entries,
        filters=("hull",),
        outline=outline,
        options=lambda board: {"points": [list(point) for point in board.points]},
    ),
    puzzles=PUZZLES,
)
