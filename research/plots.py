"""The figures of the research pages, drawn from their tables: ``python -m research.plots``."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from research.measuring import DATA

FIGURES = DATA.parent / "figures"
WIDTH, HEIGHT, LEFT_MARGIN, BOTTOM_MARGIN, TOP_MARGIN = 640, 360, 64, 48, 16
"""Units of the SVG."""
COLOURS = ("#0072b2", "#d55e00", "#009e73")


class Point(NamedTuple):
    """A value at a place of the axis, with its interval; without one, ``low`` and ``high`` equal it."""

    at: float
    value: float
    low: float
    high: float


class Plot(NamedTuple):
    """Series by name, and the titles of the axes."""

    series: dict[str, list[Point]]
    across: str
    upward: str
    level: float
    """The value of the reference line."""


def read(name: str) -> list[dict[str, str]]:
    """Read a table."""
    with (DATA / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def exact_point(row: dict[str, str], at: str, value: str) -> Point:
    """Return a value without an interval."""
    found = float(row[value])
    return Point(float(row[at]), found, found, found)


def measured_point(row: dict[str, str], at: str, value: str) -> Point:
    """Return a value with the interval in ``low`` and ``high``."""
    return Point(float(row[at]), float(row[value]), float(row["low"]), float(row["high"]))


def plots() -> dict[str, Plot]:
    """Return all figures by name."""
    last, layouts = read("last_mover"), read("gravity_layouts")
    on_gravity = [measured_point(row, "stones", "last_share") for row in last if row["game"] == "gravity"]
    on_graphs = [row for row in last if row["game"] == "graph"]
    dense = on_graphs[0]["density"]
    by_tokens = [measured_point(row, "stones", "last_share") for row in on_graphs if row["density"] == dense]
    many = max((row["stones"] for row in on_graphs if row["density"] != dense), default="")
    by_density = [measured_point(row, "density", "last_share") for row in on_graphs if row["stones"] == many]
    return {
        "gravity-two-stones": Plot(
            {
                "in the game": [exact_point(row, "size", "lead_share") for row in read("gravity_two_stones")],
                "against two stones laid first": [exact_point(row, "size", "lead_share") for row in layouts],
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
        return round(LEFT_MARGIN + at / right * (WIDTH - LEFT_MARGIN - 16), 1)

    def upward(value: float) -> float:
        return round(HEIGHT - BOTTOM_MARGIN - (value - low) / (high - low) * (HEIGHT - BOTTOM_MARGIN - TOP_MARGIN), 1)

    level = upward(plot.level)
    parts = [f'<line x1="{LEFT_MARGIN}" x2="{WIDTH - 16}" y1="{level}" y2="{level}" stroke="#888"/>']
    for step in range(5):
        value = low + pad + (high - low - 2 * pad) * step / 4
        parts.append(f'<text x="{LEFT_MARGIN - 8}" y="{upward(value) + 4}" text-anchor="end">{value:.3f}</text>')
    places = sorted({point.at for point in points})
    parts += [
        f'<text x="{across(at)}" y="{HEIGHT - BOTTOM_MARGIN + 18}" text-anchor="middle">{at:g}</text>'
        for at in places[:: max(1, len(places) // 12)]
    ]
    for number, (name, series) in enumerate(plot.series.items()):
        colour = COLOURS[number]
        parts.append(f'<text x="{LEFT_MARGIN + 12}" y="{TOP_MARGIN + 14 + 16 * number}" fill="{colour}">{name}</text>')
        for point in series:
            x = across(point.at)
            if point.low < point.high:
                ends = f'y1="{upward(point.low)}" y2="{upward(point.high)}"'
                parts.append(f'<line x1="{x}" x2="{x}" {ends} stroke="{colour}" stroke-width="2"/>')
            parts.append(f'<circle cx="{x}" cy="{upward(point.value)}" r="3" fill="{colour}"/>')
    middle = (HEIGHT - BOTTOM_MARGIN) / 2
    parts.append(f'<text x="{(LEFT_MARGIN + WIDTH) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{plot.across}</text>')
    parts.append(f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">{plot.upward}</text>')
    font = 'font-family="sans-serif" font-size="12"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {font}>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def draw(folder: Path) -> None:
    """Draw all figures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, plot in plots().items():
        (folder / f"{name}.svg").write_text(svg(plot))


if __name__ == "__main__":
    draw(FIGURES)
