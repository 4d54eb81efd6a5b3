"""Chess clocks as values. Time is an argument: nanoseconds of a monotonic clock that the caller reads.

An answer that arrives exactly at the limit is in time. The increment is added only after a move that was in time. The
clock of a player at the other end of a network also runs while messages travel. So a fixed grace of each move is free:
it is not taken off the clock, and an answer that comes within it is in time.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from hinterland.contract import Clock
from hinterland.contract.numbers import as_int
from hinterland.errors import RulesError, quote

NS_PER_MS = 1_000_000
LONGEST_SECONDS = 1_000_000


class TimeControl(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Time of a seat, in milliseconds; None means without limit."""

    budget_ms: int | None = 120_000
    """Budget for the whole game."""
    increment_ms: int = 0
    """Added to the budget after each move."""
    move_ms: int | None = None
    """Limit for a single move."""

    def __post_init__(self) -> None:
        for name in ("budget_ms", "move_ms", "increment_ms"):
            value = as_int(getattr(self, name))
            if value is None and name != "increment_ms":
                continue
            least = 0 if name == "increment_ms" else 1
            if type(value) is not int or not least <= value <= LONGEST_SECONDS * 1000:
                most = LONGEST_SECONDS * 1000
                raise RulesError(f"{name} of a clock must be a whole number from {least} to {most}, not {quote(value)}")
            msgspec.structs.force_setattr(self, name, value)

    @property
    def is_limited(self) -> bool:
        """Whether a clock can run out."""
        return self.budget_ms is not None or self.move_ms is not None

    @classmethod
    def of_seconds(cls, seconds: float | None, increment: float = 0.0, move: float | None = None) -> TimeControl:
        """Make a time control from seconds.

        Raises RulesError if one of them is below 0.001 or above 1,000,000; only the increment may be 0.
        """
        for name, value in (("clock", seconds), ("limit of a move", move), ("increment", increment or None)):
            if value is not None and not 0.001 <= value <= LONGEST_SECONDS:
                or_none = "0, or " if name == "increment" else ""
                raise RulesError(f"{name}: {or_none}from 0.001 to {LONGEST_SECONDS:,} seconds, not {value:g}")
        return cls(
            budget_ms=None if seconds is None else round(seconds * 1000),
            increment_ms=round(increment * 1000),
            move_ms=None if move is None else round(move * 1000),
        )


class Clocks(msgspec.Struct, frozen=True):
    """The clocks of all seats, at most one of them running."""

    control: TimeControl
    left_ns: tuple[int | None, ...]
    running: int | None = None
    since_ns: int = 0
    grace_ns: tuple[int, ...] = ()
    """Grace of each seat, in nanoseconds; empty if no seat has any."""

    @classmethod
    def fresh(cls, control: TimeControl, seats: int, grace_ms: Sequence[int] = ()) -> Clocks:
        """Return stopped clocks with the whole budget on each."""
        budget = None if control.budget_ms is None else control.budget_ms * NS_PER_MS
        return cls(control, (budget,) * seats, grace_ns=tuple(ms * NS_PER_MS for ms in grace_ms))

    def start(self, seat: int, now_ns: int) -> Clocks:
        """Start a seat's clock."""
        return Clocks(self.control, self.left_ns, seat, now_ns, self.grace_ns)

    def postponed(self, delay_ns: int, now_ns: int) -> Clocks:
        """Return clocks that leave the latest ``delay_ns`` uncharged, but no more than the time since the request."""
        if self.running is None:
            return self
        since = min(self.since_ns + delay_ns, max(now_ns, self.since_ns))
        return Clocks(self.control, self.left_ns, self.running, since, self.grace_ns)

    @property
    def deadline_ns(self) -> int | None:
        """The last moment at which the running seat's answer is in time; None without a limit or a running clock."""
        if self.running is None:
            return None
        move_ms = self.control.move_ms
        limits = [self.left_ns[self.running], None if move_ms is None else move_ms * NS_PER_MS]
        known = [limit for limit in limits if limit is not None]
        return self.since_ns + min(known) + self._grace_now_ns if known else None

    @property
    def _grace_now_ns(self) -> int:
        return self.grace_ns[self.running] if self.grace_ns and self.running is not None else 0

    def is_late(self, now_ns: int) -> bool:
        """Say whether the running seat's time is over."""
        deadline = self.deadline_ns
        return deadline is not None and now_ns > deadline

    def stop(self, now_ns: int) -> Clocks:
        """Stop the running clock after a move: take off the time spent and add the increment."""
        return self._stop_with_bonus(now_ns, self.control.increment_ms * NS_PER_MS)

    def halt(self, now_ns: int) -> Clocks:
        """Stop the running clock without a move: take off the time spent."""
        return self._stop_with_bonus(now_ns, 0)

    def _stop_with_bonus(self, now_ns: int, bonus_ns: int) -> Clocks:
        if self.running is None:
            return self
        left = list(self.left_ns)
        before = left[self.running]
        if before is not None:
            left[self.running] = max(before - self._charged_ns(now_ns), 0) + bonus_ns
        return Clocks(self.control, tuple(left), grace_ns=self.grace_ns)

    def spent_ns(self, now_ns: int) -> int:
        """Return how long the running clock has run, grace included; 0 if no clock runs."""
        return 0 if self.running is None else max(now_ns - self.since_ns, 0)

    def _charged_ns(self, now_ns: int) -> int:
        return max(now_ns - self.since_ns - self._grace_now_ns, 0)

    def left_now_ns(self, seat: int, now_ns: int) -> int | None:
        """Return the time that a seat has left at ``now_ns``."""
        left = self.left_ns[seat]
        if left is None or seat != self.running:
            return left
        return max(left - self._charged_ns(now_ns), 0)

    def shown_to(self, seat: int) -> Clock:
        """Return the clock as a player sees it in a request."""
        left = self.left_ns[seat]
        return Clock(None if left is None else left // NS_PER_MS, self.control.increment_ms, self.control.move_ms)
