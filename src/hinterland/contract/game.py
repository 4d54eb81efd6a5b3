"""A game as the catalogue and the arena see it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Protocol, runtime_checkable

import msgspec

from hinterland.contract.batch import Batch
from hinterland.contract.moves import LegalMoves, M_co, Move
from hinterland.contract.position import Position
from hinterland.contract.puzzle import PuzzleKind
from hinterland.contract.rules import Rules, load_game
from hinterland.contract.text import several
from hinterland.drawing.figures import make_board_picture, make_figure
from hinterland.errors import RulesError

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

BUDGET_SHARE = 0.85
"""Share of a move's time that a player plans to use."""
RESERVE_S = 0.012
"""Seconds by which the planned time is shortened, to allow for delays of the machine."""


class AtlasBoard(Protocol):
    """One board of an atlas."""

    @property
    def number(self) -> int:
        """The board's number among all boards of its size, counted from 0."""

    @property
    def points(self) -> Sequence[tuple[int, int]]:
        """Coordinates of everything on the board, y upwards."""

    @property
    def value(self) -> int:
        """The first mover's score less its opponent's under best play."""

    @property
    def best(self) -> int:
        """Number of first moves that keep the value."""

    @property
    def features(self) -> Mapping[str, int]:
        """Numbers that describe the board, by name. All boards of an atlas have features of the same names."""


class Atlas(msgspec.Struct, frozen=True):
    """All boards of some sizes."""

    unit: str
    """The unit of the sizes, in the plural, such as "dots"."""
    sizes: range
    """The sizes of boards: the atlas has all boards of each of these sizes."""
    boards: Callable[[int], Sequence[AtlasBoard]]
    """Return the boards of a size, in the order of their numbers."""
    filters: tuple[str, ...]
    """Features by which people can choose boards."""
    outline: Callable[[AtlasBoard], Sequence[tuple[int, int]]]
    """Return the corners of a polygon around a board's points, in order."""
    options: Callable[[AtlasBoard], dict[str, Any]]
    """Return the options with which ``Rules.from_options`` makes this board."""


class Clock(msgspec.Struct, frozen=True):
    """The time that a player has, in milliseconds; None means without limit."""

    left_ms: int | None = None
    """The time left for the rest of the game."""
    increment_ms: int = 0
    """The time added to ``left_ms`` for each move."""
    move_ms: int | None = None
    """The limit for a single move."""

    def thinking_s(self, moves: int, most_s: float) -> float:
        """Return how many seconds to think about a move if ``moves`` moves have to share the time left.

        The result is at most ``most_s``, and at most BUDGET_SHARE of what the clock allows for the move, less
        RESERVE_S.
        """
        limits = [most_s]
        if self.move_ms is not None:
            limits.append(self.move_ms / 1000 * BUDGET_SHARE - RESERVE_S)
        if self.left_ms is not None:
            fair_ms = min(self.left_ms / max(moves, 1) + self.increment_ms, self.left_ms)
            limits.append(fair_ms / 1000 * BUDGET_SHARE - RESERVE_S)
        return max(min(limits), 0.0)


Slips = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""The option ``slips``: the share of a player's moves that are random."""


def slip(slips: float, moves: LegalMoves[M_co], rng: np.random.Generator) -> M_co | None:
    """Return a random legal move with probability ``slips``, otherwise None. All legal moves are equally likely.

    With ``slips=0`` nothing is drawn from ``rng``, so that a player chooses as if it had no such option.
    """
    return moves.sample(rng) if slips and rng.random() < slips else None


class Player(Hashable, Protocol):
    """Anything that chooses moves.

    The fields of its struct are its options; the first line of its docstring describes it to people.
    """

    name: ClassVar[str]

    def choose(self, position: Any, clock: Clock, rng: np.random.Generator) -> Any:
        """Return a legal move for the seat to move."""


def is_timed(player: Player) -> bool:
    """Say whether a player's moves depend on the speed of its machine.

    In every game such a player has an option ``seconds``. If the player also has an option ``playouts``, and this
    option is given, the player makes that many playouts on any machine, and so is not timed.
    """
    return hasattr(player, "seconds") and getattr(player, "playouts", None) is None


