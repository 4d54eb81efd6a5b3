"""The terms of a game: what is settled before it begins."""

from __future__ import annotations

import hashlib

import msgspec

from hinterland import catalog
from hinterland.contract import Game, Rules
from hinterland.referee.clock import TimeControl

SEAT_SEED_BYTES = 6
"""Length of a seat's seed, which JSON numbers hold exactly."""


class GameTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of a game, settled before it begins. The record of the game holds its terms and all moves.

    A match is described by the terms of its first game; ``match.seat_players`` derives the terms of the other games.
    """

    rules: Rules
    """The rules, which also name the game."""
    names: tuple[str, ...]
    """Names of the players by seat."""
    clock: TimeControl = TimeControl()
    """Time control of every seat."""
    seed: int | None = None
    """Seed of the match; None if nothing is random."""
    number: int = 1
    """Number of the game in its match, from 1."""
    games: int = 1
    """Number of games that the match is expected to have."""

    def seed_of_seat(self, seat: int) -> int:
        """Return a seed for the player in a seat of this game.

        It tells nothing about other seats, unless the match's seed is so small that a player finds it by trying.
        """
        digest = hashlib.sha256(f"{self.seed} {self.number} {seat}".encode()).digest()
        return int.from_bytes(digest[:SEAT_SEED_BYTES])

    @property
    def game(self) -> Game:
        """The entry of the game in the catalogue."""
        return catalog.game(self.rules.game)
