"""One heavy stone or many light ones, at equal weight together: ``python -m research.weights``.

``parts:count=k`` spreads its weight evenly over k stones and places each where it gains the most at once. A player that
has placed all its weight is skipped, so the player with more stones places the last ones. ``search`` is free to choose
its weights. A match is two games with the seats changed. ``parts`` draws only among equally good cells.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec
import numpy as np

from hinterland.contest.plan import Entrant, Plan
from hinterland.contest.series import sum_up
from hinterland.contract import Clock
from hinterland.gravity import Position, Stone
from hinterland.gravity.search.opening import first_stone
from research.measuring import CLOCK, Cells, Row, main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.contest.played import FinishedMatch

SEED = 176
WEIGHT = 840
"""Divisible by any number of parts up to 8."""
RULES = {"size": 100, "spacing": 3, "stones": 8, "weight": WEIGHT}
COUNTS = (1, 2, 3, 4, 6, 8)
PAIRINGS = 20
SEARCH_PAIRINGS = 10
"""Pairings of each row in which ``search`` plays."""
SEARCH = "search:playouts=100"


class Parts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places ``count`` stones of equal weight, each where it gains the most at once; ties are drawn."""

    name: ClassVar[str] = "parts"
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:  # noqa: ARG002
        """Take the best cell by the exact reply map."""
        seat = position.to_move or 0
        left = position.weight_left(seat) or 0
        weight = left // (self.count - position.turns_of(seat))
        if not position.moves:
            return first_stone(position.rules, weight, lambda: True, rng)
        gains = position.reply_map(weight)
        best = np.flatnonzero(gains == gains.max())
        row, col = divmod(int(rng.choice(best)), gains.shape[1])
        return Stone(row, col, weight)



def rows(law: str) -> Iterator[Row]:
    """Yield all rows: each number of parts against each smaller one, and ``search`` against each."""
    pairs = [(f"parts:count={few}", f"parts:count={many}") for few, many in combinations(COUNTS, 2)]
    pairs += [(f"parts:count={count}", SEARCH) for count in COUNTS]
    for one, other in pairs:
        plan = Plan(
            game="gravity", players=(Entrant("one", one), Entrant("other", other)),
            pairings=SEARCH_PAIRINGS if other == SEARCH else PAIRINGS, rules={**RULES, "law": law},
            clock=CLOCK, seed=SEED,
        )  # fmt: skip
        yield Row({"law": law, "player": one, "against": other}, plan)


def sums(row: Row, matches: list[FinishedMatch]) -> Cells:
    """Return the player's share of all scores, its wins, and the other player's numbers of stones."""
    found = sum_up(matches)
    low, high = found.share_interval or (None, None)
    won_low, won_high = found.won_interval or (None, None)
    return {
        "matches": found.matches, "won": found.won, "drawn": found.drawn, "lost": found.lost,
        "won_share": found.won_share, "won_low": won_low, "won_high": won_high,
        "share": found.share, "low": low, "high": high, "stones_of_other": stones_of(matches, row.plan.names[1]),
    }  # fmt: skip


def stones_of(matches: list[FinishedMatch], name: str) -> str:
    """List the numbers of stones that a player placed, and in how many games: ``8x50``."""
    counts: Counter[int] = Counter()
    for match in matches:
        for record in match.records:
            counts[record.movers.count(record.players.index(name))] += 1
    return " ".join(f"{stones}x{games}" for stones, games in sorted(counts.items()))


def both_laws() -> Iterator[Row]:
    """Yield the rows under each law."""
    yield from rows("gravity")
    yield from rows("nearest")


if __name__ == "__main__":
    main("weights", both_laws(), sums, Parts)
