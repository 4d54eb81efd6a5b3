"""Pictures of gravity: stones at the edge are whole, and the heat map says what its colours mean."""

import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from hinterland.drawing import film, palette
from hinterland.gravity import Rules, Stone
from hinterland.gravity.drawing import regions


@pytest.mark.parametrize("weight", [None, 40])
def test_stones_at_the_edge_are_whole(weight):
    rules = Rules(size=200, stones=2, spacing=5, weight=weight)
    corners = [Stone(0, 0, 30 if weight else 1), Stone(199, 199), Stone(0, 199), Stone(199, 0)]
    position = rules.start()
    for corner in corners:
        position = position.play(corner)
    pixels = np.asarray(regions.image(position, 600))
    edges = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    assert (np.abs(edges.astype(int) - palette.GROUND) < 16).all(), "around the stones there is ground on all sides"
    svg = regions.svg(position)
    left, top, wide, high = map(float, re.search(r'viewBox="([^"]+)"', svg)[1].split())
    for x, y, radius in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', svg):
        assert left <= float(x) - float(radius)
        assert float(x) + float(radius) <= left + wide
        assert top <= float(y) - float(radius)
        assert float(y) + float(radius) <= top + high


@pytest.mark.parametrize(("size", "box"), [(20, "0 0 20 20"), (100, "-1.15 -1.15 102.3 102.3")])
def test_a_margin_is_drawn_where_stones_need_it_only(size, box):
    assert f'viewBox="{box}"' in regions.svg(Rules(size=size, stones=1, spacing=1).start())


def test_the_heat_map_tells_what_its_shades_mean():
    position = Rules(size=60, stones=2, spacing=5).start().play(Stone(20, 30))
    gains = position.reply_map()
    told = Image.open(BytesIO(film.encode_png(regions.heat(position, {})))).text
    assert told == {"least": str(gains[gains >= 0].min()), "most": str(gains.max())}


def oklab(colour):
    """Return where a colour lies for the eye (B. Ottosson, 2020): equal distances look alike."""
    share = np.array(colour) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    cones = [[0.41222, 0.53633, 0.05145], [0.21190, 0.68070, 0.10740], [0.08830, 0.28172, 0.62998]]
    axes = [[0.21045, 0.79362, -0.00407], [1.97800, -2.42859, 0.45059], [0.02590, 0.78277, -0.80868]]
    return np.array(axes) @ np.cbrt(np.array(cones) @ linear)


def test_the_heat_map_is_in_a_colour_of_no_player():
    """Stones of two players are 0.1 apart at least; a light region and a shade of the map more than half of that."""
    stops = np.linspace(0, 1, len(palette.HEAT))
    channels = np.transpose(palette.HEAT)
    shades = [[np.interp(at, stops, channel) for channel in channels] for at in np.linspace(0, 1, 60)]
    for seat in range(len(palette.PLAYERS)):
        for colour in (palette.stone(seat), palette.region(seat)):
            assert min(np.linalg.norm(oklab(shade) - oklab(colour)) for shade in shades) > 0.06, (seat, colour)
