"""Whether hitting the leader pays in a melee: ``python -m research.leader``.

``hit:aim=leader`` compares the cells that gain nearly as much as the best one, and takes the cell that leaves the
strongest rival the least. Two controls give up as much gain: ``aim=last`` hurts the weakest rival, ``aim=any`` takes
any of these cells. All other players are ``reply``. In a match each player starts once, after a random first stone, so
an even share is one over the number of players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec
import numpy as np

from hinterland.contest.plan import Entrant, Plan
from hinterland.contest.series import sum_up
from hinterland.contract import Clock
from hinterland.gravity import Position, Stone
from hinterland.gravity.players import Reply
from research.measuring import CLOCK, Cells, Row, main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.contest.played import FinishedMatch

SEED = 176
RULES = {"size": 100, "spacing": 6, "stones": 5}
SEATS = (3, 4)
SHARES_GIVEN_UP = (0.05, 0.1, 0.2)
"""Shares of the greatest gain that are given up."""
AIMS: tuple[Aim, ...] = ("leader", "last", "any")
PAIRINGS = 150
MOST_CELLS = 24
"""Random cells that gain enough and are compared, beside the best one."""

Aim = Literal["leader", "last", "any"]


class Hit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Gives up a little of its gain to hurt one rival the most."""

    name: ClassVar[str] = "hit"
    aim: Aim = "leader"
    given_up: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.1
    """The share of the greatest gain that a cell may lack."""

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Stone:
        """Open like ``reply``; then take the cell that leaves the least to the rival aimed at."""
        if not position.moves:
            return Reply().choose(position, clock, rng)
        gains = position.reply_map()
        good = np.flatnonzero(gains >= (1 - self.given_up) * gains.max())
        cells = rng.choice(good, min(MOST_CELLS, good.size), replace=False).tolist()
        stones = [Stone(*divmod(cell, gains.shape[1])) for cell in cells]
        rival = self._rival(position)
        if rival is None:
            return stones[0]
        best = Stone(*divmod(int(gains.argmax()), gains.shape[1]))
        return min([best, *stones], key=lambda stone: position.play(stone).scores[rival])

    def _rival(self, position: Position) -> int | None:
        """Return the seat to hurt; None for any."""
        rivals = [seat for seat in range(position.rules.players) if seat != position.to_move]
        if self.aim == "any":
            return None
        order = max if self.aim == "leader" else min
        return order(rivals, key=lambda seat: position.scores[seat])



def rows() -> Iterator[Row]:
    """Yield all rows: one player that hits among ``reply``, and one ``reply`` among players that hit."""
    for seats in SEATS:
        for aim in AIMS:
            for given_up in SHARES_GIVEN_UP:
                hit = f"hit:aim={aim},given_up={given_up:g}"
                yield row(hit, "reply", seats)
        yield row("reply", f"hit:aim=leader,given_up={SHARES_GIVEN_UP[1]:g}", seats)
        yield row("reply", "reply", seats)


def row(player: str, others: str, seats: int) -> Row:
    """Return the row of one player among others that are all alike."""
    entrants = (Entrant("one", player), *(Entrant(f"other-{number}", others) for number in range(1, seats)))
    plan = Plan(
        game="gravity", players=entrants, format="tables", options={"given": [list(range(seats))]},
        pairings=PAIRINGS, rules=RULES, jitter=1, clock=CLOCK, seed=SEED,
    )  # fmt: skip
    return Row({"players": seats, "player": player, "others": others}, plan)


def sums(row: Row, matches: list[FinishedMatch]) -> Cells:
    """Return the player's share of all scores, and the number of games that it wins."""
    found = sum_up(matches)
    low, high = found.share_interval or (None, None)
    won_low, won_high = found.won_interval or (None, None)
    return {
        "matches": found.matches, "even": 1 / len(row.plan.players), "share": found.share, "low": low, "high": high,
        "won": found.won, "drawn": found.drawn, "won_share": found.won_share,
        "won_low": won_low, "won_high": won_high,
    }  # fmt: skip


if __name__ == "__main__":
    main("leader", rows(), sums, Hit)