@runtime_checkable
class TellingPlayer(Protocol):
    """A player that comments on some of its moves in the record, for example that a move is not proven best."""

    def choose_and_tell(self, position: Any, clock: Clock, rng: np.random.Generator) -> tuple[Any, str]:
        """Return the move that ``choose`` would return, and a sentence about it or an empty text."""


@runtime_checkable
class WarmablePlayer(Protocol):
    """A player that can run its own kernels to compile them; for any other player, ``rehearse`` plays two games."""

    def warm_up(self, rules: Any) -> None:
        """Run every kernel that this player may call in games of these rules, on a small board."""


def rehearse(player: Player, rules: Rules) -> None:
    """Play two games with ``player`` in all seats: one without a time limit, one without any time to think.

    This compiles the player's kernels before a real clock runs.
    """
    import numpy as np  # noqa: PLC0415

    for clock in (Clock(), Clock(move_ms=0)):
        position, rng = rules.start(), np.random.default_rng(0)
        while position.to_move is not None:
            position = position.play(player.choose(position, clock, rng))


class WarmUp(Protocol):
    """Compiles kernels before a clock runs, so that no player loses time to the compiler."""

    def __call__(self, rules: Any = None, players: Iterable[Player] | None = None) -> None:
        """Run the kernels that the judge and ``players`` call under ``rules``, on a small board.

        If ``rules`` is None, run the kernels for rules of every kind. If ``players`` is None, run those of all players,
        pictures and hints. Kernels that this process has already run are not run again.
        """


def no_warm_up(rules: Any = None, players: Iterable[Player] | None = None) -> None:
    """Compile nothing: the game has no kernels."""


class Pictures(Protocol):
    """How a game draws its positions."""

    def svg(self, position: Any) -> str:
        """Draw a position as a complete SVG document."""

    def image(self, position: Any, pixels: int) -> Image:
        """Draw a position as a square image."""

    def poster(self, position: Any) -> str:
        """Draw a position as ``svg`` does, with details for a large print, such as contours."""

    def poster_image(self, position: Any, pixels: int) -> Image:
        """Draw a position as ``image`` does, with details for a large print."""

    def heat(self, position: Any, options: Mapping[str, int]) -> Image:
        """Draw what each move would gain the seat to move, as an RGBA image that fits over the board.

        ``options``: values of ``Move.options``, such as the weight of the stone; unknown names are ignored.
        """

    def best(self, position: Any, options: Mapping[str, int]) -> tuple[Any, int]:
        """Return the move with the greatest gain for the seat to move, and the gain."""

    def candidates(self, position: Any, count: int) -> list[tuple[Any, int]]:
        """Return up to ``count`` good moves of different kinds, the best first, each with its gain.

        Raises IllegalMove when the game is over.
        """


class Planes(Protocol):
    """What learners see of a game's positions: planes, arrays with a number for each cell, vertex or pair of dots."""

    def name_planes(self, rules: Any) -> tuple[str, ...]:
        """Say what each plane shows."""

    def compute_planes(self, position: Any, seat: int) -> np.ndarray:
        """Return what ``seat`` sees: float32 (planes, …).

        Planes that show one seat each are in turn order, beginning with ``seat``.
        """


class Preset(msgspec.Struct, frozen=True):
    """Rules under a name, for menus."""

    name: str
    """A word, for programs."""
    title: str
    """The name for people."""
    summary: str
    """A sentence about it."""
    options: dict[str, Any]
    """The options that differ from the defaults, as ``Rules.from_options`` takes them."""


class Level(msgspec.Struct, frozen=True):
    """An opponent of known strength that people can choose; the levels of a game go from weak to strong."""

    title: str
    """A word or two, such as beginner."""
    summary: str
    """How the opponent plays, in a line."""
    spec: str
    """The spec of the player."""
    elo: int
    """The level's rating in the contest that docs/levels.md describes; the mean of all players rated there is 0."""


class Expectation(msgspec.Struct, frozen=True):
    """How a game will end, as its strongest player sees it."""

    scores: tuple[float, ...]
    """The expected final score of each seat. What is still undecided counts half for each seat that may get it."""
    is_exact: bool
    """Whether these scores are certain under best play."""


