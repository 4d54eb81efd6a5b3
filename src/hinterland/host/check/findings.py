"""The findings of the checks."""

from __future__ import annotations

from typing import Literal

import msgspec

State = Literal["passed", "failed", "skipped"]
CHECKS: dict[str, str] = {
    "introduces": "starts and introduces itself in time",
    "first_move": "makes a legal first move",
    "in_time": "answers in time",
    "whole_game": "plays a whole game legally",
    "both_seats": "plays the next game, from the other seat",
    "own_seat": "knows which seat is its own",
    "packets": "copes with messages that come in pieces, and with several in one packet",
    "leaver": "copes with an opponent that leaves, and plays the next game",
    "short_clock": "finishes when there is little time",
    "refused": "answers again when a move is refused",
    "no_weights": "gives no weight where stones have none",
    "quiet": "says nothing unasked, and nothing twice",
    "ends": "ends when told",
    "crowds": "keeps no more threads busy than there are processors",
    "long_game": "copes with a long game",
    "weighted": "plays with weighted stones, in both seats",
    "melee": "plays a melee of three",
}
"""All checks by name, in the order of their report."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The finding of one check."""

    check: str
    title: str
    """What a bot can do that passes."""
    state: State
    """The result."""
    reason: str = ""
    """Why the bot failed, or why it was not checked."""
    conversation: tuple[str, ...] = ()
    """If the bot failed, the last lines: ``<`` to the bot, ``>`` from it."""
    stderr: tuple[str, ...] = ()
    """The last lines of its standard error, if it is a program that was started."""


def make_finding(check: str, state: State, reason: str = "") -> Finding:
    """Make a finding without evidence."""
    return Finding(check=check, title=CHECKS[check], state=state, reason=reason)
