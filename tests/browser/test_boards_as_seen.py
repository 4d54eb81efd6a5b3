"""What people found amiss on the boards when they tried them: each of these failed before it was mended."""

import re

import pytest
from playwright.sync_api import expect

from browser.begun import ANN, QUICK, begin, get_json, on_board, program
from browser.looks import BY_HAND
from more_of_the_same import first_shows

SHADE = """([row, col]) => {
  const board = document.querySelector("gravity-board");
  const loupe = board.querySelector("canvas.loupe");
  const side = board.querySelector(".surface").clientWidth;
  const ratio = loupe.width / 128;
  const at = (k) => Math.round(64 * ratio + k * ratio * 2.5 * side / 1000);
  const copy = new OffscreenCanvas(loupe.width, loupe.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(loupe, 0, 0);
  return [...copy.getImageData(at(col), at(row), 1, 1).data.slice(0, 3)];
}"""


INK = "(canvas, [x, y]) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data]"
SIZES = """() => [...document.querySelectorAll(".number, dots-board text")]
  .filter((e) => /\\d/.test(e.textContent) && e.checkVisibility() && e.getBoundingClientRect().width > 1)
  .map((e) => [e, parseFloat(getComputedStyle(e).fontSize)])
  .map(([e, size]) => [e.textContent, size, (e.ownerSVGElement?.clientWidth ?? 1000) / 1000])"""


def placing(page):
    expect(page.locator("gravity-board")).to_have_attribute("data-state", "placing")
    return page.locator("gravity-board")


def box_of(locator):
    box = locator.bounding_box()
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


@pytest.mark.thorough
def test_a_place_never_looks_like_an_amount(arena, page):
    begin(arena, page, "gravity", QUICK, ANN, program("reply"))
    placing(page)
    page.mouse.click(*on_board(page, 601, 372))
    places = page.locator("[data-moves] .where")
    expect(places).to_have_count(2)
    row, col = (int(number) for number in re.search(r"^row (\d+) · col (\d+)$", places.first.inner_text()).groups())
    assert abs(row - 601) <= 1
    assert abs(col - 372) <= 1
    assert not re.search(r"\d,\d", " ".join(places.all_inner_texts()))


@pytest.mark.thorough
def test_a_stone_in_the_corner_is_whole_and_its_cell_exact(arena, page):
    game = begin(arena, page, "gravity", QUICK, ANN, program("reply"))
    placing(page)
    page.mouse.click(*on_board(page, 0, 0))
    expect(page.locator("gravity-board")).to_have_attribute("data-painted", "2")
    assert get_json(arena, f"/api/games/{game}")["moves"][0]["move"] == [0, 0]
    cells, drawn, whole = (box_of(page.locator(f"gravity-board {name}")) for name in (".surface", ".stones", ""))
    radius = max(8, 0.0145 * (cells[2] - cells[0]))
    assert cells[0] - drawn[0] >= radius, "there is room for half a stone"
    assert drawn == pytest.approx(whole, abs=1), "and the board holds it"
    margin = round(cells[0] - drawn[0])
    ink = page.locator("canvas.stones").evaluate(INK, [margin - 7, margin + 3])
    assert ink == [0, 114, 178, 255], "beside the first column there is the rest of the stone"


def test_words_go_from_ones_own_fresh_stone_and_stand_clear_of_others(arena, page):
    begin(arena, page, "gravity", QUICK, ANN, program("reply"))
    board = placing(page)
    page.mouse.click(*on_board(page, 500, 500))
    expect(board).to_have_attribute("data-painted", "2")
    expect(board).to_have_attribute("data-state", "placing")
    expect(board.locator(".gain")).to_be_hidden()
    moves = [re.findall(r"\d+", text) for text in page.locator("[data-moves] .where").all_inner_texts()]
    stones = [on_board(page, int(row), int(col)) for row, col in moves]
    for aside in (8, 20, 35, 50):
        x, y = on_board(page, 500, 500)
        page.mouse.move(x - aside, y - aside)
        expect(board.locator(".gain")).to_be_visible()
        left, top, right, bottom = box_of(board.locator(".gain"))
        for stone_x, stone_y in (*stones, (x - aside, y - aside)):
            assert not (left - 4 < stone_x < right + 4 and top - 4 < stone_y < bottom + 4), f"{aside}: it is covered"


