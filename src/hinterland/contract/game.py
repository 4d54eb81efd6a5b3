"""A game as the catalogue and the arena see it: its parts under their names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import msgspec

from hinterland.contract.atlas import Atlas
from hinterland.contract.moves import Move
from hinterland.contract.position import Position
from hinterland.contract.puzzle import PuzzleKind
from hinterland.contract.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

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


class Player(Hashable, Protocol):
    """Anything that chooses moves.

    Its options are the fields of its struct; the first line of its docstring tells people what it does.
    """

    name: ClassVar[str]

    def choose(self, position: Any, clock: Clock, rng: np.random.Generator) -> Any:
        """Return a legal move for the seat to move."""


def is_timed(player: Player) -> bool:
    """Say whether what a player plays depends on how fast its machine is.

    In every game such a player has an option ``seconds``; one with an option ``playouts`` that is given counts instead.
    """
    return hasattr(player, "seconds") and getattr(player, "playouts", None) is None


@runtime_checkable
class TellingPlayer(Protocol):
    """A player that says something of some of its moves, for the record: that one is not proven best, for example."""

    def choose_and_tell(self, position: Any, clock: Clock, rng: np.random.Generator) -> tuple[Any, str]:
        """Return what ``choose`` would, and a sentence about it or nothing."""


@runtime_checkable
class WarmablePlayer(Protocol):
    """A player that says itself which kernels it may call; any other is rehearsed."""

    def warm_up(self, rules: Any) -> None:
        """Run every kernel that it may call in games of these rules, on a small board."""


def rehearse(player: Player, rules: Rules) -> None:
    """Play a game with a player in all seats, once with all the time to think and once with none.

    That compiles its kernels; a limit would be used up by the compiler.
    """
    import numpy as np  # noqa: PLC0415

    for clock in (Clock(), Clock(move_ms=0)):
        position, rng = rules.start(), np.random.default_rng(0)
        while position.to_move is not None:
            position = position.play(player.choose(position, clock, rng))


class WarmUp(Protocol):
    """Compiles kernels before a clock runs, so that no player pays for the compiler."""

    def __call__(self, rules: Any = None, players: Iterable[Player] | None = None) -> None:
        """Run what the judge and these players call in games of these rules, on a small board, once in each process.

        Without ``rules``: whatever the rules are. Without ``players``: all players, pictures and hints.
        """


class Pictures(Protocol):
    """How a game draws its positions."""

    def svg(self, position: Any) -> str:
        """Draw a position as a complete SVG document."""

    def image(self, position: Any, pixels: int) -> Image:
        """Draw a position as a square image."""

    def poster(self, position: Any) -> str:
        """Draw a position as ``svg`` does, with all that a wall has room for, such as contours."""

    def poster_image(self, position: Any, pixels: int) -> Image:
        """Draw a position as ``image`` does, with all that a wall has room for."""

    def heat(self, position: Any, options: Mapping[str, int]) -> Image:
        """Draw what each move would gain the seat to move as an RGBA image that fits over the board.

        ``options``: as ``Move.options``; others are passed over.
        """

    def best(self, position: Any, options: Mapping[str, int]) -> tuple[Any, int]:
        """Return the move with the greatest gain for the seat to move, and the gain."""

    def candidates(self, position: Any, count: int) -> list[tuple[Any, int]]:
        """Return up to so many good moves that differ in kind, the best first, each with its gain.

        Raises IllegalMove when the game is over.
        """


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


class Level(msgspec.Struct, frozen=True):
    """An opponent of a known strength, for people to choose; a game's levels rise."""

    title: str
    """A word or two, such as beginner."""
    summary: str
    """How it plays, in a line."""
    spec: str
    """What plays."""
    elo: int
    """How strong it was in the game's published contest, where the mean of all players is 0."""


class Expectation(msgspec.Struct, frozen=True):
    """How a game will end, as its strongest player sees it."""

    scores: tuple[float, ...]
    """One a seat, at the end; what nobody may get by then counts half for each where that cannot be told."""
    is_exact: bool
    """Whether that is certain under best play."""


def no_estimate(_: Mapping[str, object]) -> dict[str, int]:
    """Say nothing of a board before it is made."""
    return {}


class Page(msgspec.Struct, frozen=True):
    """What a game tells its pages."""

    limits: dict[str, int]
    """The most that a page shows and an arena bears of some options, of what ``rules`` tells, or of players."""
    rules: Callable[[Any], dict[str, Any]] = msgspec.to_builtins
    """Return what a page needs to know of rules at every turn, in JSON values: all but large tables."""
    words: Callable[[Any], str] = str
    """Return rules in a few words, by which lists of games tell them apart; rules drawn alike have the same."""
    estimate: Callable[[Mapping[str, object]], dict[str, int]] = no_estimate
    """Estimate the large numbers of ``rules`` before a board is made, from options that may be anything.

    What cannot be estimated is left out.
    """
    drawing_data: Callable[[Any], dict[str, Any]] | None = None
    """Return what a page needs to draw a board beyond its rules, in JSON values; None where that is all."""
    files: frozenset[str] = frozenset()
    """Options of players that name files of this machine: an arena refuses them."""


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
    levels: tuple[Level, ...]
    """Opponents from a beginner to the strongest; docs/levels has the contest that rated them."""
    presets: tuple[Preset, ...]
    """Rules for menus; the first is the usual game."""
    max_players: int
    """The most seats it can have."""
    page: Page
    """What it tells its pages."""
    pictures: Pictures
    """How it is drawn."""
    warm_up: WarmUp
    """Compiles what games call, or every kernel of the game."""
    analysis: Callable[[Any], dict[str, Any]] | None = None
    """Return what best play from a position is worth, within about a second, in JSON values; None in games without.

    ``value``: what the seat to move scores from there on less what the others do, null where it is not known; ``low``
    and ``high``: its bounds; ``best``: the moves that keep it, all of them where ``exact``. Raises IllegalMove when the
    game is over.
    """
    expectation: Callable[[Any], Expectation | None] | None = None
    """Return how the strongest player expects a game to end, within about a second; None where it cannot say.

    None in games without.
    """
    atlas: Atlas | None = None
    """All its small boards, solved; None in games without."""
    puzzles: PuzzleKind | None = None
    """How its puzzles are made and judged; None in games without."""
