"""What a live page needs of a game, whoever plays it: a table of the arena, or a referee."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import msgspec

    from hinterland.referee.judge import Judged
    from hinterland.web.audience import Audience
    from hinterland.web.board_drawings import BoardDrawing
    from hinterland.web.match_view import MatchView
    from hinterland.web.seating import Seat

__all__ = ["Shown"]


class Shown(Protocol):
    """A game to be looked at. Reading it costs next to nothing and changes nothing."""

    @property
    def id(self) -> str:
        """By which the page knows it."""

    @property
    def game_name(self) -> str:
        """What is played."""

    @property
    def brief(self) -> dict[str, Any]:
        """Its rules, as ``Rules.brief`` tells them."""

    @property
    def drawing(self) -> BoardDrawing | None:
        """What the page needs to draw the board beyond that, if anything."""

    @property
    def game(self) -> Judged:
        """The game as it is now."""

    @property
    def places(self) -> tuple[int, ...]:
        """Where each seat is shown: in a match, the number of its player, so that a colour is a player throughout."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays, in the order in which they are shown."""

    @property
    def moves_encoded(self) -> msgspec.Raw:
        """The moves so far, encoded once for all viewers."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores now, by seat."""

    @property
    def now_ns(self) -> int:
        """The time by which its clocks run."""

    @property
    def audience(self) -> Audience:
        """Who looks."""

    @property
    def next_url(self) -> str | None:
        """Where the show goes on."""

    @property
    def match(self) -> MatchView | None:
        """Of which match this is a game."""

    def undo_to(self) -> int | None:
        """Return the number of moves before the last move of a person; None where nothing can be taken back."""

    def opens(self, key: str | None) -> bool:
        """Say whether who holds a key may play."""

    async def arrive(self, *, plays: bool) -> None:
        """Note that somebody looks."""
