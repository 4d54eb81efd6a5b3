"""Reads what a browser asks for when it wants a game; every fault is one clear line."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from hinterland import catalog
from hinterland.errors import BadText, HinterlandError, RulesError, UnknownName, shown
from hinterland.referee.clock import TimeControl
from hinterland.referee.shell.local import timestamp
from hinterland.web.seating import NO_CLOCK, Seat, Setup, digest, new_id

if TYPE_CHECKING:
    from hinterland.contract import Game, Rules

__all__ = [
    "LONGEST_NAME", "ClockWish", "check_player", "grant", "read_board_wish", "read_control", "read_rules", "read_wish",
]  # fmt: skip

LONGEST_NAME = 40
LONGEST_SPEC = 100
GREATEST_SEED = 2**53 - 1
"""Above this JavaScript cannot tell whole numbers apart."""
FORM = (
    '{"game": …, "rules": {…}, "seats": [{"kind": "person", "name": …}, {"kind": "program", "player": …}], '
    '"clock": {"budget": 120}}'
)


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's seat has a name, a program's a player of the catalogue."""

    kind: Literal["person", "program"]
    name: str | None = None
    player: str | None = None


class ClockWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds; None is without limit."""

    budget: float | None = None
    increment: float = 0.0
    move: float | None = None


class GameWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/games."""

    game: str
    seats: list[SeatWish]
    rules: dict[str, Any] = {}
    like: str | None = None
    """The id of a game whose rules, and so whose board, are wanted instead."""
    clock: ClockWish | None = None
    seed: int | None = None


class BoardWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/boards."""

    game: str
    rules: dict[str, Any]


def read_board_wish(body: bytes) -> tuple[Game, Rules]:
    """Return the game and rules whose board somebody wants to see. Raises a HinterlandError in one clear line."""
    try:
        wish = msgspec.json.decode(body, type=BoardWish)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadText(f'a board is asked for with {{"game": …, "rules": {{…}}}}: {error}') from None
    game = catalog.game(wish.game)
    return game, read_rules(game, wish.rules)


def read_wish(body: bytes) -> GameWish:
    """Return what a request asks for. Raises BadText."""
    try:
        return msgspec.json.decode(body, type=GameWish)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadText(f"a game is asked for with {FORM}: {error}") from None


def grant(wish: GameWish, key: str, liked: Rules | None) -> Setup:
    """Return the set-up of a wish. Raises a HinterlandError in one clear line.

    ``liked``: the rules of the game ``wish.like``.
    """
    game = catalog.game(wish.game)
    rules = _rules(game, wish, liked)
    return Setup(
        id=new_id(),
        game_name=game.name,
        rules_json=msgspec.to_builtins(rules),
        seats=tuple(_seat(game, number, seat) for number, seat in enumerate(wish.seats, start=1)),
        control=read_control(wish.clock),
        seed=_seed(wish.seed),
        key_sha256=digest(key),
        started=timestamp(),
    )


def _rules(game: Game, wish: GameWish, liked: Rules | None) -> Rules:
    if liked is None:
        rules = read_rules(game, {"players": len(wish.seats), **wish.rules})
    elif wish.rules or liked.game != game.name:
        raise BadText(f"a game like another has its rules: leave rules out, and ask for {liked.game}")
    else:
        rules = liked
    if rules.players != len(wish.seats):
        raise RulesError(f"the rules say {rules.players} players, but {len(wish.seats)} seats are taken")
    return rules


def read_rules(game: Game, options: dict[str, Any]) -> Rules:
    """Make rules that the arena bears, since it serves many at once. Raises a HinterlandError in one clear line."""
    _check_width(game, options)
    _check_width(game, game.rules.foreseen(options))
    rules = game.rules.from_options(options)
    _check_width(game, rules.brief())
    return rules


def _check_width(game: Game, values: dict[str, Any]) -> None:
    for name, most in game.widest.items():
        value = values.get(name)
        if isinstance(value, int | float) and value > most:
            raise RulesError(
                f"in the browser {name} can be at most {most}, not {shown(value)}; more is for the command line"
            )


def _seat(game: Game, number: int, wish: SeatWish) -> Seat:
    if wish.kind == "person":
        return Seat("person", _name(number, wish))
    if wish.player is None or wish.name is not None:
        raise BadText(f'seat {number}: a program is seated with {{"kind": "program", "player": …}}')
    if len(wish.player) > LONGEST_SPEC:
        raise UnknownName(f"player of {game.name}", wish.player, game.players)
    check_player(game, wish.player)
    return Seat("program", wish.player)


def check_player(game: Game, spec: str) -> None:
    """Raise a HinterlandError for a player that is none, or that would think for longer than an arena bears."""
    player = catalog.player(game, spec)
    options = getattr(player, "__struct_fields__", ())
    _check_width(game, {option: getattr(player, option) for option in options})


def _name(number: int, wish: SeatWish) -> str:
    """Return a person's name: letters that can be seen, none that could hide or turn other text."""
    if wish.name is None or wish.player is not None:
        raise BadText(f'seat {number}: a person is seated with {{"kind": "person", "name": …}}')
    name = wish.name.strip()
    if not (1 <= len(name) <= LONGEST_NAME and name.isprintable()):
        raise BadText(f"seat {number}: a name has 1 to {LONGEST_NAME} printable characters, not {shown(wish.name)}")
    return name


def read_control(wish: ClockWish | None) -> TimeControl:
    """Return a time control; without a wish there is no limit. Raises RulesError."""
    if wish is None:
        return NO_CLOCK
    try:
        return TimeControl.of_seconds(wish.budget, wish.increment, wish.move)
    except HinterlandError as error:
        raise RulesError(f"clock: {error}") from None


def _seed(wished: int | None) -> int:
    if wished is None:
        return secrets.randbelow(2**32)
    if not 0 <= wished <= GREATEST_SEED:
        raise RulesError(f"seed must be a whole number from 0 to {GREATEST_SEED}, not {wished}")
    return wished
