"""Whole games in a real browser, by mouse and by keyboard, with the areas the server counts."""

import json
import math
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from browser.looks import BY_HAND, EVERY_LOOK, everybody_can_read, no_violations
from more_of_the_same import first_shows

QUICK = {"size": 1000, "players": 2, "stones": 3, "spacing": 66, "weight": None, "law": "gravity"}


def get(arena, path):
    with urllib.request.urlopen(arena + path) as answer:
        return answer.read()


def snapshot(arena, page):
    return json.loads(get(arena, f"/api/games/{game_id(page)}"))


def game_id(page):
    return re.search(r"/games/([\w-]+)", page.url).group(1)


def start_quick_game(arena, page):
    """Set up a game of 3 stones a side against reply, as a person would."""
    page.goto(arena)
    page.get_by_role("link", name="Play Gravity").first.click()
    page.get_by_label("Quick").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")
    expect(page.locator("gravity-board")).to_have_attribute("data-state", "placing")


def board_point(page, row, col, size=1000):
    box = page.locator("gravity-board .surface").bounding_box()
    return box["x"] + (col + 0.5) * box["width"] / size, box["y"] + (row + 0.5) * box["height"] / size


def shown_scores(page):
    """Return the areas in cells as the page shows them, a seat a number."""
    seats = page.locator("[data-seats] > li").all_inner_texts()
    return [int(re.search(r"([\d,]+)\s*cells", text).group(1).replace(",", "")) for text in seats]


def wait_for_turn(page, ply):
    board = page.locator("gravity-board")
    expect(board).to_have_attribute("data-ply", str(ply), timeout=20_000)  # programs may wait for a processor
    return board


def test_a_whole_game_by_mouse(arena, page):
    start_quick_game(arena, page)
    for turn in range(3):
        wait_for_turn(page, 2 * turn)
        row, col = free_place(snapshot(arena, page)["moves"])
        page.mouse.move(*board_point(page, row, col))
        board = page.locator("gravity-board")
        expect(board).to_have_attribute("data-gain", re.compile(r"\d+"))
        promised = int(board.get_attribute("data-gain"))
        cursor = [int(part) for part in board.get_attribute("data-cursor").split(",")]
        before = snapshot(arena, page)["scores"][0]
        page.mouse.click(*board_point(page, row, col))
        wait_for_turn(page, 2 * turn + 2)
        moves = snapshot(arena, page)["moves"]
        assert moves[2 * turn]["move"][:2] == cursor
        assert moves[2 * turn]["scores"][0] - before == promised, "the preview is what the stone takes"
    over = snapshot(arena, page)
    assert over["outcome"]["reason"] == "complete"
    expect(page.locator("body")).to_have_attribute("data-game", "over")
    assert shown_scores(page) == over["scores"]
    no_violations(page)
    step_through(arena, page, over)


def free_place(moves):
    """Return a place with room around it; wherever the other goes, one of them has."""
    places = [(300, 300), (700, 650), (150, 800), (850, 200), (500, 950)]
    return next(place for place in places if all(math.dist(place, move["move"][:2]) > 70 for move in moves))


def step_through(arena, page, over):
    """Go through a finished game by keys and by its buttons; the areas shown are those after each move."""
    page.locator("body").press("Home")
    expect(page.locator("body")).to_have_attribute("data-ply", "0")
    for ply, move in enumerate(over["moves"], start=1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("body")).to_have_attribute("data-ply", str(ply))
        assert shown_scores(page) == move["scores"]
        assert page.url.endswith(f"#{ply}") or ply == len(over["moves"])
    page.keyboard.press("ArrowLeft")
    expect(page.locator("body")).to_have_attribute("data-ply", str(len(over["moves"]) - 1))
    page.get_by_role("button", name="To the start").click()
    expect(page.locator("body")).to_have_attribute("data-ply", "0")
    page.keyboard.press("End")
    expect(page.locator("body")).to_have_attribute("data-ply", str(len(over["moves"])))


