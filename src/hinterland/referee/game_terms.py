"""The terms of a game: what is settled before it begins."""

from __future__ import annotations

import msgspec

from hinterland import catalog
from hinterland.contract import Game, Rules
from hinterland.referee.clock import TimeControl


class GameTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of a game, settled before it begins. Its record holds the terms and what happened.

    A whole match has the terms of its first game: see ``match.seat_players``.
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
    """Number of games of the match, as far as it is known."""

    @property
    def game(self) -> Game:
        """The game's entry of the catalogue."""
        return catalog.game(self.rules.game)
