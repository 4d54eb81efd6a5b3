"""Reads what is asked for when a table for programs is wanted; every fault is one clear line."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from hinterland import catalog
from hinterland.errors import BadText, RulesError, UnknownName, shown
from hinterland.referee.judge import Illegal
from hinterland.referee.shell.host import PROTOCOLS, Plan, default_protocol
from hinterland.referee.shell.lobby import Doors
from hinterland.referee.shell.play import Terms
from hinterland.web.wishes import ClockWish, check_player, read_control, read_rules

__all__ = ["TableWish", "read_table_wish"]

LONGEST_BUDGET_S, LONGEST_INCREMENT_S = 3600, 60
"""A table is not held for ever by players that take their time."""
LONGEST_SPEC = 100
DOORS = Doors(connections=64, connections_per_address=64)
FORM = '{"game": …, "players": 2, "rules": {…}, "house": ["reply"], "protocol": "hps", "clock": {"budget": 120}}'


class TableWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables."""

    game: str
    players: int = 2
    rules: dict[str, Any] = {}
    house: list[str] = []
    protocol: str | None = None
    clock: ClockWish = ClockWish(budget=120.0)
    illegal: str | None = None
    port: int = 0


def read_table_wish(body: bytes) -> tuple[Plan, int]:
    """Return the plan that a request asks for, and the port. Raises a HinterlandError in one clear line."""
    try:
        wish = msgspec.json.decode(body, type=TableWish)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadText(f"a table is asked for with {FORM}: {error}") from None
    terms = _terms(wish)
    protocol = default_protocol(terms, needs_tokens=False) if wish.protocol is None else wish.protocol
    if protocol not in PROTOCOLS:
        raise UnknownName("protocol", protocol, PROTOCOLS)
    plan = Plan(
        terms=terms,
        protocol=protocol,
        house=tuple(_house(terms, spec) for spec in wish.house),
        doors=DOORS,
    )
    plan.check()
    return plan, _port(wish.port)


def _terms(wish: TableWish) -> Terms:
    kind = catalog.game(wish.game)
    rules = read_rules(kind, {"players": wish.players, **wish.rules})
    if wish.illegal is not None and wish.illegal not in tuple(Illegal):
        raise UnknownName("cost of an illegal move", wish.illegal, Illegal)
    budget, increment = wish.clock.budget, wish.clock.increment
    if budget is None or not 1 <= budget <= LONGEST_BUDGET_S:
        raise RulesError(f"clock: a budget from 1 to {LONGEST_BUDGET_S} seconds is needed, not {shown(budget)}")
    if increment > LONGEST_INCREMENT_S:
        raise RulesError(f"clock: the increment can be at most {LONGEST_INCREMENT_S} seconds, not {increment:g}")
    return Terms(
        kind=kind,
        rules=rules,
        control=read_control(wish.clock),
        illegal=None if wish.illegal is None else Illegal(wish.illegal),
        seed=secrets.randbelow(2**31) if wish.house else None,
    )


def _house(terms: Terms, spec: str) -> str:
    """Return a player of the house. No program is ever started because a page asks for it."""
    name = spec.partition(":")[0]
    if name not in terms.kind.players:
        if name in ("cmd", "hps"):
            raise BadText("no program is started from here: house seats players of the catalogue; programs connect")
        raise UnknownName(f"player of {terms.kind.name}", spec[:LONGEST_SPEC], terms.kind.players)
    if len(spec) > LONGEST_SPEC:
        raise BadText(f"a player of the house is written in at most {LONGEST_SPEC} characters, not {len(spec)}")
    check_player(terms.kind, spec)
    return spec


def _port(port: int) -> int:
    if port != 0 and not 1024 <= port <= 65535:
        raise RulesError(f"port must be 0, for a free one, or from 1024 to 65535, not {port}")
    return port
