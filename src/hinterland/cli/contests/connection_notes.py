"""Notes about the players that connect to a contest, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.cli.terminal import MAX_NOTES, Asides

if TYPE_CHECKING:
    from hinterland.host.players.player_connection import PlayerConnection


class ConnectionNotes(Asides):
    """Prints which connections were sent away, up to a limit, and which players left or came back."""

    def __init__(self) -> None:
        self._notes = 0

    def on_note(self, line: str) -> None:
        self._notes += 1
        if self._notes <= MAX_NOTES:
            self.say(line if self._notes < MAX_NOTES else f"{line} (the last such line that is shown)")

    def on_leave(self, player: PlayerConnection, detail: str) -> None:
        self.say(f"{player.name} is gone from its match: {detail}; it may come back while its clock runs")

    def on_return(self, player: PlayerConnection, origin: str) -> None:
        self.say(f"{player.name} is back in its match, from {origin}")
