"""What people found amiss around the boards when they tried the pages: each of these failed before it was mended."""

import re

import pytest
from playwright.sync_api import expect

from browser.begun import ANN, QUICK, begin, get_json, on_board, post, program
from browser.looks import BY_HAND

SHARES = """(cases) => import("/static/js/base/format.js").then(({ shares }) =>
  cases.map(([scores, total]) => shares(scores, total)))"""
PAGES = ("/", "/games", "/contests", "/host", "/play/gravity", "/rules/dots", "/atlas/dots")


def test_shares_beside_one_another_add_up(arena, page):
    page.goto(arena)
    cases = [[[1, 1, 1], 3000], [[333, 333, 334], 1000], [[19_637, 980_363], 10**6], [[1, 2, 996], 999], [[0, 0], 500]]
    told = page.evaluate(SHARES, cases)
    for (scores, total), texts in zip(cases, told, strict=True):
        tenths = [round(10 * float(text.split("\u202f")[0])) for text in texts]
        assert all(text.endswith("\u202f%") for text in texts)
        assert all(abs(share - 1000 * score / total) < 1 for share, score in zip(tenths, scores, strict=True))
        if sum(scores) == total:
            assert sum(tenths) == 1000


def test_dots_are_counted_in_dots(arena, page):
    game = begin(arena, page, "dots", {"board": "jittered", "dots": 8}, program("closer"), program("closer"))
    expect(page.locator("body")).to_have_attribute("data-game", "over", timeout=30_000)
    scores = get_json(arena, f"/api/games/{game}")["scores"]
    assert page.locator("[data-bar] .number").all_inner_texts() == [str(score) for score in scores]
    assert "%" not in page.locator("main").inner_text()


@pytest.mark.parametrize("name", ["gravity", "graph", "dots"])
def test_a_newcomer_meets_an_easy_rival(arena, page, name):
    page.goto(f"{arena}/play/{name}")
    expect(page.locator("[data-level]")).to_have_text("2 · novice")
    (game,) = [game for game in get_json(arena, "/api/catalogue")["games"] if game["name"] == name]
    expect(page.locator("[data-level-says]")).to_have_text(game["levels"][1]["summary"])
    easy = sorted(game["levels"], key=lambda level: level["elo"])[:2]
    assert game["levels"][1] in easy


@pytest.mark.thorough
def test_names_tell_equal_programs_apart_and_a_rematch_seats_them_again(arena, page):
    begin(arena, page, "gravity", {**QUICK, "stones": 1, "players": 4}, ANN, *[program("lloyd")] * 3)
    page.mouse.click(*on_board(page, 300, 300))
    expect(page.locator("body")).to_have_attribute("data-game", "over", timeout=30_000)
    names = ["Ann", "lloyd", "lloyd#2", "lloyd#3"]
    assert page.locator("[data-seats] .name").all_inner_texts() == names
    first = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != first)
    expect(page.locator("[data-seats] .name").last).to_have_text("Ann")
    assert page.locator("[data-seats] .name").all_inner_texts() == [*names[1:], "Ann"]


@BY_HAND
def test_on_paper_are_board_moves_and_colours_and_nothing_to_press(arena, page):
    begin(arena, page, "gravity", {**QUICK, "stones": 1}, ANN, program("lloyd"))
    page.touchscreen.tap(*on_board(page, 300, 300))
    page.locator("[data-act=place]").click()
    expect(page.locator("body")).to_have_attribute("data-game", "over")
    expect(page.locator("[data-moves]")).to_be_hidden()  # in the drawer
    page.emulate_media(media="print")
    for seen in ("gravity-board", "[data-bar]", "[data-seats] .name", "[data-moves] .move"):
        expect(page.locator(seen).first).to_be_visible()
        assert page.locator(seen).first.evaluate("seen => getComputedStyle(seen).printColorAdjust") == "exact"
    expect(page.locator("button:visible:not(.move)")).to_have_count(0)
    expect(page.locator("nav:visible")).to_have_count(0)


