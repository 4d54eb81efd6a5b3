"""Budgets of a search: a number of playouts, or as many as fit into a time."""

from __future__ import annotations

from hinterland import search_clock

FIRST_PLAYOUTS = 4
"""Number of playouts in the first step; their time shows how fast playouts are."""
CHECK_S = 0.002
"""Approximate number of seconds between two readings of the clock."""


class Budget:
    """How many playouts a search may still make: the rest of ``playouts``, or as many as fit into ``seconds``."""

    def __init__(self, playouts: int | None, seconds: float) -> None:
        self._left = playouts
        self._began_s = search_clock.now_s()
        self._until_s = self._began_s + seconds
        self._made = 0

    def has_seconds(self, seconds: float) -> bool:
        """Say whether ``seconds`` are left; always true if the budget is a number of playouts."""
        return self._left is not None or search_clock.now_s() + seconds < self._until_s

    def left(self, share: float = 1.0) -> int:
        """Return how many more playouts may be made before ``share`` of the whole budget is spent."""
        if self._left is not None:
            return self._left - int((self._left + self._made) * (1 - share))
        spent_s = search_clock.now_s() - self._began_s
        left_s = (self._until_s - self._began_s) * share - spent_s
        return int(self._made / spent_s * left_s) if self._made and spent_s > 0 else FIRST_PLAYOUTS * (left_s > 0)

    def step(self, share: float = 1.0) -> int:
        """Return how many playouts to make before calling this again; 0 once ``share`` of the whole budget is spent."""
        left = self.left(share)
        if self._left is not None or not self._made:
            return max(left, 0)
        spent_s = search_clock.now_s() - self._began_s
        return min(left, max(int(self._made / spent_s * CHECK_S), 1)) if left > 0 else 0

    def spend(self, playouts: int) -> None:
        """Count playouts that were made."""
        self._made += playouts
        if self._left is not None:
            self._left -= playouts