def test_a_whole_game_by_keyboard(arena, page):
    start_quick_game(arena, page)
    page.locator("gravity-board .surface").focus()
    for turn, keys in enumerate((["Shift+ArrowUp"] * 3, ["Shift+ArrowLeft"] * 4, ["Shift+ArrowDown"] * 5)):
        wait_for_turn(page, 2 * turn)
        page.locator("gravity-board .surface").focus()
        for key in (*keys, "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        board = page.locator("gravity-board")
        for _ in range(12):
            if board.get_attribute("data-aim") == "legal":
                break
            page.keyboard.press("Shift+ArrowRight")
        expect(board).to_have_attribute("data-aim", "legal")
        cursor = [int(part) for part in board.get_attribute("data-cursor").split(",")]
        page.keyboard.press("Enter")
        wait_for_turn(page, 2 * turn + 2)
        assert snapshot(arena, page)["moves"][2 * turn]["move"][:2] == cursor
    over = snapshot(arena, page)
    assert over["outcome"] is not None
    assert shown_scores(page) == over["scores"]


def test_a_stone_too_near_is_refused_in_words_and_undo_takes_back(arena, page):
    start_quick_game(arena, page)
    page.mouse.click(*board_point(page, 500, 500))
    wait_for_turn(page, 2)
    page.mouse.move(*board_point(page, 520, 500))
    expect(page.locator("gravity-board")).to_have_attribute("data-aim", "forbidden")
    page.mouse.click(*board_point(page, 520, 500))
    expect(page.locator("gravity-board")).to_contain_text(re.compile(r"Too close to stone \d+ \(\d"))
    assert len(snapshot(arena, page)["moves"]) == 2
    page.get_by_role("button", name="undo").click()
    wait_for_turn(page, 0)
    assert snapshot(arena, page)["moves"] == []


def test_resigning_asks_once_and_ends_the_game(arena, page):
    start_quick_game(arena, page)
    page.get_by_role("button", name="resign", exact=True).click()
    page.get_by_role("button", name="Resign", exact=True).click()
    expect(page.locator("body")).to_have_attribute("data-game", "over")
    assert snapshot(arena, page)["outcome"]["winners"] == [1]


def test_hint_and_heat_map(arena, page):
    start_quick_game(arena, page)
    page.mouse.click(*board_point(page, 400, 400))
    wait_for_turn(page, 2)
    page.get_by_role("button", name="hint", exact=True).click()
    hint = page.request.get(f"{arena}/games/{game_id(page)}/hint").json()
    expect(page.locator("gravity-board [aria-live]").first).to_contain_text(f"{hint['gain']:,}")
    page.get_by_label("heat map").check()
    expect(page.locator("gravity-board canvas.heat")).to_be_visible()


def test_a_game_survives_a_reload_and_can_be_watched_by_link(arena, page, chromium):
    start_quick_game(arena, page)
    page.mouse.click(*board_point(page, 250, 250))
    wait_for_turn(page, 2)
    page.reload()
    expect(page.locator("gravity-board")).to_have_attribute("data-state", "placing")
    other = chromium.new_context()
    observer = other.new_page()
    observer.goto(page.url)
    expect(observer.locator("gravity-board")).to_have_attribute("data-ply", "2")
    expect(observer.locator("gravity-board")).to_have_attribute("data-state", "idle")
    page.mouse.click(*board_point(page, 750, 750))
    expect(observer.locator("gravity-board")).to_have_attribute("data-ply", "4")
    other.close()


@pytest.mark.parametrize(
    ("kind", "magic"), first_shows(("png", b"\x89PNG"), ("svg", b"<svg"), ("record", b'{"format'))
)
def test_a_finished_game_is_saved(arena, page, kind, magic, tmp_path):
    start_quick_game(arena, page)
    page.get_by_role("button", name="resign", exact=True).click()
    page.get_by_role("button", name="Resign", exact=True).click()
    expect(page.locator("body")).to_have_attribute("data-game", "over")
    with page.expect_download() as saved:
        page.locator(f"[data-save={kind}]").click()
    saved.value.save_as(tmp_path / "saved")
    assert (tmp_path / "saved").read_bytes().startswith(magic)


def test_the_front_page_shows_a_real_match(arena, page):
    page.goto(arena)
    board = page.locator("[data-showcase] [data-board] [data-ply]")
    expect(board).to_have_attribute("data-ply", re.compile("[1-9]"))
    ply = int(board.get_attribute("data-ply"))
    expect(board).not_to_have_attribute("data-ply", str(ply))


def test_the_show_can_be_paused(arena, page):
    page.goto(arena)
    board = page.locator("[data-showcase] [data-board] [data-ply]")
    expect(board).to_have_attribute("data-ply", re.compile("[1-9]"))
    pause = page.get_by_role("button", name="Pause")
    pause.click()
    page.wait_for_timeout(300)  # a picture that was on its way
    ply = board.get_attribute("data-ply")
    page.wait_for_timeout(3000)
    expect(board).to_have_attribute("data-ply", ply)
    pause.click()
    expect(board).not_to_have_attribute("data-ply", ply)


def test_rules_are_explained_with_a_live_example(arena, page):
    start_quick_game(arena, page)
    page.keyboard.press("?")
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("distance")
    expect(dialog.locator("gravity-board, canvas").first).to_be_visible()
    no_violations(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


@EVERY_LOOK
def test_every_page_is_accessible_and_fits(arena, page):
    for path in ("/", "/play/gravity", "/games", "/rules/gravity", "/games/no-such-game-at-all"):
        answer = page.goto(arena + path)
        assert answer.status in (200, 404)
        page.wait_for_timeout(300)
        everybody_can_read(page)


@EVERY_LOOK
def test_a_running_game_is_accessible_and_fits(arena, page):
    start_quick_game(arena, page)
    everybody_can_read(page)


@BY_HAND
def test_by_touch_a_tap_aims_and_a_button_confirms(arena, page):
    start_quick_game(arena, page)
    page.touchscreen.tap(*board_point(page, 400, 600))
    expect(page.locator("gravity-board")).to_have_attribute("data-gain", "1000000")
    assert snapshot(arena, page)["moves"] == []
    page.locator("[data-act=place]").tap()
    wait_for_turn(page, 2)
    assert snapshot(arena, page)["scores"][0] == shown_scores(page)[0]


def test_everything_comes_from_this_host(arena, page):
    hosts = set()
    page.on("request", lambda request: hosts.add(re.match(r"\w+://[^/]+", request.url).group()))
    start_quick_game(arena, page)
    page.mouse.click(*board_point(page, 400, 400))
    wait_for_turn(page, 2)
    assert {host.removeprefix("ws").removeprefix("http") for host in hosts} == {arena.removeprefix("http")}
