"""What a live page needs of a game, whoever hosts it: begun on a page, or one of a match at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import msgspec

    from hinterland.referee.judge import Judged
    from hinterland.storage.game_setup import Seat
    from hinterland.web.board_drawings import BoardDrawing
    from hinterland.web.friends.agreement import Matter
    from hinterland.web.live.audience import Audience
    from hinterland.web.live.match_view import MatchView


class Watched(Protocol):
    """What live connections need of that which they show, wherever it is judged."""

    @property
    def audience(self) -> Audience:
        """Who looks."""

    def own_places(self, key: str | None) -> frozenset[int]:
        """Return the places that who holds a key moves for."""

    async def arrive(self, key: str | None) -> None:
        """Note that somebody looks."""

    def leave(self, key: str | None) -> None:
        """Note that somebody looks no more."""


class GameView(Watched, Protocol):
    """A game to be looked at, and to be played by who holds a key. Reading it costs next to nothing."""

    @property
    def id(self) -> str:
        """By which the page knows it."""

    @property
    def game_name(self) -> str:
        """What is played."""

    @property
    def page_rules(self) -> dict[str, Any]:
        """Its rules, as pages are told them."""

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
    def clock_stands(self) -> bool:
        """Whether the clock of the seat to move stands still for now."""

    @property
    def next_url(self) -> str | None:
        """Where the show goes on."""

    @property
    def remark(self) -> str | None:
        """What everybody at the board should know, in words."""

    @property
    def match(self) -> MatchView | None:
        """Of which match this is a game."""

    def is_asked_to_move(self, place: int) -> bool:
        """Say whether a person there has been asked to move."""

    def undo_ply(self) -> int | None:
        """Return the number of moves before the last move of a person; None where nothing can be taken back."""

    async def move(self, key: str | None, ply: int, numbers: object) -> None:
        """Make a person's move, as move number ``ply`` + 1. Raises HinterlandError in words for that person."""

    async def undo(self, key: str | None) -> None:
        """Go back to before the last move of a person. Raises IllegalMove where there is none."""

    async def wish(self, key: str | None, matter: Matter, *, yes: bool) -> None:
        """Note what a person wishes for. Raises IllegalMove where nothing is to be agreed on."""

    def rest(self, key: str | None, *, on: bool) -> None:
        """Let the clock of who holds a key stand, or run again, where that keeps nobody waiting."""

    def help(self) -> None:
        """Note that somebody is told what a move would gain."""

    async def resign(self, key: str | None) -> None:
        """Give up for a person. Raises IllegalMove where it is not clear for whom."""
