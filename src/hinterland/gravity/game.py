"""Gravity's entry in the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from hinterland import jit
from hinterland.contract import Game, Level, Page, Player, Preset, WarmablePlayer, in_words, rehearse, several
from hinterland.gravity import planes
from hinterland.gravity.batch import GravityBatch
from hinterland.gravity.drawing import regions
from hinterland.gravity.last_stone import PUZZLES
from hinterland.gravity.players import PLAYERS, SMALL_SIDE, expectation, rehearse_judge, small_board
from hinterland.gravity.rules import LAWS, RANGES, Position, Rules, Stone

RULES = Rules()
WEB_LIMITS = {"size": 2000, "stones": 200, "seconds": 10, "playouts": 10_000, "width": 200, "grid": 100}


def warm_up(rules: Rules | None = None, players: Iterable[Player] | None = None) -> None:
    """Compile the kernels that games call; see ``contract.WarmUp``."""
    if not jit.JIT_ON:
        return
    boards = (Rules(), Rules(size=SMALL_SIDE, spacing=2)) if rules is None else (rules,)
    to_warm = _players_of_every_kind() if players is None else tuple(players)
    for board in boards:
        _warm_up(board, to_warm)
    if players is None:
        _warm_up_pages()


@cache
def _players_of_every_kind() -> tuple[Player, ...]:
    return tuple(player() for player in PLAYERS.values())


@lru_cache(maxsize=64)
def _warm_up(rules: Rules, players: tuple[Player, ...]) -> None:
    rehearse_judge()
    for player in players:
        if isinstance(player, WarmablePlayer):
            player.warm_up(rules)
        else:
            rehearse(player, small_board(rules))


@cache
def _warm_up_pages() -> None:
    """Compile the kernels of pictures and hints by running them."""
    for law in LAWS:
        position = Rules(size=SMALL_SIDE, spacing=2, law=law).start()
        while len(position.moves) < 3:
            position = position.play(regions.best(position, {})[0])
        _ = position.legal_moves.mask()


def words(rules: Rules) -> str:
    """Describe rules in a few words."""
    parts = [several(rules.stones, "stone"), f"spacing {rules.spacing}"]
    if rules.size != RULES.size:
        parts.append(f"{rules.size} × {rules.size}")
    if rules.weight is not None:
        parts.append(f"weight {rules.weight}")
    if rules.law == "nearest":
        parts.append("nearest stone")
    return in_words(rules.players, *parts)


def locate(rules: Rules, places: Sequence[tuple[int, ...]]) -> list[tuple[float, float]]:
    """Return the middle of each cell as shares of the board."""
    return [((col + 0.5) / rules.size, (row + 0.5) / rules.size) for row, col in places]


GAME = Game(
    name="gravity",
    title="Gravity",
    summary="Every stone pulls on the whole board. The strongest pull owns each cell.",
    rules=Rules,
    position=Position,
    move=Stone,
    players=PLAYERS,
    levels=(
        Level("beginner", "Mostly random.", "search:playouts=1,slips=0.8", -1183),
        Level("novice", "Plays a good move about half of the time.", "search:playouts=1,slips=0.58", -977),
        Level("casual", "Greedy, with frequent mistakes.", "search:playouts=1,slips=0.38", -751),
        Level("regular", "Greedy, with occasional mistakes.", "search:playouts=1,slips=0.18", -392),
        Level("club", "Always greedy.", "search:playouts=1", 402),
        Level("strong", "Considers your replies, with occasional mistakes.", "search:playouts=30,slips=0.04", 553),
        Level("expert", "Considers your replies.", "search:playouts=150", 951),
        Level("master", "Thinks far ahead.", "search:playouts=1500", 1397),
    ),
    presets=(
        Preset("course", "Standard", "Ten stones each on 1000 x 1000: the rules of the course's contests.", {}),
        Preset("quick", "Quick", "Three stones each: a one-minute game.", {"stones": 3}),
        Preset("nearest", "Nearest", "The classic game: a cell goes to the nearest stone.", {"law": "nearest"}),
        Preset(
            "weighted", "Weighted", "Five stones each, with 1000 units of weight to spread over them.",
            {"size": 500, "stones": 5, "spacing": 60, "weight": 1000},
        ),
        Preset("melee", "Melee", "Four players, five stones each.", {"players": 4, "stones": 5}),
    ),
    max_players=RANGES["players"][1],
    page=Page(WEB_LIMITS, words=words, locate=locate, files=frozenset({"guide"})),
    pictures=regions,
    planes=planes,
    warm_up=warm_up,
    batch=GravityBatch,
    opponent="reply",
    expectation=expectation,
    puzzles=PUZZLES,
)  # fmt: skip
