"""The figures of the pages on dots, drawn from their tables: ``python -m research.dots_figures``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.dots import Rules
from research import dots_circles, dots_double_circles
from research.measuring import DATA
from research.plots import read

if TYPE_CHECKING:
    from hinterland.dots import Position

FIGURES = DATA.parent / "figures"
WIDTH, HEIGHT, BAR_STEP, ZERO_LINE = 640, 240, 28, 100
"""Units of the SVG."""
VALUE_STEP = 24
"""Units of the SVG for a value of 1."""
EXCEPTIONAL_NINE = {
    5: ((255, 176), (217, 237), (143, 255), (72, 222), (0, 102), (7, 36), (62, 0), (171, 61), (255, 0)),
    87358: ((0, 1), (254, 0), (239, 39), (213, 69), (177, 89), (141, 94), (101, 84), (54, 55), (206, 255)),
}
"""Points of the two exceptional order types of 9 dots that are no circle, by their number in the atlas."""
SHARES = {"one": "#0072b2", "even": "#bbbbbb", "minus": "#d55e00"}
COLOURS = {True: "#d55e00", False: "#0072b2"}


def circles() -> str:
    """Draw the values of circles as bars; circles that are lost in Dawson's Kayles have another colour."""
    parts = [f'<line x1="30" x2="{WIDTH}" y1="{ZERO_LINE}" y2="{ZERO_LINE}" stroke="#888"/>']
    for row in read("dots_circles"):
        x, value = (int(row["dots"]) - 2) * BAR_STEP + 20, int(row["value"])
        top = ZERO_LINE - max(value, 0) * VALUE_STEP
        colour = COLOURS[row["grundy"] == "0"]
        parts.append(f'<rect x="{x}" y="{top}" width="18" height="{max(abs(value) * VALUE_STEP, 2)}" fill="{colour}"/>')
        parts.append(f'<text x="{x + 9}" y="{HEIGHT - 40}" text-anchor="middle">{row["dots"]}</text>')
    parts += [
        f'<text x="24" y="{ZERO_LINE - at * VALUE_STEP + 4}" text-anchor="end">{at}</text>' for at in (-3, 0, 3)
    ]
    caption = "dots; orange: lost in Dawson's Kayles"
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">{caption}</text>')
    return frame(parts)


def by_hull() -> str:
    """Draw the share of each value in the sample of types of 9 dots, by corners of the hull."""
    rows = [row for row in read("dots_nine_features") if row["feature"] == "hull"]
    parts, tall = [], 160
    for number, row in enumerate(rows):
        x, bottom = 60 + 140 * number, 190.0
        for name, colour in SHARES.items():
            high = float(row[name]) * tall
            bottom -= high
            parts.append(f'<rect x="{x}" y="{bottom:.1f}" width="80" height="{high:.1f}" fill="{colour}"/>')
        parts.append(f'<text x="{x + 40}" y="206" text-anchor="middle">{row["level"]} ({row["drawn"]})</text>')
    caption = "corners of the hull (types drawn); from below: worth 1, 0, -1"
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">{caption}</text>')
    return frame(parts)


def frame(parts: list[str]) -> str:
    """Make an SVG document of shapes."""
    font = 'font-family="sans-serif" font-size="12"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {font}>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def positions() -> dict[str, Position]:
    """Return the positions of the figures, by name."""
    against = {row["dots"]: row["counterexample"] for row in read("dots_pairings")}
    pairs = tuple((int(pair.partition("-")[0]), int(pair.partition("-")[2])) for pair in against["9"].split())
    return {
        "dots-tie-fails": dots_circles.position_of(9, pairs),
        **{f"dots-nine-{number}": Rules(points=points).start() for number, points in EXCEPTIONAL_NINE.items()},
        "dots-double-circle-8": Rules(points=tuple(dots_double_circles.points("1111"))).start(),
    }


def draw(folder: Path) -> None:
    """Draw all figures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dots-circles.svg").write_text(circles())
    (folder / "dots-nine-hull.svg").write_text(by_hull())
    for name, position in positions().items():
        (folder / f"{name}.svg").write_text(position._repr_svg_())


if __name__ == "__main__":
    draw(FIGURES)
