"""Whole games of Join the dots in a real browser, by mouse, keys and finger, with the dots the server counts."""

import json
import re
import urllib.request

import numpy as np
import pytest
from playwright.sync_api import expect

from browser.looks import BY_HAND, EVERY_LOOK, everybody_can_read, no_violations, unfold
from dots import oracle_dots as oracle
from hinterland.dots import Line, Rules

NUMBER = "Board seed"


def get(arena, path):
    with urllib.request.urlopen(arena + path) as answer:
        return json.loads(answer.read())


def snapshot(arena, page):
    return get(arena, "/api" + address(page))


def address(page):
    return re.search(r"/games/[\w-]+", page.url).group()


def start_game(arena, page, preset="Ten", **fields):
    """Set a game up as a person would; players of the house are named by their seat: ``program="random"``."""
    page.goto(arena + "/play/dots")
    unfold(page)
    page.get_by_label(preset, exact=True).check()
    page.get_by_label("Player 2", exact=True).select_option(f"program:{fields.pop('program', 'random')}")
    for label, value in {NUMBER: 7, **fields}.items():
        page.get_by_label(label, exact=True).fill(str(value))
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")
    return wait_for_ply(page, 0)


def board_of(page):
    return page.locator("dots-board")


def wait_for_ply(page, ply):
    board = board_of(page)
    expect(board).to_have_attribute("data-ply", str(ply), timeout=20_000)  # programs may wait for a processor
    expect(board).to_have_attribute("data-painted", str(ply))
    return board


def wait_for_turn(arena, page, ply):
    """Wait until it is the person's turn again, after so many moves at least, or the game is over."""
    board = board_of(page)
    page.wait_for_function(
        """([board, ply]) => document.body.dataset.game === "over"
        || (board.dataset.state === "placing" && Number(board.dataset.painted) >= ply)""",
        arg=[board.element_handle(), ply],
        timeout=20_000,
    )
    game = snapshot(arena, page)
    wait_for_ply(page, len(game["moves"]))
    return game


def point_of(page, dot):
    """Return where a dot lies on the screen."""
    box = page.locator(f"dots-board [data-dot='{dot}'] .disc").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def middle_of(page, line):
    ends = [point_of(page, dot) for dot in line]
    return tuple(sum(end[axis] for end in ends) / 2 for axis in (0, 1))


def position_of(arena, page):
    """Return the game as the rules know it."""
    told = get(arena, snapshot(arena, page)["drawing_data"])
    position = Rules(orientations=told["turns"]).start()
    for made in snapshot(arena, page)["moves"]:
        position = position.play(Line(*made["move"]))
    return position


def scores_on_board(page):
    return [int(score) for score in board_of(page).get_attribute("data-scores").split()]


def shown_scores(page):
    seats = page.locator("[data-seats] > li").all_inner_texts()
    return [int(re.search(r"(\d+)\s*dots", text).group(1)) for text in seats]


def draw(page, a, b):
    page.mouse.click(*point_of(page, a))
    page.mouse.click(*point_of(page, b))


def test_a_whole_game_by_mouse_against_perfect(arena, page):
    start_game(arena, page, program="perfect", Dots=8)
    game = snapshot(arena, page)
    while game["outcome"] is None:
        board, before = board_of(page), scores_on_board(page)
        position = position_of(arena, page)
        line = max(position.legal_moves, key=lambda line: len(position.cycle(line)))
        page.mouse.click(*point_of(page, line.a))
        expect(board).to_have_attribute("data-picked", str(line.a))
        page.mouse.move(*point_of(page, line.b))
        expect(board).to_have_attribute("data-cursor", f"{line.a}-{line.b}")
        promised = int(board.get_attribute("data-gain"))
        assert promised == len(position.cycle(line))
        if promised:
            assert f"+{promised}" in board.locator(".gain").inner_text()
        page.mouse.click(*point_of(page, line.b))
        made = len(game["moves"])
        game = wait_for_turn(arena, page, made + 1)
        assert game["moves"][made]["move"] == list(line.numbers)
        assert game["moves"][made]["scores"][0] - before[0] == promised, "the preview is what the line closes"
        assert scores_on_board(page) == game["scores"] == shown_scores(page)
    assert game["outcome"]["reason"] == "complete"
    no_violations(page)
    step_through(page, game)