def no_estimate(_: Mapping[str, object]) -> dict[str, int]:
    """Return no estimates.

    The default of ``Page.estimate``, for games whose ``Page.rules`` returns no numbers that could grow large.
    """
    return {}


class Page(msgspec.Struct, frozen=True):
    """What a game provides for its pages."""

    limits: dict[str, int]
    """The greatest values that pages can show and an arena can bear. A key names an option, a value that ``rules``
    returns, or the number of players."""
    rules: Callable[[Any], dict[str, Any]] = msgspec.to_builtins
    """Return what a page needs to know of the rules at every turn, as JSON values without large tables."""
    words: Callable[[Any], str] = str
    """Describe rules in a few words that tell them from other rules in lists of games. Rules that differ only in where
    the board's dots or vertices lie have the same words."""
    estimate: Callable[[Mapping[str, object]], dict[str, int]] = no_estimate
    """Estimate the large numbers that ``rules`` will return, before the board is made, from options that are not yet
    checked.

    Numbers that cannot be estimated are left out.
    """
    drawing_data: Callable[[Any], dict[str, Any]] | None = None
    """Return what a page needs to draw a board besides its rules, as JSON values; None if it needs nothing more."""
    locate: Callable[[Any, Sequence[tuple[int, ...]]], list[tuple[float, float]]] | None = None
    """Return where places of a board lie (``Rules.place_ranges``): x and y as shares of the drawn board, y downwards.
    None in games without such places."""
    files: frozenset[str] = frozenset()
    """Options of players whose values are files on this machine; an arena refuses these options."""


class Game(msgspec.Struct, frozen=True):
    """One game, as the catalogue and the arena see it."""

    name: str
    """The game's name in the catalogue, in commands and in records: a single word."""
    title: str
    """The name for people."""
    summary: str
    """What the game is, in a sentence."""
    rules: type[Rules]
    position: type[Position[Any, Any]]
    move: type[Move]
    players: dict[str, type[Player]]
    """Players by name."""
    levels: tuple[Level, ...]
    """At least two opponents, from beginner to strongest; docs/levels.md describes the contest that rated them."""
    presets: tuple[Preset, ...]
    """Rules for menus; the first is the standard game."""
    max_players: int
    """The largest number of seats."""
    page: Page
    pictures: Pictures
    planes: Planes
    warm_up: WarmUp = no_warm_up
    """Compiles the game's kernels before they are needed; see ``WarmUp``."""
    batch: Callable[[Any, int], Batch] = Batch
    """Make a number of boards with the same rules, for learners. A game with kernels that play many boards has a
    subclass of ``Batch``."""
    opponent: str = "random"
    """The spec of the player that learners meet in Gymnasium unless they choose another."""
    analysis: Callable[[Any], dict[str, Any]] | None = None
    """Return what a position is worth under best play, within about a second, as JSON values. The field is None in
    games without a solver.

    ``value``: what the seat to move will still gain less what the others will gain; null if unknown. ``low`` and
    ``high`` are bounds of the value. ``best``: moves that keep the value; if ``exact`` is true, all such moves. Raises
    IllegalMove when the game is over.
    """
    expectation: Callable[[Any], Expectation | None] | None = None
    """Return how the strongest player expects a game to end, within about a second; None if it cannot say.

    The field itself is None in games without such expectations.
    """
    atlas: Atlas | None = None
    """All small boards of the game, solved; None in games without an atlas."""
    puzzles: PuzzleKind | None = None
    """How puzzles of the game are made and judged; None in games without puzzles."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a game as its class of rules, from which ``load_game`` finds the game in the other process."""
        return load_game, (self.rules,)

    def make_figure(self, position: Position[Any, Any]) -> str:
        """Return a picture of a position with a caption, as HTML for notebooks."""
        seat = position.to_move
        standing = "over" if seat is None else f"seat {seat} to move"
        made = several(len(position.moves), "move")
        scores = " : ".join(f"{score:,}" for score in position.scores)
        words = f"{position.rules.summary[:300]} · after {made} {scores} · {standing}"
        try:
            picture = make_board_picture(
                self.pictures.svg(position), lambda pixels: self.pictures.image(position, pixels), words
            )
            return make_figure(picture, words)
        except RulesError as error:
            return make_figure("", f"{words} · not drawn: {error}")
