"""The one place that finds games by name, and the players of a game by spec.

A game is loaded when it is first used. Another package adds a game by an entry point of the group ``hinterland.games``:
the entry point's name is the name of the game, and its value is the game's module. A spec is a player's name,
optionally with options after a colon: ``reply``, or ``name:option=value,option=value``. `hinterland players GAME` lists
players and options.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hinterland.contract import Game
from hinterland.errors import ArenaError, BadText, UnknownName, quote

if TYPE_CHECKING:
    from hinterland.contract import Player

GAMES = {
    "gravity": "hinterland.gravity.game",
    "graph": "hinterland.graph.game",
    "dots": "hinterland.dots.game",
}
"""For each game, the module whose constant ``GAME`` describes the game."""
for _point in entry_points(group="hinterland.games"):
    GAMES.setdefault(_point.name, _point.value)


def game(name: str) -> Game:
    """Return a game by name. Raises UnknownName, which lists the known games.

    Raises ArenaError for a game of another package that cannot be loaded.
    """
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    try:
        found: Game = import_module(GAMES[name]).GAME
    except Exception as error:
        if GAMES[name].startswith("hinterland."):
            raise
        reason = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise ArenaError(
            f"the game {name} cannot be loaded from {GAMES[name]}, in another package: {reason}; mend or uninstall it"
        ) from error
    return found


def page_folder(name: str) -> Path:
    """Return the folder ``page`` beside a game's module. If it exists, it holds files for the game's pages."""
    package = find_spec(GAMES[name].rpartition(".")[0])
    return Path((package and package.origin) or "").parent / "page"


def player(of: Game, spec: str) -> Player:
    """Make a player from its spec. Raises UnknownName for an unknown name or option, BadText for a bad value."""
    name, _, options = spec.partition(":")
    if name not in of.players:
        raise UnknownName(f"player of {of.name}", name, of.players)
    kind = of.players[name]
    try:
        return msgspec.convert(_options(kind, name, options), kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadText(f"options of player {name}: {error}") from None


def options_of(spec: str) -> list[str]:
    """List the names of the options in a spec, without checking that the player has them."""
    return [pair.partition("=")[0] for pair in spec.partition(":")[2].split(",")]


def summary_of(kind: type[Player]) -> str:
    """Return the sentence that describes a player to people: the first line of its docstring."""
    return (kind.__doc__ or "").partition("\n")[0]


def _options(kind: type[Player], name: str, text: str) -> dict[str, str]:
    known: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    options = {}
    for pair in filter(None, text.split(",")):
        option, equals, value = pair.partition("=")
        if option not in known:
            raise UnknownName(f"option of player {name}", option, known)
        if not equals:
            raise BadText(f"an option is written name=value, not {quote(pair)}")
        options[option] = value
    return options
