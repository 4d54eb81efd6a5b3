"""The atlas in a real browser: from a small picture to a game on that very board."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from browser.looks import EVERY_LOOK, everybody_can_read
from hinterland.dots.atlas import atlas_file


@pytest.mark.thorough
@EVERY_LOOK
def test_everybody_can_read_it(arena, page):
    for query in ("", "?n=5", "?n=6&value=5"):
        page.goto(f"{arena}/atlas/dots{query}")
        everybody_can_read(page)


def test_a_board_is_found_and_played_on(arena, page):
    page.goto(arena + "/rules/dots")
    page.get_by_role("link", name="Browse every board of up to 8 dots").click()
    page.get_by_label("Result").select_option(label="+1 (1)")
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
