"""A finished game studied in a real browser: lines, comments, drawings, best moves, and a link that holds it all."""

import re

import pytest
from playwright.sync_api import expect

from browser.looks import EVERY_LOOK, everybody_can_read
from browser.test_typed_moves import first_game
from hinterland.referee import record, verification
from more_of_the_same import first_shows

REFUSED = "400 (Bad Request)"
"""What a browser complains of where the server says no."""


@pytest.fixture
def finished(arena, page):
    """Resign a first game after a move, and open its study."""

    def finish(game):
        board = first_game(arena, page, game)
        field = page.get_by_label("Type a move")
        field.fill({"gravity": "300 300", "graph": "7", "dots": "0 1"}[game])
        field.press("Enter")
        expect(board).to_have_attribute("data-ply", "2")
        page.get_by_role("button", name="resign", exact=True).click()
        page.get_by_role("button", name="Resign", exact=True).click()
        page.get_by_role("link", name="study").click()
        expect(page.locator(f"{game}-board")).to_have_attribute("data-painted", "2")
        return page.locator(f"{game}-board")

    return finish


def at(page, down, across):
    box = page.locator("gravity-board .surface").bounding_box()
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def lines(page):
    return page.locator("[data-tree] .beside")


def test_a_line_beside_the_game_is_kept_in_a_link(arena, page, finished):
    board = finished("gravity")
    page.get_by_role("button", name="← back").click()
    page.mouse.click(*at(page, 0.8, 0.2))
    expect(lines(page)).to_have_count(1)
    expect(board).to_have_attribute("data-painted", "2")
    expect(page.locator("[data-status]")).to_contain_text("to move")  # the line has been judged
    page.mouse.click(*at(page, 0.2, 0.8))
    expect(lines(page)).to_have_count(2)
    page.get_by_label("Comment").fill("<b>here</b>")
    page.get_by_role("button", name="draw", exact=True).click()
    page.mouse.click(*at(page, 0.5, 0.5))
    page.mouse.move(*at(page, 0.4, 0.4))
    page.mouse.down()
    page.mouse.move(*at(page, 0.7, 0.7))
    page.mouse.up()
    expect(page.locator("svg.study-drawing > *")).to_have_count(2)
    expect(board).to_have_attribute("data-painted", "3")
    scores = board.get_attribute("data-scores")
    page.get_by_role("button", name="copy link").click()
    page.wait_for_url(re.compile("#."))
    page.goto("about:blank")
    page.go_back()
    expect(lines(page)).to_have_count(2)
    expect(page.get_by_label("Comment")).to_have_value("<b>here</b>")
    expect(page.locator("svg.study-drawing > *")).to_have_count(2)
    expect(board).to_have_attribute("data-scores", scores)
    page.get_by_role("button", name="delete variation").click()
    expect(lines(page)).to_have_count(1)


@pytest.mark.parametrize("game", first_shows("gravity", "graph", "dots"))
def test_the_best_moves_are_shown_and_played(arena, page, finished, game):
    finished(game)
    page.get_by_role("button", name="best moves").click()
    found = page.locator("[data-best] button")
    expect(found.first).to_be_visible()
    first = found.first.locator("span").first.inner_text()
    ghosts = page.locator(".surface .ghosts g")
    expect(ghosts).to_have_count(found.count())
    assert ghosts.locator("text").all_text_contents()[::-1] == found.locator(".gain-of").all_inner_texts()
    board, spot = page.locator(".surface").bounding_box(), ghosts.last.locator("circle, path").bounding_box()
    assert board["x"] <= spot["x"] < spot["x"] + spot["width"] <= board["x"] + board["width"]
    assert board["y"] <= spot["y"] < spot["y"] + spot["height"] <= board["y"] + board["height"]
    page.get_by_role("button", name="best moves").click()
    expect(ghosts).to_have_count(0)
    page.get_by_role("button", name="best moves").click()
    found.first.click()
    expect(lines(page)).to_contain_text([first])


def test_a_damaged_link_shows_the_game(arena, page, finished):
    finished("gravity")
    page.goto(page.url.split("?")[0] + "#nonsense")
    page.reload()
    expect(page.locator("[data-error]")).to_contain_text("damaged")
    expect(page.locator("gravity-board")).to_have_attribute("data-painted", "2")


def saved_record(page, tmp_path):
    """Save the study and return the path of its record."""
    with page.expect_download() as saved:
        page.get_by_role("button", name="save").click()
    assert saved.value.suggested_filename.endswith("-study.jsonl")
    saved.value.save_as(tmp_path / "study.jsonl")
    return tmp_path / "study.jsonl"


