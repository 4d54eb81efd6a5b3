"""The game of the tutorial in a browser: from its set-up page to a score."""

import pytest
from playwright.sync_api import expect

import tutorial_game


@pytest.fixture(scope="module")
def circle(tmp_path_factory):
    """Start an arena that knows the game of the tutorial; return its address."""
    folder = tutorial_game.lay_out(tmp_path_factory.mktemp("game"))
    with tutorial_game.serving(folder, tmp_path_factory.mktemp("data")) as address:
        yield address


def test_the_game_of_the_tutorial_is_played_by_clicks(circle, page):
    page.goto(f"{circle}/play/circle")
    page.get_by_role("button", name="Start").click()
    board = page.locator("circle-board[data-state=placing]")
    expect(board).to_be_visible()
    box = board.locator("[data-point='6']").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(board).to_have_attribute("data-gain", "24")
    page.mouse.down()
    page.mouse.up()
    answered = page.locator("circle-board[data-ply='2']")
    expect(answered).to_have_attribute("data-scores", "12 12")  # the rival is greedy, and takes half
    expect(page.locator("circle-board .stone")).to_have_count(2)
    page.get_by_role("switch", name="heat map").check()
    expect(page.locator("circle-board .heat")).to_be_visible()