def step_through(page, game):
    """Go through a finished game by keys: the board's own count after each move is the server's."""
    page.locator("body").press("Home")
    wait_for_ply(page, 0)
    closed = 0
    for ply, move in enumerate(game["moves"], start=1):
        page.keyboard.press("ArrowRight")
        wait_for_ply(page, ply)
        assert scores_on_board(page) == move["scores"] == shown_scores(page)
        closed += move["scores"] != (game["moves"][ply - 2]["scores"] if ply > 1 else [0, 0])
        assert page.locator("dots-board .areas polygon").count() == closed
        assert page.locator("dots-board .dot.gone").count() == sum(move["scores"])


@pytest.mark.thorough
def test_a_whole_game_by_keyboard(arena, page):
    start_game(arena, page, Dots=8)
    game = snapshot(arena, page)
    while game["outcome"] is None:
        board, position = board_of(page), position_of(arena, page)
        line = list(position.legal_moves)[-1]
        for key, dot in (("Enter", line.a), ("Space", line.b)):
            page.locator("dots-board [tabindex='0']").focus()
            go_to(page, position, dot)
            page.keyboard.press(key)
            if key == "Enter":
                expect(board).to_have_attribute("data-picked", str(dot))
        made = len(game["moves"])
        game = wait_for_turn(arena, page, made + 1)
        assert game["moves"][made]["move"] == list(line.numbers)
        assert scores_on_board(page) == game["scores"]
    assert page.locator("dots-board [tabindex]").count() == 0, "a board that is over is a picture"


def go_to(page, position, dot):
    """Go to a dot by keys: from the first or the last there, and by arrows for the way that is left."""
    present = position.dots
    page.keyboard.press("End" if dot == present[-1] else "Home")
    for _ in range(40):
        here = int(page.evaluate("document.activeElement.getAttribute('data-dot')"))
        if here == dot:
            label = page.locator(f"dots-board [data-dot='{dot}']").get_attribute("aria-label")
            assert label.startswith(f"dot {dot}, joined to ")
            return
        key = page.evaluate(NEXT_KEY, [here, dot])
        page.keyboard.press(key)
    raise AssertionError(f"no arrows lead to dot {dot}")


NEXT_KEY = """async ([from, goal]) => {
  const { DotLayout } = await import("/static/js/dots/dot-layout.js");
  const dots = [...document.querySelectorAll("dots-board .dot:not(.gone)")].map((dot) => Number(dot.dataset.dot));
  const places = [...document.querySelectorAll("dots-board .dot")].map((dot) => {
    const { x, y, width, height } = dot.querySelector(".disc").getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });
  const layout = new DotLayout({ places, turns: "" });
  const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  const first = new Map([[from, null]]);
  for (const dot of first.keys()) {
    for (const [key, way] of Object.entries(arrows)) {
      const next = layout.next(dot, way, dots);
      if (!first.has(next)) first.set(next, first.get(dot) ?? key);
    }
  }
  return first.get(goal) ?? "Tab";
}"""


def test_escape_lets_go_and_labels_tell_what_a_line_would_do(arena, page):
    start_game(arena, page)
    assert page.locator("dots-board [tabindex='0']").count() == 1
    page.locator("dots-board [tabindex='0']").focus()
    board = board_of(page)
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(board).to_have_attribute("data-picked", "0")
    page.keyboard.press("End")
    expect(board).to_have_attribute("data-cursor", "0-9")
    last = page.locator("dots-board [data-dot='9']")
    expect(last).to_be_focused()
    expect(last).to_have_attribute("aria-label", "dot 9, joined to none, line 0–9")
    page.keyboard.press("Escape")
    expect(board).not_to_have_attribute("data-picked", "0")
    page.keyboard.press("Enter")
    expect(board).to_have_attribute("data-picked", "9")
    expect(last).to_have_attribute("aria-pressed", "true")
    no_violations(page)
    assert snapshot(arena, page)["moves"] == []


def test_lines_are_drawn_by_a_drag_or_by_a_click_on_their_ghost(arena, page):
    start_game(arena, page, "Circle")
    page.mouse.move(*point_of(page, 0))
    expect(board_of(page).locator(".fan line")).to_have_count(11)
    page.mouse.down()
    page.mouse.move(*point_of(page, 5), steps=4)
    page.mouse.up()
    game = wait_for_turn(arena, page, 2)
    assert game["moves"][0]["move"] == [0, 5]
    line = ghost(page, position_of(arena, page))
    page.mouse.click(*middle_of(page, line))
    game = wait_for_turn(arena, page, 4)
    assert game["moves"][2]["move"] == list(line)


def ghost(page, position):
    """Return a legal line in whose middle the page aims at it and not at another."""
    for line in position.legal_moves:
        page.mouse.move(*middle_of(page, line.numbers))
        if board_of(page).get_attribute("data-cursor") == "-".join(map(str, line.numbers)):
            return line.numbers
    raise AssertionError("no line can be pointed at")


