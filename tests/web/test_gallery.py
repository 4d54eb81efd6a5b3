"""Pictures, films, records and hints; each drawn once, never more at a time than is good."""

import asyncio
import json
import threading
import time
from io import BytesIO

import msgspec
import numpy as np
import pytest
from PIL import Image
from web_play import HTML, PERSON, REPLY, over, plies, start, watching

from hinterland.errors import ArenaError
from hinterland.gravity import Rules, Stone
from hinterland.referee import record, verification
from hinterland.web import gallery
from hinterland.web.gallery import Gallery
from hinterland.web.settings import Limits

BOB = {"kind": "person", "name": "Bob"}
MOVES = [(5, 5), (20, 20), (5, 20), (20, 5)]


@pytest.fixture
def position():
    return Rules(size=24, stones=2, spacing=3).start().play(Stone(5, 5)).play(Stone(20, 20))


@pytest.fixture
def running(client):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        for ply, move in enumerate(MOVES[:2]):
            ann.move(*move, ply=ply)
            ann.see(plies(ply + 1))
    return game


def image(answer):
    assert answer.status_code == 200, answer.text
    return Image.open(BytesIO(answer.content))


def test_png(client, running):
    last = image(client.get(f"/games/{running}.png"))
    assert (last.format, last.size) == ("PNG", (1000, 1000))
    first = image(client.get(f"/games/{running}.png?ply=1"))
    assert len(first.resize((24, 24)).getcolors(1000)) < len(last.resize((24, 24)).getcolors(1000))


def test_svg(client, running):
    answer = client.get(f"/games/{running}.svg?ply=1")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.count("<circle") == 1


def test_gif(client, running):
    film = image(client.get(f"/games/{running}.gif"))
    assert (film.format, film.n_frames) == ("GIF", 3)


def test_long_films_are_thinned_out():
    assert gallery.frames(3) == [0, 1, 2, 3]
    assert gallery.frames(119) == list(range(120))
    thinned = gallery.frames(4800)
    assert (len(thinned), thinned[0], thinned[-1]) == (120, 0, 4800)
    assert thinned == sorted(set(thinned))


def test_download(client, running):
    asked = client.get(f"/games/{running}.png?ply=1&download=1").headers["content-disposition"]
    assert asked == f'attachment; filename="gravity-{running}-1.png"'
    assert client.get(f"/games/{running}.svg").headers["content-disposition"].startswith("inline")


def test_record(client, running):
    refused = client.get(f"/games/{running}.jsonl")
    assert refused.status_code == 409
    assert refused.json()["error"] == "the game is not over; its record is written when it ends"
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        ann.send(type="resign")
        ann.see(over)
    answer = client.get(f"/games/{game}.jsonl?download=1")
    verification.verify(record.read_line(answer.content))
    assert json.loads(answer.text)["reason"] == "resigned"


def test_heat_and_hint_are_those_of_the_reply_map(client, running):
    position = Rules(size=24, stones=2, spacing=3).start().play(Stone(5, 5))
    gains = position.reply_map()
    heat = np.array(image(client.get(f"/games/{running}/heat.png?ply=1")))
    assert heat.shape == (24, 24, 4)
    assert np.array_equal(heat[..., 3] > 0, gains >= 0)
    hint = client.get(f"/games/{running}/hint?ply=1").json()
    row, col = hint["best"]
    assert hint == {"ply": 1, "seat": 1, "best": [row, col], "gain": int(gains.max())}
    assert gains[row, col] == gains.max()


