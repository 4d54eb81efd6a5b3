"""Shares, intervals and verdicts as people read them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SEAT = re.compile(r"\bseat (\d{1,3})\b")


def format_percent(share: float | None, places: int = 1) -> str:
    """Write a share from 0 to 1 in per cent."""
    return "-" if share is None else f"{100 * share:.{places}f} %"


def format_interval(bounds: tuple[float, float] | None, places: int = 1) -> str:
    """Write an interval of shares in per cent."""
    return "-" if bounds is None else f"{100 * bounds[0]:.{places}f} to {100 * bounds[1]:.{places}f}"


def replace_seats_by_names(text: str, names: Sequence[str]) -> str:
    """Replace each "seat N" in a judge's text by the name of the player in that seat."""
    return SEAT.sub(lambda found: names[int(found[1])] if int(found[1]) < len(names) else found[0], text)
