"""The analysis on the page of a finished game: words, losses, and the best move as a ghost on the board."""

import json
import re
import time
import urllib.request

from playwright.sync_api import expect

from browser.looks import no_violations

RULES = {"size": 60, "stones": 4, "spacing": 5}


def ask(arena, path, body=None):
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(arena + path, body, headers)) as answer:
        return json.loads(answer.read())


def finished_game(arena):
    """Return the address of a game between two programs, one of which plays badly."""
    seats = [{"kind": "program", "player": name} for name in ("reply", "random")]
    wish = {"game": "gravity", "rules": RULES, "seats": seats, "clock": None, "seed": 4}
    game = ask(arena, "/api/games", json.dumps(wish).encode())
    until = time.monotonic() + 60
    while ask(arena, f"/api/games/{game['id']}")["outcome"] is None:
        assert time.monotonic() < until
        time.sleep(0.05)
    return game["url"]


def test_a_finished_game_is_analysed(arena, page):
    url = finished_game(arena)
    told = ask(arena, f"{url}/review")
    worst = max(told["moves"], key=lambda move: move["loss"])
    page.goto(arena + url)
    button = page.get_by_role("button", name="analyse")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-review", "on")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".review-summary")).to_contain_text(re.compile("lost it for|short"))
    assert page.locator(".loss").count() == len(told["moves"])
    assert page.locator(".move[data-losing]").count() == len(told["losing"])
    page.locator(f".loss[data-ply='{worst['number']}']").click()
    expect(page.locator("body")).to_have_attribute("data-ply", str(worst["number"]))
    row, col = worst["best"]
    best = f"won {worst['gain']:,}; the best move, row {row} · col {col}, wins {worst['best_gain']:,}."
    expect(page.locator(".review-move")).to_contain_text(best)
    no_violations(page)
    ghosted = page.locator("gravity-board canvas.stones").screenshot()
    button.click()
    expect(page.locator("body")).to_have_attribute("data-review", "off")
    expect(page.locator("[data-review].review")).to_be_hidden()
    assert page.locator("gravity-board canvas.stones").screenshot() != ghosted, "the ghost is gone"
