"""A match whose page is attacked while a player's clock runs out, which the attack must not delay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.control_game import python
from conformance.roles.places import fresh_address
from conformance.roles.player_run import PlayerRun

if TYPE_CHECKING:
    import subprocess

    from conformance.fault_rows import FaultRow, Way
    from conformance.roles.places import Served
    from conformance.run_case import Surroundings

__all__ = ["GuestRun"]

LET_BE = "let be"


class GuestRun(PlayerRun):
    """One run with a hostile guest and a silent player."""

    def __init__(self, row: FaultRow, way: Way, surroundings: Surroundings) -> None:
        super().__init__(row, way, surroundings)
        self.address = fresh_address()
        self.becomes = LET_BE
        """The fate of the guest."""
        self._silent: subprocess.Popen[bytes] | None = None

    async def play(self, served: Served) -> None:
        """Let two players join, one of them silent; the guest comes first."""
        await self.start_hostile(self.guest(served))
        self._silent, self.hostile = self.hostile, None
        self.join("good", served)
        await self.until(served, lambda: bool(self.seen.came_ns))
        await self.start_hostile(self._argv(self._network(served), "never_answers"))
        self._silent, self.hostile = self.hostile, self._silent
        await self.until(served, lambda: bool(self.seen.games))

    def guest(self, served: Served) -> tuple[str, ...]:
        """Return the command line of the guest."""
        place = (str(served.page_port), self.address, served.table)
        return (*python("bad_guests.py"), self.row.misbehaviour, *place, self.tag)

    def end(self) -> None:
        """Leave nothing behind."""
        super().end()
        if self._silent is not None and self._silent.returncode is None:
            self._silent.kill()
            self._silent.communicate()

    async def left(self) -> int:
        """Count the guest's connections that the arena has not closed."""
        arena = self.surroundings.arena
        return 0 if arena is None else await self.settled(lambda: arena.connections_of(self.address))

    def take(self, told: list[str]) -> None:
        """Read the guest's output: its fate, once it knew."""
        self.becomes = told[0] if told else LET_BE

    def judge(self, served: Served) -> tuple[str, float | None]:
        """Return the fate of the silent player, whose time must run out as usual, and of the guest."""
        verdict, late_ms = super().judge(served)
        games = verdict.split(", ")
        return f"{games[0]}, {self.becomes}", late_ms