def test_a_study_is_saved_in_a_record_that_opens_again_anywhere(arena, page, finished, tmp_path):
    finished("gravity")
    page.get_by_role("button", name="← back").click()
    page.mouse.click(*at(page, 0.8, 0.2))
    expect(lines(page)).to_have_count(1)
    page.get_by_label("Comment").fill("better")
    path = saved_record(page, tmp_path)
    verification.verify(record.read_line(path.read_text()))
    page.goto(f"{arena}/games")
    page.get_by_role("link", name="Open a game file").click()
    page.get_by_label("Choose a file").set_input_files(path)
    expect(lines(page)).to_have_count(1)
    expect(lines(page)).to_contain_text("better")
    expect(page.locator("gravity-board")).to_have_attribute("data-painted", "2")
    lines(page).locator("button").click()
    expect(page.get_by_label("Comment")).to_have_value("better")
    page.get_by_role("button", name="copy link").click()
    page.wait_for_url(re.compile("#."))
    page.goto("about:blank")
    page.go_back()  # the record is in the link
    expect(lines(page)).to_contain_text("better")
    expect(page.locator("[data-open]")).to_be_hidden()


def test_of_a_file_of_several_games_one_is_chosen(arena, page, finished, tmp_path):
    page.forgiven.append(REFUSED)
    finished("dots")
    text = saved_record(page, tmp_path).read_text()
    (tmp_path / "several.jsonl").write_text(f'{text}{text.replace("dots", "chess", 1)}{{"torn":')
    page.goto(f"{arena}/study")
    page.get_by_label("Choose a file").set_input_files(tmp_path / "several.jsonl")
    choices = page.locator("[data-record-list] button")
    expect(choices).to_have_count(3)
    expect(choices.last).to_be_disabled()
    choices.nth(1).click()
    expect(page.locator("[data-open-error]")).to_contain_text("unknown game 'chess'")
    choices.first.click()
    expect(page.locator("dots-board")).to_have_attribute("data-painted", "2")


@pytest.mark.parametrize(
    "text", first_shows("", "hello", "<img src=x onerror=alert(1)>", '{"format":"hinterland-record/2"')
)
def test_what_is_no_record_gets_one_line(arena, page, text):
    page.forgiven.append(REFUSED)
    page.goto(f"{arena}/study")
    page.get_by_label("Or paste a game").fill(text)
    page.get_by_role("button", name="Study it").click()
    expect(page.locator("[data-open-error]")).to_contain_text("This game cannot be opened: ")


def test_a_file_that_is_too_large_is_not_even_sent(arena, page, tmp_path):
    with (tmp_path / "large.jsonl").open("wb") as large:
        large.truncate(100 * 2**20)
    page.goto(f"{arena}/study")
    page.get_by_label("Choose a file").set_input_files(tmp_path / "large.jsonl")
    expect(page.locator("[data-open-error]")).to_have_text(
        "This file has 100 MB, 32 at most: open a file with one game"
    )


@pytest.mark.parametrize("game", first_shows("gravity", "graph", "dots"))
def test_how_it_will_end_stands_at_the_bar_and_is_read_out(arena, page, finished, game):
    finished(game)
    words = page.locator("[data-expectation]")
    expect(words).to_have_attribute("role", "status")
    expect(words).to_contain_text(re.compile("^(Expected|With best play): ."))
    expect(page.locator(".expected-mark")).to_have_count(1)
    bar, mark = page.locator("[data-bar]").bounding_box(), page.locator(".expected-mark").bounding_box()
    assert bar["x"] - 1 <= mark["x"] <= bar["x"] + bar["width"] + 1
    page.get_by_role("button", name="evaluate").click()
    expect(words).to_be_empty()
    expect(page.locator(".expected-mark")).to_have_count(0)


@EVERY_LOOK
def test_the_place_where_records_are_brought_is_accessible_and_fits(arena, page):
    page.goto(f"{arena}/study")
    page.get_by_label("Choose a file").set_input_files(
        files=[{"name": "a.jsonl", "mimeType": "text/plain", "buffer": b'{"torn\n' * 40}]
    )
    expect(page.locator("[data-record-list] button")).to_have_count(40)
    everybody_can_read(page)


@EVERY_LOOK
def test_a_study_is_accessible_and_fits(arena, page):
    board = first_game(arena, page, "graph")
    page.evaluate("document.querySelector('[data-drawer]')?.click()")
    field = page.get_by_label("Type a move")
    field.fill("3")
    field.press("Enter")
    expect(board).to_have_attribute("data-ply", "2")
    page.get_by_role("button", name="resign", exact=True).click()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("link", name="study").click()
    expect(page.locator("graph-board")).to_have_attribute("data-painted", "2")
    page.get_by_role("button", name="best moves").click()
    expect(page.locator("[data-best] button").first).to_be_visible()
    expect(page.locator(".expected-mark")).to_have_count(1)
    everybody_can_read(page)
