"""The matches of a host as viewers follow them: the games so far, and the game shown.

If several matches run at once, one is shown until it is over, then another. The end of a game is shown for a moment,
even if the next game begins at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from hinterland.host.live_game import LiveGame
from hinterland.referee import judge
from hinterland.referee.match import Result
from hinterland.referee.record import Record
from hinterland.referee.verdicts import Verdict
from hinterland.web.live.game_view import GameProgress, order_by_place
from hinterland.web.live.page_messages import GameLine, Notice, Out, PlayerView

MATCH_LINGER_FACTOR = 2
"""If other matches are running, the end of a match is shown this many times as long as the end of a game."""
MAX_FOLLOWED_MATCHES = 256
"""Most matches followed at the same time; further matches that begin are not shown."""
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
    """One game of a match, with notices about its players."""

    def __init__(self, match: MatchState, game: LiveGame) -> None:
        scores = [game.judged.position.after(ply).scores for ply in range(1, len(game.judged.position.moves) + 1)]
        super().__init__(game, tuple(player.number for player in game.players), scores)
        self.match = match
        self.notice: Notice | None = None
        self.ended_s: float | None = None
        """Time of the game's end, in seconds on the monotonic clock; None before the end."""

    def take(self, effects: Sequence[judge.Effect]) -> None:
        """Note what the judge returned for one event."""
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
        """Show a notice that a player is gone, unless the game is over or another notice is shown."""
        if self.ended_s is None and self.notice is None:
            self.notice = Notice("gone", player, "has lost its connection", detail)

    def note_back(self, player: int) -> None:
        """Remove the notice that a player is gone."""
        if self.notice is not None and self.notice.kind == "gone" and self.notice.player == player:
            self.notice = None

    def _note(self, kind: str, seat: int, title: str, detail: str) -> None:
        self.notice = Notice(kind, self.places[seat], title, detail)  # type: ignore[arg-type]

    def _forgive(self, seat: int) -> None:
        """Clear the notice of a seat's refused move, lost turn or absence, since the seat has moved."""
        notice = self.notice
        if notice is not None and notice.kind in ("skip", "retry", "gone") and notice.player == self.places[seat]:
            self.notice = None

    def _in_words(self, seat: int, detail: str) -> str:
        """Return a judge's sentence without the seat or name at its start: the notice's title has the name."""
        words = detail.removeprefix(f"seat {seat} ")
        if words.startswith(("ran out of time, ", "resigned")):
            return words.partition(", ")[2]
        return detail.removeprefix(f"{self.match.names[self.places[seat]]} ") if words == detail else words


class MatchState:
    """One match."""

    def __init__(self, number: int, names: Sequence[str]) -> None:
        self.number = number
        """Number of the match; the host's first match is 1."""
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
        """Note the record of a finished game, but not of a void game, which is played again.

        ``places``: for each seat, the number of its player.
        """
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
        """Return the finished games up to game ``number``, so that no later result is given away."""
        return tuple(game for game in self.games if game.number <= number)

    def players_to(self, number: int) -> tuple[PlayerView, ...]:
        """Return the players with the totals after game ``number``."""
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
        """The winners, if the match is finished and has at least one game."""
        if self.result is None or not self.games:
            return ()
        return tuple(player for player, name in enumerate(self.names) if name in self.result.winners)


class ShownMatches:
    """Follows matches. Call the methods only in one event loop."""

    def __init__(self, linger_s: float, is_awaited: Callable[[], bool], turned: Callable[[], None]) -> None:
        """``linger_s``: seconds that the end of a game is shown; ``turned``: called when another game is shown.

        ``is_awaited``: says whether somebody waits for another match.
        """
        self.running: dict[int, MatchState] = {}
        """The running matches, by number."""
        self.begun_count = 0
        """Number of matches that have begun."""
        self.game: MatchGame | None = None
        """The game shown."""
        self._linger_s = linger_s
        self._is_awaited = is_awaited
        self._turned = turned
        self._switch: asyncio.TimerHandle | None = None

    def begin(self, number: int, names: Sequence[str]) -> MatchState | None:
        """Begin to follow a match; return it, or None if too many matches are followed."""
        self.begun_count += 1
        if len(self.running) >= MAX_FOLLOWED_MATCHES:
            return None
        self.running[number] = MatchState(number, names)
        return self.running[number]

    def end(self, result: Result) -> None:
        """Note the winners, and forget the match."""
        over = self.running.pop(result.number, None)
        if over is not None:
            over.end(result)

    def find_latest_game(self, number: int) -> LiveGame | None:
        """Return the latest game of a running match, or None."""
        match = self.running.get(number)
        return None if match is None or match.game is None else match.game.game

    def find_game(self, game: LiveGame) -> MatchGame | None:
        """Return what is known of a game if it is the latest of a followed match; else None."""
        match = self.running.get(game.match)
        return match.game if match is not None and match.game is not None and match.game.game is game else None

    @property
    def match_between_games(self) -> MatchState | None:
        """The latest match if it has no game yet, as after a restart of the host; else None."""
        latest = next(reversed(self.running.values()), None)
        return latest if latest is not None and latest.game is None else None

    @property
    def shows_match_end(self) -> bool:
        """Say whether the game shown is the last one of a finished match."""
        shown = self.game
        return shown is not None and shown.match.result is not None and shown is shown.match.game

    def show_current(self) -> None:
        """Show the current game. If the game shown before has ended, first let its end be seen for a while."""
        if self.game is None or self.game.ended_s is None:
            self._switch_game()
        elif self._switch is None:
            self._move_on_at(self.game.ended_s + self._linger_s)

    def _move_on_at(self, moment_s: float) -> None:
        wait_s = max(moment_s - time.monotonic(), 0.0)
        self._switch = asyncio.get_running_loop().call_later(wait_s, self._move_on)

    def _move_on(self) -> None:
        """Switch from a finished game to the next game of the match, or from a finished match to another match."""
        self._switch = None
        if self.game is not None and self.game.ended_s is not None and self.shows_match_end:
            leave_s = self.game.ended_s + self._linger_s * MATCH_LINGER_FACTOR
            if leave_s > time.monotonic():
                self._move_on_at(leave_s)
                return
        if self._switch_game():
            self._turned()

    def _switch_game(self) -> bool:
        """Show the next game, or the lobby if players wait there; say whether something else is shown now."""
        shown = self.game
        if shown is not None and not self.shows_match_end:
            following = shown.match.game
        else:
            following = next((match.game for match in self.running.values() if match.game is not None), None)
            if following is None and shown is not None and self._is_awaited():
                self.game = None
                return True
        if following is None or following is shown:
            return False
        self.game = following
        return True
