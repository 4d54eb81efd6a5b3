"""Adds a player to an existing contest."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import msgspec

from hinterland import catalog
from hinterland.contest.folder import ContestFolder
from hinterland.contest.plan import CONNECT, Entrant, check_entrant, make_format
from hinterland.errors import BadText, quote

if TYPE_CHECKING:
    from pathlib import Path


def add_player(folder: Path, player: str) -> str | None:
    """Write another player into a contest's plan; return its token, if it will connect.

    Raises HinterlandError if the format takes no more players, the name is in use, or the contest is being played.
    """
    entrant = Entrant.parse(player)
    with ContestFolder.locked(folder) as contest:
        plan = contest.plan
        check_entrant(catalog.game(plan.game), entrant, sandbox=plan.sandbox)
        if entrant.name in plan.names:
            raise BadText(f"there is a player {quote(entrant.name)} already; name it, as in NAME={entrant.spec}")
        make_format(msgspec.structs.replace(plan, players=(*plan.players, entrant), added=plan.added + 1))
        token = secrets.token_urlsafe(9) if entrant.spec == CONNECT else None
        contest.add(entrant, token)
    return token
