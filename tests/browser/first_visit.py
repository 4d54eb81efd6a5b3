"""How soon a newcomer plays: ``PYTHONPATH=tests python tests/browser/first_visit.py --rounds 5``.

In a fresh browser each time: from the click on *Play now* to one's own first stone, placed as soon as the board takes
one; how soon the page that sets a game up, and that of a game, can be used on fast 3G (1.6 Mbit/s, 150 ms there and
back, nothing kept from before), and what was sent for them; and a whole move by keys alone.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import expect, sync_playwright

from browser.begun import ANN, QUICK, begin, on_board, program
from browser.board_speed import address_of
from browser.conftest import find_chromium
from browser.looks import DESK

FAST_3G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
SENT = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + one.transferSize, 0)"""
"""The bytes of all that came, packed as it was."""


def first_stone_s(arena, page):
    """Return the seconds from the one click to the stone."""
    page.goto(arena)
    began = time.perf_counter()
    page.get_by_role("link", name="Play now").click()
    page.wait_for_url("**/games/*")
    board = page.locator("gravity-board")
    expect(board).to_have_attribute("data-state", "placing")
    page.mouse.click(*on_board(page, 400, 400))
    expect(board).not_to_have_attribute("data-ply", "0")
    return time.perf_counter() - began


def on_fast_3g(page):
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", FAST_3G)


def set_up_s(arena, page):
    """Return the seconds until a game can be begun, and the bytes that were sent."""
    on_fast_3g(page)
    began = time.perf_counter()
    page.goto(f"{arena}/play/gravity", wait_until="commit")
    expect(page.locator("[data-act=start]")).to_be_enabled()
    return time.perf_counter() - began, page.evaluate(SENT)


def game_s(arena, page):
    """Return the seconds until a stone can be placed in a game that has begun, and the bytes that were sent."""
    begin(arena, page, "gravity", QUICK, ANN, program("lloyd"))
    url, context = page.url, page.context.browser.new_context(**DESK, storage_state=page.context.storage_state())
    try:
        fresh = context.new_page()
        on_fast_3g(fresh)
        began = time.perf_counter()
        fresh.goto(url, wait_until="commit")
        expect(fresh.locator("gravity-board")).to_have_attribute("data-state", "placing")
        return time.perf_counter() - began, fresh.evaluate(SENT)
    finally:
        context.close()


def move_by_keys_s(arena, page):
    """Return the seconds of a move: to the board by its skip link and Tab, to a cell by arrows, the stone by Enter."""
    begin(arena, page, "gravity", QUICK, ANN, program("lloyd"))
    began = time.perf_counter()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    surface = page.locator("gravity-board .surface")
    while not surface.evaluate("surface => surface === document.activeElement"):
        page.keyboard.press("Tab")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("gravity-board")).not_to_have_attribute("data-ply", "0")
    return time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tool:
        command = [sys.executable, "-m", "hinterland", "serve", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            arena = address_of(server)
            browser = tool.chromium.launch(executable_path=find_chromium(tool.chromium.executable_path))
            for what in (first_stone_s, set_up_s, game_s, move_by_keys_s):
                found = []
                for _ in range(rounds):
                    page = browser.new_page(**DESK)
                    found.append(what(arena, page))
                    page.context.close()
                tell(what.__name__, [one if isinstance(one, tuple) else (one, None) for one in found])
        finally:
            server.terminate()
            server.wait(10)


def tell(what, found):
    """Print medians."""
    seconds = [one for one, _ in found]
    sent = "" if found[0][1] is None else f", {statistics.median(size for _, size in found) / 1000:.0f} kB"
    print(f"{what:15s} median {statistics.median(seconds):.2f} s, at most {max(seconds):.2f} s{sent}")


if __name__ == "__main__":
    main()
