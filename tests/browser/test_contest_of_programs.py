"""Eight programs in four languages meet over an evening, watched in a browser from the first game to the report."""

import subprocess
import sys

import pytest
from playwright.sync_api import expect

from browser.looks import DESK, HAND, WALL, everybody_can_read
from browser.test_contests import hinterland, serving
from clients.conftest import command_of, cpp_client, java_client  # noqa: F401  (fixtures)

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(900)]
PROGRAMS = {
    "ann": "python hps", "bea": "python hps", "cas": "java hps", "dan": "java hps",
    "eve": "cpp hps", "fay": "cpp hps", "gus": "javascript json", "hal": "python json",
}  # fmt: skip
BOARD = ("--size", 60, "--spacing", 6, "--stones", 3)
AN_EVENING_MS = 200_000


@pytest.fixture
def players(command_of):  # noqa: F811
    """Return the eight as they are named on the command line."""
    size = ("--size", "60", "--spacing", "6")
    told = {name: (client.split()[1], command_of(client)) for name, client in PROGRAMS.items()}
    return [
        f"{name}=hps:{' '.join([*command, '{host}', '{port}', '{name}', *size])}" if protocol == "hps"
        else f"{name}=cmd:{' '.join(command)}"
        for name, (protocol, command) in told.items()
    ]  # fmt: skip


@pytest.fixture
def evening(tmp_path):
    """Return the folder of a contest and the address of the arena that shows it."""
    (tmp_path / "contests").mkdir()
    with serving(tmp_path / "contests", tmp_path / "data") as address:
        yield tmp_path / "contests" / "evening", f"{address}/contests/evening"


def test_an_evening_of_eight_programs_is_watched_to_its_report(players, evening, page, chromium):
    folder, address = evening
    hinterland("contest", "new", folder, "gravity", *players, *BOARD, "--format", "swiss", "--rounds", 3, "--clock", 60)
    page.goto(address)
    state = page.locator(".contest-state")
    expect(state).to_contain_text("Not started")
    wall = chromium.new_context(**WALL).new_page()
    wall.goto(f"{address}?wall")
    call = [sys.executable, "-m", "hinterland", "contest", "run", str(folder), "--jobs", "2"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        for number in (1, 2, 3):
            expect(state).to_contain_text(f"Round {number} of 3", timeout=AN_EVENING_MS)
            expect(wall.locator(".contest-state")).to_contain_text(f"Round {number} of 3", timeout=AN_EVENING_MS)
        expect(state).to_contain_text("Over", timeout=AN_EVENING_MS)
        out, said = running.communicate(timeout=60)
    assert running.returncode == 0, said
    assert "left" not in out, "nobody left a game"
    expect(state).to_contain_text("24 games played")
    expect(wall.locator(".contest-state")).to_contain_text("Over")
    names = page.locator(".standings tbody .who").all_text_contents()
    assert sorted(names) == sorted(PROGRAMS)
    assert [line.split()[1] for line in out.splitlines() if line.split()[:1] and line.split()[0].isdigit()] == names
    everybody_can_read(page)
    everybody_can_read(wall)
    page.locator(".cross td a").first.click()
    page.locator(".games-of-pair a").first.click()
    expect(page.locator("gravity-board")).to_have_attribute("data-ply", "6")
    hinterland("contest", "report", folder)
    report = folder / "report.html"
    assert report.stat().st_size < 500_000
    for size in (DESK, HAND):
        context = chromium.new_context(**size)
        opened = context.new_page()
        opened.goto(report.as_uri())
        expect(opened.get_by_role("heading", level=1)).to_have_text("evening")
        everybody_can_read(opened)
        context.close()
    wall.context.close()
