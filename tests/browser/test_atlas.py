"""The atlas in a real browser: from a small picture to a game on that very board."""

import json
import re
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from hinterland.dots.atlas import atlas_file

DESK = {"viewport": {"width": 1440, "height": 900}}
HAND = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LOOKS = [{**size, "color_scheme": scheme} for size in (DESK, HAND) for scheme in ("light", "dark")]
NAMES = ["desk-light", "desk-dark", "hand-light", "hand-dark"]


@pytest.mark.parametrize("page", LOOKS, ids=NAMES, indirect=True)
def test_everybody_can_read_it(arena, page):
    for query in ("", "?n=5", "?n=6&value=5"):
        page.goto(f"{arena}/atlas/dots{query}")
        assert Axe().run(page).response["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]


def test_a_board_is_found_and_played_on(arena, page):
    page.goto(arena + "/rules/dots")
    page.get_by_role("link", name="all boards of up to 8 dots").click()
    page.get_by_label("Worth").select_option(label="+1 (1)")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name=re.compile("worth \\+1")).click()
    page.wait_for_url("**/play/dots?*")
    number = int(re.search(r"board=(\d+)", page.url).group(1))
    expect(page.locator("dots-board [data-dot]")).to_have_count(8)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")
    with urllib.request.urlopen(f"{page.url.partition('?')[0]}/drawing-data") as answer:
        turns = json.loads(answer.read())["turns"]
    (board,) = (entry for entry in atlas_file.entries(8) if entry.value == 1)
    assert (board.number, board.orientations) == (number, turns)
