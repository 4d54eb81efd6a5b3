"""What the pages of a server stand on, whether it is the arena or a referee's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection

    from hinterland.web.live import Crowd
    from hinterland.web.rates import Rates
    from hinterland.web.refereed import RefereedTable
    from hinterland.web.settings import Place

__all__ = ["Venue", "venue_of"]


class Venue(Protocol):
    """A server with tables at which referees play."""

    @property
    def settings(self) -> Place:
        """Where it is and what it bears."""

    @property
    def requests(self) -> Rates:
        """How often each client may ask."""

    @property
    def crowd(self) -> Crowd:
        """All who watch."""

    @property
    def makes_tables(self) -> bool:
        """Whether pages can ask for tables here."""

    def refereed(self, table_id: str) -> RefereedTable | None:
        """Return a table at which a referee plays, or None."""


def venue_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Venue:
    """Return what a connection reaches."""
    venue: Venue = connection.app.state.venue
    return venue
