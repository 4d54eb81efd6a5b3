"""Colours of players, distinct for colour-blind people, too: the Okabe-Ito palette and four more.

A colour always means a player. A stone has the player's full colour, a region that colour mixed with the background's.
"""

from __future__ import annotations

import numpy as np

RGB = tuple[int, int, int]

PLAYERS: tuple[RGB, ...] = (
    (0, 114, 178), (213, 94, 0), (0, 158, 115), (230, 159, 0), (86, 180, 233), (204, 121, 167),
    (240, 228, 66), (60, 60, 60), (136, 34, 85), (102, 51, 204), (153, 153, 51), (160, 110, 80),
)  # fmt: skip
"""By seat: blue, vermilion, bluish green, orange, sky blue, reddish purple, yellow, black, wine, violet, olive,
brown."""

GROUND: RGB = (255, 255, 255)
INK: RGB = (28, 28, 30)
NEUTRAL: RGB = (226, 226, 226)
"""Cells that nobody owns."""
HEAT: tuple[RGB, ...] = ((44, 0, 43), (121, 0, 117), (210, 0, 204), (254, 143, 246), (254, 240, 252))
"""Colours of the heat map, from dark (little) to light (much), so that the map can be read without colour, too. Their
hue is as far as possible from the hues of the players."""


def stone(seat: int) -> RGB:
    """Return the colour of a seat's stones."""
    return PLAYERS[seat % len(PLAYERS)]


def region(seat: int) -> RGB:
    """Return the colour of a seat's region, lighter than the seat's stones; NEUTRAL for seat -1, nobody."""
    return NEUTRAL if seat < 0 else mix(stone(seat), GROUND, 0.52)


def mix(one: RGB, other: RGB, share: float) -> RGB:
    """Mix two colours; ``share``, from 0 to 1, is that of ``other``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def shade_heat(shares: np.ndarray) -> np.ndarray:
    """Return the heat map's colour for each share: red, green and blue, not rounded, float64 (n, 3).

    ``shares``: float64[n], from 0 (darkest) to 1 (lightest).
    """
    stops = np.linspace(0.0, 1.0, len(HEAT))
    return np.stack([np.interp(shares, stops, channel) for channel in np.transpose(HEAT)], axis=-1)


def ink_on(colour: RGB) -> RGB:
    """Return the colour of letters on a background: white or INK, whichever is easier to read."""
    red, green, blue = colour
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else GROUND


def to_hex(colour: RGB) -> str:
    """Write a colour as #rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
