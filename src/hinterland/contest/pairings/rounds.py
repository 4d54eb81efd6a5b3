"""The interface of a format: from the results of all finished rounds it makes the tables of the next round.

A table is a set of players that meet in a round. Players are numbered in the plan's order, which is the seeding: player
0 is the best seed. A format is a frozen value; the same finished rounds always give the same tables, so that a contest
resumes from its results alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

import msgspec
import numpy as np

from hinterland.dice import Dice
from hinterland.errors import RulesError, quote

Table = tuple[int, ...]
"""Numbers of the players at a table, the lowest first; ``(i,)`` is a bye of player i."""


class TableResult(msgspec.Struct, frozen=True):
    """Result of one table in one round."""

    table: Table
    """Players of the table."""
    matches: int
    """Number of finished matches; 0 for a bye."""
    half_points: tuple[int, ...]
    """Half points of each player, added over the matches: 2 for a win, 1 for a shared first place."""
    shares: tuple[int, ...]
    """Each player's share of the scores in a match, in units of 10**-9, added over the matches."""
    pentanomial: bytes = b""
    """At a table of two, a byte for each match in order: the first player's half points in both games, 0 to 4."""


Round = tuple[TableResult, ...]
"""Results of a finished round, in the order of its tables."""


class Format(Protocol):
    """Decides who meets whom."""

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the tables of the round after ``finished``; None when the contest is over."""
        ...


def make_dice(seed: int, number: int) -> Dice:
    """Make the random generator of round ``number``.

    Raises RulesError unless ``seed`` is a whole number from 0 to 2**64 - 1.
    """
    if type(seed) is not int or not 0 <= seed < 2**64:
        raise RulesError(f"seed must be a whole number from 0 to 2**64 - 1, not {quote(seed)}")
    return Dice((seed << 32) + number)


def check_count(what: str, count: int, least: int, most: int | None = None) -> None:
    """Raise RulesError if an option is not a whole number within its range."""
    if type(count) is not int or count < least or (most is not None and count > most):
        until = "on" if most is None else f"to {most}"
        raise RulesError(f"{what} must be a whole number from {least} {until}, not {quote(count)}")


def check_flag(what: str, flag: bool) -> None:
    """Raise RulesError if an option is neither true nor false."""
    if type(flag) is not bool:
        raise RulesError(f"{what} must be true or false, not {quote(flag)}")


def count_meetings(finished: Sequence[Round], players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return how often each pair of players has met, and at how many tables each player has sat.

    The arrays are int64[players, players] and int64[players].
    """
    met, played = np.zeros((players, players), np.int64), np.zeros(players, np.int64)
    for result in (result for over in finished for result in over):
        seated = np.array(result.table)
        met[np.ix_(seated, seated)] += 1
        played[seated] += 1
    np.fill_diagonal(met, 0)
    return met, played


class Growing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A format to which players can be added later.

    Raises RulesError unless the numbers in ``added`` rise and are less than ``players``.
    """

    players: int
    """Number of players now."""
    added: tuple[int, ...] = ()
    """Number of players before each addition."""

    def __post_init__(self) -> None:
        check_count("players", self.players, 2)
        steps = (*self.added, self.players)
        if steps[0] < 2 or any(before >= after for before, after in pairwise(steps)):
            told, until = ", ".join(map(str, self.added)), f"fewer than the {self.players} players there are"
            raise RulesError(f"added must rise from 2 or more to {until}, not {told}")
