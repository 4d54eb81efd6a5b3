"""Ten people's paths, gone in every look: ``PYTHONPATH=tests python tests/browser/ten_paths.py --shots FOLDER``.

Each is gone on a desk, on a phone by touch and at 320 px, each light, dark and in forced colours. Where it ends the
page must please axe and must not scroll sideways; ``--shots`` keeps a picture of every end, to be looked at.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, expect, sync_playwright

import seeded_arena
from browser.begun import ANN, QUICK, begin, on_board, program
from browser.board_speed import address_of
from browser.conftest import find_chromium
from browser.looks import DESK, HAND, overflowing
from hinterland import catalog

NARROW = {"viewport": {"width": 320, "height": 690}, "has_touch": True, "is_mobile": True}
SIZES = {"desk": DESK, "hand": HAND, "narrow": NARROW}
COLOURS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"color_scheme": "light", "forced_colors": "active"},
}
PATIENCE_MS = 20_000
LEVEL_1, LEVEL_4 = (catalog.game("gravity").levels[number].spec for number in (0, 3))
TWO, THREE = {**QUICK, "stones": 2}, QUICK
STRENGTHS = {
    seeded_arena.guest("Ann"): 200, seeded_arena.guest("Bob"): -100,
    seeded_arena.program("search:playouts=1"): 136, seeded_arena.program("lloyd"): -132,
}  # fmt: skip
CONTEST = (
    "gravity", "reply", "lloyd", "hug", "random", "--size", "60", "--spacing", "5", "--stones", "3", "--pairings", "2",
    "--seed", "3",
)  # fmt: skip


def place(page, row, col):
    """Place a stone: by a click, or by a tap and the button that it shows."""
    if page.evaluate("matchMedia('(pointer: coarse)').matches"):
        page.touchscreen.tap(*on_board(page, row, col))
        page.locator("[data-act=place]").click()
    else:
        page.mouse.click(*on_board(page, row, col))


def at_ply(page, ply):
    expect(page.locator("gravity-board")).to_have_attribute("data-ply", str(ply))


def ready(page):
    expect(page.locator("gravity-board")).to_have_attribute("data-state", "placing")


def resign(page):
    drawer = page.locator("[data-drawer]")
    if drawer.count() and drawer.first.is_visible():
        drawer.first.click()
    page.locator("[data-act=resign]").click()
    page.locator("#resign [value=yes]").click()


def first_visit(arena, page, another):
    page.goto(arena)
    page.get_by_role("link", name="Play now").click()
    page.wait_for_url("**/games/*")
    ready(page)
    place(page, 400, 400)
    at_ply(page, 2)


def game_against_level_1(arena, page, another):
    begin(arena, page, "gravity", TWO, ANN, program(LEVEL_1))
    place(page, 500, 450)
    at_ply(page, 2)
    ready(page)
    place(page, 620, 600)
    expect(page.locator("body")).to_have_attribute("data-game", "over")


def friend_by_link(arena, page, another):
    page.goto(f"{arena}/play/gravity")
    page.locator("[name=rival][value=friend]").check(force=True)
    page.locator("[data-act=start]").click()
    page.wait_for_url("**/tables/**")
    friend = another()
    friend.goto(page.url)
    friend.locator("[data-act=take-seat]").click()
    expect(page.locator("gravity-board")).to_have_attribute("data-painted", "0")
    return friend


def rematch(arena, page, another):
    friend = friend_by_link(arena, page, another)
    resign(page)
    friend.get_by_role("button", name="Play again").click()
    expect(page.locator("[data-again-words]")).to_contain_text("would like to play again")


def watching(arena, page, another):
    player = another()
    begin(arena, player, "gravity", THREE, ANN, program(LEVEL_4))
    page.goto(player.url)
    place(player, 300, 300)
    at_ply(page, 2)


def old_game(arena, page, another):
    page.goto(f"{arena}/games?player=Ann")
    expect(page.locator(".game-picture img").first).to_be_visible()


def study_of_a_loss(arena, page, another):
    begin(arena, page, "gravity", TWO, ANN, program(LEVEL_1))
    place(page, 300, 300)
    at_ply(page, 2)
    resign(page)
    expect(page.locator("body")).to_have_attribute("data-game", "over")
    page.get_by_role("link", name="study").click()
    page.wait_for_url("**/study/*")
    page.locator("[data-act=best]").click()
    expect(page.locator("[data-best] li").first).to_be_visible(timeout=2 * PATIENCE_MS)


def puzzle(arena, page, another):
    page.goto(f"{arena}/puzzles/dots/40")
    expect(page.locator("[data-board] > [data-state=placing][data-painted]")).to_be_visible()
    page.locator("[data-act=answer]").click()
    expect(page.locator("[data-status]")).to_contain_text("The answer")


def contest_on_the_wall(arena, page, another):
    page.goto(f"{arena}/contests/league?wall")
    expect(page.locator("main table").first).to_be_attached()


def keys_alone(arena, page, another):
    begin(arena, page, "gravity", TWO, ANN, program(LEVEL_1))
    page.locator("gravity-board .surface").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    at_ply(page, 2)


PATHS = (
    first_visit, game_against_level_1, friend_by_link, rematch, watching, old_game, study_of_a_loss, puzzle,
    contest_on_the_wall, keys_alone,
)  # fmt: skip


def faults_of(page):
    """Return what is wrong with a page as it stands, in words."""
    found = Axe().run(page)
    return [*(violation["id"] for violation in found.response["violations"]), *overflowing(page)]


def go(arena, browser, path, look, shot):
    """Go a path in a look; return what is wrong at its end."""
    contexts = []

    def another():
        contexts.append(browser.new_context(**look))
        contexts[-1].set_default_timeout(PATIENCE_MS)
        return contexts[-1].new_page()

    page = another()
    try:
        path(arena, page, another)
        page.wait_for_timeout(500)  # what glides in comes to rest
        found = faults_of(page)
    except (AssertionError, Error) as error:
        found = [f"the path was not gone to its end: {str(error).splitlines()[0]}"]
    if shot:
        page.screenshot(path=shot)
    for context in contexts:
        context.close()
    return found


def serve(folder):
    """Begin an arena with some old games and a contest that is over."""
    seeded_arena.seed(folder / "data", 120, STRENGTHS)
    hinterland = [sys.executable, "-m", "hinterland"]
    league = folder / "contests" / "league"
    subprocess.run([*hinterland, "contest", "new", str(league), *CONTEST], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*hinterland, "contest", "run", str(league)], check=True, stdout=subprocess.DEVNULL)
    options = ["--port", "0", "--data", str(folder / "data"), "--contests", str(folder / "contests")]
    return subprocess.Popen([*hinterland, "serve", *options], stdout=subprocess.PIPE, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shots", type=Path, help="keep a picture of every end in this folder")
    parser.add_argument("--only", choices=[path.__name__ for path in PATHS], help="go one path")
    given = parser.parse_args()
    if given.shots:
        given.shots.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tool:
        server = serve(Path(folder))
        try:
            arena = address_of(server)
            browser = tool.chromium.launch(executable_path=find_chromium(tool.chromium.executable_path))
            for path in PATHS:
                if given.only in (None, path.__name__):
                    wrong += sum(tell(*end) for end in ends_of(arena, browser, path, given.shots))
        finally:
            server.terminate()
            server.wait(10)
    print(f"{wrong} of the ends have faults" if wrong else "no fault at any end")
    return wrong > 0


def ends_of(arena, browser, path, shots):
    for size, seen in SIZES.items():
        for colour, how in COLOURS.items():
            name = f"{path.__name__}-{size}-{colour}"
            yield name, go(arena, browser, path, {**seen, **how}, shots and shots / f"{name}.png")


def tell(name, found):
    """Print an end; return whether something is wrong with it."""
    print(f"{name:40s} {'; '.join(found) or 'clean'}", flush=True)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
