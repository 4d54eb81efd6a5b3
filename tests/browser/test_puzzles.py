"""Puzzles in a real browser: that of the day, wrong and right answers by mouse, finger and keys, and what is kept."""

import json
import re

import pytest
from playwright.sync_api import expect

from browser.looks import BY_HAND, EVERY_LOOK, everybody_can_read
from hinterland import catalog
from hinterland.puzzles import collection
from more_of_the_same import first_shows

GAMES = tuple(catalog.GAMES)


def moves(name, number):
    """Return the best move of a puzzle, and one that is wrong."""
    game, puzzle = catalog.game(name), collection.puzzle(name, number)
    position = puzzle.position(game)
    worth = game.puzzles.worth
    wrong = (move for move in position.legal_moves if worth(position, move) < puzzle.needed)
    return list(puzzle.best), list(next(wrong).numbers)


def spots(page, move):
    """Return where on the page a move is made: one place, or the two ends of a line."""
    data = json.loads(page.locator("#page-data").text_content())
    places = (data["drawing_data"] or {}).get("places")
    size = data["rules"].get("size")
    found = [places[mark] for mark in move] if places else [((move[1] + 0.5) / size, (move[0] + 0.5) / size)]
    box = page.locator("[data-board] .surface").bounding_box()
    return [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in found]


def opened(page, arena, name, number):
    page.goto(f"{arena}/puzzles/{name}/{number}")
    expect(page.locator("[data-board] > [data-state=placing][data-painted]")).to_be_visible()


def click(page, move):
    for x, y in spots(page, move):
        page.mouse.move(x, y)
        page.mouse.click(x, y)


@pytest.mark.parametrize("name", first_shows(*GAMES))
def test_a_wrong_answer_is_told_what_it_lacks_and_a_right_one_leads_on(arena, page, name):
    best, wrong = moves(name, 40)
    opened(page, arena, name, 40)
    expect(page.locator("[data-describe]")).to_contain_text(re.compile("stones|tokens|dots"))
    click(page, wrong)
    status = page.locator("[data-status]")
    expect(status).to_contain_text("Not ")
    expect(page.locator(".attempt")).to_have_count(1)
    everybody_can_read(page)
    page.get_by_role("button", name="Try again").click()
    click(page, best)
    expect(status).to_contain_text("Right")
    expect(page.locator(".attempt.right")).to_have_count(1)
    everybody_can_read(page)
    page.get_by_role("link", name="Next puzzle").click()
    page.wait_for_url(f"**/puzzles/{name}/41")
    page.goto(f"{arena}/puzzles/{name}")
    expect(page.locator("[data-state=solved]")).to_have_attribute("aria-label", "40, solved")
    expect(page.locator("[data-solved]")).to_contain_text("1 of 500")


def test_the_answer_is_shown_and_does_not_count_as_solved(arena, page):
    opened(page, arena, "gravity", 9)
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator("[data-status]")).to_contain_text("The answer")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_focused()
    page.goto(arena + "/puzzles/gravity")
    expect(page.locator("[data-state=shown]")).to_have_text("9")
    expect(page.locator("[data-solved]")).to_have_text("500 puzzles")


@pytest.mark.parametrize("name", first_shows("gravity", "graph"))
def test_nothing_under_the_pointer_gives_it_away(arena, page, name):
    best, _ = moves(name, 12)
    opened(page, arena, name, 12)
    page.mouse.move(*spots(page, best)[0])
    callout = page.locator("[data-board] .gain")
    expect(callout).to_be_visible()
    assert not re.search(r"\+\d", callout.text_content())
    assert page.locator("[data-board] > *").get_attribute("data-gain") is None


@BY_HAND
def test_a_finger_aims_and_a_button_places(arena, page):
    best, _ = moves("gravity", 20)
    opened(page, arena, "gravity", 20)
    page.touchscreen.tap(*spots(page, best)[0])
    page.get_by_role("button", name="Place row").tap()
    expect(page.locator("body")).to_have_attribute("data-puzzle", re.compile("right|wrong"))
    assert page.locator(".attempt").count() == 1


def test_keys_alone_solve_one(arena, page):
    (best,), _ = moves("graph", 3)
    opened(page, arena, "graph", 3)
    page.locator(f"[data-vertex='{best}']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-status]")).to_contain_text("Right")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_focused()


def test_the_puzzle_of_the_day_comes_first(arena, page):
    page.goto(arena + "/puzzles")
    expect(page.locator("[data-daily] [data-painted]")).to_be_visible()
    page.get_by_role("link", name="Solve it").click()
    page.wait_for_url(re.compile(r"/puzzles/\w+/\d+$"))
    here = page.url
    page.goto(arena + "/puzzles/today")
    assert page.url == here


@pytest.mark.thorough
@EVERY_LOOK
def test_everybody_can_read_it(arena, page):
    for path in ("/puzzles", "/puzzles/dots", *(f"/puzzles/{name}/77" for name in GAMES)):
        page.goto(arena + path)
        if path.endswith("77"):
            expect(page.locator("[data-board] > [data-painted]")).to_be_visible()
        everybody_can_read(page)
