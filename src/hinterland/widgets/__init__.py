"""Widgets for notebooks: a board to play on, and heat maps.

The board uses the JavaScript modules and style sheets of the arena's pages. ``Board`` needs the packages of the extra
``notebook``, which are imported on first use. Begin with ``board``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hinterland.errors import ArenaError
from hinterland.widgets.heat_map import HeatMap

if TYPE_CHECKING:
    from hinterland.widgets.board import Board

__all__ = ["Board", "HeatMap"]


def __getattr__(name: str) -> Any:
    """Load the board on first use. Raises ArenaError if the extra ``notebook`` is not installed."""
    if name != "Board":
        msg = f"module 'hinterland.widgets' has no attribute {name!r}; it has {', '.join(__all__)}"
        raise AttributeError(msg)
    try:
        from hinterland.widgets.board import Board  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("anywidget", "traitlets"):
            raise
        raise ArenaError(
            f"a board in a notebook needs {error.name}, which is not here: pip install 'hinterland[notebook]'"
        ) from None
    return Board
