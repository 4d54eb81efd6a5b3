"""Who wants to know what a referee does: the terminal, a live page, a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.referee.judge import Effect
    from hinterland.referee.match import Result
    from hinterland.referee.record import Record
    from hinterland.referee.shell.game import GameInPlay

__all__ = ["Watcher", "Watchers"]


class Watcher:
    """Hears everything and does nothing; override what is of interest. A method must neither block nor raise."""

    def noted(self, line: str) -> None:
        """Hear of something that concerns no game: a stranger at the door, a player that was sent away."""

    def came(self, number: int, name: str, origin: str) -> None:
        """Hear that a player has taken its chair."""

    def went(self, number: int, name: str, detail: str) -> None:
        """Hear that a player has left its chair before the match, or its connection during one."""

    def returned(self, number: int, name: str, origin: str) -> None:
        """Hear that a player is back on a new connection."""

    def last_words(self, name: str, text: str) -> None:
        """Hear what a program wrote to its standard error before it ended."""

    def match_began(self, names: Sequence[str]) -> None:
        """Hear that a match begins."""

    def game_began(self, game: GameInPlay) -> None:
        """Hear that a game begins."""

    def happened(self, game: GameInPlay, effects: Sequence[Effect]) -> None:
        """Hear what the judge decided."""

    def game_over(self, game: GameInPlay, record: Record) -> None:
        """Hear that a game is over and its record is kept."""

    def match_over(self, result: Result) -> None:
        """Hear that a match is over."""


class Watchers(Watcher):
    """Passes everything on to several watchers."""

    def __init__(self, watchers: Sequence[Watcher]) -> None:
        self._watchers = tuple(watchers)

    def noted(self, line: str) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.noted(line)

    def came(self, number: int, name: str, origin: str) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.came(number, name, origin)

    def went(self, number: int, name: str, detail: str) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.went(number, name, detail)

    def returned(self, number: int, name: str, origin: str) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.returned(number, name, origin)

    def last_words(self, name: str, text: str) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.last_words(name, text)

    def match_began(self, names: Sequence[str]) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.match_began(names)

    def game_began(self, game: GameInPlay) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.game_began(game)

    def happened(self, game: GameInPlay, effects: Sequence[Effect]) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.happened(game, effects)

    def game_over(self, game: GameInPlay, record: Record) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.game_over(game, record)

    def match_over(self, result: Result) -> None:  # noqa: D102
        for watcher in self._watchers:
            watcher.match_over(result)
