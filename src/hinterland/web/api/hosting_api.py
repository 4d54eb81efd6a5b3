"""The endpoints by which pages create, join and close hosted matches of programs and people."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, post
from litestar.exceptions import HTTPException

from hinterland.storage.game_setup import new_key
from hinterland.web.api.forms import read_form
from hinterland.web.api.game_request import person_name
from hinterland.web.api.match_api import NO_MATCH
from hinterland.web.api.match_request import MATCH_FORM, MatchRequest, plan_match
from hinterland.web.arena import arena_of
from hinterland.web.guards import asker_of, check_admin, client_of, limit_rate
from hinterland.web.http_errors import conflict, not_here
from hinterland.web.lists.guests import guest_of
from hinterland.web.matches.hosted_match import HostedMatch


class KeyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables/ID/close and /leave."""

    key: str


class SeatWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables/ID/seat."""

    name: str


@post("/api/tables")
async def create_match(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Open a match; the answer holds the address for programs and the key that closes the match."""
    arena = arena_of(request)
    check_admin(request)
    wanted = await read_form(request, MatchRequest, MATCH_FORM)
    limit_rate(request, arena.games, "too many new games; try again in a moment")
    plan, port = await arena.make_board(asker_of(request), wanted.game, plan_match, wanted, arena.settings.programs)
    key = new_key()
    hosted = await arena.hosting.open(plan, port, key)
    arena.audit.note("table opened", client_of(request), table=hosted.show.id, at=hosted.address)
    url = f"/tables/{hosted.show.id}"
    made = {"id": hosted.show.id, "key": key, "url": url, "address": hosted.address, "protocol": plan.protocol}
    return {**made, "tokens": plan.tokens or {}}


@post("/api/tables/{match_id:str}/close", status_code=200)
async def close_match(request: Request[Any, Any, Any]) -> dict[str, bool]:
    """Close a match; the request holds the key of the match's host."""
    hosted = find_hosted(request)
    closing = await read_form(request, KeyRequest, 'a table is closed with {"key": …}')
    if not hosted.can_close(closing.key):
        raise HTTPException("only the browser that made this match may close it", status_code=403)
    if hosted.is_challenge and not hosted.show.is_gathering:
        raise conflict("the match has begun; you can resign")
    await hosted.stop("closed by its host")
    arena_of(request).audit.note("table closed", client_of(request), table=hosted.show.id)
    return {"closed": True}


@post("/api/tables/{match_id:str}/seat")
async def take_seat(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Seat a person.

    The answer holds the key with which the person plays, and a cookie by which the browser finds its games later.
    """
    hosted = find_hosted(request)
    wanted = await read_form(request, SeatWanted, 'a seat is taken with {"name": …}')
    limit_rate(request, arena_of(request).games, "too many new games; try again in a moment")
    name = person_name(wanted.name)
    if hosted.is_challenge and not hosted.show.is_gathering:
        raise conflict("somebody was quicker: no seat is left, but you can watch")
    most = arena_of(request).settings.limits.seats_per_address
    guest = guest_of(request)
    number, key = await hosted.take_seat(name, visitor(request), most, guest=guest.digest)
    audit = arena_of(request).audit
    audit.note("seat taken", client_of(request), table=hosted.show.id, number=number, name=wanted.name)
    return Response({"number": number, "key": key}, status_code=201, cookies=[guest.cookie])


@post("/api/tables/{match_id:str}/leave", status_code=200)
async def leave_seat(request: Request[Any, Any, Any]) -> dict[str, bool]:
    """Give up a seat before the match begins."""
    hosted = find_hosted(request)
    leaving = await read_form(request, KeyRequest, 'a seat is given up with {"key": …}')
    await hosted.leave_seat(leaving.key)
    arena_of(request).audit.note("seat given up", client_of(request), table=hosted.show.id)
    return {"left": True}


def visitor(request: Request[Any, Any, Any]) -> str:
    """Return the address for which a client's matches are counted.

    If hosting needs no admin token, return "": then the number of matches per address is not limited.
    """
    openness = arena_of(request).settings.openness
    return "" if openness.admin_token is None else client_of(request)


def find_hosted(request: Request[Any, Any, Any]) -> HostedMatch:
    """Return the hosted match that the URL names, or answer 404."""
    hosted = arena_of(request).hosting.find(request.path_params["match_id"])
    if hosted is None:
        raise not_here(NO_MATCH)
    return hosted
