"""One more player for a contest that stands."""

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
    """Write one more player into a contest's plan; return its token, if it will connect.

    Raises HinterlandError where the format has no room for it, somebody has its name, or the contest is being played.
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
