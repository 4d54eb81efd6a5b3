"""Moves that are written instead of aimed at, and pages in colours that the system forces."""

import pytest
from playwright.sync_api import expect

from browser.looks import everybody_can_read, unfold
from more_of_the_same import first_shows

FORCED = [
    pytest.param({"viewport": {"width": width, "height": height}, "forced_colors": "active"}, id=str(width))
    for width, height in ((1440, 900), (320, 640))
]


def first_game(arena, page, game):
    page.goto(arena)
    page.locator(f"a[data-first={game}]", has_text="Learn it").click()
    page.wait_for_url("**/games/*")
    board = page.locator(f"{game}-board")
    expect(board).to_have_attribute("data-state", "placing")
    return board


@pytest.mark.parametrize(
    ("game", "wrong", "words", "right"),
    first_shows(
        ("gravity", "601", "Type a row and a column", "601, 372"),
        ("gravity", "-5 10", "Type a row and a column", "row 601 col 372"),
        ("graph", "two", "Type the number of a vertex", "vertex 5"),
        ("dots", "3", "Type two dots", "0-1"),
    ),
)
def test_a_move_is_typed_in_every_game(arena, page, game, wrong, words, right):
    board = first_game(arena, page, game)
    field = page.get_by_label("Type a move")
    field.fill(wrong)
    field.press("Enter")
    expect(page.locator("[data-typed] [role=alert]")).to_contain_text(words)
    expect(board).to_have_attribute("data-ply", "0")
    field.fill(right)
    field.press("Enter")
    expect(board).to_have_attribute("data-ply", "2")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    expect(page.locator("[data-typed] [role=alert]")).to_have_text("")


@pytest.mark.thorough
def test_what_the_referee_refuses_is_said_beside_the_field(arena, page):
    board = first_game(arena, page, "gravity")
    field = page.get_by_label("Type a move")
    for typed in ("500 500", "500 510"):
        field.fill(typed)
        field.press("Enter")
        expect(board).to_have_attribute("data-ply", "2")
    expect(page.locator("[data-typed] [role=alert]")).to_contain_text("too close to stone 1: 10.0 away, 66 needed")
    expect(field).to_have_value("500 510")


@pytest.mark.thorough
def test_who_watches_types_no_move(chromium, arena, page):
    first_game(arena, page, "gravity")
    context = chromium.new_context()
    other = context.new_page()
    other.goto(page.url)
    expect(other.locator("gravity-board")).to_have_attribute("data-ply", "0")
    expect(other.locator("[data-typed]")).to_be_hidden()
    context.close()


@pytest.mark.thorough
@pytest.mark.parametrize("page", FORCED, indirect=True)
def test_forced_colours_hide_nothing(arena, page):
    page.goto(arena + "/play/gravity")
    unfold(page)
    chosen, other = (
        page.locator(".choice", has_text=words).locator("span").evaluate("e => getComputedStyle(e).outlineStyle")
        for words in ("Standard", "Quick")
    )
    assert (chosen, other) == ("solid", "none")
    everybody_can_read(page)
    first_game(arena, page, "gravity")
    everybody_can_read(page)
