"""Two people in two browsers: an invitation, a game, a rematch, and somebody who only watches."""

import re
import time

import pytest
from playwright.sync_api import expect

from browser.looks import EVERY_LOOK, everybody_can_read
from hinterland.gravity import Rules
from referee_clients import find_first_free

RULES = {"size": 40, "stones": 2, "spacing": 3}
INVITE = """async ([name, toAll, rules]) => {
  const { inviteFriend } = await import("/static/js/setup/invite-friend.js");
  return inviteFriend({ game: "gravity", rules, clock: { budget: 600 }, name, toAll });
}"""


@pytest.fixture
def browsers(chromium):
    """Open browsers that know nothing of one another; every page fails the test on an error in its console."""
    contexts, complaints = [], []

    def begin(**options):
        contexts.append(chromium.new_context(**{"viewport": {"width": 1440, "height": 900}, **options}))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        return page

    yield begin
    for context in contexts:
        context.close()
    assert [text for text in complaints if "409 (Conflict)" not in text] == []


def invite(page, arena, name="Ann", to_all=False):
    """Make a challenge as the set-up page does, and go to its waiting room."""
    page.goto(f"{arena}/rules/gravity")
    url = arena + page.evaluate(INVITE, [name, to_all, RULES])
    page.goto(url)
    expect(page.get_by_text("Waiting for your friend")).to_be_visible()
    return page.get_by_label("Send this link to your friend").input_value()


def join(page, link, name="Ben"):
    page.goto(link)
    page.locator("#seat-name").fill(name)
    page.get_by_role("button", name="Play").click()


def play(arena, link, *pages):
    """Click for whoever is to move until the game is over."""
    table, rules = link.rsplit("/", 1)[1], Rules(**RULES)
    told = lambda: pages[0].request.get(f"{arena}/api/tables/{table}").json()  # noqa: E731
    number = told()["match"]["number"]
    while (seen := told())["outcome"] is None and seen["match"]["number"] == number:
        page = pages[seen["to_move"]]
        expect(page.locator("[data-status]")).to_contain_text("Your turn")
        expect(page.locator("gravity-board")).to_have_attribute("data-state", "placing")
        row, col = find_first_free([move["move"][:2] for move in seen["moves"]], rules)
        box = page.locator("gravity-board .surface").bounding_box()
        step = box["width"] / rules.size
        page.mouse.click(box["x"] + (col + 0.5) * step, box["y"] + (row + 0.5) * step)
        expect(page.locator("body")).not_to_have_attribute("data-ply", str(len(seen["moves"])))


def test_a_link_leads_two_people_to_a_game_within_ten_seconds(browsers, arena):
    ann, ben = browsers(), browsers()
    began = time.monotonic()
    link = invite(ann, arena)
    ben.goto(link)
    expect(ben.get_by_text("Ann invites you to a game of Gravity")).to_be_visible()
    expect(ann.locator(".guest").first).to_contain_text("you")
    expect(ben.locator(".guest").first).to_contain_text("here")
    join(ben, link)
    expect(ann.locator("[data-status]")).to_contain_text("Your turn")
    expect(ben.locator("[data-status]")).to_have_text("Ann is to move")
    assert time.monotonic() - began < 10
    expect(ben.locator(".watching")).to_be_hidden()


@pytest.mark.thorough
def test_a_rematch_carries_players_and_viewers_along(browsers, arena):
    ann, ben, eve = browsers(), browsers(), browsers()
    link = invite(ann, arena)
    join(ben, link)
    eve.goto(link)
    expect(eve.locator("[data-watching]")).to_have_text("You are watching Ann and Ben.")
    expect(eve.locator("[data-status]")).to_have_text("Ann is to move")
    expect(eve.get_by_role("button", name="resign", exact=True)).to_be_hidden()
    play(arena, link, ann, ben)
    expect(eve.locator("[data-status]")).to_contain_text(re.compile("^(Ann|Ben) wins game 1"))
    assert "You" in ann.locator("[data-status]").inner_text() + ben.locator("[data-status]").inner_text()
    assert eve.get_by_role("button", name="Play again").is_hidden()
    ann.get_by_role("button", name="Play again").click()
    expect(ann.locator("[data-again-words]")).to_have_text("Waiting for Ben.")
    expect(ben.locator("[data-again-words]")).to_have_text("Ann would like to play again.")
    ben.get_by_role("button", name="Play again").click()
    for page in (ann, ben, eve):
        expect(page.locator("[data-headline]")).to_have_text("Game 2")
    expect(ben.locator("[data-status]")).to_contain_text("Your turn")
    expect(eve.locator("[data-status]")).to_have_text("Ben is to move")
    play(arena, link, ann, ben)
    ben.get_by_role("button", name="Leave").click()
    expect(ann.locator("[data-again-words]")).to_have_text("Ben has left this match.")
    expect(ann.get_by_role("button", name="Play again")).to_be_hidden()
    expect(eve.locator("[data-games] a")).to_have_count(2)


