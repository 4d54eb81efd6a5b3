"""A game shared and taken home in a real browser: links, films in a choice of sizes, posters with a title."""

import pytest
from playwright.sync_api import expect

from browser.looks import EVERY_LOOK, everybody_can_read
from browser.test_first_minute import place, play_now
from more_of_the_same import first_shows


@pytest.fixture
def sharing(arena, page):
    """Play a move of a first game, and open the dialog."""

    def share():
        play_now(arena, page)
        place(page, 0.3, 0.4)
        expect(page.locator("gravity-board")).to_have_attribute("data-ply", "2")
        page.get_by_role("button", name="share", exact=True).click()
        dialog = page.get_by_role("dialog", name="Share this game")
        expect(dialog).to_be_visible()
        return dialog

    return share


def taken(page, dialog):
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Download").click()
    return saved.value.suggested_filename, saved.value.path().read_bytes()


@pytest.mark.parametrize(
    ("kind", "ending", "magic"),
    first_shows(
        ("gif", ".gif", b"GIF89a"),
        ("mp4", ".mp4", b"\0\0\0"),
        ("poster.svg", ".poster.svg", b"<svg"),
        ("card.png", ".card.png", b"\x89PNG"),
    ),
)
def test_a_game_is_taken_home(page, sharing, kind, ending, magic):
    dialog = sharing()
    dialog.get_by_label("Download as").select_option(kind)
    for label, families in (("Size", ("gif", "mp4")), ("Paper", ("poster.svg",))):
        assert dialog.get_by_label(label, exact=True).is_visible() == (kind in families)
    dialog.get_by_label("Title").fill("<b>Cup</b>")
    name, content = taken(page, dialog)
    assert name.endswith(ending)
    assert content.startswith(magic)
    if kind == "poster.svg":
        assert b"&lt;b&gt;Cup&lt;/b&gt;" in content


def test_a_poster_shows_the_move_on_the_board(page, sharing):
    sharing().press("Escape")
    page.get_by_role("button", name="video, poster").click()
    dialog = page.get_by_role("dialog", name="Share this game")
    dialog.press("Escape")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="share", exact=True).click()
    dialog.get_by_label("Download as").select_option("poster.svg")
    dialog.get_by_label("Stop at").select_option("shown")
    assert b"Move 1 of 2" in taken(page, dialog)[1]


def test_what_cannot_be_drawn_is_told_in_one_line(page, sharing):
    dialog = sharing()
    page.forgiven.append("net::ERR_FAILED")
    page.route("**/*.gif?*", lambda route: route.abort())
    dialog.get_by_role("button", name="Download").click()
    expect(dialog.get_by_role("alert")).to_have_text("The server does not answer; try again in a moment")


@EVERY_LOOK
def test_the_dialog_is_accessible_and_fits(page, sharing):
    dialog = sharing()
    expect(dialog.locator("[data-card-of-move]")).to_have_js_property("complete", True)
    everybody_can_read(page)
