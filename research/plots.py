"""Draw the figures of the research pages from their tables: ``python -m research.plots``."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from research.measuring import DATA

FIGURES = DATA.parent / "figures"
WIDE, TALL, LEFT, BELOW, ABOVE = 640, 360, 64, 48, 16
COLOURS = ("#0072b2", "#d55e00", "#009e73")


class Point(NamedTuple):
    """A value at a place of the axis, with its interval where it has one."""

    at: float
    value: float
    low: float
    high: float


class Plot(NamedTuple):
    """Series by name, and what the axes are called."""

    series: dict[str, list[Point]]
    across: str
    upward: str
    level: float
    """Where a line is drawn that values are compared with."""


def read(name: str) -> list[dict[str, str]]:
    """Read a table."""
    with (DATA / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def exact(row: dict[str, str], at: str, value: str) -> Point:
    """Return a value without an interval."""
    found = float(row[value])
    return Point(float(row[at]), found, found, found)


def measured(row: dict[str, str], at: str, value: str) -> Point:
    """Return a value with the interval in ``low`` and ``high``."""
    return Point(float(row[at]), float(row[value]), float(row["low"]), float(row["high"]))


def plots() -> dict[str, Plot]:
    """Return all figures by name."""
    last = read("last_mover")
    on_gravity = [measured(row, "stones", "last_share") for row in last if row["game"] == "gravity"]
    on_graphs = [row for row in last if row["game"] == "graph"]
    dense = on_graphs[0]["density"]
    by_tokens = [measured(row, "stones", "last_share") for row in on_graphs if row["density"] == dense]
    many = max((row["stones"] for row in on_graphs if row["density"] != dense), default="")
    by_density = [measured(row, "density", "last_share") for row in on_graphs if row["stones"] == many]
    return {
        "gravity-two-stones": Plot(
            {
                "in the game": [exact(row, "size", "lead_share") for row in read("gravity_two_stones")],
                "against two stones laid first": [exact(row, "size", "lead_share") for row in read("gravity_layouts")],
            },
            "cells a side", "lead of the second player / cells", 0.0,
        ),
        "last-mover-stones": Plot(
            {"gravity": on_gravity, "graphs": by_tokens}, "stones or tokens a side", "share of the last seat", 0.5
        ),
        "last-mover-density": Plot({"graphs": by_density}, "parameter density", "share of the last seat", 0.5),
    }  # fmt: skip


def svg(plot: Plot) -> str:
    """Draw a figure."""
    points = [point for series in plot.series.values() for point in series]
    right = max(point.at for point in points) * 1.05
    low = min(plot.level, *(point.low for point in points))
    high = max(plot.level, *(point.high for point in points))
    pad = (high - low) * 0.06
    low, high = low - pad, high + pad

    def across(at: float) -> float:
        return round(LEFT + at / right * (WIDE - LEFT - 16), 1)

    def upward(value: float) -> float:
        return round(TALL - BELOW - (value - low) / (high - low) * (TALL - BELOW - ABOVE), 1)

    parts = [f'<line x1="{LEFT}" x2="{WIDE - 16}" y1="{upward(plot.level)}" y2="{upward(plot.level)}" stroke="#888"/>']
    for step in range(5):
        value = low + pad + (high - low - 2 * pad) * step / 4
        parts.append(f'<text x="{LEFT - 8}" y="{upward(value) + 4}" text-anchor="end">{value:.3f}</text>')
    places = sorted({point.at for point in points})
    parts += [
        f'<text x="{across(at)}" y="{TALL - BELOW + 18}" text-anchor="middle">{at:g}</text>'
        for at in places[:: max(1, len(places) // 12)]
    ]
    for number, (name, series) in enumerate(plot.series.items()):
        colour = COLOURS[number]
        parts.append(f'<text x="{LEFT + 12}" y="{ABOVE + 14 + 16 * number}" fill="{colour}">{name}</text>')
        for point in series:
            x = across(point.at)
            if point.low < point.high:
                ends = f'y1="{upward(point.low)}" y2="{upward(point.high)}"'
                parts.append(f'<line x1="{x}" x2="{x}" {ends} stroke="{colour}" stroke-width="2"/>')
            parts.append(f'<circle cx="{x}" cy="{upward(point.value)}" r="3" fill="{colour}"/>')
    middle = (TALL - BELOW) / 2
    parts.append(f'<text x="{(LEFT + WIDE) / 2}" y="{TALL - 10}" text-anchor="middle">{plot.across}</text>')
    parts.append(f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">{plot.upward}</text>')
    font = 'font-family="sans-serif" font-size="12"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {TALL}" {font}>\n'
        f'<rect width="{WIDE}" height="{TALL}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def draw(folder: Path) -> None:
    """Draw all figures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, plot in plots().items():
        (folder / f"{name}.svg").write_text(svg(plot))


if __name__ == "__main__":
    draw(FIGURES)
