"""A browser that keeps nothing: whoever begins a game, takes a seat or hosts a match can play, and is told of it."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect

THROWS = "Object.defineProperty(window, '%s', { get() { throw new DOMException('denied', 'SecurityError'); } });"
BROWSERS = {
    "cookies blocked": THROWS % "localStorage" + THROWS % "sessionStorage",
    "local storage blocked": THROWS % "localStorage",
    "local storage missing": "Object.defineProperty(window, 'localStorage', { get() { return null; } });",
    "storage full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "writes forgotten": "Storage.prototype.setItem = () => undefined;",
}
LOST = "your browser blocks storage: you lose your seat when you close this tab"


@pytest.fixture(params=BROWSERS, ids=lambda name: name.replace(" ", "-"))
def forgetful(page, request):
    page.add_init_script(BROWSERS[request.param])
    return page


def can_play(page):
    expect(page.locator("gravity-board")).to_have_attribute("data-state", "placing")
    expect(page.locator("[data-remark]")).to_have_text(LOST)


def posted(url, body):
    wanted = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(wanted) as answer:
        return json.load(answer)


def test_a_game_that_was_begun_can_be_played_and_survives_a_reload(arena, forgetful):
    forgetful.goto(arena)
    forgetful.get_by_role("link", name="Play now").click()
    forgetful.wait_for_url("**/games/*")
    can_play(forgetful)
    forgetful.reload()
    can_play(forgetful)
    forgetful.goto(f"{arena}/play/gravity")
    forgetful.locator("button[data-act=start]").click()
    forgetful.wait_for_url("**/games/*")
    can_play(forgetful)


def test_a_friend_who_takes_a_seat_keeps_it(arena, forgetful):
    rules = {"size": 30, "stones": 2, "spacing": 4}
    made = posted(f"{arena}/api/challenges", {"game": "gravity", "name": "Ann", "rules": rules})
    forgetful.goto(arena + made["url"])
    forgetful.locator("button:has-text('Play')").first.click()
    expect(forgetful.locator("[data-remark]")).to_have_text(LOST)
    forgetful.reload()
    expect(forgetful.locator("[data-remark]")).to_have_text(LOST)
    expect(forgetful.locator("button:has-text('Play')").first).to_be_hidden()


def test_who_opened_a_table_can_close_it(arena, forgetful):
    forgetful.goto(f"{arena}/host")
    forgetful.locator("button[data-act=start]").click()
    forgetful.wait_for_url("**/tables/*")
    forgetful.reload()
    expect(forgetful.locator("[data-act=close]")).to_be_visible()


def test_where_storage_works_nothing_is_said(arena, page):
    page.goto(arena)
    page.get_by_role("link", name="Play now").click()
    page.wait_for_url("**/games/*")
    expect(page.locator("gravity-board")).to_have_attribute("data-state", "placing")
    expect(page.locator("[data-remark]")).to_be_empty()
    assert page.evaluate("window.name") == ""
