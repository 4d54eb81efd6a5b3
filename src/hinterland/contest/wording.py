"""Shares, intervals and verdicts as people read them."""

from __future__ import annotations


def format_percent(share: float | None, places: int = 1) -> str:
    """Write a share from 0 to 1 in per cent."""
    return "-" if share is None else f"{100 * share:.{places}f} %"


def format_interval(bounds: tuple[float, float] | None, places: int = 1) -> str:
    """Write an interval of shares in per cent."""
    return "-" if bounds is None else f"{100 * bounds[0]:.{places}f} to {100 * bounds[1]:.{places}f}"