@pytest.mark.thorough
def test_presence_is_seen_before_and_in_a_game(browsers, arena):
    ann, ben = browsers(), browsers()
    link = invite(ann, arena)
    join(ben, link)
    row = ann.locator(".seat").nth(1)
    expect(row).to_have_attribute("data-presence", "here")
    ben.goto("about:blank")
    expect(row).to_have_attribute("data-presence", "away")
    ben.goto(link)
    expect(row).to_have_attribute("data-presence", "here")
    expect(ben.locator("[data-status]")).to_have_text("Ann is to move")


def test_hints_come_when_both_allow_them(browsers, arena):
    ann, ben = browsers(), browsers()
    link = invite(ann, arena)
    join(ben, link)
    expect(ann.locator("[data-status]")).to_contain_text("Your turn")
    hint = ann.get_by_role("button", name="hint", exact=True)
    expect(hint).to_be_hidden()
    ann.get_by_label("allow hints").check()
    expect(ben.get_by_text("Ann agrees")).to_be_visible()
    expect(hint).to_be_hidden()
    ben.get_by_label("allow hints").check()
    hint.click()
    expect(ann.get_by_text("Hint: Row")).to_be_attached()
    ann.get_by_label("heat map").check()
    ben.get_by_label("allow hints").uncheck()
    expect(ann.get_by_label("heat map")).to_be_hidden()


def test_the_second_who_takes_a_seat_is_told_and_watches(browsers, arena):
    ann, ben, eve = browsers(), browsers(), browsers()
    link = invite(ann, arena)
    eve.goto(link)
    eve.locator("#seat-name").fill("Eve")
    held = []
    eve.route("**/seat", lambda route: held.append(route) or None)
    eve.get_by_role("button", name="Play").click()
    join(ben, link)
    expect(ann.locator("[data-status]")).to_contain_text("Your turn")
    held[0].continue_()
    expect(eve.locator("[data-watching]")).to_contain_text("Somebody was quicker: no seat is left, but you can watch.")
    expect(eve.locator("[data-watching]")).to_contain_text("You are watching Ann and Ben.")


def test_an_open_challenge_is_taken_from_the_list(browsers, arena):
    ann, ben = browsers(), browsers()
    link = invite(ann, arena, name="Ann of the list")
    ben.goto(f"{arena}/games")
    expect(ben.get_by_text("Ann of the list")).to_be_hidden()
    ann.get_by_label("let anyone in this arena accept it").check()
    expect(ben.get_by_text("Ann of the list")).to_be_visible()
    everybody_can_read(ben)
    ben.get_by_role("link", name="Play Ann of the list").click()
    ben.wait_for_url(link)
    join(ben, link)
    expect(ann.locator("[data-status]")).to_contain_text("Your turn")


def test_ones_own_name_is_changed_while_one_waits_and_kept(browsers, arena):
    ann = browsers()
    link = invite(ann, arena)
    name = ann.locator("#own-name")
    name.fill('<img src=x onerror="alert(1)">')
    name.press("Enter")
    expect(ann.locator(".guest .name").first).to_have_text('<img src=x onerror="alert(1)">')
    name.fill("Zoë")
    name.press("Tab")
    expect(ann.locator(".guest .name").first).to_have_text("Zoë")
    ann.goto(link)
    assert ann.evaluate("localStorage.getItem('hinterland.name')") == "Zoë"


def test_the_link_is_copied(browsers, arena):
    ann = browsers(permissions=["clipboard-read", "clipboard-write"])
    link = invite(ann, arena)
    ann.get_by_role("button", name="Copy the link").click()
    expect(ann.get_by_role("button", name="Copied")).to_be_visible()
    assert ann.evaluate("navigator.clipboard.readText()") == link
    assert ann.evaluate("document.querySelector('.invite-code img').naturalWidth") > 100


def test_an_invitation_is_taken_back(browsers, arena):
    ann, ben = browsers(), browsers()
    link = invite(ann, arena)
    ben.goto(link)
    ann.get_by_role("button", name="cancel invitation").click()
    ann.get_by_role("button", name="Cancel it").click()
    for page in (ann, ben):
        expect(page.locator("[data-lobby-state]")).to_contain_text("This invitation has ended")
    expect(ben.get_by_role("button", name="Play")).to_be_hidden()


@pytest.mark.thorough
@EVERY_LOOK
def test_everybody_can_read_the_pages_of_friends(page, browsers, arena):
    ben = browsers()
    link = invite(page, arena, name="W" * 32)
    everybody_can_read(page)
    ben.goto(link)
    everybody_can_read(ben)
    join(ben, link, name="M" * 32)
    expect(page.locator("[data-status]")).to_contain_text("Your turn")
    everybody_can_read(page)
    handle = page.locator("[data-drawer]")
    if handle.is_visible():
        handle.click()
    page.get_by_role("button", name="resign", exact=True).click()
    page.get_by_role("dialog").get_by_role("button").last.click()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    everybody_can_read(page)
