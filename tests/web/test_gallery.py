"""Pictures, films, records and hints; each drawn once, never more at a time than is good."""

import asyncio
import json
import os
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from io import BytesIO

import msgspec
import numpy as np
import psutil
import pytest
from PIL import Image
from web_play import HTML, PERSON, REPLY, plies, start, watching

from hinterland import catalog
from hinterland.errors import ArenaError, BadText
from hinterland.gravity import Rules, Stone
from hinterland.prints.films import Film
from hinterland.prints.sheet import Scene
from hinterland.referee import record, verification
from hinterland.web.gallery import Gallery, draw_film_in_time
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


def test_posters_and_films_have_titles_and_sizes(client, running):
    pytest.importorskip("av")
    poster = client.get(f"/games/{running}.poster.svg?ply=1&title=The%20Cup&paper=a5")
    assert poster.headers["content-type"].startswith("image/svg+xml")
    assert all(words in poster.text for words in ("The Cup", "Ann", "Bob", "Move 1 of 2", 'width="148mm"'))
    assert image(client.get(f"/games/{running}.poster.png?paper=a5")).size[0] == 1748
    film = image(client.get(f"/games/{running}.gif?size=small&title=Cup&download=1"))
    assert (film.size, film.n_frames) == ((480, 600), 3)
    video = client.get(f"/games/{running}.mp4?size=small&ply=1")
    assert (video.headers["content-type"], video.content[4:8]) == ("video/mp4", b"ftyp")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (".gif?size=huge", "unknown size 'huge'; known: small, medium"),
        (".mp4?title=" + "x" * 81, "a title has at most 80 printable characters"),
        (".poster.png?paper=b9", "unknown paper 'b9'; known: a5, a4, a3"),
        (".poster.svg?title=a%0Ab", "a title has at most 80 printable characters"),
        (".gif?ply=9", "it can be 0 to 2, not 9"),
    ],
)
def test_bad_prints_are_refused_in_one_line(client, running, path, words):
    answer = client.get(f"/games/{running}{path}")
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_a_film_that_would_take_too_long_is_refused_as_soon_as_that_is_clear(position):
    scene = Scene(catalog.game("gravity"), position.play(Stone(5, 20)).play(Stone(20, 5)), ("a", "b"))
    with pytest.raises(BadText, match=r"this video would take \d+ s, 0 s at most: take a smaller size"):
        draw_film_in_time(Film(scene, "gif", "small"), 0)
    assert draw_film_in_time(Film(scene, "gif", "small"), 60).startswith(b"GIF8")


def test_films_are_rationed(opened, limited):
    client = opened(limited(films_per_minute=1))
    game, _ = start(client, PERSON, BOB)
    assert [client.get(f"/games/{game}.gif?size=small").status_code for _ in range(2)] == [200, 429]


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
        ann.see_the_end()
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


def copies(template):
    """The processes that are copies of the one that has loaded all, and that one."""

    def command_line(process):
        with suppress(psutil.Error):  # it has ended meanwhile
            return " ".join(process.cmdline())
        return ""

    found = [one for one in psutil.Process().children(recursive=True) if "forkserver" in command_line(one)]
    return [one for one in found if template or one.ppid() != os.getpid()]


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes are not copied")
def test_pictures_hints_and_boards_go_on_after_each_helper_was_killed_ten_times(client, running):
    arena, killed = client.app.state.arena, Counter()
    rules = {"vertices": 9, "players": 2, "tokens": 1}
    for attempt in range(40):  # two helpers ten times each; a helper that is not needed is not started again
        arena.gallery._drawn.clear()
        assert image(client.get(f"/games/{running}.png?ply=1")).size == (1000, 1000)
        assert client.get(f"/games/{running}/hint?ply=1").json()["ply"] == 1
        board = {"game": "graph", "rules": {**rules, "board_seed": attempt}}
        assert client.post("/api/boards", json=board).status_code == 200
        for one in copies(template=attempt == 5):
            one.kill()
            killed[one.ppid() == os.getpid()] += 1
        if killed[False] >= 20:
            break
    assert killed[False] >= 20
    assert killed[True] == 1


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
        (".png?ply=1e3", 400, "ply must be a whole number"),
        (".svg?ply=" + "9" * 50, 400, "ply must be a whole number"),
        (".bmp", 404, "as png, svg, card.png, poster.svg, poster.png, gif, mp4 or jsonl, not as 'bmp'"),
        (".", 404, "not as ''"),
        ("/hint?ply=7", 400, "it can be 0 to 2, not 7"),
        ("/hint?weight=2", 400, "every stone weighs 1"),
        ("/heat.png?weight=x", 400, "weight must be a whole number"),
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
        eve.see_the_end()
    for path in ("hint", "heat.png"):
        answer = client.get(f"/games/{game}/{path}")
        assert (answer.status_code, answer.json()["error"]) == (409, "the game is over, no move is left to make")
        assert client.get(f"/games/{game}/{path}?ply=3").status_code == 200


