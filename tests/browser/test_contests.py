"""Contests in a real browser: a page that follows what is played, cells that lead to replays, the report as a file."""

import contextlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from playwright.sync_api import expect

import drawn_records
from browser.looks import BY_HAND, DESK, HAND, WALL, everybody_can_read, looks

pytestmark = pytest.mark.thorough

PLAYERS = ("random", "closer", "careful", "r2=random", "a player of a long name, 40 letters all=closer")
SLOWLY_MS = 40_000


def hinterland(*arguments):
    call = [sys.executable, "-m", "hinterland", *map(str, arguments)]
    return subprocess.run(call, check=True, capture_output=True, text=True)


@pytest.fixture(scope="module")
def contests(tmp_path_factory):
    """Play a contest of each kind; return their folder."""
    folder = tmp_path_factory.mktemp("contests")
    for form in ("round-robin", "knockout", "swiss"):
        hinterland("contest", "dots", *PLAYERS, "--dots", 6, "--format", form, "--folder", folder / form)
    hinterland("contest", "new", folder / "fresh", "dots", *PLAYERS, "--dots", 6, "--pairings", 8)
    (folder / "aside").mkdir()
    shutil.copy(folder / "fresh" / "plan.toml", folder / "aside")
    hinterland("contest", "run", folder / "aside")
    return folder


@contextlib.contextmanager
def serving(contests, data):
    """Serve contests; yield the address."""
    call = [sys.executable, "-m", "hinterland", "serve", "--port", "0", "--contests", str(contests)]
    with subprocess.Popen([*call, "--data", str(data)], stdout=subprocess.PIPE, text=True) as server:
        yield next(found.group() for line in server.stdout if (found := re.search(r"http://\S+", line)))
        server.terminate()


@pytest.fixture(scope="module")
def shown(contests, tmp_path_factory):
    with serving(contests, tmp_path_factory.mktemp("data")) as address:
        yield address


@looks(desk=DESK, wall=WALL, hand=HAND)
def test_everybody_can_read_it(shown, contests, page):
    is_wall = page.viewport_size["width"] > 1500
    for name in ("round-robin", "knockout", "swiss", "fresh"):
        page.goto(f"{shown}/contests/{name}{'?wall' if is_wall else ''}")
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        everybody_can_read(page)
        if is_wall:
            assert page.evaluate("document.documentElement.scrollHeight") == page.viewport_size["height"]
    for address in (f"{shown}/contests", f"{shown}/contests/round-robin/pairs/0-1"):
        page.goto(address)
        everybody_can_read(page)
    hinterland("contest", "report", contests / "knockout")
    page.goto((contests / "knockout" / "report.html").as_uri())
    everybody_can_read(page)


def test_a_contest_is_watched_and_its_games_are_opened(shown, contests, page):
    page.goto(f"{shown}/contests")
    page.get_by_role("link", name="fresh").click()
    state = page.locator(".contest-state")
    expect(state).to_contain_text("Not started")
    page.evaluate("window.stayed = true")
    lines = (contests / "aside" / "records.jsonl").read_bytes().splitlines(keepends=True)
    leaders = set()
    for done in range(40, 161, 40):
        with (contests / "fresh" / "records.jsonl").open("ab") as file:
            file.write(b"".join(lines[done - 40 : done]))
        expect(state).to_contain_text(f"{done} games played", timeout=SLOWLY_MS)
        leaders.add(page.locator(".standings tbody tr").first.text_content())
    assert len(leaders) == 4
    expect(state).to_contain_text("Over")
    expect(page.locator(".standings tbody tr").first.locator("td").nth(2)).to_have_text("32")
    assert page.evaluate("window.stayed"), "the page was not loaded again"
    page.locator(".cross td a").first.click()
    expect(page.locator(".games-of-pair li")).to_have_count(16)
    page.locator(".games-of-pair a").first.click()
    expect(page.locator("dots-board [data-dot]").first).to_be_visible()
    expect(page.locator("[data-status]")).to_contain_text(re.compile("win|share|draw"))
    page.keyboard.press("Home")
    expect(page.locator("body")).to_have_attribute("data-ply", "0")
    page.get_by_role("link", name="fresh").click()
    expect(state).to_contain_text("Over")


