"""Reads requests for a match with people or built-in players; every fault is one clear line."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from hinterland import catalog
from hinterland.contract import read_json
from hinterland.host.live_match import MatchConfig
from hinterland.host.match_host import HostConfig
from hinterland.web.api.game_request import ClockRequest, person_name, read_control, read_rules
from hinterland.web.api.match_request import built_in
from hinterland.web.matches.hosting import ADMISSION

FORM = '{"game": …, "rules": {…}, "name": "Ann", "house": ["reply"], "clock": {"budget": 600}, "to_all": false}'


class ChallengeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/challenges."""

    game: str
    name: str
    """Name of the host, who begins the first game."""
    rules: dict[str, Any] = {}
    clock: ClockRequest | None = None
    to_all: bool = False
    """Whether to list the challenge as open to anybody."""
    house: list[str] = []
    """Built-in players for the last seats; without any, friends take all other seats."""


class Challenge(msgspec.Struct, frozen=True):
    """A challenge as requested."""

    plan: HostConfig
    name: str
    to_all: bool


def read_challenge(body: bytes) -> ChallengeRequest:
    """Read a request. Raises BadText."""
    request: ChallengeRequest = read_json(body, ChallengeRequest, f"a challenge is made with {FORM}")
    return request


def plan_challenge(request: ChallengeRequest) -> Challenge:
    """Return the requested challenge. Raises a HinterlandError in one clear line."""
    kind = catalog.game(request.game)
    config = MatchConfig(
        kind=kind, rules=read_rules(kind, request.rules), control=read_control(request.clock),
        seed=secrets.randbelow(2**31) if request.house else None,
    )  # fmt: skip
    house = tuple(built_in(config, spec) for spec in request.house)
    plan = HostConfig(config=config, protocol="json", own_players=house, admission=ADMISSION, is_open_ended=True)
    plan.check()
    return Challenge(plan, person_name(request.name), request.to_all)
