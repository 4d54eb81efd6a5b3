"""What the pages of a server stand on, whether it is the arena or a referee's own."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

from litestar.datastructures import Cookie

from hinterland.web.live.viewer_places import Places
from hinterland.web.operations.audit import Audit
from hinterland.web.rates import Rates

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.connection import ASGIConnection

    from hinterland.contract import Game, Rules
    from hinterland.web.live.audience import Viewer
    from hinterland.web.matches.match_show import MatchShow
    from hinterland.web.settings import Place


class AppContext:
    """A server, and who asks it for what."""

    hosts_matches = False
    """Whether pages can ask for tables here."""
    def __init__(self, settings: Place) -> None:
        self.settings = settings
        limits = settings.limits
        self.requests = Rates(limits.requests_per_second, limits.requests_at_once)
        """How often each client may ask."""
        self.files = Rates(limits.files_per_second, limits.files_at_once)
        """How often for static files."""

        self.places: Places[Viewer[Any]] = Places()
        """Of all who watch."""

        self.refusals: Counter[int] = Counter()
        """How often each status was answered that refuses somebody."""

        self.audit = Audit()
        """Who did what."""

    @property
    def viewers(self) -> int:
        """How many watch."""
        return len(self.places)

    async def draw(self, asker: str, draw: Callable[[Game, Rules], bytes], kind: Game, rules: Rules) -> bytes:  # noqa: ARG002
        """Draw a board for somebody; a referee has one, and needs no processes for it."""
        return await asyncio.to_thread(draw, kind, rules)

    def find_match_show(self, match_id: str) -> MatchShow | None:  # noqa: ARG002
        """Return a table at which a referee plays, or None; a server has none unless it says otherwise."""
        return None


def cookie_for(request: ASGIConnection[Any, Any, Any, Any], key: str, value: str, max_age: int | None = None) -> Cookie:
    """Return a cookie for all pages of this server and no others of its host, which scripts cannot read."""
    path, is_secure = f"{context_of(request).settings.openness.base}/", request.scope["scheme"] == "https"
    return Cookie(
        key=key, value=value, max_age=max_age, httponly=True, samesite="lax", secure=is_secure, path=path
    )


def context_of(connection: ASGIConnection[Any, Any, Any, Any]) -> AppContext:
    """Return what a connection reaches."""
    context: AppContext = connection.app.state.context
    return context
