"""The page of games in a real browser: seen by everybody, moving, filtered with and without a script."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from browser.looks import EVERY_LOOK, everybody_can_read

RULES = {"size": 60, "stones": 2, "spacing": 6}
LONG = "Bartholomew-Maximilian the Younger of El"


def begin(arena, *seats, rules=RULES, **others):
    """Begin a game; return its id and key."""
    asked = {"game": "gravity", "rules": rules, "seats": list(seats), **others}
    kind = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{arena}/api/games", json.dumps(asked).encode(), kind)
    with urllib.request.urlopen(request) as answer:
        made = json.loads(answer.read())
    return made["id"], made["key"]


def program(name="reply"):
    return {"kind": "program", "player": name}


def person(name):
    return {"kind": "person", "name": name}


def finish(arena, page, *seats, **others):
    """Watch programs play to the end."""
    game, _ = begin(arena, *seats, **others)
    page.goto(f"{arena}/games/{game}")
    expect(page.locator("[data-status]")).to_contain_text(re.compile("win|share|draw"))
    return game


@pytest.mark.thorough
@EVERY_LOOK
def test_everybody_can_read_it(arena, page):
    finish(arena, page, program(), program("random"))
    finish(arena, page, *[program("random")] * 8, rules={**RULES, "players": 8, "stones": 1})
    begin(arena, person(LONG), person("Zoë"))
    for query in ("", f"?player={LONG.upper()}&game=gravity", "?player=repl", "?state=live", "?state=abandoned"):
        page.goto(f"{arena}/games{query}")
        everybody_can_read(page)
        pictures = page.locator(".game-picture img")
        for number in range(min(pictures.count(), 3)):
            pictures.nth(number).scroll_into_view_if_needed()
            expect(pictures.nth(number)).to_have_js_property("naturalWidth", 400)


def test_what_goes_on_moves_and_comes_and_goes(arena, page):
    game, key = begin(arena, person("Ann"), person("Bob"))
    page.goto(f"{arena}/games")
    card = page.locator(f'[data-card="{game}"]')
    expect(card).to_contain_text("Move 1")
    first = card.locator("img").get_attribute("src")
    card.locator("a.game-picture").focus()
    other = page.context.new_page()
    other.goto(f"{arena}/games/{game}")
    other.evaluate("([id, key]) => localStorage.setItem(`hinterland.key.${id}`, key)", [game, key])
    other.reload()
    other.get_by_role("application").click(position={"x": 200, "y": 200})
    expect(card).to_contain_text("Move 2")
    expect(card.locator("img")).not_to_have_attribute("src", first)
    expect(card.locator("a.game-picture")).to_be_focused()
    later, _ = begin(arena, person("Cas"), person("Dan"))
    expect(page.locator(f'[data-card="{later}"]')).to_contain_text("Cas")
    card.locator("a.game-picture").click()
    page.wait_for_url(f"**/games/{game}")


def test_an_old_game_is_found(arena, page):
    wanted = finish(arena, page, program("hug"), program("random"))
    page.goto(f"{arena}/games")
    page.get_by_label("Player", exact=True).fill("HUG")
    page.get_by_label("Game", exact=True).select_option("Gravity")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".list-head")).to_contain_text("1 game")
    expect(page.locator("section[aria-labelledby=archive] .game-picture")).to_have_attribute("href", f"/games/{wanted}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download these games").click()
    (line,) = download.value.path().read_text("utf-8").splitlines()
    assert json.loads(line)["players"] == ["hug", "random"]
    page.get_by_role("link", name="Clear").click()
    expect(page.get_by_label("Player", exact=True)).to_have_value("")


def test_it_works_without_a_script(arena, chromium):
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    begin(arena, person("Eve"), person("Fay"))
    page.goto(f"{arena}/games")
    page.get_by_label("Player", exact=True).fill("fay")
    page.get_by_role("button", name="Show").click()
    assert "player=fay" in page.url
    expect(page.locator(".going-on .game-picture")).to_have_count(1)
    context.close()
