"""The context that all pages of a server share: the arena's, or that of a referee's own page."""

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
    """A server and its clients."""

    hosts_matches = False
    """Whether pages of this server can create matches."""

    def __init__(self, settings: Place, preparation: Preparation | None = None) -> None:
        self.settings = settings
        self.preparation = preparation or Preparation()
        """What is still being compiled; by default all has been."""
        limits = settings.limits
        self.requests = Rates(limits.requests_per_second, limits.requests_at_once)
        """Requests of each client."""
        self.files = Rates(limits.files_per_second, limits.files_at_once)
        """Requests of each client for static files."""

        self.places: Places[Viewer[Any]] = Places()
        """Places of all viewers."""

        self.refusals: Counter[int] = Counter()
        """Number of refusals by status."""

        self.audit = Audit()
        """The audit trail."""

    @property
    def viewers(self) -> int:
        """How many people watch."""
        return len(self.places)

    async def draw(self, asker: str, draw: Callable[[Game, Rules], bytes], kind: Game, rules: Rules) -> bytes:  # noqa: ARG002
        """Draw a board; a referee has only one, and needs no processes for it."""
        return await asyncio.to_thread(draw, kind, rules)

    def find_match_show(self, match_id: str) -> MatchShow | None:  # noqa: ARG002
        """Return the show of a match, or None; a server has none by default."""
        return None


def cookie_for(request: ASGIConnection[Any, Any, Any, Any], key: str, value: str, max_age: int | None = None) -> Cookie:
    """Return a cookie for all pages of this server and no others of its host; scripts cannot read it."""
    path, is_secure = f"{context_of(request).settings.openness.base}/", request.scope["scheme"] == "https"
    return Cookie(
        key=key, value=value, max_age=max_age, httponly=True, samesite="lax", secure=is_secure, path=path
    )


def context_of(connection: ASGIConnection[Any, Any, Any, Any]) -> AppContext:
    """Return the context of a connection."""
    context: AppContext = connection.app.state.context
    return context
