"""The state of a match: its games so far, and the current one, as its host reports them."""

from __future__ import annotations

import time
from collections.abc import Sequence

from hinterland.host.live_game import LiveGame
from hinterland.referee import judge
from hinterland.referee.match import Result
from hinterland.referee.record import Record
from hinterland.referee.verdicts import Verdict
from hinterland.web.live.game_progress import GameProgress
from hinterland.web.live.match_view import GameLine, Notice, Out, PlayerView
from hinterland.web.live.snapshot import order_by_place

TITLES: dict[str, str] = {
    Verdict.TIME: "ran out of time",
    Verdict.ILLEGAL: "made an illegal move",
    Verdict.RESIGNED: "has resigned",
    Verdict.CRASH: "has crashed",
    Verdict.START: "could not be started",
    Verdict.DISCONNECT: "is gone",
    Verdict.PROTOCOL: "broke the protocol",
    Verdict.OVERSIZE: "sent too long a line",
    Verdict.FLOOD: "sent too much",
}


class MatchGame(GameProgress):
    """One game of a match, and the notices about it."""

    def __init__(self, match: MatchState, game: LiveGame) -> None:
        scores = [game.judged.position.after(ply).scores for ply in range(1, len(game.judged.position.moves) + 1)]
        super().__init__(game, tuple(player.number for player in game.players), scores)
        self.match = match
        self.notice: Notice | None = None
        self.ended_s: float | None = None
        """When it ended, on the monotonic clock."""

    def take(self, effects: Sequence[judge.Effect]) -> None:
        """Note effects of the judge."""
        super().take(effects)
        for effect in effects:
            match effect:
                case judge.Played(seat):
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

    def note_gone(self, player: int, detail: str) -> None:
        """Note that a player is gone, unless there is a more important notice."""
        if self.ended_s is None and self.notice is None:
            self.notice = Notice("gone", player, "has lost its connection", detail)

    def note_back(self, player: int) -> None:
        """Note that a player is back."""
        if self.notice is not None and self.notice.kind == "gone" and self.notice.player == player:
            self.notice = None

    def _note(self, kind: str, seat: int, title: str, detail: str) -> None:
        self.notice = Notice(kind, self.places[seat], title, detail)  # type: ignore[arg-type]

    def _forgive(self, seat: int) -> None:
        """Clear the notice of a refusal once the seat has moved, and of a lost turn when it moves again."""
        notice = self.notice
        if notice is not None and notice.kind in ("skip", "retry", "gone") and notice.player == self.places[seat]:
            self.notice = None

    def _in_words(self, seat: int, detail: str) -> str:
        """Return a judge's sentence without the seat number, which the title's name replaces."""
        words = detail.removeprefix(f"seat {seat} ")
        if words.startswith(("ran out of time, ", "resigned")):
            return words.partition(", ")[2]
        return detail.removeprefix(f"{self.match.names[self.places[seat]]} ") if words == detail else words


class MatchState:
    """One match."""

    def __init__(self, number: int, names: Sequence[str]) -> None:
        self.number = number
        """Number of the match at its host, from 1."""
        self.names = tuple(names)
        self.games: list[GameLine] = []
        self.game: MatchGame | None = None
        """The latest game."""
        self.result: Result | None = None

    def begin(self, game: LiveGame) -> MatchGame:
        """Begin a game."""
        self.game = MatchGame(self, game)
        return self.game

    def finish(self, kept: Record, places: tuple[int, ...], game_id: str | None) -> None:
        """Note the end of a game; a void one is played again."""
        if kept.reason == Verdict.VOID:
            return
        winners = tuple(sorted(places[seat] for seat in kept.winners))
        out = tuple(Out(places[gone.seat], str(gone.reason), gone.detail) for gone in kept.departures)
        scores = order_by_place(kept.scores, places)
        self.games.append(GameLine(kept.number, scores, winners, kept.reason, kept.detail, out, game_id))

    def end(self, result: Result) -> None:
        """Note the winners, and the games that were not played."""
        self.result = result
        if result.unplayed and self.game is not None:
            self.game.notice = Notice("gone", None, "Not all games were played", result.unplayed)

    def games_to(self, number: int) -> tuple[GameLine, ...]:
        """Return the finished games up to one; later results are not given away."""
        return tuple(game for game in self.games if game.number <= number)

    def players_to(self, number: int) -> tuple[PlayerView, ...]:
        """Return the players with their totals up to a game."""
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
        """The winners of a finished match with at least one game."""
        if self.result is None or not self.games:
            return ()
        return tuple(player for player, name in enumerate(self.names) if name in self.result.winners)
