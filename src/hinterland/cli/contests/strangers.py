"""What people read of those who connect to a contest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.cli.terminal import MOST_NOTES, Asides

if TYPE_CHECKING:
    from hinterland.host.players.player_connection import PlayerConnection


class Strangers(Asides):
    """Says who was sent away, up to a point, who broke off in a match, and who came back."""

    def __init__(self) -> None:
        self._notes = 0

    def noted(self, line: str) -> None:
        """Print what concerns no game."""
        self._notes += 1
        if self._notes <= MOST_NOTES:
            self.say(line if self._notes < MOST_NOTES else f"{line} (the last such line that is shown)")

    def went(self, player: PlayerConnection, detail: str) -> None:
        """Say who broke off."""
        self.say(f"{player.name} is gone from its match: {detail}; it may come back while its clock runs")

    def returned(self, player: PlayerConnection, origin: str) -> None:
        """Say who is back."""
        self.say(f"{player.name} is back in its match, from {origin}")
