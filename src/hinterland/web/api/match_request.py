"""Reads requests for hosted matches and challenges; reports every fault in one clear line."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from hinterland import catalog
from hinterland.errors import BadText, RulesError, UnknownName, quote
from hinterland.host.live_match import MatchConfig
from hinterland.host.match_host import PROTOCOLS, HostConfig, default_protocol
from hinterland.host.specs import is_program
from hinterland.referee.protocol.names import clean_name
from hinterland.referee.verdicts import Illegal
from hinterland.web.api.game_request import (
    MAX_SPEC_CHARACTERS,
    ClockRequest,
    check_player,
    person_name,
    read_control,
    read_rules,
)
from hinterland.web.matches.hosting import ADMISSION

MAX_BUDGET_S, MAX_INCREMENT_S = 3600, 60
"""Longest budget and increment of a hosted match, in seconds: few matches can be hosted at a time, so each must end."""
FORM = '{"game": …, "players": 2, "rules": {…}, "house": ["reply"], "protocol": "hps", "clock": {"budget": 120}}'
MATCH_FORM = f"a request for a match has the form {FORM}"
CHALLENGE_FORM = (
    'a challenge is made with {"game": …, "rules": {…}, "name": "Ann", "house": ["reply"], "clock": {"budget": 600}, '
    '"to_all": false}'
)


class MatchRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables."""

    game: str
    players: int = 2
    rules: dict[str, Any] = {}
    house: list[str] = []
    protocol: str | None = None
    clock: ClockRequest = ClockRequest(budget=120.0)
    illegal: str | None = None
    port: int = 0
    tokens: list[str] = []
    """Names of bots that get a token. A bot reconnects with its token."""


class ChallengeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/challenges."""

    game: str
    name: str
    """Name of the person who makes the challenge, and who begins the first game."""
    rules: dict[str, Any] = {}
    clock: ClockRequest | None = None
    to_all: bool = False
    """Whether the challenge is in the list of open challenges, so that anybody may join."""
    house: list[str] = []
    """Specs of built-in players, which take the last seats; friends take all other seats."""


class Challenge(msgspec.Struct, frozen=True):
    """A challenge that a request describes."""

    plan: HostConfig
    name: str
    to_all: bool


def plan_match(request: MatchRequest, programs: dict[str, str]) -> tuple[HostConfig, int]:
    """Return the plan and the port of a requested match. Raises HinterlandError with a message of one line.

    ``programs``: see ``Settings``.
    """
    config = _config(request)
    usual = default_protocol(config, needs_tokens=bool(request.tokens))
    protocol = usual if request.protocol is None else request.protocol
    if protocol not in PROTOCOLS:
        raise UnknownName("protocol", protocol, PROTOCOLS)
    plan = HostConfig(
        config=config,
        protocol=protocol,
        own_players=tuple(spec if spec in programs else check_built_in(config, spec) for spec in request.house),
        admission=ADMISSION,
        programs=programs,
        tokens={name: secrets.token_urlsafe(18) for name in _names(request)} or None,
    )
    plan.check()
    return plan, _port(request.port)


def plan_challenge(request: ChallengeRequest) -> Challenge:
    """Return the requested challenge. Raises HinterlandError with a message of one line."""
    kind = catalog.game(request.game)
    config = MatchConfig(
        rules=read_rules(kind, request.rules), control=read_control(request.clock),
        seed=secrets.randbelow(2**31) if request.house else None,
    )  # fmt: skip
    house = tuple(check_built_in(config, spec) for spec in request.house)
    plan = HostConfig(config=config, protocol="json", own_players=house, admission=ADMISSION, is_open_ended=True)
    plan.check()
    return Challenge(plan, person_name(request.name), request.to_all)


def _config(request: MatchRequest) -> MatchConfig:
    kind = catalog.game(request.game)
    rules = read_rules(kind, {"players": request.players, **request.rules})
    if request.illegal is not None and request.illegal not in tuple(Illegal):
        raise UnknownName("cost of an illegal move", request.illegal, Illegal)
    budget, increment = request.clock.budget, request.clock.increment
    if budget is None or not 1 <= budget <= MAX_BUDGET_S:
        raise RulesError(f"the clock's budget must be 1 to {MAX_BUDGET_S} seconds, not {quote(budget)}")
    if increment > MAX_INCREMENT_S:
        raise RulesError(f"the clock's increment must be at most {MAX_INCREMENT_S} seconds, not {increment:g}")
    return MatchConfig(
        rules=rules,
        control=read_control(request.clock),
        illegal=None if request.illegal is None else Illegal(request.illegal),
        seed=secrets.randbelow(2**31) if request.house else None,
    )


def check_built_in(config: MatchConfig, spec: str) -> str:
    """Return ``spec`` if it names a built-in player. Raises BadText for a program, which pages never start.

    Raises UnknownName if there is no such player.
    """
    name = spec.partition(":")[0]
    if name not in config.kind.players:
        if name in ("cmd", "hps") or is_program(spec):
            raise BadText("pages start no programs: house lists built-in players; programs connect by themselves")
        raise UnknownName(f"player of {config.kind.name}", spec[:MAX_SPEC_CHARACTERS], config.kind.players)
    if len(spec) > MAX_SPEC_CHARACTERS:
        raise BadText(f"a built-in player is written in at most {MAX_SPEC_CHARACTERS} characters, not {len(spec)}")
    check_player(config.kind, spec)
    return spec


def _names(request: MatchRequest) -> list[str]:
    """Return the names of the bots that get tokens. Raises RulesError."""
    names = request.tokens
    if len(names) > request.players - len(request.house):
        open_seats = request.players - len(request.house)
        raise RulesError(f"{len(names)} bots would get tokens, but only {open_seats} seats are open")
    for number, name in enumerate(names):
        if name != clean_name(name, names[:number]):
            possible = quote(clean_name(name, names[:number]))
            raise RulesError(f"{quote(name)} is not a bot name; use one such as {possible}")
    return names


def _port(port: int) -> int:
    if port != 0 and not 1024 <= port <= 65535:
        raise RulesError(f"port must be 0, for a free one, or from 1024 to 65535, not {port}")
    return port
