"""The interface of whatever follows a host: the terminal, a live page, a test."""

from __future__ import annotations

from collections.abc import Sequence

from hinterland.host.live_game import LiveGame
from hinterland.host.player_connection import PlayerConnection
from hinterland.referee.judge import Effect
from hinterland.referee.match import Result
from hinterland.referee.record import Record


class Observer:
    """Is told everything and does nothing; override the methods of interest. A method must neither block nor raise.

    ``PlayerConnection.match``, ``LiveGame.match`` and ``Result.number`` hold the number of a match at its host.
    """

    keeps_logs = False
    """Whether players shall keep logs, which the observer takes in ``on_game_over``."""

    def on_note(self, line: str) -> None:
        """Hear a line that concerns no game: that a bot is awaited, or that a connection was refused."""

    def on_refusal(self, origin: str, detail: str) -> None:
        """Hear that a connection was sent away, or left without a name. By default this calls ``on_note``."""
        self.on_note(f"{origin} {detail}")

    def on_join(self, player: PlayerConnection, origin: str) -> None:
        """Hear that a player waits for a match."""

    def on_leave(self, player: PlayerConnection, detail: str) -> None:
        """Hear that a player has left before its match, or lost its connection during it."""

    def on_return(self, player: PlayerConnection, origin: str) -> None:
        """Hear that a player is back on a new connection."""

    def on_last_words(self, name: str, text: str) -> None:
        """Hear what a program wrote to its standard error before it ended."""

    def on_match_begin(self, match: int, names: Sequence[str]) -> None:
        """Hear that a match begins, or goes on after the server was restarted."""

    def on_game_begin(self, game: LiveGame) -> None:
        """Hear that a game begins, or goes on after a restart."""

    def on_effects(self, game: LiveGame, effects: Sequence[Effect]) -> None:
        """Hear the effects of an event in a game, such as a request or a departure."""

    def on_game_over(self, game: LiveGame, record: Record) -> None:
        """Hear that a game is over and its record is written."""

    def on_match_over(self, result: Result) -> None:
        """Hear that a match is over."""


class Observers(Observer):
    """Passes everything on to several observers."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self.observers = tuple(observers)
        self.keeps_logs = any(observer.keeps_logs for observer in self.observers)

    def on_note(self, line: str) -> None:
        for observer in self.observers:
            observer.on_note(line)

    def on_refusal(self, origin: str, detail: str) -> None:
        for observer in self.observers:
            observer.on_refusal(origin, detail)

    def on_join(self, player: PlayerConnection, origin: str) -> None:
        for observer in self.observers:
            observer.on_join(player, origin)

    def on_leave(self, player: PlayerConnection, detail: str) -> None:
        for observer in self.observers:
            observer.on_leave(player, detail)

    def on_return(self, player: PlayerConnection, origin: str) -> None:
        for observer in self.observers:
            observer.on_return(player, origin)

    def on_last_words(self, name: str, text: str) -> None:
        for observer in self.observers:
            observer.on_last_words(name, text)

    def on_match_begin(self, match: int, names: Sequence[str]) -> None:
        for observer in self.observers:
            observer.on_match_begin(match, names)

    def on_game_begin(self, game: LiveGame) -> None:
        for observer in self.observers:
            observer.on_game_begin(game)

    def on_effects(self, game: LiveGame, effects: Sequence[Effect]) -> None:
        for observer in self.observers:
            observer.on_effects(game, effects)

    def on_game_over(self, game: LiveGame, record: Record) -> None:
        for observer in self.observers:
            observer.on_game_over(game, record)

    def on_match_over(self, result: Result) -> None:
        for observer in self.observers:
            observer.on_match_over(result)
