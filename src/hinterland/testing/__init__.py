"""Tests of a bot: make a position, ask a bot for its move there, check that the move is legal.

A bot is a function ``choose(position, clock, rng)``, a player, or a spec as on the command line: ``reply``,
``./mybot.py``, ``cmd:…``. A program is started in a process of its own, under the limits of a match.
"""

from __future__ import annotations

from hinterland.testing.answers import answer, assert_legal
from hinterland.testing.positions import position

__all__ = ["answer", "assert_legal", "position"]
