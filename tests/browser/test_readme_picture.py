"""The film in the README: the frontier of a live game, which follows the pointer.

``HINTERLAND_PICTURES=1 pytest tests/browser/test_readme_picture.py`` writes ``docs/pictures/frontier.gif`` anew.
Without it the test makes a short film, and holds what the README promises: the frontier moves with the pointer.
"""

import io
import itertools
import math
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from browser.test_arena import board_point, start_quick_game, wait_for_turn

FILM = Path(__file__).parents[2] / "docs" / "pictures" / "frontier.gif"
IS_WRITING = bool(os.environ.get("HINTERLAND_PICTURES"))
FRAMES = 36 if IS_WRITING else 3
FRAME_MS = 90
WIDTH_PIXELS = 720


@pytest.mark.parametrize("page", [{"viewport": {"width": 1180, "height": 760}}], indirect=True)
def test_the_frontier_follows_the_pointer(arena, page):
    start_quick_game(arena, page)
    page.mouse.click(*board_point(page, 360, 300))
    board = wait_for_turn(page, 2)
    expect(board).to_have_attribute("data-state", "placing")
    frames = []
    for step in range(FRAMES):
        angle = 2 * math.pi * step / FRAMES
        page.mouse.move(*board_point(page, 560 + 250 * math.sin(angle), 560 + 300 * math.cos(angle)))
        page.wait_for_timeout(150)  # the preview is drawn in a worker
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        frames.append(picture.resize((WIDTH_PIXELS, round(picture.height * WIDTH_PIXELS / picture.width))))
    changed = [
        np.mean(np.any(np.asarray(one) != np.asarray(next_), axis=2)) for one, next_ in itertools.pairwise(frames)
    ]
    assert min(changed) > 0.005, "each frame shows another frontier"
    if IS_WRITING:
        write(frames)
    with Image.open(FILM) as film:
        assert film.n_frames > 20
        assert abs(film.width - WIDTH_PIXELS) <= 1
    assert FILM.stat().st_size < 1_500_000


def write(frames):
    """Write the film with one palette for all frames, so that what stands still is not stored again."""
    palette = frames[0].quantize(96, dither=Image.Dither.NONE)
    told = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    told[0].save(FILM, save_all=True, append_images=told[1:], duration=FRAME_MS, loop=0, optimize=True)