class Here:
    """No background: what is drawn is drawn by the thread that would wait."""

    count = 2

    def run(self, draw, *what):
        return draw(*what)


def test_each_picture_is_drawn_once(position):
    drawn = []

    def draw(game, position, name):
        drawn.append(name)
        return b"x" * 100

    async def look():
        gallery = Gallery(Limits(cached_bytes=1000), "gallery", Here())
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
        gallery = Gallery(Limits(drawings=4), "gallery", Here())
        waiting = [asyncio.ensure_future(gallery.show("somebody", (n,), lambda *_: free.wait(10))) for n in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(ArenaError, match="too many pictures"):
            await gallery.show("somebody", (4,), lambda *_: b"")
        free.set()
        await asyncio.gather(*waiting)
        assert await gallery.show("somebody", (4,), lambda *_: b"yes") == b"yes"

    asyncio.run(look())


def test_what_nobody_waits_for_any_more_is_not_begun():
    free, drawn = threading.Event(), []

    def draw(name):
        free.wait(10)
        drawn.append(name)
        return b""

    async def look():
        gallery = Gallery(Limits(), "gallery", Here())
        asked = [asyncio.ensure_future(gallery.show("somebody", (name,), draw, name)) for name in "abcd"]
        both = asyncio.ensure_future(gallery.show("another", ("d",), draw, "d"))
        await asyncio.sleep(0.05)  # two are begun
        for one in asked[2:]:
            one.cancel()
        await asyncio.sleep(0.05)
        free.set()
        await asyncio.gather(*asked[:2], both)
        assert sorted(drawn) == ["a", "b", "d"]
        await gallery.show("somebody", ("c",), draw, "c")  # it may be asked for again
        assert drawn[-1] == "c"

    asyncio.run(look())


def test_a_picture_may_be_asked_for_in_the_moment_when_the_last_who_waited_leaves():
    free = threading.Event()

    def draw():
        free.wait(10)
        return b"yes"

    async def look():
        gallery = Gallery(Limits(), "gallery", Here())
        asked = asyncio.ensure_future(gallery.show("somebody", (), draw))
        await asyncio.sleep(0.05)  # it is begun
        asked.cancel()
        again = asyncio.ensure_future(gallery.show("another", (), draw))
        await asyncio.sleep(0.05)
        free.set()
        assert await again == b"yes"
        assert not gallery._drawing
        assert not gallery._awaited

    asyncio.run(look())


def test_a_picture_that_fails_may_be_asked_for_again(position):
    answers = [ZeroDivisionError(), b"yes"]

    def draw(*_):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def look():
        gallery = Gallery(Limits(), "gallery", Here())
        with pytest.raises(ZeroDivisionError):
            await gallery.show("somebody", (), draw, None, position)
        assert await gallery.show("somebody", (), draw, None, position) == b"yes"

    asyncio.run(look())


def finish(client):
    game, _ = start(client, REPLY, REPLY)
    with watching(client, game) as eve:
        eve.see_the_end()
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
