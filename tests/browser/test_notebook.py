"""A board in a real notebook server: played, refused, stepped through and taken back, by day and by night."""

import json
import subprocess
import sys
import time
import urllib.request

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.jit, pytest.mark.once]

CELLS = [
    "from hinterland import dots, graph, gravity, widgets\n"
    "board = widgets.Board(gravity.Rules(size=40, stones=2, spacing=4), opponent='reply')\nboard",
    "other = widgets.Board(graph.Rules.from_options({'vertices': 24, 'tokens': 2}))\nother",
    "third = widgets.Board(dots.Rules.from_options({'dots': 6}), opponent='careful')\nthird",
    "gravity.Rules(size=40, stones=2, spacing=4).start().play(gravity.Stone(20, 20))",
]


def notebook(cells):
    made = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": text}
        for n, text in enumerate(cells)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start JupyterLab on a free port, with a notebook of boards; return its address."""
    folder = tmp_path_factory.mktemp("notebooks")
    (folder / "boards.ipynb").write_text(notebook(CELLS))
    command = [sys.executable, "-m", "jupyter", "lab", "--allow-root", "--no-browser", "--port=0"]
    options = [
        *("--ServerApp.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder}", "--LabApp.news_url=None"),
        *(f"--LabApp.workspaces_dir={folder / 'workspaces'}", f"--LabApp.user_settings_dir={folder / 'settings'}"),
    ]
    said = (folder / "said.txt").open("w+")
    server = subprocess.Popen([*command, *options], stdout=said, stderr=subprocess.STDOUT, cwd=folder)
    try:
        yield address_of(server, folder / "said.txt")
    finally:
        server.terminate()
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()  # it waits for kernels at times; how it ends is not looked at here
            server.wait()
        said.close()


def address_of(server, file):
    """Return where the server answers, as soon as it does."""
    for _ in range(600):
        text = file.read_text()
        found = [word for word in text.split() if word.startswith("http://localhost:")]
        if found:
            address = found[0].partition("/lab")[0].replace("localhost", "127.0.0.1")
            try:
                with urllib.request.urlopen(f"{address}/api/status"):
                    return address
            except OSError:
                pass
        assert server.poll() is None, text
        time.sleep(0.1)
    raise AssertionError(text)


@pytest.fixture
def board_page(lab, chromium):
    """Return a page of the notebook whose cells have all been run; a script of ours must not fail."""
    context = chromium.new_context(viewport={"width": 1200, "height": 2400})
    page = context.new_page()
    page.set_default_timeout(60_000)
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{lab}/lab/tree/boards.ipynb?reset", wait_until="domcontentloaded")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.locator("gravity-board[data-painted]").wait_for()
    yield page
    context.close()
    assert faults == []
    assert [url for url in asked if not url.startswith((lab, lab.replace("http", "ws"), "blob:", "data:"))] == []


def click_at(page, selector, x, y):
    box = page.locator(f"{selector} .surface").bounding_box()
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
    page.mouse.down()
    page.mouse.up()


def evaluate(page, code):
    """Run a line in a new cell at the end, and return what it printed."""
    page.locator(".jp-Notebook .jp-Cell").last.click()
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    page.keyboard.type(code)
    page.keyboard.press("Control+Enter")
    output = page.locator(".jp-Notebook .jp-Cell").last.locator(".jp-OutputArea-output pre")
    output.wait_for()
    return output.inner_text().strip()


@pytest.mark.thorough
def test_boards_are_played_in_a_notebook(board_page):
    page = board_page
    gravity = page.locator("gravity-board")
    host = page.locator("[data-hinterland=gravity]")
    expect(host.locator("[role=status]")).to_contain_text("You are to move")
    click_at(page, "gravity-board", 0.3, 0.4)
    expect(gravity).to_have_attribute("data-ply", "2", timeout=30_000)  # the opponent has answered
    expect(gravity).to_have_attribute("data-painted", "2")
    assert evaluate(page, "print(len(board.position.moves), board.position.scores)").startswith("2 (")
    scores = gravity.get_attribute("data-scores").split()
    assert evaluate(page, "print(*board.position.scores)").split() == scores
    host.get_by_role("button", name="Hint").click()
    expect(host.locator("gravity-board p.unseen")).not_to_be_empty()
    host.get_by_role("slider", name="Move").fill("1")
    expect(gravity).to_have_attribute("data-ply", "1")
    expect(host.locator("[role=status]")).to_have_text("After move 1 of 2")
    host.get_by_role("slider", name="Move").fill("2")
    host.get_by_role("button", name="Take back").click()
    expect(gravity).to_have_attribute("data-ply", "0")
    assert evaluate(page, "board.play(gravity.Stone(0, 0)); print(len(board.position.moves))") == "2"
    expect(gravity).to_have_attribute("data-ply", "2")

    dot_board, network = page.locator("dots-board"), page.locator("graph-board")
    expect(dot_board).to_have_attribute("data-painted", "0")
    expect(network).to_have_attribute("data-painted", "0")
    assert evaluate(page, "other.play(graph.Token(3)); print(other.status)").endswith("Vermilion is to move")
    expect(network).to_have_attribute("data-ply", "1")
    assert evaluate(page, "third.play(dots.Line(0, 1)); print(len(third.position.moves) > 1)") == "True"


@pytest.mark.thorough
def test_a_board_is_as_dark_as_its_notebook(board_page):
    page = board_page
    ground = "element => getComputedStyle(element).getPropertyValue('--ground').trim()"
    board = page.locator("gravity-board")
    assert board.evaluate(ground) == "#ffffff"
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    expect(page.locator("[data-hinterland=gravity]")).to_have_css("color-scheme", "dark")
    assert board.evaluate(ground) == "#12161a"
