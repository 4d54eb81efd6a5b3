"""A recorded game that a page shows twice, as two cells of a notebook do: each copy is stepped through by itself."""

import pytest
from PIL import Image
from playwright.sync_api import expect

from hinterland.drawing.figures import encode_webp, step_through_frames

COLOURS = ("red", "green", "blue")
INSERT = "h => document.body.append(Object.assign(document.createElement('div'), {className: 'cell', innerHTML: h}))"


@pytest.fixture
def cells(page):
    """Show three copies: two that come with the page, and one that a script puts in later, as JupyterLab does."""
    html = step_through_frames([(encode_webp(Image.new("RGB", (30, 30), colour)), colour) for colour in COLOURS])
    page.set_content(f"<body><div class=cell>{html}</div><div class=cell>{html}</div></body>")
    page.evaluate(INSERT, html)
    return page.locator(".cell")


def shown(cells):
    """Return the words of the picture that each copy shows."""
    return [" ".join(cell.locator("figcaption:visible").all_inner_texts()) for cell in cells.all()]


def test_each_copy_shows_its_last_picture(cells):
    expect(cells).to_have_count(3)
    assert shown(cells) == ["blue"] * 3


def test_a_step_in_one_copy_leaves_the_others(cells):
    cells.nth(0).locator("input").nth(0).click()
    assert shown(cells) == ["red", "blue", "blue"]
    cells.nth(2).locator("input").nth(1).click()
    assert shown(cells) == ["red", "blue", "green"]


def test_keys_step_within_a_copy_and_send_nothing(cells, page):
    cells.nth(1).locator("input").nth(2).focus()
    page.keyboard.press("ArrowLeft")
    assert shown(cells) == ["blue", "green", "blue"]
    page.keyboard.press("Enter")
    assert page.url == "about:blank"
    assert shown(cells) == ["blue", "green", "blue"]
