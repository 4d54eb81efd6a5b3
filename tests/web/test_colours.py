"""The colours of players, by day and by night: a stone is darker than its region, and letters on both can be read."""

import re
from pathlib import Path

import pytest

import hinterland

CSS = Path(hinterland.__file__).parent / "web" / "static" / "css"
SEATS = range(12)


def themes():
    """Return the colours of both themes by the names of their properties."""
    light, dark = (CSS / "players.css").read_text().split("@media (prefers-color-scheme: dark)")
    named = r"--(seat-\d+(?:-[a-z-]+)?|region-ink): ([^;]+);"
    base = re.search(named.replace("seat-", "never-"), (CSS / "base.css").read_text())
    by_day = {**dict(re.findall(named, light)), base[1]: base[2]}
    by_night = {**by_day, **dict(re.findall(named, dark.split("\n}\n")[0]))}
    return {"day": by_day, "night": by_night}


def colour(theme, name):
    value = theme[name]
    while value.startswith("var(--"):
        value = theme[value[6:-1]]
    return value


def luminance(value):
    """Return the relative luminance of a colour: Web Content Accessibility Guidelines 2.1."""
    parts = [int(value[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["day", "night"])
@pytest.mark.parametrize("seat", SEATS)
def test_a_stone_is_darker_than_its_region_and_both_can_be_written_on(seat, name):
    theme = themes()[name]
    stone, region = colour(theme, f"seat-{seat}-stone"), colour(theme, f"seat-{seat}-region")
    assert luminance(stone) < luminance(region)
    if name == "night":
        assert contrast(stone, region) > 2.5
    assert contrast(colour(theme, f"seat-{seat}-stone-ink"), stone) > 3
    assert contrast(colour(theme, "region-ink"), region) >= 4.5


@pytest.mark.parametrize("name", ["day", "night"])
def test_no_two_regions_are_alike(name):
    theme = themes()[name]
    regions = [colour(theme, f"seat-{seat}-region") for seat in SEATS]
    apart = [
        sum(abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (1, 3, 5))
        for at_one, one in enumerate(regions) for other in regions[:at_one]
    ]  # fmt: skip
    assert min(apart) > 30
