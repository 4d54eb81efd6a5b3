"""A format whose tables are listed in the plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from hinterland.errors import RulesError, quote

if TYPE_CHECKING:
    from hinterland.contest.pairings.rounds import Round, Table


class FixedTables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One round with the listed tables. Raises RulesError."""

    players: int
    """Number of players."""
    given: Sequence[Sequence[int]] = ()
    """Players of each table."""

    def __post_init__(self) -> None:
        tables = tuple(map(tuple, self.given))
        for table in tables:
            if len(set(table)) < max(len(table), 2) or not set(table) <= set(range(self.players)):
                last = self.players - 1
                raise RulesError(f"a table is a list of different players from 0 to {last}, not {quote(table)}")
        msgspec.structs.force_setattr(self, "given", tables)

    def tables(self, finished: Sequence[Round]) -> tuple[Table, ...] | None:
        """Return the listed tables once."""
        return None if finished else tuple(map(tuple, self.given))
