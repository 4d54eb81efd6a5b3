"""Challenges: matches between people. Making a challenge needs no admin token; a friend joins with the link alone."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import segno
from litestar import MediaType, Request, Response, get, post

from hinterland.web import gallery
from hinterland.web.api.exports import find_advice, options_of
from hinterland.web.api.forms import read_form
from hinterland.web.api.game_request import person_name
from hinterland.web.api.hosting_api import SeatWanted, find_hosted, visitor
from hinterland.web.api.match_api import match_link
from hinterland.web.api.match_request import CHALLENGE_FORM, ChallengeRequest, plan_challenge
from hinterland.web.arena import arena_of
from hinterland.web.disconnects import cancel_on_disconnect
from hinterland.web.guards import asker_of, client_of, limit_rate
from hinterland.web.http_errors import conflict, not_here
from hinterland.web.lists.guests import guest_of
from hinterland.web.matches.hosted_match import HostedMatch


class NameWanted(SeatWanted, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables/ID/name."""

    key: str


class Offer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/tables/ID/offer."""

    key: str
    to_all: bool


@post("/api/challenges")
async def make_challenge(request: Request[Any, Any, Any]) -> Response[dict[str, str]]:
    """Open a match for friends and seat its maker.

    The answer holds the match's address, the maker's key and a cookie.
    """
    arena = arena_of(request)
    asked = await read_form(request, ChallengeRequest, CHALLENGE_FORM)
    limit_rate(request, arena.games, "too many new games; try again in a moment")
    wanted = await cancel_on_disconnect(request, arena.make_board(asker_of(request), asked.game, plan_challenge, asked))
    guest = guest_of(request)
    making = arena.challenges.make(wanted.plan, wanted.name, visitor(request), to_all=wanted.to_all, guest=guest.digest)
    hosted, key = await making
    show = hosted.show
    arena.audit.note("challenge made", client_of(request), table=show.id, of=show.kind.name, name=wanted.name)
    made = {"id": show.id, "key": key, "url": f"/tables/{show.id}"}
    return Response(made, status_code=201, cookies=[guest.cookie])


@get("/api/challenges", media_type=MediaType.JSON)
async def list_challenges(request: Request[Any, Any, Any]) -> bytes:
    """List the open challenges."""
    return msgspec.json.encode({"challenges": arena_of(request).challenges.list_offered()})


@post("/api/tables/{match_id:str}/name", status_code=200)
async def rename(request: Request[Any, Any, Any]) -> dict[str, str]:
    """Rename a person who is waiting."""
    hosted = find_hosted(request)
    wanted = await read_form(request, NameWanted, 'a name is changed with {"key": …, "name": …}')
    await hosted.rename(wanted.key, person_name(wanted.name))
    return {"name": hosted.find_person(wanted.key).name}


@post("/api/tables/{match_id:str}/offer", status_code=200)
async def offer(request: Request[Any, Any, Any]) -> dict[str, bool]:
    """Add a challenge to the list of open challenges, or remove it."""
    hosted = _challenge(request)
    wanted = await read_form(request, Offer, 'a challenge is offered with {"key": …, "to_all": true}')
    hosted.find_person(wanted.key)
    if not hosted.show.is_gathering:
        raise conflict("this match no longer waits for players")
    await hosted.offer(to_all=wanted.to_all)
    return {"to_all": wanted.to_all}


@get("/tables/{match_id:str}/qr.svg", media_type="image/svg+xml")
async def draw_link(request: Request[Any, Any, Any]) -> bytes:
    """Draw the link of a challenge as a QR code."""
    _challenge(request)
    drawn = io.BytesIO()
    code = segno.make(match_link(request), error="m", micro=False)
    code.save(drawn, kind="svg", border=4, dark="#14181c", light="#ffffff", scale=8)
    return drawn.getvalue()


@get("/tables/{match_id:str}/hint")
async def hint(request: Request[Any, Any, Any]) -> Any:
    """Name the move that gains most for the seat to move, if all players have agreed to hints."""
    return await _advice(request, gallery.find_hint)


@get("/tables/{match_id:str}/heat.png", media_type="image/png")
async def heat(request: Request[Any, Any, Any]) -> bytes:
    """Draw the gain of each move for the seat to move, if all players have agreed to hints."""
    image: bytes = await _advice(request, gallery.draw_heat)
    return image


async def _advice(request: Request[Any, Any, Any], find: Any) -> Any:
    show = _challenge(request).show
    if show.agreement is None or not show.agreement.is_agreed("hints"):
        raise conflict("hints are off between people until all of them agree")
    return await find_advice(request, show, show.plan.config.kind, find, options_of(request))


def _challenge(request: Request[Any, Any, Any]) -> HostedMatch:
    """Return the challenge that the URL names, or answer 404."""
    hosted = find_hosted(request)
    if not hosted.is_challenge:
        raise not_here("this match is for bots")
    return hosted
