"""Join the dots: lines that close a cycle score its dots and take them off the board."""

from __future__ import annotations

from hinterland.dots.rules import LegalLines, Line, Position, Rules
from hinterland.dots.solver.solutions import Solution, solve

__all__ = ["LegalLines", "Line", "Position", "Rules", "Solution", "solve"]
