"""What a bot said about its moves, in a real browser: words and marks at the moves of a game, and in its study."""

import re

import pytest
from playwright.sync_api import expect

from browser.looks import DESK, HAND, everybody_can_read, looks
from browser.test_contests import hinterland, serving

pytestmark = pytest.mark.thorough

BOT = """\
def choose(position, clock, rng):
    cells = [(row, col) for row in (3, 20, 36) for col in (3, 20, 36)]
    cells = [cell for cell in cells if cell not in [move.numbers for _, move in position.moves]]
    marks = [{"at": cell, "value": 1000 - 10 * number} for number, cell in enumerate(cells[:4])]
    marks += [{"from": cells[-1], "to": cells[0]}, {"line": cells[:3], "value": -0.5}]
    return cells[0], f"I see {len(cells)} cells.\\n<b>Not bold</b> <img src=x onerror=alert(1)>", marks
"""


@pytest.fixture(scope="module")
def talked(tmp_path_factory):
    """Serve a contest in which a bot keeps a diary; yield the address of its first game."""
    folder = tmp_path_factory.mktemp("talked")
    (folder / "bot.py").write_text(BOT)
    board = ("--size", 40, "--stones", 2, "--spacing", 3, "--jitter", 0)
    hinterland("contest", "gravity", f"bot={folder / 'bot.py'}", "random", *board, "--folder", folder / "c" / "talk")
    with serving(folder / "c", tmp_path_factory.mktemp("data")) as address:
        yield f"{address}/contests/talk/games/1.1.1"


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def cell(page, row, col):
    """Return where a cell lies on the screen."""
    box = page.locator("gravity-board .surface").bounding_box()
    return box["x"] + (col + 0.5) / 40 * box["width"], box["y"] + (row + 0.5) / 40 * box["height"]


def test_words_and_marks_stand_at_their_move(talked, page):
    page.goto(f"{talked}#1")
    diary, layer = page.locator("[data-diary]"), page.locator("svg.diary-marks")
    expect(diary).to_contain_text("bot on move 1")
    expect(diary.locator(".diary-text")).to_have_text("I see 9 cells.\n<b>Not bold</b> <img src=x onerror=alert(1)>")
    assert diary.locator("b, img").count() == 0
    expect(layer.locator("circle.mark")).to_have_count(4)
    expect(layer.locator(".arrow .mark, .line .mark")).to_have_count(2)
    assert "1,000" in layer.locator("text").all_text_contents()
    expect(page.locator("gravity-board")).to_have_attribute("data-painted", "1")
    for number, (row, col) in enumerate([(3, 3), (3, 20), (3, 36), (20, 3)]):
        assert middle(layer.locator("circle.mark").nth(number)) == pytest.approx(cell(page, row, col), abs=1)
    noted = page.locator("[data-moves] [data-noted]")
    expect(noted).to_have_count(2)
    assert noted.first.get_attribute("aria-label").endswith(", with a note")
    page.keyboard.press("ArrowRight")
    expect(diary).to_contain_text("No note on this move")
    expect(layer.locator("g")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(diary).to_contain_text("bot on move 3")
    page.get_by_text("marks on the board").click()
    expect(layer.locator("g")).to_have_count(0)
    expect(diary).to_contain_text("Not bold")
    page.get_by_text("marks on the board").click()
    page.set_viewport_size({"width": 900, "height": 700})
    expect(layer.locator("circle.mark")).to_have_count(4)
    page.wait_for_function("getComputedStyle(document.querySelector('gravity-board')).width !== '0px'")
    page.wait_for_timeout(500)
    first = layer.locator("circle.mark").first
    places = [cell(page, row, col) for row in (3, 20, 36) for col in (3, 20, 36)]
    assert min(abs(x - middle(first)[0]) + abs(y - middle(first)[1]) for x, y in places) < 2


def test_the_study_takes_them_over(talked, page, tmp_path):
    page.goto(talked)
    page.get_by_role("link", name="study").click()
    noted = page.locator("[data-tree] .noted")
    expect(noted).to_have_count(2)
    expect(noted.first).to_contain_text("I see 9 cells.")
    noted.first.click()
    expect(page.get_by_label("Comment")).to_have_value(re.compile("^I see 9 cells.\n<b>Not bold</b>"))
    layer = page.locator("svg.study-drawing")
    expect(layer.locator("circle.mark")).to_have_count(4)
    expect(layer.locator(".arrow")).to_have_count(3)  # the line is two of them
    assert "1,000" in layer.locator("text").all_text_contents()
    page.get_by_label("Comment").fill("my own words")
    with page.expect_download() as saved:
        page.get_by_role("button", name="save").click()
    saved.value.save_as(tmp_path / "study.jsonl")
    page.goto(f"{talked.split('/contests')[0]}/study")
    page.get_by_label("Choose a file").set_input_files(tmp_path / "study.jsonl")
    expect(page.locator("[data-tree] .noted").first).to_have_text("my own words")
    page.locator("[data-tree] .noted").first.click()
    expect(layer.locator("circle.mark")).to_have_count(4)
    assert "1,000" in layer.locator("text").all_text_contents()


@looks(desk=DESK, hand=HAND)
def test_everybody_can_read_it(talked, page):
    page.goto(f"{talked}#1")
    expect(page.locator("[data-diary]")).to_contain_text("bot on move 1")
    expect(page.locator("svg.diary-marks circle.mark")).to_have_count(4)
    everybody_can_read(page)
