"""Pages in other languages, in a real browser: German, and one that nobody speaks, whose texts are 40 % longer."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.begun import QUICK, begin, on_board, program
from browser.looks import DESK, HAND, no_violations
from browser.pseudo import CODE, pseudo
from hinterland import catalog

NARROW = {"viewport": {"width": 320, "height": 690}, "has_touch": True, "is_mobile": True}
IN_GERMAN = pytest.mark.parametrize("page", [{**DESK, "locale": "de-AT"}], indirect=True)
SIZES = pytest.mark.parametrize(
    "page",
    [
        pytest.param({**size, "locale": CODE}, id=name, marks=[pytest.mark.thorough] * (size is not NARROW))
        for name, size in (("desk", DESK), ("hand", HAND), ("narrow", NARROW))
    ],
    indirect=True,
)
NAMELESS = {"kind": "person", "name": "Ññ"}
FINDINGS = (Path(__file__).parent / "unreadable.js").read_text()
PROGRAMS = {player for name in catalog.GAMES for player in catalog.game(name).players}
FORMATS = {"PNG", "SVG", "GIF", "JSON", "hps", "json", "TCP", "WebSocket"}
ALIKE = PROGRAMS | FORMATS | {"Hinterland", "English", "UTC", "Elo"}
"""What is called so in every language."""
DATA = re.compile(r"\d+ \w+ \d{4}|wss?://\S+|\w+:\w+=[\w.]+(,\w+=[\w.]+)*|(Full )?HD\b")
"""Days, as the library writes them; addresses; programs with options; sizes of films."""
ENGLISH = re.compile(r"(?<![^\W_])[A-Za-z]{2,}(?![^\W\d_])")
PAGES = (
    "/", "/play/gravity", "/play/graph", "/play/dots", "/games", "/games?state=live", "/puzzles", "/puzzles/dots",
    "/rules/gravity", "/rules/graph", "/rules/dots", "/contests", "/host", "/atlas/dots?n=5",
)  # fmt: skip


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """Serve an arena whose pages speak the language that nobody speaks."""
    folder = tmp_path_factory.mktemp("foreign")
    script = str(Path(__file__).parent / "pseudo.py")
    command = [sys.executable, script, str(folder), "serve", "--port", "0", "--data", str(folder / "data")]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield next(found.group() for line in server.stdout if (found := re.search(r"http://\S+", line)))
    finally:
        server.terminate()
        assert server.wait(10) == 0
        server.stdout.close()


def faults(page):
    """Return what cannot be read on a page as it stands: what is cut, and what is in English."""
    found = page.evaluate(FINDINGS)
    english = [f"English: {text}" for text in found["texts"] if set(ENGLISH.findall(DATA.sub("", text))) - ALIKE]
    return sorted([*english, *(f"cut: {text}" for text in found["cut"])])


def unfold(page):
    page.locator("details").evaluate_all("folds => folds.forEach(fold => (fold.open = true))")


def place(page, row, col):
    """Place a stone with what a page has: a mouse, or a finger and a button."""
    if page.viewport_size["width"] == DESK["viewport"]["width"]:
        page.mouse.click(*on_board(page, row, col))
        return
    page.touchscreen.tap(*on_board(page, row, col))
    expect(page.locator("[data-act=place]")).to_be_enabled()
    assert faults(page) == []
    page.locator("[data-act=place]").click()


def test_a_text_of_that_language_is_longer_and_keeps_its_places():
    text = "{name} wins <b>%(count)s</b> stones"
    said = pseudo(text)
    assert [part in said for part in ("{name}", "<b>", "%(count)s", "</b>")] == [True] * 4
    words = re.findall(r"\w+", re.sub(r"\{\w+\}|<[^>]+>|%\(\w+\)s", "", said))
    assert not any(ENGLISH.search(word) for word in words)
    assert sum(map(len, words)) >= 1.35 * len("winsstones")


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<p>Šŧóñé</p>", None),
        ("<p>Šŧóñé and stone</p>", "English: Šŧóñé and stone"),
        ("<button aria-label='Close'>✕</button>", "English: Close"),
        ("<p>12 PNG</p>", None),
        ("<p id=cut>ššššššššššššššššššššš</p>", "cut: ššššššššššššššššššššš"),
        ("<p id=away>šš</p>", "cut: šš"),
        ("<p class=unseen id=cut>ššššššššššššššššššššš</p>", None),
    ],
)
def test_a_planted_fault_of_a_page_is_found(page, html, fault):
    style = "#cut { width: 60px; overflow: hidden; white-space: nowrap } #away { position: absolute; left: 5000px }"
    page.set_content(f"<style>{style}</style><title>1</title>{html}")
    found = [text for text in faults(page) if "sideways" not in text]
    assert len(found) == (fault is not None)
    assert all(text.startswith(fault) for text in found)


@pytest.mark.thorough
@SIZES
def test_pages_can_be_read_in_a_language_of_long_words(foreign, page):
    for path in PAGES:
        page.goto(foreign + path)
        if path.startswith(("/play", "/host")):
            expect(page.locator("[data-act=start]")).to_be_enabled()
        if path.startswith("/rules"):
            expect(page.locator("[data-example] button").last).to_be_visible()
        page.wait_for_timeout(500)
        unfold(page)
        assert (path, faults(page)) == (path, [])
    if page.locator(".menu").is_visible():
        page.locator(".menu").click()
        assert faults(page) == []


@pytest.mark.thorough
@SIZES
def test_a_game_and_what_follows_it_can_be_read_in_a_language_of_long_words(foreign, page):
    game = begin(foreign, page, "gravity", QUICK, NAMELESS, program("random"), clock={"budget": 120})
    board = page.locator("gravity-board")
    expect(board).to_have_attribute("data-state", "placing")
    if page.locator("[data-drawer]").is_visible():
        page.locator("[data-drawer]").click()
    assert faults(page) == []
    place(page, 300, 300)
    expect(board).to_have_attribute("data-ply", "2")
    page.locator("[data-act=rules]").click()
    expect(page.locator("#rules gravity-board")).to_have_attribute("data-painted", re.compile(r"\d"))
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.locator("[data-act=resign]").click()
    assert faults(page) == []
    page.locator("#resign [value=yes]").click()
    expect(page.locator("body")).to_have_attribute("data-game", "over")
    page.locator("[data-act=analyse]").click()
    expect(page.locator("body")).to_have_attribute("data-review", "on", timeout=60_000)
    page.locator("[data-step=back]").click()
    assert faults(page) == []
    for path in (f"/games/{game}?wall", f"/embed/{game}", "/games"):
        page.goto(foreign + path)
        expect(page.locator("[data-painted], .game-card").first).to_be_visible()
        assert (path, faults(page)) == (path, [])
    page.goto(f"{foreign}/study/{game}")
    page.locator("[data-act=best]").click()
    expect(page.locator("[data-best] li").first).to_be_visible()
    assert faults(page) == []


@pytest.mark.thorough
@SIZES
def test_first_minute_puzzles_and_invitations_can_be_read_in_a_language_of_long_words(foreign, page):
    page.goto(foreign)
    page.locator(".play-now").click()
    expect(page.locator("[data-lesson] h2")).to_be_visible()
    assert faults(page) == []
    page.goto(f"{foreign}/puzzles/gravity/1")
    page.locator("[data-act=answer]").click()
    expect(page.locator("[data-act=next]")).to_be_visible()
    assert faults(page) == []
    page.goto(f"{foreign}/play/gravity")
    page.locator("[name=rival][value=friend]").check(force=True)
    assert faults(page) == []
    page.locator("[data-act=start]").click()
    expect(page.locator("[data-invite]")).to_be_visible()
    unfold(page)
    assert faults(page) == []


@pytest.mark.thorough
@SIZES
def test_a_game_of_friends_can_be_read_in_a_language_of_long_words(foreign, page, chromium):
    page.goto(f"{foreign}/play/gravity")
    page.locator("[name=rival][value=friend]").check(force=True)
    page.locator("[data-act=start]").click()
    page.wait_for_url("**/tables/**")
    context = chromium.new_context(locale=CODE, viewport=page.viewport_size)
    try:
        friend = context.new_page()
        friend.goto(page.url)
        expect(friend.locator("[data-take-seat]")).to_be_visible()
        assert faults(friend) == []
        friend.locator("[data-act=take-seat]").click()
        for one in (page, friend):
            expect(one.locator("gravity-board")).to_have_attribute("data-painted", "0")
            assert faults(one) == []
        if page.locator("[data-drawer]").is_visible():
            page.locator("[data-drawer]").click()
        page.locator("[data-act=resign]").click()
        page.locator("#resign [value=yes]").click()
        expect(friend.locator("[data-act=part]")).to_be_visible()
        assert faults(page) + faults(friend) == []
        friend.locator("[data-act=part]").click()
        expect(page.locator("[data-again-words]")).not_to_be_empty()
        assert faults(page) + faults(friend) == []
    finally:
        context.close()


@IN_GERMAN
def test_a_game_is_played_in_german(arena, page):
    begin(arena, page, "gravity", {**QUICK, "stones": 2, "players": 3}, NAMELESS, program("lloyd"), program("random"))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("[data-describe]")).to_have_text("2 Steine · Abstand 66")
    expect(page.locator("[data-status]")).to_have_text("Du bist dran: klick aufs Brett")
    page.mouse.click(*on_board(page, 300, 300))
    expect(page.locator("gravity-board")).to_have_attribute("data-ply", "3")
    assert re.fullmatch(r"\d{2,3}\.\d{3}", page.locator("[data-seats] .cells").first.inner_text())
    assert re.fullmatch(r"\d+,\d\u202f%", page.locator("[data-seats] .share").first.inner_text())
    page.mouse.click(*on_board(page, 300, 310))
    refusal = re.compile(r"Zu nah an Stein 1 \(\d+,\d entfernt, 66 nötig\)")
    expect(page.locator("gravity-board .gain")).to_have_text(refusal)
    no_violations(page)


@IN_GERMAN
def test_numbers_choose_the_form_of_a_german_text(arena, page):
    page.goto(f"{arena}/play/gravity")
    said = [
        page.evaluate(
            """(count) => import(document.querySelector("link[href$='base/words.js']").href)
              .then(({ tn }) => tn("{count} stone", "{count} stones", count))""",
            count,
        )
        for count in (0, 1, 2, 1000)
    ]
    assert said == ["0 Steine", "1 Stein", "2 Steine", "1.000 Steine"]


@pytest.mark.thorough
@pytest.mark.parametrize("page", [{**DESK, "java_script_enabled": False}], indirect=True)
def test_a_language_is_chosen_without_a_script(arena, page):
    page.goto(f"{arena}/rules/gravity?from=here")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url == f"{arena}/rules/gravity?from=here"
    expect(page.get_by_role("link", name="Zusehen")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en-GB")


@pytest.mark.thorough
@IN_GERMAN
def test_nothing_bars_anybody_from_german_pages(arena, page):
    for path in ("/", "/play/gravity", "/games", "/puzzles", "/rules/dots", "/contests"):
        page.goto(arena + path)
        expect(page.locator("main")).to_be_visible()
        no_violations(page)


@pytest.mark.thorough
@IN_GERMAN
def test_without_a_connection_a_page_says_so_in_the_language_that_was_chosen_last(arena, page):
    page.goto(arena)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    kept = "caches.match('/offline').then((page) => page.text())"
    assert "Die Arena ist nicht erreichbar" in page.evaluate(kept)
    page.reload()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en-GB")
    page.wait_for_function(f"async () => (await {kept}).includes('The arena cannot be reached')")
