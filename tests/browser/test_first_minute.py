"""Somebody's first minute: one click to a live board, a lesson beside it, and a rival of their own strength."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect

from browser.looks import EVERY_LOOK, everybody_can_read, unfold
from more_of_the_same import first_shows

BOARDS = {"gravity": "gravity-board", "graph": "graph-board", "dots": "dots-board"}
CARDS = ["Pull", "Spacing", "Stealing ground", "The last move"]


def snapshot(arena, page):
    with urllib.request.urlopen(f"{arena}/api/games/{page.url.rsplit('/', 1)[1]}") as answer:
        return json.load(answer)


def play_now(arena, page):
    page.goto(arena)
    page.get_by_role("link", name="Play now").click()
    page.wait_for_url("**/games/*")
    board = page.locator("gravity-board")
    expect(board).to_have_attribute("data-state", "placing")
    return board


def place(page, down, across):
    box = page.locator("gravity-board .surface").bounding_box()
    page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])


def test_one_click_leads_to_a_board_without_a_clock_and_to_a_lesson(arena, page):
    board = play_now(arena, page)
    game = snapshot(arena, page)
    assert (game["rules"]["stones"], game["clock"]) == (3, None)
    lesson = page.get_by_role("region", name="Lesson")
    for made, (card, stone) in enumerate(zip(CARDS, [(0.3, 0.3), (0.7, 0.6), (0.2, 0.8), None], strict=True)):
        expect(board).to_have_attribute("data-ply", str(2 * made))
        expect(lesson.get_by_role("heading")).to_have_text(card)
        if stone:
            expect(board).to_have_attribute("data-state", "placing")
            place(page, *stone)
    expect(page.locator("body")).to_have_attribute("data-game", "over")
    play_now(arena, page)
    expect(page.get_by_role("region", name="Lesson")).to_have_count(0)


def test_a_lesson_is_skipped_for_good(arena, page):
    play_now(arena, page)
    page.get_by_role("button", name="Skip the lesson").click()
    lesson = page.get_by_role("region", name="Lesson")
    expect(lesson).to_have_count(0)
    page.reload()
    expect(page.locator("gravity-board")).to_have_attribute("data-state", "placing")
    expect(lesson).to_have_count(0)
    play_now(arena, page)
    expect(lesson).to_have_count(0)


@pytest.mark.parametrize("game", first_shows(*BOARDS))
def test_every_game_has_a_first_game(arena, page, game):
    page.goto(arena)
    page.locator(f"a[data-first={game}]", has_text="Learn it").click()
    page.wait_for_url("**/games/*")
    expect(page.locator(BOARDS[game])).to_have_attribute("data-state", "placing")
    expect(page.get_by_role("region", name="Lesson")).to_be_visible()
    assert snapshot(arena, page)["game"] == game


def test_a_link_without_its_script_leads_to_the_form(chromium, arena):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(arena)
    page.get_by_role("link", name="Play now").click()
    page.wait_for_url("**/play/gravity")
    context.close()


@EVERY_LOOK
def test_a_lesson_is_accessible_and_fits(arena, page):
    page.goto(arena)
    page.locator("a[data-first=gravity]", has_text="Learn it").click()
    expect(page.get_by_role("region", name="Lesson")).to_be_visible()
    everybody_can_read(page)


def test_a_level_is_chosen_and_remembered(arena, page):
    page.goto(arena + "/play/gravity")
    slider = page.get_by_label("Level", exact=True)
    page.get_by_label("Quick", exact=True).check()
    slider.fill("1")
    expect(page.locator("[data-level]")).to_have_text("1 · beginner")
    page.get_by_label("opponent", exact=True).check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")
    seats = snapshot(arena, page)["seats"]
    assert [seat["kind"] for seat in seats] == ["program", "person"]
    page.goto(arena + "/play/gravity")
    expect(slider).to_have_value("1")
    assert slider.get_attribute("aria-valuetext").startswith("1 of ")


def test_two_at_this_screen(arena, page):
    page.goto(arena + "/play/gravity")
    page.get_by_label("Two players, one screen").check()
    expect(page.get_by_label("Level", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")
    assert [seat["kind"] for seat in snapshot(arena, page)["seats"]] == ["person", "person"]


def test_a_friend_is_invited_by_the_row(arena, page):
    page.goto(arena + "/play/gravity")
    page.get_by_label("Quick", exact=True).check()
    page.get_by_label("Play a friend").check()
    expect(page.get_by_label("Level", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_text("Waiting for your friend")).to_be_visible()


def test_a_challenge_to_anybody_stands_among_the_games(chromium, arena, page):
    page.goto(arena + "/play/gravity")
    page.get_by_label("Play a friend").check()
    page.get_by_label("anyone here can accept").check()
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_text("Waiting for your friend")).to_be_visible()
    context = chromium.new_context()
    other = context.new_page()
    other.goto(arena + "/games")
    expect(other.locator(f"a[href='{page.url.removeprefix(arena).split('?')[0]}']")).to_be_visible()
    context.close()


def test_rows_and_seats_say_the_same(arena, page):
    page.goto(arena + "/play/gravity")
    unfold(page)
    programs, here = page.get_by_label("Play a program"), page.get_by_label("Two players, one screen")
    second = page.get_by_label("Player 2", exact=True)
    expect(programs).to_be_checked()
    second.select_option("person")
    expect(here).to_be_checked()
    programs.check()
    assert second.input_value().startswith("program:")
    page.get_by_label("Player 1", exact=True).select_option("program:hug")
    expect(programs).not_to_be_checked()
    page.get_by_label("Melee", exact=True).check()
    programs.check()
    expect(page.locator("[data-seat-choices] > li")).to_have_count(4)
    assert page.get_by_label("Player 1", exact=True).input_value() == "you"


def test_a_fault_that_is_folded_away_is_shown(arena, page):
    page.goto(arena + "/play/gravity")
    unfold(page)
    page.get_by_label("Stones", exact=False).first.fill("0")
    page.locator("details.fold").evaluate_all("folds => folds.forEach(fold => (fold.open = false))")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#rule-stones")).to_be_focused()
