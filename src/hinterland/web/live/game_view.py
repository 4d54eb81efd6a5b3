"""What a live page needs of a game, whether it began on a page or belongs to a hosted match."""

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
    """What live connections need of the thing that they show."""

    @property
    def audience(self) -> Audience:
        """The viewers."""

    def own_places(self, key: str | None) -> frozenset[int]:
        """Return the places that the holder of a key moves for."""

    async def arrive(self, key: str | None) -> None:
        """Note a viewer."""

    def leave(self, key: str | None) -> None:
        """Note that a viewer has left."""


class GameView(Watched, Protocol):
    """A game that can be watched, and played by holders of a key. Reading it costs next to nothing."""

    @property
    def id(self) -> str:
        """The id that pages use."""

    @property
    def game_name(self) -> str:
        """Name of the kind of game."""

    @property
    def page_rules(self) -> dict[str, Any]:
        """The rules in the form for pages."""

    @property
    def drawing(self) -> BoardDrawing | None:
        """Drawing data beyond the rules, if any."""

    @property
    def game(self) -> Judged:
        """The current state of the game."""

    @property
    def places(self) -> tuple[int, ...]:
        """Where each seat is shown: in a match by player number, so that each player keeps one colour."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, in the order shown."""

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
        """Whether the clock of the seat to move stands still."""

    @property
    def next_url(self) -> str | None:
        """Address of the next game of the show."""

    @property
    def remark(self) -> str | None:
        """A remark for everybody at the board."""

    @property
    def match(self) -> MatchView | None:
        """The match of this game."""

    def is_asked_to_move(self, place: int) -> bool:
        """Say whether a person has been asked to move."""

    def undo_ply(self) -> int | None:
        """Return the number of moves before a person's last move; None if nothing can be taken back."""

    async def move(self, key: str | None, ply: int, numbers: object) -> None:
        """Make a person's move, as move number ``ply`` + 1. Raises HinterlandError in words for that person."""

    async def undo(self, key: str | None) -> None:
        """Go back to before the last move of a person. Raises IllegalMove where there is none."""

    async def wish(self, key: str | None, matter: Matter, *, yes: bool) -> None:
        """Note a wish of a person. Raises IllegalMove if there is nothing to agree on."""

    def rest(self, key: str | None, *, on: bool) -> None:
        """Stop or resume the clock of a key's person, if that keeps nobody waiting."""

    def help(self) -> None:
        """Note that somebody has seen the gain of a move."""

    async def resign(self, key: str | None) -> None:
        """Resign for a person. Raises IllegalMove if it is not clear for whom."""
