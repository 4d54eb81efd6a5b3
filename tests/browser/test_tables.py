"""A table in a real browser: people in browsers of their own, a bot over TCP and a program, in one match."""

import json
import re
import shlex
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from hinterland.gravity import Rules
from programs import FIRST_FREE
from referee_clients import find_first_free

RULES = Rules(size=40, players=3, stones=2, spacing=3)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Start an arena whose operator has given a program a name."""
    folder = tmp_path_factory.mktemp("tables")
    script = folder / "carl.py"
    script.write_text(FIRST_FREE)
    program = f"carl=cmd:{shlex.quote(sys.executable)} {shlex.quote(str(script))}"
    command = [sys.executable, "-m", "hinterland", "serve", "--port", "0", "--data", str(folder / "data")]
    server = subprocess.Popen([*command, "--program", program], stdout=subprocess.PIPE, text=True)
    address = next(found.group() for line in server.stdout if (found := re.search(r"http://\S+", line)))
    yield address
    server.terminate()
    assert server.wait(10) == 0
    server.stdout.close()


class Bot(threading.Thread):
    """A bot that plays over TCP, in protocol json, until it is sent away."""

    def __init__(self, address, rules):
        super().__init__(daemon=True)
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.rules = rules
        self.start()

    def run(self):
        with self.socket, self.socket.makefile("rw") as lines:
            for line in lines:
                told = json.loads(line)
                if told["type"] == "hello":
                    answer = {"type": "join", "name": "bert"}
                elif told["type"] == "turn":
                    move = find_first_free([move[:2] for _, move in told["moves"]], self.rules)
                    answer = {"type": "move", "game_id": told["game_id"], "turn": told["turn"], "move": move}
                else:
                    continue
                lines.write(json.dumps(answer) + "\n")
                lines.flush()


def open_table(context, served, players, house):
    asked = {
        "game": "gravity", "players": players, "rules": {"size": 40, "stones": 2, "spacing": 3}, "house": house,
        "protocol": "json", "clock": {"budget": 600},
    }  # fmt: skip
    answer = context.request.post(f"{served}/api/tables", data=asked)
    assert answer.status == 201, answer.text()
    return answer.json()


def sit(context, url, name):
    page = context.new_page()
    page.goto(url)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator("[data-act=leave-seat], [data-headline]").first).to_be_attached()
    return page


def told(context, served, table):
    return context.request.get(f"{served}/api/tables/{table['id']}").json()


def point_of(page, row, col):
    """Return where a cell is on the screen."""
    box = page.locator("gravity-board .surface").bounding_box()
    step = box["width"] / RULES.size
    return box["x"] + (col + 0.5) * step, box["y"] + (row + 0.5) * step


def play_to_the_end(context, served, table, pages, rules):
    """Move by mouse for each person whenever it is that person's turn, until the match is over."""
    while (seen := told(context, served, table))["match"]["state"] != "over":
        for page in pages:
            if seen["outcome"] is None and "Your turn" in page.locator("[data-status]").inner_text():
                row, col = find_first_free([move["move"][:2] for move in told(context, served, table)["moves"]], rules)
                page.mouse.click(*point_of(page, row, col))
        pages[0].wait_for_timeout(150)


def test_two_people_in_two_browsers_and_a_bot_play_a_match_which_is_analysed(chromium, served):
    ann_browser, eve_browser = chromium.new_context(), chromium.new_context()
    try:
        table = open_table(ann_browser, served, 3, [])
        ann = sit(ann_browser, served + table["url"], "Ann")
        eve = sit(eve_browser, served + table["url"], "Eve")
        Bot(table["address"], RULES)
        play_to_the_end(ann_browser, served, table, [ann, eve], RULES)
        expect(ann.locator("[data-headline]")).to_have_text("Final result", timeout=30_000)
        links = ann.locator("[data-games] a")
        expect(links).to_have_count(3)
        links.first.click()
        ann.wait_for_url("**/games/*")
        expect(ann.locator("[data-status]")).to_contain_text("win")
        ann.get_by_role("button", name="analyse").click()
        expect(ann.locator(".review")).to_be_visible(timeout=60_000)
        ann.goto(f"{served}/games")
        expect(ann.get_by_text("Ann").first).to_be_visible()
    finally:
        ann_browser.close()
        eve_browser.close()


@pytest.mark.thorough
def test_a_person_plays_a_program_and_a_bot(chromium, served):
    browser = chromium.new_context()
    try:
        table = open_table(browser, served, 3, ["program:carl"])
        page = sit(browser, served + table["url"], "Ann")
        expect(page.get_by_role("button", name="give up my seat")).to_be_visible()
        Bot(table["address"], RULES)
        play_to_the_end(browser, served, table, [page], RULES)
        expect(page.locator("[data-headline]")).to_have_text("Final result", timeout=30_000)
        names = [player["name"] for player in told(browser, served, table)["match"]["players"]]
        assert names == ["Ann", "bert", "carl"]
    finally:
        browser.close()


def wait_for(page, there):
    """See to it that something comes to pass while the page goes on."""
    end = time.monotonic() + 15
    while not there():
        assert time.monotonic() < end, "it did not come to pass"
        page.wait_for_timeout(50)


def test_a_seat_is_given_up_and_taken_by_another(chromium, served):
    """Who holds no key connects where it only watches, who takes a seat to the arena itself."""
    browser = chromium.new_context()
    opened = []
    browser.on("page", lambda page: page.on("websocket", lambda socket: opened.append(urlsplit(socket.url).path)))
    try:
        table = open_table(browser, served, 2, [])
        page = sit(browser, served + table["url"], "Ann")
        live = f"{table['url']}/live"
        wait_for(page, lambda: opened == [f"/watch{live}", live])
        page.get_by_role("button", name="give up my seat").click()
        expect(page.get_by_role("button", name="Take a seat")).to_be_visible()
        assert told(browser, served, table)["match"]["lobby"]["guests"] == [None, None]
        wait_for(page, lambda: opened == [f"/watch{live}", live, f"/watch{live}"])
    finally:
        browser.close()