def test_what_may_not_be_drawn_is_refused_in_words_where_it_is(arena, page):
    lay_out(arena, page, [(0.2, 0.2), (0.8, 0.25), (0.75, 0.8), (0.3, 0.75), (0.5, 0.1), (0.48, 0.9)])
    page.get_by_label("Player 2", exact=True).select_option("person")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")
    wait_for_ply(page, 0)
    draw(page, 0, 2)
    board = wait_for_ply(page, 1)
    for line, words in (((1, 3), "Crosses the line 0–2"), ((0, 2), "0 and 2 are joined already")):
        draw(page, *line)
        expect(board.locator(".gain.error")).to_have_text(words)
        expect(board).to_have_attribute("data-aim", "illegal")
        page.mouse.click(*point_of(page, line[0]))
        expect(board).not_to_have_attribute("data-picked", str(line[0]))
    for ply, line in enumerate(((2, 3), (0, 3)), start=2):
        draw(page, *line)
        wait_for_ply(page, ply)
    assert scores_on_board(page) == [3, 0]
    page.mouse.click(*point_of(page, 3))
    expect(board.locator(".gain.error")).to_have_text("Dot 3 is gone")
    assert len(snapshot(arena, page)["moves"]) == 3


def lay_out(arena, page, places):
    """Draw a board of one's own by clicks."""
    page.goto(arena + "/play/dots")
    unfold(page)
    page.get_by_role("combobox", name="Board", exact=True).select_option("own")
    board = board_of(page)
    expect(board).to_have_attribute("data-state", "drawing")
    box = board.bounding_box()
    for number, (x, y) in enumerate(places, start=1):
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
        expect(page.locator("dots-board .dot")).to_have_count(number)


def test_a_board_of_ones_own(arena, page):
    lay_out(arena, page, [(0.2, 0.2), (0.8, 0.2)])
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".field .error").filter(has_text="Place at least 3 dots, not 2")).to_be_visible()
    board, dots = board_of(page), page.locator("dots-board .dot")
    box = board.bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.2 * box["height"])
    expect(board.locator(".note")).to_have_text("On one line with dots 0 and 1")
    expect(dots).to_have_count(2)
    board.locator(".surface").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(dots).to_have_count(3)
    page.keyboard.press("Enter")
    expect(dots).to_have_count(2)
    page.mouse.click(*point_of(page, 0))
    expect(dots).to_have_count(1)
    page.get_by_role("button", name="clear").click()
    expect(dots).to_have_count(0)
    lay_out(arena, page, [(0.2, 0.2), (0.8, 0.3), (0.5, 0.8), (0.45, 0.4)])
    no_violations(page)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")
    wait_for_ply(page, 0)
    game = snapshot(arena, page)
    assert game["rules"]["dots"] == 4
    assert get(arena, game["drawing_data"])["turns"] == "-" * 1 + "-+-", "y goes up in the rules"


@pytest.mark.thorough
@BY_HAND
def test_by_touch_two_taps_aim_and_a_button_confirms(arena, page):
    start_game(arena, page)
    page.touchscreen.tap(*point_of(page, 2))
    board = board_of(page)
    expect(board).to_have_attribute("data-picked", "2")
    page.touchscreen.tap(*point_of(page, 6))
    expect(board).to_have_attribute("data-cursor", "2-6")
    assert snapshot(arena, page)["moves"] == []
    button = page.locator("[data-act=place]")
    expect(button).to_have_text("Draw 2–6")
    button.tap()
    game = wait_for_turn(arena, page, 2)
    assert game["moves"][0]["move"] == [2, 6]


def test_closings_hint_heat_map_and_exact_value(arena, page):
    start_game(arena, page, Dots=7)
    page.get_by_label("exact value").check()
    value = page.locator("[data-analysis]")
    expect(value).to_contain_text("With best play")
    told = page.request.get(arena + address(page) + "/analysis").json()
    solver = oracle.Solver(Rules.from_options({"board": "jittered", "dots": 7, "board_seed": 7}).points)
    values = solver.values(frozenset(range(7)))
    assert told["value"] == max(values.values())
    assert [tuple(line) for line in told["best"]] == [line for line in values if values[line] == told["value"]]
    expect(board_of(page).locator(".best .best-line")).to_have_count(len(told["best"]))
    page.get_by_label("exact value").uncheck()
    expect(board_of(page).locator(".best line")).to_have_count(0)
    page.get_by_role("button", name="hint", exact=True).click()
    expect(board_of(page).locator("[aria-live]").first).to_contain_text("Hint: ")
    expect(board_of(page).locator(".best .hinted")).to_have_count(1)
    page.get_by_label("heat map").check()
    expect(board_of(page).locator(".heat line")).to_have_count(21)
    expect(board_of(page).locator(".legend")).to_have_text("+0 everywhere")
    no_violations(page)
    page.get_by_label("heat map").uncheck()
    draw(page, 0, 1)
    game = wait_for_turn(arena, page, 2)
    position = position_of(arena, page)
    closings = [line for line in position.legal_moves if position.cycle(line)]
    expect(board_of(page).locator(".closings line")).to_have_count(len(closings))
    page.get_by_label("loops you can close").uncheck()
    expect(board_of(page).locator(".closings line")).to_have_count(0)
    assert len(game["moves"]) == 2


