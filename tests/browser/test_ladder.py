"""Ladders and players in a real browser: read by everybody in every size, and walked through."""

import re
import subprocess
import sys
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from browser.looks import DESK, HAND, everybody_can_read, looks
from seeded_arena import guest, program, seed

pytestmark = pytest.mark.thorough

LONG = "Bartholomew-Maximilian the Younger of El"
STRENGTHS = {
    **{guest("Ann"): 200, guest("<b>Bob</b>"): -100, guest(LONG): 0, guest("Ann", "another"): 300},
    **{program("reply"): 136, program("search:playouts=30"): 338},
}
SMALL = {"viewport": {"width": 320, "height": 640}}


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    """Serve an arena in which 200 games were played, once their ladder has been reckoned."""
    data = tmp_path_factory.mktemp("data")
    seed(data, 200, STRENGTHS)
    call = [sys.executable, "-m", "hinterland", "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as server:
        address = next(found.group() for line in server.stdout if (found := re.search(r"http://\S+", line)))
        try:
            until_reckoned(address)
            yield address
        finally:
            server.terminate()


def until_reckoned(address):
    for _ in range(600):
        with urllib.request.urlopen(f"{address}/ladder") as answer:
            if b"200 rated games" in answer.read():
                return
        time.sleep(0.1)
    raise AssertionError("the ladder was not reckoned within a minute")


@looks(desk=DESK, small=SMALL, hand=HAND)
def test_everybody_can_read_it(seeded, page):
    for path in ("/ladder", "/ladder/dots", "/players/nobody"):
        page.goto(seeded + path)
        everybody_can_read(page)
    page.goto(f"{seeded}/ladder")
    page.get_by_text("Which games count").click()
    everybody_can_read(page)
    for name in (LONG, "search:playouts=30"):
        page.goto(f"{seeded}/ladder")
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        for more in page.get_by_text(re.compile(r"^\d+ more$")).all():
            more.click()
        everybody_can_read(page)


def test_ladder_player_game_and_back(seeded, page):
    page.goto(seeded)
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Ladder").click()
    page.get_by_label("Rules").select_option("course")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No rated game of these rules")).to_be_visible()
    page.get_by_label("Rules").select_option("quick")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="reply", exact=True).click()
    expect(page.locator(".history-chart .line")).to_be_visible()
    page.locator(".game-picture").first.click()
    expect(page.locator("[data-status]")).to_contain_text(re.compile("win|share|draw|resign"))
    page.locator("[data-seats]").get_by_role("link", name="reply", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("reply")
