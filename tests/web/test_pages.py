"""Every page is there, safe to look at, and says clearly what is wrong."""

import re
import subprocess
import sys

import pytest
from web_play import HTML, REPLY, start

PAGES = ["/", "/play/gravity", "/rules/gravity", "/games"]


def scripts(text):
    """Return the opening tags of scripts that hold a program of their own."""
    return [tag for tag in re.findall(r"<script[^>]*>", text) if "application/json" not in tag and "src=" not in tag]


def inline_faults(text):
    """Name what a policy of default-src 'self' would block."""
    code = r"<style|\sstyle\s*=|\son[a-z]+\s*="
    foreign = r"(?:src|href)=\"(?:https?:|//|data:)[^\"]*"
    return scripts(text) + re.findall(f"{code}|{foreign}", text)


DOCUMENTS = ("/static/js/gravity/gravity-worker.js", "/static/favicon.svg", "/service-worker.js")
"""Files that browsers run or show by themselves; style sheets and modules are parts of pages."""


@pytest.mark.parametrize("page", PAGES)
def test_page(client, page):
    answer = client.get(page, headers=HTML)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert inline_faults(answer.text) == []


@pytest.mark.parametrize(
    "text", ["<script>x()</script>", '<p style="x">', "<a onclick='x'>", '<img src="https://x/y">']
)
def test_planted_inline_code_is_found(text):
    assert inline_faults(text)


@pytest.mark.parametrize("path", [*PAGES, "/nowhere", *DOCUMENTS, "/api/catalogue"])
def test_headers_on_every_answer(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"].split("; ")
    assert {"default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} <= set(policy)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_page_of_a_game_shows_no_markup_of_others(client):
    game, _ = start(client, {"kind": "person", "name": "<script>alert(1)</script>"}, REPLY)
    for page in (f"/games/{game}", "/games"):
        assert "<script>alert" not in client.get(page, headers=HTML).text
    assert "&lt;script&gt;alert" in client.get("/games").text


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/play/chess", 404, "known: gravity"),
        ("/rules/chess", 404, "known: gravity"),
        ("/rules/..%2f..%2fetc", 404, "age not found"),
        ("/games/nosuchgame", 404, "no such game"),
        ("/nowhere", 404, "age not found"),
        ("/static/nothing.js", 404, "age not found"),
        ("/static/..%2f..%2fapp.py", 404, "age not found"),
        ("/static/%00", 404, "age not found"),
        (f"/static/{'a' * 256}", 404, "age not found"),
        ("/games/%00", 404, "age not found"),
    ],
)
def test_wrong_address(client, path, status, words):
    page = client.get(path, headers=HTML)
    assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert words in page.text
    assert "Traceback" not in page.text
    plain = client.get(path)
    assert plain.status_code == status
    assert words in plain.json()["error"]


def test_api_answers_json_also_to_browsers(client):
    answer = client.get("/api/games/nosuchgame", headers=HTML)
    assert answer.status_code == 404
    assert answer.json() == {"error": "there is no such game here"}
    assert client.put("/api/games", headers=HTML).status_code == 405


def test_a_fault_of_the_server_is_one_line(settings, monkeypatch):
    from litestar.testing import TestClient

    from hinterland.storage.index import game_index
    from hinterland.web.app import create_app

    monkeypatch.setattr(game_index.GameIndex, "query", lambda *_: 1 / 0)
    with TestClient(create_app(settings), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        answer = client.get("/games")
    assert answer.status_code == 500
    assert answer.json() == {"error": "something went wrong in the arena; it has been logged"}


def test_modules_are_javascript(client):
    answer = client.get("/static/js/game/live-connection.js")
    assert answer.headers["content-type"].startswith("text/javascript")


def test_catalogue(client):
    gravity, graph, dots = client.get("/api/catalogue").json()["games"]
    assert {"reply", "random"} <= {player["name"] for player in gravity["players"]}
    assert all(player["summary"] for player in gravity["players"])
    assert gravity["presets"][0]["rules"] == {}, "what differs from the usual"
    assert graph["presets"][0]["rules"]["board"] == "road"
    assert dots["presets"][0]["rules"] == {"board": "jittered", "dots": 10}
    assert gravity["max_players"] == 12


@pytest.mark.once
def test_nothing_above_is_imported():
    code = "import sys, hinterland.web.app; print([name for name in sys.modules if 'hinterland.cli' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"
