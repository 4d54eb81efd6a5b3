"""A game as the catalogue and the arena see it: its parts under their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import msgspec

from hinterland.contract.atlas import Atlas
from hinterland.contract.moves import Move
from hinterland.contract.position import Position
from hinterland.contract.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

__all__ = ["Clock", "Game", "Pictures", "Player", "Preset", "TellingPlayer"]

PLANNED, SPARE_S = 0.85, 0.012
"""Of the time for a move, such a share but for so many seconds is planned for."""


class Clock(msgspec.Struct, frozen=True):
    """What a player is told of its time, in milliseconds; None means without limit."""

    left_ms: int | None = None
    """What is left of the budget for the whole game."""
    increment_ms: int = 0
    """What each move adds to the budget."""
    move_ms: int | None = None
    """The limit of a single move."""

    def thinking_s(self, moves: int, most_s: float) -> float:
        """Return how long to think about a move, in seconds: an even share of what is left for so many moves.

        Never more than ``most_s``, nor than a move may take; a part is left for whatever else keeps the machine busy.
        """
        limits = [most_s]
        if self.move_ms is not None:
            limits.append(self.move_ms / 1000 * PLANNED - SPARE_S)
        if self.left_ms is not None:
            fair_ms = min(self.left_ms / max(moves, 1) + self.increment_ms, self.left_ms)
            limits.append(fair_ms / 1000 * PLANNED - SPARE_S)
        return max(min(limits), 0.0)


class Player(Protocol):
    """Anything that chooses moves.

    Its options are the fields of its struct; the first line of its docstring tells people what it does.
    """

    name: ClassVar[str]

    def choose(self, position: Any, clock: Clock, rng: np.random.Generator) -> Any:
        """Return a legal move for the seat to move."""


@runtime_checkable
class TellingPlayer(Protocol):
    """A player that says something of some of its moves, for the record: that one is not proven best, for example."""

    def choose_and_tell(self, position: Any, clock: Clock, rng: np.random.Generator) -> tuple[Any, str]:
        """Return what ``choose`` would, and a sentence about it or nothing."""


class Pictures(Protocol):
    """How a game draws its positions."""

    def svg(self, position: Any) -> str:
        """Draw a position as a complete SVG document."""

    def image(self, position: Any, pixels: int) -> Image:
        """Draw a position as a square image."""

    def heat(self, position: Any, options: Mapping[str, int]) -> Image:
        """Draw what each move would gain the seat to move as an RGBA image that fits over the board.

        ``options``: what a move has besides its place, such as the weight of a stone; others are passed over.
        """

    def best(self, position: Any, options: Mapping[str, int]) -> tuple[Any, int]:
        """Return the move with the greatest gain for the seat to move, and the gain."""


class Preset(msgspec.Struct, frozen=True):
    """Rules under a name, for menus."""

    name: str
    """A word, for programs."""
    title: str
    """For people."""
    summary: str
    """A sentence."""
    options: dict[str, Any]
    """What differs from the usual; ``Rules.from_options`` reads it."""


class Game(msgspec.Struct, frozen=True):
    """One game, as the catalogue and the arena see it."""

    name: str
    """The word by which the catalogue, commands and records know it."""
    title: str
    """The same for people."""
    summary: str
    """What it is, in a sentence."""
    rules: type[Rules]
    """Its rules."""
    position: type[Position[Any, Any]]
    """Its positions."""
    move: type[Move]
    """Its moves."""
    players: dict[str, type[Player]]
    """Its players by name."""
    presets: tuple[Preset, ...]
    """Rules for menus; the first is the usual game."""
    max_players: int
    """The most seats it can have."""
    widest: dict[str, int]
    """The most that a page shows and an arena bears of some options, of what ``Rules.brief`` tells, or of players."""
    pictures: Pictures
    """How it is drawn."""
    warm_up: Callable[[], None]
    """Compile every kernel of the game, so that no player's clock pays for it."""
    drawing_data: Callable[[Any], dict[str, Any]] | None = None
    """Return what a page needs to draw a board beyond ``Rules.brief()``, in JSON values; None where that is all."""
    analysis: Callable[[Any], dict[str, Any]] | None = None
    """Return what best play from a position is worth, within about a second, in JSON values; None in games without.

    ``value``: what the seat to move scores from there on less what the others do, null where it is not known; ``low``
    and ``high``: its bounds; ``best``: the moves that keep it, all of them where ``exact``. Raises IllegalMove when the
    game is over.
    """
    atlas: Atlas | None = None
    """All its small boards, solved; None in games without."""
