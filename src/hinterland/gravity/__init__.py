"""Gravity: stones on a grid pull with weight / distance^2, and the strongest colour owns the cell."""

from __future__ import annotations

from hinterland.gravity.rules import LegalStones, Position, Rules, Stone

__all__ = ["LegalStones", "Position", "Rules", "Stone"]
