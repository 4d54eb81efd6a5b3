"""The context of all pages of a server: the limits of clients, the viewers, and the audit trail."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

from litestar.datastructures import Cookie

from hinterland.host.preparation import Preparation
from hinterland.web.live.audience import Places, Viewer
from hinterland.web.operations.audit import Audit
from hinterland.web.rates import Rates

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.connection import ASGIConnection

    from hinterland.contract import Game, Rules
    from hinterland.web.matches.match_show import MatchShow
    from hinterland.web.settings import Place


class AppContext:
    """State of a server with pages: of an arena, a relay, or a referee's own page."""

    hosts_matches = False
    """Whether pages of this server can create matches."""

    def __init__(self, settings: Place, preparation: Preparation | None = None) -> None:
        self.settings = settings
        self.preparation = preparation or Preparation()
        """The kernels that are still being compiled; by default none."""
        limits = settings.limits
        self.requests = Rates(limits.requests_per_second, limits.requests_at_once)
        """Rates of requests, by client."""
        self.files = Rates(limits.files_per_second, limits.files_at_once)
        """Rates of requests for static files, by client."""

        self.places: Places[Viewer[Any]] = Places()
        """The limited places for viewers, all games together."""

        self.refusals: Counter[int] = Counter()
        """Number of refusals by status."""

        self.audit = Audit()
        """The audit trail."""

    @property
    def viewers(self) -> int:
        """Number of people who watch."""
        return len(self.places)

    async def draw(self, asker: str, draw: Callable[[Game, Rules], bytes], kind: Game, rules: Rules) -> bytes:  # noqa: ARG002
        """Return ``draw(kind, rules)``, computed on a thread.

        This is enough for a referee's page, which has only one board; the arena overrides this method.
        """
        return await asyncio.to_thread(draw, kind, rules)

    def find_match_show(self, match_id: str) -> MatchShow | None:  # noqa: ARG002
        """Return the live view of a match, or None. This base class has no matches."""
        return None


def cookie_for(request: ASGIConnection[Any, Any, Any, Any], key: str, value: str, max_age: int | None = None) -> Cookie:
    """Return a cookie for this server's path alone, not for other servers on the same host.

    Scripts cannot read the cookie.
    """
    path, is_secure = f"{context_of(request).settings.openness.base}/", request.scope["scheme"] == "https"
    return Cookie(
        key=key, value=value, max_age=max_age, httponly=True, samesite="lax", secure=is_secure, path=path
    )


def context_of(connection: ASGIConnection[Any, Any, Any, Any]) -> AppContext:
    """Return the context of the server that a connection came to."""
    context: AppContext = connection.app.state.context
    return context
