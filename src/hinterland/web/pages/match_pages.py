"""The page of a hosted match: the same in the arena and on a referee's own server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import Request, get
from litestar.response import Template

from hinterland.web.api.match_api import find_match, match_link
from hinterland.web.app_context import AppContext, context_of
from hinterland.web.arena import Arena
from hinterland.web.guards import asker_of
from hinterland.web.languages.reader import gettext
from hinterland.web.matches.finished_match import read_finished_match

if TYPE_CHECKING:
    from hinterland.web.matches.match_show import MatchShow


@get("/tables/{match_id:str}")
async def show_match(request: Request[Any, Any, Any]) -> Template:
    """Show a match live, or its result."""
    context, match_id = context_of(request), request.path_params["match_id"]
    if isinstance(context, Arena) and context.find_match_show(match_id) is None:
        reading = context.readers.share_for(asker_of(request)).run(read_finished_match, context.archive, match_id)
        if (over := await reading) is not None:
            return Template("match_over.html", context={"match": over})
    return match_page(context, find_match(request), match_link(request))


def match_page(context: AppContext, show: MatchShow, link: str = "") -> Template:
    """Return the page of a match. ``link``: its public address."""
    kind, settings = show.plan.config.kind, context.settings
    data = {"game": kind.name, "id": show.id, "title": gettext(kind.title)}
    is_local = settings.is_loopback and not settings.openness.public_url
    more = {"is_challenge": show.agreement is not None, "link": link, "is_local": is_local}
    page_data = {**data, "is_alone": not context.hosts_matches}
    return Template("match.html", context={**data, **more, "page_data": page_data, "in_arena": context.hosts_matches})
