"""A game in the frame of a page of another site, in a real browser."""

import http.server
import threading

import pytest
from playwright.sync_api import expect

from browser.looks import everybody_can_read
from browser.test_first_minute import place, play_now

pytestmark = pytest.mark.thorough


@pytest.fixture
def foreign():
    """Serve one page under another origin."""

    class Page(http.server.BaseHTTPRequestHandler):
        text = ""

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(Page.text.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Page, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_a_game_is_embedded_and_stepped_through(chromium, arena, page, foreign):
    play_now(arena, page)
    place(page, 0.3, 0.4)
    expect(page.locator("gravity-board")).to_have_attribute("data-ply", "2")
    game = page.url.rsplit("/", 1)[1]
    site, address = foreign
    site.text = f'<title>Elsewhere</title><iframe src="{arena}/embed/{game}" width="480" height="760"></iframe>'
    context = chromium.new_context()
    other = context.new_page()
    other.goto(address)
    frame = other.frame_locator("iframe")
    expect(frame.locator("gravity-board")).to_have_attribute("data-painted", "2")
    frame.locator("[data-step=back]").click()
    expect(frame.locator("gravity-board")).to_have_attribute("data-ply", "1")
    for kept in ("place", "resign", "rematch", "hint"):
        expect(frame.locator(f"[data-act={kept}]")).to_be_hidden()
    site.text = f'<title>Elsewhere</title><iframe src="{arena}/games/{game}"></iframe>'
    other.goto(address)
    expect(other.frame_locator("iframe").locator("gravity-board")).to_have_count(0)
    context.close()


@pytest.mark.parametrize("page", [{"viewport": {"width": 480, "height": 760}}], indirect=True)
def test_the_embedded_page_is_accessible_and_fits(arena, page):
    play_now(arena, page)
    page.goto(arena + "/embed/" + page.url.rsplit("/", 1)[1])
    expect(page.locator("gravity-board")).to_have_attribute("data-ply", "0")
    everybody_can_read(page)
