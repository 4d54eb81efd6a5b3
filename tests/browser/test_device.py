"""Sound, a screen that stays on, and an arena that is installed, in a real browser."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect

from browser.test_first_minute import place, play_now

pytestmark = pytest.mark.thorough

LISTEN = """
window.heard = [];
const Real = window.OscillatorNode;
window.OscillatorNode = class extends Real {
  constructor(context, options) { super(context, options); window.heard.push(options.frequency); }
};
window.awake = 0;
navigator.wakeLock.request = async () => { window.awake += 1; return { released: false, release: async () => {} }; };
"""


@pytest.fixture
def listening(page):
    page.add_init_script(LISTEN)
    return page


def heard(page):
    return page.evaluate("window.heard.length")


def test_stones_sound_when_asked_for(arena, listening):
    page = listening
    board = play_now(arena, page)
    sound = page.get_by_role("button", name="sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    place(page, 0.3, 0.4)
    expect(board).to_have_attribute("data-ply", "2")
    assert heard(page) == 0, "silent until somebody asks"
    page.keyboard.press("m")
    expect(sound).to_have_attribute("aria-pressed", "true")
    before = heard(page)
    place(page, 0.7, 0.6)
    expect(board).to_have_attribute("data-ply", "4")
    assert heard(page) >= before + 2
    page.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")


def test_the_screen_stays_on_while_somebody_plays(chromium, arena, listening):
    page = listening
    board = play_now(arena, page)
    page.wait_for_function("window.awake === 1")
    context = chromium.new_context()
    other = context.new_page()
    other.add_init_script(LISTEN)
    other.goto(page.url)
    expect(other.locator("gravity-board")).to_have_attribute("data-ply", "0")
    assert other.evaluate("window.awake") == 0, "who watches may let it go dark"
    context.close()
    expect(board).to_be_visible()


def test_the_arena_can_be_installed(arena, page):
    page.goto(arena)
    with urllib.request.urlopen(arena + page.locator("link[rel=manifest]").get_attribute("href")) as answer:
        assert answer.headers["Content-Type"].startswith("application/manifest+json")
        manifest = json.load(answer)
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        with urllib.request.urlopen(arena + icon["src"]) as answer:
            assert answer.headers["Content-Type"] == "image/png"


def test_without_a_connection_a_page_of_ours_says_so(chromium, arena):
    context = chromium.new_context()
    page = context.new_page()
    page.goto(arena)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("caches.match('/offline').then((kept) => Boolean(kept))")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    context.set_offline(True)
    page.goto(arena + "/games")
    expect(page.get_by_role("heading")).to_have_text("The arena cannot be reached")
    context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("navigation", name="Site")).to_be_attached()
    context.close()
