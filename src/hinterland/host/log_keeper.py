"""Writes the logs of games: what each program wrote to its standard error, and its conversation with the referee."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Self

from hinterland.host.live_game import LiveGame
from hinterland.host.observer import Observer
from hinterland.referee.record import Record
from hinterland.referee.verdicts import Verdict
from hinterland.storage.log_folder import LogFolder

TITLE = """Log of game {name} of {game}, begun {started}: {players}
The end: {reason}: {detail}
Of each part the first and the last 64 KiB are kept. A line of a conversation begins with the seconds since the log
began; < is what the program read, > what it wrote, + the rest of a line that came in pieces.
"""


class LogKeeper(Observer):
    """Writes a log for each game with a player that keeps one, on a thread of its own."""

    keeps_logs = True

    def __init__(self, folder: LogFolder, name: Callable[[LiveGame, Record], str]) -> None:
        """``name`` returns the name of a game's log."""
        self._folder, self._name = folder, name
        self._disk = ThreadPoolExecutor(1, "logs")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Wait until all logs are written."""
        self._disk.shutdown()

    def on_game_over(self, game: LiveGame, record: Record) -> None:
        logs = [player.log.take(player.name) for player in game.players if player.log is not None]
        if logs:
            name, fault = self._name(game, record), fault_of(record)
            title = TITLE.format(
                name=name, game=record.game, started=record.times.started, players=" against ".join(record.players),
                reason=record.reason, detail=record.detail,
            )  # fmt: skip
            self._disk.submit(self._folder.write, name, fault, "\n".join((title, *logs)))


def fault_of(record: Record) -> str:
    """Return why the first player left a game, as a word; empty if none did."""
    if record.reason == Verdict.VOID:
        return str(Verdict.VOID)
    return next((str(gone.reason) for gone in record.departures), "")


def name_by_start(game: LiveGame, record: Record) -> str:
    """Return the name of a game's log outside contests: when it began, the number of its match, and its own."""
    return f"{record.times.started[:19].replace(':', '.')}-{game.match}.{record.number}"