@BY_HAND
def test_the_loupe_shows_the_discs_of_the_spacing_from_the_first_tap(arena, page):
    begin(arena, page, "gravity", QUICK, ANN, program("reply"))
    board = placing(page)
    page.touchscreen.tap(*on_board(page, 500, 500))
    page.get_by_role("button", name="Place +").tap()
    expect(board).to_have_attribute("data-painted", "2")
    row, col = map(int, re.findall(r"\d+", page.locator("[data-moves] .where").first.text_content()))
    page.touchscreen.tap(*on_board(page, row, col - 40))
    expect(board).to_have_attribute("data-aim", "forbidden")
    expect(board.locator("canvas.loupe")).to_be_visible()
    page.wait_for_timeout(600)
    with_discs = page.evaluate(SHADE, [-12, -12])
    board.locator("canvas.forbidden").evaluate("(discs) => discs.style.setProperty('opacity', '0')")
    page.touchscreen.tap(*on_board(page, row, col - 40))
    page.wait_for_timeout(600)
    assert sum(page.evaluate(SHADE, [-12, -12])) - sum(with_discs) > 30


def test_a_heat_map_has_a_legend_that_ends_where_its_data_end(arena, page):
    game = begin(arena, page, "gravity", QUICK, program("reply"), ANN)
    board = placing(page)
    expect(board.locator(".legend")).to_be_hidden()
    page.get_by_label("heat map").check()
    expect(board.locator("canvas.heat")).to_be_visible()
    least, most = (int(re.sub(r"\D", "", text)) for text in board.locator(".legend .number").all_inner_texts())
    assert most == page.request.get(f"{arena}/games/{game}/hint").json()["gain"]
    assert 0 <= least < most
    page.get_by_label("heat map").uncheck()
    expect(board.locator(".legend")).to_be_hidden()


def test_vertices_are_drawn_with_the_numbers_that_moves_use(arena, page):
    begin(arena, page, "graph", {"board": "road", "vertices": 30, "tokens": 2}, ANN, program("gain"))
    board = page.locator("graph-board")
    expect(board).to_have_attribute("data-state", "placing")
    numbers = board.locator(".vertex .name")
    assert numbers.all_text_contents() == [str(number) for number in range(30)]
    for number in numbers.all():
        expect(number).to_be_visible()
    board.locator(".vertex").nth(17).focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-moves] .where").first).to_have_text("vertex 17")
    page.get_by_label("numbers", exact=True).uncheck()
    expect(numbers.first).to_be_hidden()


def test_dots_keep_their_numbers_when_they_are_closed(arena, page):
    begin(arena, page, "dots", {"board": "jittered", "dots": 8}, program("closer"), program("closer"))
    expect(page.locator("body")).to_have_attribute("data-game", "over", timeout=30_000)
    gone = page.locator("dots-board .dot.gone")
    expect(gone.nth(2)).to_be_attached()
    for dot in gone.all():
        expect(dot.locator("text")).to_be_visible()
        assert dot.locator("text").text_content() == dot.get_attribute("data-dot")


@pytest.mark.parametrize("page", [{"viewport": {"width": 1920, "height": 1080}}], indirect=True)
@pytest.mark.parametrize(
    ("game", "rules", "players"),
    first_shows(("gravity", QUICK, ("reply", "lloyd")), ("dots", {"board": "jittered", "dots": 8}, ("closer",) * 2)),
)
def test_numerals_on_a_wall_are_read_from_ten_metres(arena, page, game, rules, players):
    begin(arena, page, game, rules, *map(program, players))
    page.goto(f"{page.url}?wall")
    expect(page.locator("body")).to_have_attribute("data-game", "over", timeout=30_000)
    sizes = page.evaluate(SIZES)
    assert len(sizes) >= 4
    assert [text for text, size, scale in sizes if size * scale < 28] == []
    if game == "gravity":
        box, cells = (page.locator(f"gravity-board {name}").bounding_box()["width"] for name in (".stones", ".surface"))
        assert (box - cells) / 2 > 28, "the radius of a stone, in which its number fills a half"
