"""How a match stands: its games so far, and the one that goes on. Fed by what a referee reports."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hinterland.referee import judge
from hinterland.referee.verdicts import Verdict
from hinterland.web.match_view import GameLine, Notice, Out, PlayerView
from hinterland.web.snapshot import as_list, encode_moves, placed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import msgspec

    from hinterland.referee.match import Result
    from hinterland.referee.record import Record
    from hinterland.referee.shell.chair import Chair
    from hinterland.referee.shell.game import GameInPlay

__all__ = ["Scene", "Standing"]

TITLES: dict[str, str] = {
    Verdict.TIME: "ran out of time",
    Verdict.ILLEGAL: "made an illegal move",
    Verdict.RESIGNED: "resigned",
    Verdict.CRASH: "crashed",
    Verdict.START: "could not be started",
    Verdict.DISCONNECT: "is gone",
    Verdict.PROTOCOL: "broke the protocol",
    Verdict.OVERSIZE: "sent too long a line",
    Verdict.FLOOD: "sent too much",
}


class Scene:
    """One game of a match, as far as it has come."""

    def __init__(self, standing: Standing, game: GameInPlay) -> None:
        self.standing = standing
        self.game = game
        self.places = tuple(chair.number for chair in game.chairs)
        self.scores_after: list[tuple[int, ...]] = []
        self.notice: Notice | None = None
        self._encoded: list[bytes] = []
        self.ended_s: float | None = None
        """When it ended, by the monotonic clock."""

    def take(self, effects: Sequence[judge.Effect]) -> None:
        """Note what the judge decided."""
        for effect in effects:
            match effect:
                case judge.Played(seat, _, _, scores):
                    self.scores_after.append(scores)
                    self._forgive(seat)
                case judge.Departure(seat, verdict, detail):
                    self._note("out", seat, TITLES.get(verdict, str(verdict)), self._in_words(seat, detail))
                case judge.Skipped(seat, _, detail):
                    self._note("skip", seat, "loses a turn", detail)
                case judge.Refused(seat, _, detail):
                    self._note("retry", seat, "has to try again", detail)
                case judge.Ended(ending):
                    self.ended_s = time.monotonic()
                    if ending.reason == Verdict.VOID:
                        self.notice = Notice("void", None, "This game does not count", ending.detail)

    def moves_encoded(self) -> msgspec.Raw:
        """Return the moves so far; each is encoded once."""
        self._encoded += encode_moves(self.game.judged, self.scores_after, self.places, len(self._encoded))
        return as_list(self._encoded)

    def scores(self) -> tuple[int, ...]:
        """Return the scores now, by seat."""
        ending = self.game.judged.ending
        if ending is not None:
            return ending.scores
        return self.scores_after[-1] if self.scores_after else (0,) * len(self.places)

    def _note(self, kind: str, seat: int, title: str, detail: str) -> None:
        self.notice = Notice(kind, self.places[seat], title, detail)  # type: ignore[arg-type]

    def _forgive(self, seat: int) -> None:
        """Forget a refusal that has led to a move, and a turn that was lost when that seat moves again."""
        notice = self.notice
        if notice is not None and notice.kind in ("skip", "retry", "gone") and notice.player == self.places[seat]:
            self.notice = None

    def _in_words(self, seat: int, detail: str) -> str:
        """Return what the judge says of a seat without the number of the seat, which the title's name stands for."""
        said = detail.removeprefix(f"seat {seat} ")
        if said.startswith(("ran out of time, ", "resigned")):
            return said.partition(", ")[2]
        return detail.removeprefix(f"{self.standing.names[self.places[seat]]} ") if said == detail else said


class Standing:
    """One match."""

    def __init__(self, names: Sequence[str], number: int) -> None:
        self.names = tuple(names)
        self.number = number
        """Which match, from 1."""
        self.chairs: frozenset[Chair] | None = None
        """Who plays it; None before its first game."""
        self.games: list[GameLine] = []
        self.scene: Scene | None = None
        """The latest game."""
        self.result: Result | None = None

    def begin(self, game: GameInPlay) -> Scene:
        """Begin a game."""
        self.chairs = frozenset(game.chairs)
        self.scene = Scene(self, game)
        return self.scene

    def finish(self, kept: Record, places: tuple[int, ...]) -> None:
        """Note how a game ended; a void one is played again."""
        if kept.reason == Verdict.VOID:
            return
        winners = tuple(sorted(places[seat] for seat in kept.winners))
        out = tuple(Out(places[gone.seat], str(gone.reason), gone.detail) for gone in kept.departures)
        self.games.append(GameLine(kept.number, placed(kept.scores, places), winners, kept.reason, kept.detail, out))

    def games_to(self, number: int) -> tuple[GameLine, ...]:
        """Return the games that are over, up to one: what is shown later is not given away."""
        return tuple(game for game in self.games if game.number <= number)

    def players_to(self, number: int) -> tuple[PlayerView, ...]:
        """Return the players and what they have from the games up to one."""
        games = self.games_to(number)
        return tuple(
            PlayerView(
                name,
                sum(game.scores[player] for game in games),
                sum(player in game.winners for game in games),
                sum(any(out.player == player for out in game.out) for game in games),
            )
            for player, name in enumerate(self.names)
        )

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won, once the match is over and there was a game."""
        if self.result is None or not self.games:
            return ()
        return tuple(player for player, name in enumerate(self.names) if name in self.result.winners)

    def fits(self, result: Result) -> bool:
        """Say whether this can be the match of a result."""
        told = {player.name: player.scores for player in result.players}
        found = {name: tuple(game.scores[player] for game in self.games) for player, name in enumerate(self.names)}
        return self.result is None and told == found
