"""Who hangs up waits for nothing: what nobody waits for is not drawn, and keeps nobody else waiting."""

import asyncio
import contextlib
import json
import socket
import threading
import time

import httpx
import pytest
from web_play import REPLY

from hinterland.errors import ArenaError
from hinterland.web.gallery import Gallery
from hinterland.web.settings import Limits

ATTACKERS = [f"127.0.0.{last}" for last in range(2, 6)]


class Here:
    """No background: what is drawn is drawn by the thread that would wait."""

    count = 2

    def run(self, draw, *what):
        return draw(*what)


def test_where_all_places_are_taken_who_waits_with_most_makes_room():
    free, drawn = threading.Event(), []

    def draw(name):
        free.wait(10)
        drawn.append(name)
        return b""

    async def look():
        gallery = Gallery(Limits(drawings=10), "gallery", Here())
        crowd = [asyncio.ensure_future(gallery.show("a", (name,), draw, name)) for name in range(10)]
        await asyncio.sleep(0.05)
        new = [asyncio.ensure_future(gallery.show("b", (name,), draw, name)) for name in ("b0", "b1")]
        await asyncio.sleep(0.05)
        free.set()
        await asyncio.wait([*crowd, *new])
        assert [one.exception() for one in new] == [None, None]
        dropped = [number for number, one in enumerate(crowd) if one.exception()]
        assert dropped == [8, 9], "what it asked for last"
        assert all(isinstance(crowd[number].exception(), ArenaError) for number in dropped)
        assert min(drawn.index(name) for name in ("b0", "b1")) <= 3

    asyncio.run(look())


def hang_up_after(server, source, request):
    """Send a request, and hang up at once."""
    with socket.create_connection(("127.0.0.1", server.port), 10, (source, 0)) as raw:
        raw.sendall(request)


def request_of(server, path, body=None):
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    if body is None:
        return f"GET {path} HTTP/1.1\r\n{host}\r\n".encode()
    told = json.dumps(body)
    return f"POST {path} HTTP/1.1\r\n{host}Content-Length: {len(told)}\r\n\r\n{told}".encode()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["posters", "films", "lines", "boards"])
def test_what_nobody_waits_for_keeps_nobody_waiting(serving, kind):
    """160 requests from four addresses are hung up on; then somebody asks for a picture, a line, a poster."""
    server = serving(films_per_minute=1000).ready()
    game, _ = server.start(REPLY, REPLY)
    with httpx.Client(base_url=server.url, timeout=120) as honest:
        until = time.monotonic() + 60
        while not honest.get(f"/api/games/{game}").json()["outcome"]:
            assert time.monotonic() < until
            time.sleep(0.1)
        asked = {
            "posters": lambda n: request_of(server, f"/games/{game}.poster.png?paper=a3&title=t{n}"),
            "films": lambda n: request_of(server, f"/games/{game}.mp4?title=t{n}"),
            "lines": lambda n: request_of(server, f"/api/games/{game}/expectation", {"ply": 0, "moves": [[0, n % 24]]}),
            "boards": lambda n: request_of(server, "/api/boards", {"game": "gravity", "rules": {"size": 500 + n}}),
        }[kind]
        honest.get(f"/games/{game}.png")  # the processes have begun
        for number in range(160):
            with contextlib.suppress(OSError):
                hang_up_after(server, ATTACKERS[number % 4], asked(number))
        began = time.monotonic()
        picture = honest.get(f"/games/{game}.png?ply=1")
        line = honest.post(f"/api/games/{game}/line", json={"ply": 1, "moves": []})
        same = honest.get(f"/games/{game}.poster.png?paper=a5&title=mine")
        took = time.monotonic() - began
        assert [one.status_code for one in (picture, line, same)] == [200] * 3
        assert took < 100, took
        print(f"{kind}: {took:.1f} s")
