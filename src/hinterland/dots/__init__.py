"""Join the dots: lines that close a cycle score its dots and take them off the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hinterland.dots.rules import LegalLines, Line, Position, Rules

if TYPE_CHECKING:
    from hinterland.dots.solver.solutions import Solution, solve

__all__ = ["LegalLines", "Line", "Position", "Rules", "Solution", "solve"]


def __getattr__(name: str) -> Any:
    """Load the solver and the compiler on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    from hinterland.dots.solver import solutions  # noqa: PLC0415

    return getattr(solutions, name)
