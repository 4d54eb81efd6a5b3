"""A match of two programs, watched live in a real browser from the empty lobby to the result."""

import re
import socket
import subprocess
import sys
import threading

import pytest
from playwright.sync_api import expect

from browser.looks import DESK, EVERY_LOOK, HAND, WALL, everybody_can_read, looks

BOARD = {"size": 60, "spacing": 6}
STONES = 3
SPOTS = [(10, 10), (50, 50), (10, 50), (50, 10), (30, 30), (30, 10)]
"""Where both put their stones, in turn."""
AFTER_A_WHILE_MS = 20_000
"""The end of a game stays before the next is shown."""


class Program:
    """A player of protocol hps that moves when it is told to."""

    def __init__(self, address, name):
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        self.lines = self.socket.makefile("rb")
        self.lines.readline()
        self.socket.sendall(f"{name}\n".encode())

    def move(self, spot):
        """Answer the next question."""
        while self.lines.readline().startswith(b"1"):
            pass
        self.socket.sendall("{} {}\n".format(*spot).encode())

    def close(self):
        self.lines.close()
        self.socket.close()


class Show:
    """``hinterland referee --watch`` in a process of its own."""

    def __init__(self, *options, watch_port=0):
        rules = [f"--{name}={value}" for name, value in {**BOARD, "stones": STONES}.items()]
        call = [sys.executable, "-m", "hinterland", "referee", "gravity", "--port=0", "--watch"]
        call += [f"--watch-port={watch_port}"]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen([*call, *rules, *options], text=True, **streams)
        self.address = self.url = None
        self.said = []
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(r"listening on (\S+),", line):
                self.address = found.group(1)
            if found := re.search(r"http://\S+", line):
                self.url = found.group()
                break
        assert self.url, self.said
        self.reading = threading.Thread(target=self.process.stderr.read)
        self.reading.start()
        self.programs = []

    def join(self, name):
        self.programs.append(Program(self.address, name))

    def play(self, game, first=0, last=2 * STONES):
        """Make moves of a game; player ``game`` has the first turn."""
        for turn in range(first, last):
            self.programs[(turn + game) % 2].move(SPOTS[turn])

    def close(self):
        for program in self.programs:
            program.close()
        self.process.terminate()
        self.process.wait(20)
        self.reading.join()
        self.process.stderr.close()


@pytest.fixture
def show(request):
    made = Show(*getattr(request, "param", ()))
    yield made
    made.close()


def watched(page):
    """Look at a page as axe and as a narrow screen do."""
    page.wait_for_timeout(300)  # a change of lead has moved in by then
    everybody_can_read(page)


@looks(desk=DESK, wall=WALL, hand=HAND)
def test_a_match_is_watched_live_into_its_second_game_and_to_its_end(show, page):
    page.goto(show.url)
    expect(page.locator("[data-lobby-state]")).to_have_text("Waiting for 2 players")
    expect(page.locator("[data-lobby-address]")).to_have_text(show.address)
    watched(page)
    show.join("ann")
    expect(page.locator("[data-guests] > li").first).to_contain_text("ann")
    expect(page.locator("[data-lobby-state]")).to_have_text("Waiting for one player")
    show.join("ben")
    expect(page.locator("[data-headline]")).to_have_text("Game 1 of 2")
    show.play(0, last=3)
    board = page.locator("gravity-board")
    expect(board).to_have_attribute("data-ply", "3")
    expect(page.locator("[data-status]")).to_have_text("ben is to move")
    watched(page)
    show.play(0, first=3)
    expect(page.locator("[data-status]")).to_contain_text("Game 2 follows")
    show.play(1, last=2)
    expect(page.locator("[data-headline]")).to_have_text("Game 2 of 2", timeout=AFTER_A_WHILE_MS)
    expect(board).to_have_attribute("data-ply", "2")
    expect(page.locator("[data-seats] > li").first).to_contain_text("ann")
    show.play(1, first=2)
    expect(page.locator("[data-headline]")).to_have_text("Final result", timeout=AFTER_A_WHILE_MS)
    expect(page.locator("[data-status]")).to_contain_text(re.compile("wins the match|share the win"))
    expect(page.locator("[data-games] > li")).to_have_count(2)
    expect(board).to_have_attribute("data-painted", str(2 * STONES))
    watched(page)


