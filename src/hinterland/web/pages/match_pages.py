"""The page of a match before a referee: the same in the arena and at a referee's own server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import Request, get
from litestar.response import Template

from hinterland.web.api.match_api import find_match
from hinterland.web.app_context import AppContext, context_of

if TYPE_CHECKING:
    from hinterland.web.live.match_show import MatchShow


@get("/tables/{table_id:str}")
async def show_table(request: Request[Any, Any, Any]) -> Template:
    """Show a match live."""
    return match_page(context_of(request), find_match(request))


def match_page(context: AppContext, table: MatchShow) -> Template:
    """Return the page of a match."""
    kind = table.plan.config.kind
    data = {"game": kind.name, "id": table.id, "title": kind.title}
    return Template("match.html", context={**data, "page_data": data, "in_arena": context.makes_tables})
