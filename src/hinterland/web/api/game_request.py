"""Reads requests for a game; reports every fault in one clear line."""

from __future__ import annotations

import secrets
from typing import Any, Literal

import msgspec

from hinterland import catalog
from hinterland.contract import Game, Rules, read_json
from hinterland.errors import BadText, RulesError, UnknownName, quote
from hinterland.host.synchronous import timestamp
from hinterland.referee.clock import TimeControl
from hinterland.storage.game_setup import NO_CLOCK, Seat, Setup, hash_key, new_id

MAX_NAME_CHARACTERS = 40
"""Length of the longest name of a player in a request for a game."""
MAX_SPEC_CHARACTERS = 100
MAX_SEED = 2**53 - 1
"""The largest integer that JavaScript represents exactly."""
FORM = (
    '{"game": …, "rules": {…}, "seats": [{"kind": "person", "name": …}, {"kind": "program", "player": …}], '
    '"clock": {"budget": 120}}'
)
GAME_FORM = f"a request for a game has the form {FORM}"


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A requested seat: a person with a ``name``, or a program with a ``player``, the spec of a built-in player."""

    kind: Literal["person", "program"]
    name: str | None = None
    player: str | None = None


class ClockRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clock settings in seconds; None: no limit."""

    budget: float | None = None
    increment: float = 0.0
    move: float | None = None


class GameRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/games."""

    game: str
    seats: list[SeatRequest]
    rules: dict[str, Any] = {}
    like: str | None = None
    """Id of a game whose rules the new game takes over, its board included."""
    clock: ClockRequest | None = None
    seed: int | None = None
    rated: bool = True
    """Whether the game may count for the ladder. A game with a chosen seed never counts."""


class BoardRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/boards."""

    game: str
    rules: dict[str, Any]


def read_board_request(body: bytes) -> tuple[Game, Rules]:
    """Return the requested game and rules. Raises HinterlandError with a message of one line."""
    request = read_json(body, BoardRequest, 'a board is asked for with {"game": …, "rules": {…}}')
    game = catalog.game(request.game)
    return game, read_rules(game, request.rules)


def create_setup(request: GameRequest, key: str, liked: Rules | None, guest: str = "") -> Setup:
    """Return the setup of a requested game. Raises HinterlandError with a message of one line.

    ``liked``: the rules of the game ``request.like``; ``guest``: the digest of the browser's cookie.
    """
    game = catalog.game(request.game)
    rules = _rules(game, request, liked)
    return Setup(
        id=new_id(),
        game_name=game.name,
        rules_json=msgspec.to_builtins(rules),
        seats=tuple(_seat(game, number, seat, guest) for number, seat in enumerate(request.seats, start=1)),
        control=read_control(request.clock),
        seed=_seed(request.seed),
        key_sha256=hash_key(key),
        started=timestamp(),
        guests=(guest,) if guest else (),
        is_casual=not request.rated or request.seed is not None,
    )


def _rules(game: Game, request: GameRequest, liked: Rules | None) -> Rules:
    if liked is None:
        rules = read_rules(game, {"players": len(request.seats), **request.rules})
    elif request.rules or liked.game != game.name:
        raise BadText(f"a game like another one keeps its rules: leave rules out and set game to {liked.game}")
    else:
        rules = liked
    if rules.players != len(request.seats):
        raise RulesError(f"the rules say {rules.players} players, but {len(request.seats)} seats are taken")
    return rules


def read_rules(game: Game, options: dict[str, Any]) -> Rules:
    """Make rules.

    Raises HinterlandError, with a message of one line, if the rules are invalid or beyond the limits of an arena.
    """
    _check_width(game, options)
    _check_width(game, game.page.estimate(options))
    rules = game.rules.from_options(options)
    _check_width(game, game.page.rules(rules))
    return rules


def check_board(game: Game, rules_json: dict[str, Any]) -> None:
    """Raise a HinterlandError if the rules of a record are invalid or beyond the limits of an arena."""
    _check_width(game, rules_json)
    _check_width(game, game.page.estimate(rules_json))
    _check_width(game, game.page.rules(game.rules.from_json(rules_json)))


def _check_width(game: Game, values: dict[str, Any]) -> None:
    for name, most in game.page.limits.items():
        value = values.get(name)
        if isinstance(value, int | float) and value > most:
            raise RulesError(
                f"in the browser {name} can be at most {most}, not {quote(value)}; more is for the command line"
            )


def _seat(game: Game, number: int, request: SeatRequest, guest: str) -> Seat:
    if request.kind == "person":
        return Seat("person", _name(number, request), guest)
    if request.player is None or request.name is not None:
        raise BadText(f'seat {number}: a program is seated with {{"kind": "program", "player": …}}')
    if len(request.player) > MAX_SPEC_CHARACTERS:
        raise UnknownName(f"player of {game.name}", request.player, game.players)
    check_player(game, request.player)
    return Seat("program", request.player)


def check_player(game: Game, spec: str) -> None:
    """Raise HinterlandError for an unknown player, or one that thinks longer than an arena allows.

    A level is allowed whatever its options are: on the largest graph, the slowest level takes half as long as
    ``montecarlo`` with the largest options that are allowed.
    """
    for option in catalog.options_of(spec):
        if option in game.page.files:
            raise RulesError(f"in the browser no player has the option {option}, a file; that is for the command line")
    player = catalog.player(game, spec)
    if spec in {level.spec for level in game.levels}:
        return
    options = getattr(player, "__struct_fields__", ())
    _check_width(game, {option: getattr(player, option) for option in options})


def _name(number: int, request: SeatRequest) -> str:
    """Return the name of a person in a requested seat.

    Raises BadText, which names the seat, for a missing or bad name.
    """
    if request.name is None or request.player is not None:
        raise BadText(f'seat {number}: a person is seated with {{"kind": "person", "name": …}}')
    try:
        return person_name(request.name)
    except BadText as error:
        raise BadText(f"seat {number}: {error}") from None


def person_name(text: str) -> str:
    """Return a person's name without spaces at its ends.

    Raises BadText for an empty or too long name, or one with an invisible character, which could hide or reverse other
    text.
    """
    name = text.strip()
    if not (1 <= len(name) <= MAX_NAME_CHARACTERS and name.isprintable()):
        raise BadText(f"a name has 1 to {MAX_NAME_CHARACTERS} printable characters, not {quote(text)}")
    return name


def read_control(request: ClockRequest | None) -> TimeControl:
    """Return the requested time control; None requests one without limits. Raises RulesError."""
    if request is None:
        return NO_CLOCK
    return TimeControl.of_seconds(request.budget, request.increment, request.move)


def _seed(wished: int | None) -> int:
    if wished is None:
        return secrets.randbelow(2**32)
    if not 0 <= wished <= MAX_SEED:
        raise RulesError(f"seed must be a whole number from 0 to {MAX_SEED}, not {wished}")
    return wished
