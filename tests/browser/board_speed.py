"""How fast a board of gravity is under the hand: ``PYTHONPATH=tests python tests/browser/board_speed.py --stones 20``.

Two persons at one screen place stones on 1000 x 1000 cells; a time is from letting go of the mouse to the frame that
shows the stone, judged and written, and to the one that shows the new regions. Then the mouse wanders over the board
among all of them, once for each frame; the time between frames is that of a headless Chromium, which paints 60 a second
at most.
"""

import argparse
import random
import re
import statistics
import subprocess
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from browser.begun import begin, on_board
from browser.conftest import find_chromium
from browser.looks import DESK

CLICKS = """() => {
  window.stones = [];
  window.regions = [];
  let released = 0;
  const board = document.querySelector("gravity-board");
  const shown = (times) => {
    const began = released;
    requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - began)));
  };
  document.addEventListener("pointerup", (event) => (released = event.timeStamp), { capture: true });
  new MutationObserver(() => shown(window.stones)).observe(board, { attributeFilter: ["data-ply"] });
  new MutationObserver(() => shown(window.regions)).observe(board, { attributeFilter: ["data-painted"] });
}"""
HOVER = """(seconds) => new Promise((done) => {
  const surface = document.querySelector("gravity-board .surface");
  const { left, top, width, height } = surface.getBoundingClientRect();
  const times = [];
  const frame = (now) => {
    times.push(now);
    const turn = (now - times[0]) / 700;
    const [across, down] = [0.5 + 0.4 * Math.cos(turn), 0.5 + 0.4 * Math.sin(1.7 * turn)];
    const at = { clientX: left + width * across, clientY: top + height * down };
    const told = { ...at, bubbles: true, pointerType: "mouse", pointerId: 1 };
    surface.dispatchEvent(new PointerEvent("pointermove", told));
    if (now - times[0] < 1000 * seconds) requestAnimationFrame(frame);
    else done(times.slice(1).map((time, k) => time - times[k]));
  };
  requestAnimationFrame(frame);
})"""


def places(count, spacing=66, size=1000):
    """Draw cells with room for stones."""
    rng, found = random.Random(7), []
    while len(found) < count:
        row, col = rng.randrange(size), rng.randrange(size)
        if all((row - r) ** 2 + (col - c) ** 2 >= spacing**2 for r, c in found):
            found.append((row, col))
    return found


def measure(arena, page, stones, seconds):
    """Return the milliseconds from clicks to stones, from clicks to regions, and of frames."""
    rules = {"size": 1000, "stones": stones // 2 + 1, "spacing": 66}
    begin(arena, page, "gravity", rules, *[{"kind": "person", "name": name} for name in ("Ann", "Bob")])
    board = page.locator("gravity-board")
    page.evaluate(CLICKS)
    for ply, place in enumerate(places(stones), start=1):
        page.mouse.click(*on_board(page, *place))
        expect(board).to_have_attribute("data-painted", str(ply))
        expect(board).to_have_attribute("data-state", "placing")
    return *page.evaluate("() => [window.stones, window.regions]"), page.evaluate(HOVER, seconds)


def address_of(server):
    """Return where a server is, once it says so."""
    return next(found.group() for line in server.stdout if (found := re.search(r"http://\S+", line)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stones", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=5.0, help="of hovering")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tool:
        command = [sys.executable, "-m", "hinterland", "serve", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            arena = address_of(server)
            browser = tool.chromium.launch(executable_path=find_chromium(tool.chromium.executable_path))
            stones, regions, frames = measure(arena, browser.new_page(**DESK), asked.stones, asked.seconds)
            browser.close()
        finally:
            server.terminate()
            server.wait(10)
    late, rate = sum(frame > 1.5 * 1000 / 60 for frame in frames), 1000 / statistics.mean(frames)
    for what, times in (("stone", stones), ("regions", regions)):
        print(f"{len(times)} clicks to {what}: median {statistics.median(times):.0f} ms, at most {max(times):.0f} ms")
    print(f"hovering: {rate:.1f} frames a second, {late} of {len(frames)} late, at most {max(frames):.0f} ms")


if __name__ == "__main__":
    main()