def test_a_report_opens_what_a_cell_leads_to(contests, page):
    hinterland("contest", "report", contests / "round-robin")
    page.goto((contests / "round-robin" / "report.html").as_uri())
    cell = page.locator(".cross td a").first
    target = cell.get_attribute("href")
    cell.click()
    expect(page.locator(f"{target} li").first).to_be_visible()


def test_a_contest_shows_itself_while_it_runs(contests, page, tmp_path):
    hinterland("contest", "new", tmp_path / "c d", "dots", "closer", "careful", "--dots", 7, "--pairings", 4000)
    call = [sys.executable, "-m", "hinterland", "contest", "run", str(tmp_path / "c d"), "--watch"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        url = next(found[1] for line in running.stderr if (found := re.search(r"watch it at (\S+)", line)))
        page.goto(url)
        expect(page.locator(".contest-state")).to_contain_text("Round 1", timeout=SLOWLY_MS)
        before = page.locator(".contest-state").text_content()
        expect(page.locator(".contest-state")).not_to_have_text(before, timeout=SLOWLY_MS)
        page.goto("about:blank")
        running.send_signal(2)
        _, said = running.communicate(timeout=60)
    assert "its pages are closed" in said
    with pytest.raises(OSError, match="refused"):
        __import__("urllib.request").request.urlopen(url, timeout=5)


@BY_HAND
def test_ratings_of_thousands_fit_a_hand(page, tmp_path):
    names = ("ann", "bea", "cas", "dan", "eve", "fay", "gus", "hal")
    rules = ("--size", 60, "--spacing", 6, "--stones", 3, "--format", "swiss", "--rounds", 3, "--clock", 60)
    hinterland("contest", "new", tmp_path / "evening", "gravity", *(f"{name}=random" for name in names), *rules)
    drawn_records.play(tmp_path / "evening", None, np.random.default_rng(34))
    hinterland("contest", "report", tmp_path / "evening")
    page.goto((tmp_path / "evening" / "report.html").as_uri())
    expect(page.locator(".whiskers")).to_contain_text("−1,0")
    everybody_can_read(page)


BOT = """\
def choose(position, clock, rng):
    if len(position.moves) > 3:
        raise ValueError("no plan for move 5")
    return position.legal_moves.sample(rng)
"""


@looks(desk=DESK, hand=HAND)
def test_a_crash_leads_in_two_clicks_to_its_trace_and_board(page, tmp_path):
    (tmp_path / "mybot.py").write_text(BOT)
    bot = f"mybot={tmp_path}/mybot.py"
    hinterland("contest", "dots", bot, "random", "closer", "--dots", 6, "--folder", tmp_path / "cups" / "crashes")
    with serving(tmp_path / "cups", tmp_path / "data") as address:
        page.goto(f"{address}/contests/crashes")
        everybody_can_read(page)
        page.get_by_role("link", name=re.compile(r"crash in game 1\.\d\.\d")).first.click()
        expect(page.locator("dots-board [data-dot]").first).to_be_visible()
        expect(page.locator(".game-log")).to_contain_text('raise ValueError("no plan for move 5")')
        expect(page.locator(".game-log")).to_contain_text('"type":"turn"')
        everybody_can_read(page)
        page.get_by_role("link", name="the whole log").click()
        expect(page.locator("body")).to_contain_text("=== mybot: conversation")
    hinterland("contest", "report", tmp_path / "cups" / "crashes")
    page.goto((tmp_path / "cups" / "crashes" / "report.html").as_uri())
    page.locator(".faults summary").first.click()
    expect(page.locator(".faults details[open]")).to_contain_text('raise ValueError("no plan for move 5")')
    assert page.locator(".fault-board").first.evaluate("image => image.naturalWidth") == 240
    everybody_can_read(page)