@pytest.mark.thorough
@pytest.mark.parametrize("show", [("--illegal=skip",)], indirect=True)
def test_a_lost_turn_is_told_big_and_clear(show, page):
    page.goto(show.url)
    show.join("ann")
    show.join("ben")
    show.programs[0].move((99, 5))
    notice = page.locator("[data-notice]")
    expect(notice).to_contain_text("ann loses a turn")
    expect(notice).to_contain_text("outside the board")
    watched(page)


@pytest.mark.thorough
def test_who_is_out_is_told_and_the_result_stays_when_the_referee_is_gone(show, page):
    page.forgiven.append("ERR_CONNECTION_REFUSED")  # it asks whether another referee has begun there
    page.goto(show.url)
    show.join("<b>ann</b>")
    show.join("ben")
    expect(page.locator("[data-headline]")).to_have_text("Game 1 of 2")
    show.programs[0].close()
    expect(page.locator("[data-notice]")).to_contain_text("<b>ann<_b> is gone")
    expect(page.locator("[data-headline]")).to_have_text("Final result", timeout=AFTER_A_WHILE_MS)
    show.close()
    expect(page.locator("body")).to_have_attribute("data-link", "done")
    expect(page.locator("[data-banner]")).to_be_hidden()
    expect(page.locator("[data-status]")).to_contain_text("ben wins the match")


@pytest.mark.thorough
@pytest.mark.parametrize("is_played", [False, True], ids=["lobby", "played"])
def test_the_page_of_a_referee_that_is_gone_finds_the_next_one(page, is_played):
    page.forgiven += ["ERR_CONNECTION_REFUSED", "WebSocket", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"]
    first = Show()
    try:
        page.goto(first.url)
        expect(page.locator("[data-lobby]")).to_contain_text(first.address)
        if is_played:
            for name in ("anna", "ben"):
                first.join(name)
            first.play(0, last=2)
            expect(page.locator("[data-moves] li")).to_have_count(2)
    finally:
        first.close()
    second = Show(watch_port=first.url.rpartition(":")[2].strip("/"))
    try:
        expect(page.locator("[data-lobby]")).to_contain_text(second.address)
        for name in ("cleo", "dan"):
            second.join(name)
        expect(page.locator("[data-seats]")).to_contain_text("cleo")
    finally:
        second.close()


def test_the_wall_shows_board_score_and_clocks_alone(show, page):
    page.goto(f"{show.url}/?wall")
    show.join("ann")
    show.join("ben")
    show.play(0, last=1)
    expect(page.locator("gravity-board")).to_be_visible()
    expect(page.locator("[data-seats]")).to_be_visible()
    for hidden in (".masthead", "#drawer", "[data-games]"):
        expect(page.locator(hidden)).to_be_hidden()


@pytest.mark.thorough
def test_moves_too_fast_to_see_are_shown_one_after_the_other(show, page):
    page.goto(show.url)
    page.evaluate("""() => {
      window.plies = [];
      const note = () => window.plies.push(document.body.dataset.ply);
      new MutationObserver(note).observe(document.body, { attributes: true });
    }""")
    expect(page.locator("[data-lobby-state]")).to_have_text("Waiting for 2 players")
    show.join("ann")
    show.join("ben")
    show.play(0)
    expect(page.locator("[data-status]")).to_contain_text("Game 2 follows")
    assert set(page.evaluate("window.plies")) >= {str(ply) for ply in range(1, 2 * STONES + 1)}


@EVERY_LOOK
def test_a_table_is_hosted_from_the_page_and_closed_by_who_made_it(arena, page):
    page.goto(arena)
    if (menu := page.get_by_role("button", name="Menu")).is_visible():
        menu.click()
    page.get_by_role("link", name="Host bots", exact=True).click()
    page.get_by_label("Quick").check()
    watched(page)
    page.get_by_label("Port").fill("80")
    page.get_by_role("button", name="Open the match").click()
    expect(page.locator("[data-error]")).to_contain_text("Port must be 1024 to 65535, not 80")
    page.get_by_label("Port").fill("")
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_url("**/tables/*")
    address = page.locator("[data-lobby-address]")
    expect(address).to_contain_text("127.0.0.1:")
    program = Program(address.inner_text(), "ann")
    expect(page.locator("[data-guests] > li").first).to_contain_text("ann")
    watched(page)
    page.get_by_role("button", name="close this match").click()
    page.get_by_role("button", name="Close it").click()
    expect(page.locator("[data-lobby-state]")).to_contain_text("closed by its host")
    assert program.lines.readlines()
    program.close()
