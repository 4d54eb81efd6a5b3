"""Tables for programs and people: how they are made, taken and closed in the arena."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from litestar import Request, post
from litestar.exceptions import HTTPException

from hinterland.contract import read_json
from hinterland.storage.game_setup import new_key
from hinterland.web.api.game_api import read_body
from hinterland.web.api.game_request import person_name
from hinterland.web.api.table_request import read_table_request
from hinterland.web.arena import arena_of
from hinterland.web.guards import check_admin, client_of, limit_rate
from hinterland.web.http_errors import not_here
from hinterland.web.live.hosting import Hosted

Body = TypeVar("Body")


class KeyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables/ID/close and /leave."""

    key: str


class SeatWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables/ID/seat."""

    name: str


@post("/api/tables")
async def create_table(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Open a table; the answer says where programs connect, and holds the key that closes it."""
    arena = arena_of(request)
    check_admin(request)
    body = await read_body(request)
    limit_rate(request, arena.games, "too many new games; try again in a moment")
    makers = arena.board_workers.shared_by(client_of(request))
    plan, port = await makers.run(read_table_request, body, arena.settings.programs)
    key = new_key()
    hosted = await arena.hosting.open(plan, port, key)
    arena.audit.note("table opened", client_of(request), table=hosted.table.id, at=hosted.address)
    url = f"/tables/{hosted.table.id}"
    made = {"id": hosted.table.id, "key": key, "url": url, "address": hosted.address, "protocol": plan.protocol}
    return {**made, "tokens": plan.tokens or {}}


@post("/api/tables/{table_id:str}/close", status_code=200)
async def close_table(request: Request[Any, Any, Any]) -> dict[str, bool]:
    """Close a table, by the key of who made it."""
    hosted = _hosted(request)
    closing = await _body(request, KeyRequest, 'a table is closed with {"key": …}')
    if not hosted.opens(closing.key):
        raise HTTPException("only the browser that made this table may close it", status_code=403)
    await hosted.stop("it was closed by who made it")
    arena_of(request).audit.note("table closed", client_of(request), table=hosted.table.id)
    return {"closed": True}


@post("/api/tables/{table_id:str}/seat")
async def take_seat(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Seat a person; the answer holds the key with which the person plays."""
    hosted = _hosted(request)
    wanted = await _body(request, SeatWanted, 'a seat is taken with {"name": …}')
    limit_rate(request, arena_of(request).games, "too many new games; try again in a moment")
    most = arena_of(request).settings.limits.seats_per_address
    number, key = await hosted.take_seat(person_name(wanted.name), _visitor(request), most)
    audit = arena_of(request).audit
    audit.note("seat taken", client_of(request), table=hosted.table.id, number=number, name=wanted.name)
    return {"number": number, "key": key}


@post("/api/tables/{table_id:str}/leave", status_code=200)
async def leave_seat(request: Request[Any, Any, Any]) -> dict[str, bool]:
    """Give a seat up before the match begins."""
    hosted = _hosted(request)
    leaving = await _body(request, KeyRequest, 'a seat is given up with {"key": …}')
    await hosted.leave_seat(leaving.key)
    arena_of(request).audit.note("seat given up", client_of(request), table=hosted.table.id)
    return {"left": True}


def _visitor(request: Request[Any, Any, Any]) -> str:
    """Return the address of somebody from outside; empty for whoever sits at this machine, who may have all of it."""
    openness = arena_of(request).settings.openness
    return "" if openness.admin_token is None else client_of(request)


def _hosted(request: Request[Any, Any, Any]) -> Hosted:
    """Return the table of an address, or answer 404."""
    hosted = arena_of(request).hosting.find(request.path_params["table_id"])
    if hosted is None:
        raise not_here("there is no such table here")
    return hosted


async def _body(request: Request[Any, Any, Any], kind: type[Body], form: str) -> Body:
    """Read a body. Raises BadText that names the form it has."""
    read: Body = read_json(await read_body(request), kind, form)
    return read