@pytest.mark.thorough
def test_only_who_played_is_asked_to_play_again(arena, page, chromium):
    begin(arena, page, "gravity", {**QUICK, "stones": 1}, ANN, program("lloyd"))
    page.mouse.click(*on_board(page, 300, 300))
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    context = chromium.new_context()
    try:
        other = context.new_page()
        other.goto(page.url)
        expect(other.locator("body")).to_have_attribute("data-game", "over")
        expect(other.locator("[data-act=rematch]")).to_be_hidden()
    finally:
        context.close()


def test_the_clock_waits_for_the_first_stone_and_stops_behind_the_rules(arena, page):
    begin(arena, page, "gravity", QUICK, ANN, program("lloyd"), clock={"budget": 120})
    clock = page.locator("[data-seats] .clock").first
    expect(page.locator("gravity-board")).to_have_attribute("data-state", "placing")
    page.wait_for_timeout(700)
    expect(clock).to_have_text("2:00.0")
    page.mouse.click(*on_board(page, 300, 300))
    expect(page.locator("gravity-board")).to_have_attribute("data-ply", "2")
    expect(clock).not_to_have_text("2:00.0")
    expect(clock).to_have_class(re.compile("running"))
    page.get_by_role("button", name="Rules").click()
    expect(clock).not_to_have_class(re.compile("running"))
    stood = clock.inner_text()
    page.wait_for_timeout(700)
    assert clock.inner_text() == stood
    page.keyboard.press("Escape")
    expect(clock).to_have_class(re.compile("running"))
    expect(clock).not_to_have_text(stood)


def links(page):
    every = page.locator("nav[aria-label=Site] a").all()
    return [(link.inner_text().strip(), link.get_attribute("href")) for link in every]


@pytest.mark.each
def test_one_navigation_everywhere(arena, page):
    game = begin(arena, page, "gravity", QUICK, ANN, program("lloyd"))
    table = post(arena, "/api/tables", {"game": "gravity", "rules": QUICK})
    seen = {}
    for path in (*PAGES, f"/games/{game}", table["url"]):
        page.goto(arena + path)
        expect(page.locator("nav[aria-label=Site] a").first).to_be_visible()
        seen[path] = links(page)
    assert set(map(tuple, seen.values())) == {tuple(seen["/"])}
    assert len(seen["/"]) >= 3
    post(arena, f"/api/tables/{table['id']}/close", {"key": table["key"]})


@BY_HAND
def test_on_a_phone_the_navigation_is_behind_one_button(arena, page):
    begin(arena, page, "gravity", QUICK, ANN, program("lloyd"))
    games = page.get_by_role("link", name="Watch", exact=True)
    expect(games).to_be_hidden()
    page.get_by_role("button", name="Menu").tap()
    games.tap()
    page.wait_for_url("**/games")


HINT = """(rules) => import("/static/js/gravity/gravity-view.js").then(({ view }) =>
  view.fields.find(({ name }) => name === "stones").hint({ ...view.defaults, ...rules }))"""


@pytest.mark.parametrize(
    ("rules", "fit"),
    [({}, None), ({"stones": 37}, None), ({"stones": 38}, 74), ({"size": 9, "stones": 5, "spacing": 4}, 2)],
)
def test_setting_up_says_when_the_stones_may_not_fit(arena, page, rules, fit):
    page.goto(f"{arena}/contests")
    hint = page.evaluate(HINT, rules)
    if fit is None:
        assert "may not fit" not in hint
    else:
        assert f"may not fit at this spacing; only {fit} surely do" in hint


def test_what_is_refused_is_told_in_a_sentence(arena, page):
    begin(arena, page, "graph", {"board": "road", "vertices": 30, "tokens": 2}, ANN, program("gain"))
    vertex = page.locator("graph-board .vertex").nth(3)
    vertex.focus()
    page.keyboard.press("Enter")
    expect(page.locator("graph-board")).to_have_attribute("data-ply", "2")
    vertex.focus()
    expect(page.locator("graph-board .gain")).to_have_text("Vertex 3 already holds token 1")
    page.goto(f"{arena}/games/nowhere")
    expect(page.locator("h1")).to_have_text("There is no such game here")
