"""The whole arena below a path, behind a real nginx: whatever a browser opens, it never asks outside of the path."""

import os
import re
import shutil
import subprocess
import sys
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import expect

import real_nginx
from browser.begun import ANN, QUICK, begin, on_board, program

pytestmark = pytest.mark.thorough

BASE = "/uni/arena"
TOKEN = "a-token-for-hosting"
SERVERS = """
    map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}
    log_format asked '$status $request_uri';
    access_log {log} asked;
    server {{
        listen 127.0.0.1:{port};
        proxy_http_version 1.1;
        proxy_buffering off;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
        location /uni/arena/ {{ proxy_pass http://127.0.0.1:{arena}{rest}; }}
    }}
"""
FIRST = (
    "/", "/play/gravity", "/play/graph", "/play/dots", "/host/gravity", "/rules/dots", "/games", "/ladder",
    "/puzzles/gravity/1", "/contests", "/contests/cup", "/atlas/dots", "/study", "/offline", "/nothing-here",
)  # fmt: skip
FILES = re.compile(r"\.(?:png|svg|gif|mp4|jsonl|webp|pdf)$")
ICON = "/favicon.ico"
"""A Chromium with windows asks for this by itself, where it is shown something that is no page."""
MOST_PAGES = 45
NAMED = """[...document.querySelectorAll("[href],[src],[action]")].flatMap((one) =>
    ["href", "src", "action"].map((name) => [one.tagName, one.getAttribute(name)]).filter(([, at]) => at))"""


@pytest.fixture(scope="module", params=["passes it on", "takes it off"])
def below(request, tmp_path_factory):
    """Return the address of an arena below a path, and the file in which its proxy writes what it is asked for."""
    folder, port, arena = tmp_path_factory.mktemp("below"), real_nginx.free_port(), real_nginx.free_port()
    url, log = f"http://127.0.0.1:{port}{BASE}", folder / "asked.log"
    contest = [sys.executable, "-m", "hinterland", "contest", "dots", "random", "closer", "--dots", "6"]
    subprocess.run([*contest, "--folder", str(folder / "contests" / "cup")], check=True, capture_output=True)
    call = [sys.executable, "-m", "hinterland", "serve", "--port", str(arena), "--data", str(folder / "data")]
    call += ["--contests", str(folder / "contests"), "--public-url", url, "--trust-proxy", "127.0.0.1"]
    told = {**os.environ, "HINTERLAND_ADMIN_TOKEN": TOKEN}
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=told) as server:
        ready = next((line for line in server.stdout if " is ready at " in line), "")
        rest = "/" if request.param == "takes it off" else ""
        servers = SERVERS.format(log=log, port=port, arena=arena, rest=rest)
        with real_nginx.started(folder, port, servers):
            assert url in ready
            yield url, log
        server.terminate()
    shutil.rmtree(folder / "data")


def kind_of(path):
    """Return what pages of a kind have in common."""
    first, *others = path.strip("/").split("/")
    return first, len(others)


def links_of(page):
    """Return the addresses that a page leads to, having checked that everything it names is below the path."""
    named = [(tag, urlsplit(urljoin(page.url, address))) for tag, address in page.evaluate(NAMED)]
    here = urlsplit(page.url).netloc
    own = [(tag, address) for tag, address in named if address.netloc == here]
    assert [(tag, address.path) for tag, address in own if not address.path.startswith(f"{BASE}/")] == [], page.url
    return [address.path.removeprefix(BASE) for tag, address in own if tag == "A"]


def walk(page, url, paths):
    """Open pages, and what they lead to: two of each kind."""
    waiting, seen, kinds = list(paths), set(), []
    while waiting and len(seen) < MOST_PAGES:
        path = waiting.pop(0)
        if path in seen or FILES.search(path) or (kinds.count(kind_of(path)) > 1 and path not in paths):
            continue
        seen.add(path)
        kinds.append(kind_of(path))
        page.goto(url + path, wait_until="load")
        waiting += links_of(page)
    return seen


def test_every_page_stays_below_the_path(below, page):
    url, log = below
    page.forgiven.append("409 (Conflict)")  # a game that goes on is not studied
    page.goto(f"{url}/admin?token={TOKEN}")
    assert page.url == f"{url}/host"
    table = {"game": "gravity", "rules": {"size": 24, "stones": 2, "spacing": 3}, "players": 2}
    made = [page.request.post(f"{url}/api/tables", data=table).json()["url"]]
    challenge = {"game": "gravity", "rules": table["rules"], "name": "Ann"}
    made.append(page.request.post(f"{url}/api/challenges", data=challenge).json()["url"])
    seen = walk(page, url, (*FIRST, *made))
    kinds = {kind_of(path)[0] for path in seen}
    assert {"play", "rules", "games", "players", "puzzles", "contests", "atlas", "tables", "host", "study"} <= kinds
    page.goto(f"{url}/")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    assert page.evaluate("navigator.serviceWorker.ready.then((found) => found.scope)") == f"{url}/"
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url.startswith(f"{url}/")
    check_what_was_asked(log)


def test_a_game_is_played_shared_and_studied_below_the_path(below, page):
    url, log = below
    game = begin(url, page, "gravity", QUICK, ANN, program("random"))
    page.mouse.click(*on_board(page, 400, 400))
    expect(page.locator("gravity-board")).to_have_attribute("data-ply", "2")
    page.get_by_role("button", name="hint", exact=True).click()
    page.get_by_label("heat map").check()
    expect(page.locator("gravity-board canvas.heat")).to_be_visible()
    page.get_by_role("button", name="share", exact=True).click()
    dialog = page.get_by_role("dialog", name="Share this game")
    frame = dialog.locator("input, textarea").evaluate_all("found => found.map((one) => one.value).join(' ')")
    assert "iframe" not in frame or f'src="{url}/embed/{game}"' in frame
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Download").click()
    assert saved.value.path().stat().st_size > 0
    dialog.press("Escape")
    page.get_by_role("button", name="resign", exact=True).click()
    page.get_by_role("button", name="Resign", exact=True).click()
    expect(page.locator("body")).to_have_attribute("data-game", "over")
    links_of(page)
    walk(page, url, (f"/games/{game}", f"/study/{game}", f"/embed/{game}", "/games?state=finished"))
    page.goto(f"{url}/play/gravity")
    page.locator("[data-act=start]").click()
    page.wait_for_url(f"{url}/games/*")
    page.goto(f"{url}/")
    page.locator(".play-now").click()
    page.wait_for_url(f"{url}/games/*")
    check_what_was_asked(log)


def check_what_was_asked(log):
    """Check what nginx was asked for: nothing outside of the path, and nothing below it that is not there."""
    asked = [line.split(" ", 1) for line in log.read_text().splitlines()]
    assert len(asked) > 50
    outside = [address for _, address in asked if not address.startswith(f"{BASE}/")]
    assert [address for address in outside if address != ICON] == []
    missing = {address for status, address in asked if status in ("404", "403", "421", "500", "502")}
    assert missing <= {f"{BASE}/nothing-here"}