def test_the_board_that_is_shown_before_is_the_one_that_is_played(arena, page):
    page.goto(arena + "/play/dots")
    unfold(page)
    page.get_by_role("combobox", name="Board", exact=True).select_option("clusters")
    page.get_by_label("Dots", exact=True).fill("9")
    page.get_by_label("Clusters", exact=True).fill("10")
    expect(page.locator("#rule-groups-fault")).to_contain_text("must be 9 or fewer, one per dot, not 10")
    page.get_by_label("Clusters", exact=True).fill("2")
    page.get_by_label(NUMBER).fill("12345")
    rules = Rules.from_options({"board": "clusters", "dots": 9, "groups": 2, "board_seed": 12345})
    expect(page.locator("dots-board .dot")).to_have_count(9)
    with page.expect_navigation():
        page.get_by_role("button", name="Start").click()
    wait_for_ply(page, 0)
    assert get(arena, snapshot(arena, page)["drawing_data"])["turns"] == rules.signs


@EVERY_LOOK
def test_every_page_is_accessible_and_fits(arena, page):
    for path in ("/play/dots", "/rules/dots", "/host/dots"):
        page.goto(arena + path)
        expect(board_of(page).first).to_have_attribute("data-painted", re.compile(r"\d"))
        everybody_can_read(page)
    start_game(arena, page, "Night sky")
    everybody_can_read(page)


def test_the_rules_have_a_board_to_click_on(arena, page):
    page.goto(arena + "/rules/dots")
    page.locator("[data-example]").hover()  # until then it plays by itself
    wait_for_ply(page, 0)
    for ply, line in enumerate(((0, 8), (8, 9), (0, 9)), start=1):
        draw(page, *line)
        wait_for_ply(page, ply)
    assert scores_on_board(page) == [3, 0]
    expect(page.locator("[data-example]")).to_contain_text("3 to 0. Vermilion to move.")


def test_lines_and_cycles_are_those_of_the_plain_rules(arena, page):
    """On random boards through whole games; against plain Python in exact fractions."""
    rng = np.random.default_rng(4)
    page.goto(arena + "/rules/dots")
    page.locator("[data-example]").hover()  # until then it plays by itself
    for dots in (3, 5, 8, 11, 14):
        rules = Rules(points=tuple(map(tuple, rng.random((dots, 2)).tolist())))
        position, present, lines, expected = rules.start(), frozenset(range(dots)), frozenset(), []
        while position.to_move is not None:
            legal = oracle.legal(rules.points, present, lines)
            expected.append([[*line, len(oracle.path(lines, *line) or ())] for line in legal])
            line = position.legal_moves.sample(rng)
            present, lines, _ = oracle.after(present, lines, line.numbers)
            position = position.play(line)
        moves = [{"seat": seat, "move": line.numbers} for seat, line in position.moves]
        seen = page.evaluate(FOLLOW, {"turns": rules.signs, "places": rules.points, "moves": moves})
        assert seen["legal"] == expected
        assert tuple(seen["scores"]) == position.scores
        assert seen["back"] == len(moves) // 2


FOLLOW = """async ({ turns, places, moves }) => {
  const { DotLayout } = await import("/static/js/dots/dot-layout.js");
  const { Game, cycleOf, legalLines } = await import("/static/js/dots/dots-position.js");
  const layout = new DotLayout({ turns, places });
  const game = new Game(places.length, 2);
  const legal = moves.map((_, ply) => {
    const position = game.goTo(moves.slice(0, ply));
    return legalLines(layout, position).map((line) => [...line, cycleOf(position, line).length]);
  });
  const { scores } = game.goTo(moves);
  return { legal, scores, back: game.goTo(moves.slice(0, moves.length / 2)).ply };
}"""