def test_advice_knows_who_has_left(client):
    game, key = start(client, PERSON, BOB, PERSON)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        ann.send(type="resign")
        ann.see(lambda snapshot: snapshot["withdrawn"])
        ann.move(20, 20, ply=1)
        ann.see(plies(2))
    assert [client.get(f"/games/{game}/hint?ply={ply}").json()["seat"] for ply in (0, 1, 2)] == [0, 2, 0]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        (".png?ply=3", 400, "it can be 0 to 2, not 3"),
        (".png?ply=-1", 400, "it can be 0 to 2, not -1"),
        (".png?ply=1e3", 400, "ply is a whole number"),
        (".svg?ply=" + "9" * 50, 400, "ply is a whole number"),
        (".bmp", 404, "as png, svg, gif or jsonl, not as 'bmp'"),
        (".", 404, "not as ''"),
        ("/hint?ply=7", 400, "it can be 0 to 2, not 7"),
        ("/hint?weight=2", 400, "every stone weighs 1"),
        ("/heat.png?weight=x", 400, "weight is a whole number"),
        ("/heat.png?weight=-1", 400, "weighs at least 1"),
        ("/heat.png?weight=0", 400, "weighs at least 1"),
    ],
)
def test_bad_wish(client, running, path, status, words):
    answer = client.get(f"/games/{running}{path}")
    assert answer.status_code == status
    assert words in answer.json()["error"]
    assert client.get(f"/games/{running}{path}", headers=HTML).headers["content-type"].startswith("text/html")


def test_no_advice_after_the_end(client):
    game, _ = start(client, REPLY, REPLY)
    with watching(client, game) as eve:
        eve.see(over)
    for path in ("hint", "heat.png"):
        answer = client.get(f"/games/{game}/{path}")
        assert (answer.status_code, answer.json()["error"]) == (409, "the game is over, no stone can be placed")
        assert client.get(f"/games/{game}/{path}?ply=3").status_code == 200


def test_each_picture_is_drawn_once(position):
    drawn = []

    def draw(game, position, name):
        drawn.append(name)
        return b"x" * 100

    async def look():
        gallery = Gallery(Limits(cached_bytes=1000))
        await asyncio.gather(*(gallery.show("somebody", ("a",), draw, None, position, "a") for _ in range(50)))
        assert drawn == ["a"]
        for name in "bcdefghijklm":
            await gallery.show("somebody", (name,), draw, None, position, name)
        await gallery.show("somebody", ("m",), draw, None, position, "m")
        assert drawn[-1] == "m"
        assert drawn.count("m") == 1
        await gallery.show("somebody", ("a",), draw, None, position, "a")  # forgotten since
        assert drawn.count("a") == 2
        assert gallery._drawn.currsize <= 1000

    asyncio.run(look())


def test_pictures_waiting_are_bounded(position):
    free = threading.Event()

    async def look():
        gallery = Gallery(Limits(drawings=4))
        waiting = [asyncio.ensure_future(gallery.show("somebody", (n,), lambda *_: free.wait(10))) for n in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(ArenaError, match="too many pictures"):
            await gallery.show("somebody", (4,), lambda *_: b"")
        free.set()
        await asyncio.gather(*waiting)
        assert await gallery.show("somebody", (4,), lambda *_: b"yes") == b"yes"

    asyncio.run(look())


def test_a_picture_that_fails_may_be_asked_for_again(position):
    answers = [ZeroDivisionError(), b"yes"]

    def draw(*_):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def look():
        gallery = Gallery(Limits())
        with pytest.raises(ZeroDivisionError):
            await gallery.show("somebody", (), draw, None, position)
        assert await gallery.show("somebody", (), draw, None, position) == b"yes"

    asyncio.run(look())


def finish(client):
    game, _ = start(client, REPLY, REPLY)
    with watching(client, game) as eve:
        eve.see(over)
    return game


def test_artworks(opened, settings, tmp_path):
    client = opened(msgspec.structs.replace(settings, artworks=tmp_path / "art" / "works"))
    game = finish(client)
    for _ in range(200):
        found = sorted((tmp_path / "art" / "works").glob("*.png"))
        if found:
            break
        time.sleep(0.02)
    (picture,) = found
    started = client.get(f"/games/{game}.jsonl").json()["times"]["started"]
    assert picture.name == f"{started[:10]}-gravity-{game}.png"
    with Image.open(picture) as image:
        assert image.size == (1000, 1000)


@pytest.mark.jit
def test_an_artwork_that_cannot_be_saved_does_not_matter(opened, settings, tmp_path, caplog):
    client = opened(msgspec.structs.replace(settings, artworks=tmp_path / "art"))
    (tmp_path / "art").rmdir()
    game = finish(client)
    for _ in range(200):
        if "could not be saved" in caplog.text:
            break
        time.sleep(0.02)
    assert game in caplog.text
    assert client.get(f"/api/games/{game}").json()["outcome"]
