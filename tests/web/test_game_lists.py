"""Games are listed and found, on the page and by programs; lists cost no game anything."""

import io
import re
import time

import msgspec
import numpy as np
import pytest
from PIL import Image
from web_play import HTML, PERSON, REPLY, plies, start, watching

import drawn_records
from hinterland.cli import run
from hinterland.contest.plan import Entrant, Plan
from hinterland.referee import record, verification
from hinterland.storage.index import database

BOB = {"kind": "person", "name": "Bob"}
RANDOM = {"kind": "program", "player": "random"}


def until(there, seconds=20):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not (found := there()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.02)
    return found


def finish(client, *seats, **others):
    """Have programs play a game; return its id."""
    game, _ = start(client, *(seats or (REPLY, REPLY)), **others)
    with watching(client, game) as eve:
        eve.see_the_end()
    return game


def listed(client, **query):
    answer = client.get("/api/games", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def ids(client, **query):
    return {game["id"] for game in listed(client, **query)["games"]}


def shown(client, **query):
    """Return the addresses of the games on the page, in order."""
    page = client.get("/games", params=query, headers=HTML).text
    return re.findall(r'class="game-picture" href="([^"]+)"', page)


def test_what_goes_on_and_what_is_over(client):
    going_on, key = start(client, PERSON, BOB)
    with watching(client, going_on, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
    done = finish(client)
    assert shown(client) == [f"/games/{going_on}", f"/games/{done}"]
    page = client.get("/games", headers=HTML).text
    for words in ("Bob", "Move 2", "576", "1 game", "won with"):
        assert words in page
    assert shown(client, state="live") == [f"/games/{going_on}"]
    assert shown(client, state="abandoned") == []
    (game,) = listed(client, state="live")["games"]
    assert {**game, "id": "", "url": "", "started": "", "pages": len(set(game["pages"]))} == {
        "id": "", "url": "", "pages": 2, "kind": "page", "contest": "", "state": "live", "game": "gravity",
        "started": "",
        "rules": "2 stones · spacing 3 · 24 × 24", "plies": 1, "players": ["Ann", "Bob"], "scores": [576, 0],
        "winners": [], "reason": "",
    }  # fmt: skip


def test_filters_of_the_page_need_no_script(client):
    one, other = finish(client), finish(client, REPLY, RANDOM)
    page = client.get("/games", headers=HTML).text
    form = page[page.index('<form method="get" action="/games"') :]
    form = form[: form.index("</form>")]
    assert set(re.findall(r'name="(\w+)"', form)) == {"whose", "game", "rules", "player", "where", "from", "to"}
    assert {f"/games/{other}"} == set(shown(client, player="Random"))
    assert {f"/games/{one}", f"/games/{other}"} == set(shown(client, game="gravity", whose="", rules="", to=""))
    assert shown(client, game="dots") == []
    assert shown(client, rules="2 stones · spacing 3 · 24 × 24", player="random") == [f"/games/{other}"]
    today = client.get(f"/games/{one}.jsonl").json()["times"]["started"][:10]
    assert len(shown(client, **{"from": today, "to": today})) == 2
    assert shown(client, to="2020-01-01") == []
    kept = client.get("/games?player=random&game=gravity", headers=HTML).text
    assert 'value="random"' in kept
    assert '<option value="gravity" selected>' in kept
    assert "/games.jsonl?game=gravity&amp;player=random" in kept


def test_a_player_nobody_knows(client):
    finish(client)
    page = client.get("/games?player=repl", headers=HTML).text
    assert "No games by “repl”. Did you mean" in page
    assert 'href="/games?player=reply"' in page
    page = client.get("/games", params={"player": "<script>alert(1)</script>"}, headers=HTML).text
    assert "<script>alert" not in page


def test_my_games_are_those_of_my_browser(client):
    mine, key = start(client, PERSON, BOB)
    cookie = client.cookies["hinterland-guest"]
    assert cookie not in (client.get("/games").text + client.get(f"/api/games/{mine}").text)
    client.cookies.clear()
    theirs, _ = start(client, PERSON, BOB)
    assert client.cookies["hinterland-guest"] != cookie
    assert ids(client, state="live", whose="mine") == {theirs}
    client.cookies.clear()
    assert ids(client, state="live", whose="mine") == set()
    for nonsense in ("x", "ä" * 32, "a" * 33, ""):
        headers = {"Cookie": f"hinterland-guest={nonsense}".encode()}
        assert client.get("/api/games?whose=mine&state=live", headers=headers).json()["games"] == []
    headers = {"Cookie": f"hinterland-guest={cookie}"}
    again = client.get("/api/games?whose=mine&state=live", headers=headers).json()["games"]
    assert [game["id"] for game in again] == [mine]
    with watching(client, mine, key) as ann:
        ann.send(type="resign")
        ann.see_the_end()
    assert client.get("/api/games?whose=mine", headers=headers).json()["count"] == 1


def test_the_cookie_says_little_and_moves_nothing(client):
    game, _ = start(client, PERSON, BOB)
    answer = client.post("/api/games", json={"game": "gravity", "seats": [PERSON, REPLY]})
    told = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(told.split("; "))
    with watching(client, game, client.cookies["hinterland-guest"]) as eve:
        assert not eve.see()["can_move"]
        eve.move(5, 5, ply=0)
        assert "watching" in eve.complaint()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("after=x", "no place in the list of games"),
        ("after=1.%00", "printable"),
        ("after=" + "9" * 150, "no place in the list of games"),
        ("state=lost", "unknown state of games 'lost'; known: live, finished, abandoned"),
        ("game=chess", "unknown game 'chess'; known: gravity, graph, dots"),
        ("where=home", "known: page, match, contest"),
        ("whose=yours", "known: all, mine"),
        ("from=yesterday", "from must be a date such as 2026-11-21, not 'yesterday'"),
        ("to=2026-13-01", "to must be a date"),
        ("to=9999-99-99", "to must be a date"),
        ("count=0", "from 1 to 200"),
        ("count=²", "from 1 to 200"),
        ("count=" + "9" * 100, "from 1 to 200"),
        ("player=" + "x" * 201, "at most 200 printable characters"),
        ("player=a%00b", "printable"),
        ("rules=%1b[2J", "printable"),
    ],
)
def test_what_makes_no_sense_is_one_line(client, query, words):
    for path in ("/api/games", "/games", "/games.jsonl", "/games/now"):
        answer = client.get(f"{path}?{query}")
        assert answer.status_code == 400, path
        assert words in answer.json()["error"]
        page = client.get(f"{path}?{query}", headers=HTML)
        assert (page.status_code, "Traceback" in page.text) == (400, False)
    assert client.get("/api/games").status_code == 200


def test_pages_follow_one_another(client):
    made = {finish(client, seed=number) for number in range(5)}
    seen, after = [], ""
    while after is not None:
        found = listed(client, count=2, after=after)
        assert found["count"] == 5
        seen += [game["id"] for game in found["games"]]
        after = found["next"]
    assert (len(seen), set(seen)) == (5, made)


def test_all_records_of_a_list_are_one_file(client, tmp_path):
    for number in range(4):
        finish(client, seed=number)
    finish(client, REPLY, RANDOM)
    start(client, PERSON, BOB)
    answer = client.get("/games.jsonl")
    assert answer.headers["content-disposition"] == 'attachment; filename="games.jsonl"'
    lines = answer.content.splitlines(keepends=True)
    assert len(lines) == 5
    for line in lines:
        verification.verify(record.read_line(line))
    assert len(client.get("/games.jsonl?player=random").content.splitlines()) == 1
    assert client.get("/games.jsonl?game=dots").content == b""
    assert client.get("/games.jsonl?state=live").json()["error"] == "only games that are finished have records"


def test_records_that_were_moved_are_left_out(client, settings):
    finish(client)
    file = settings.data / "records.jsonl"
    whole = file.read_bytes()
    file.write_bytes(b"x" * len(whole))
    assert client.get("/games.jsonl").content == b""
    file.write_bytes(whole)


def picture(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/webp"
    with Image.open(io.BytesIO(answer.content)) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_thumbnails_show_the_game_as_it_is(client):
    game, key = start(client, PERSON, BOB)
    before = picture(client.get(f"/games/{game}/thumbnail.webp"))
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
    after = picture(client.get(f"/games/{game}/thumbnail.webp"))
    assert after.shape == (400, 400, 3)
    assert np.abs(after - before).mean() > 10
    assert client.get(f"/games/{game}/thumbnail.webp").headers["cache-control"] == "no-cache"
    (source,) = re.findall(r'src="(/games/[^"]+)"', client.get("/games").text)
    assert "max-age" in client.get(source).headers["cache-control"]


@pytest.mark.parametrize("path", ["/games/" + "a" * 16, "/games/x", "/games/..%2f..", "/contests/none/games/1.1.1"])
def test_no_thumbnail_of_what_is_not_there(client, path):
    assert client.get(f"{path}/thumbnail.webp").status_code == 404


def test_thumbnails_bring_no_game_into_memory(settings, opened):
    first = opened(settings)
    games = [finish(first, seed=number) for number in range(3)]
    first.__exit__(None, None, None)
    second = opened(settings)
    for game in games:
        picture(second.get(f"/games/{game}/thumbnail.webp"))
    assert second.app.state.arena.registry.live_games == 0


def test_what_goes_on_is_asked_for_again(client):
    game, key = start(client, PERSON, BOB)

    def again(tag):
        return client.get("/games/now", headers={"If-None-Match": tag})

    def settled():
        tag = client.get("/games/now").headers["etag"]
        return tag if again(tag).status_code == 304 else None

    assert game in client.get("/games/now").text
    tag = until(settled)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
    assert "Move 2" in again(tag).text
    assert client.get("/games/now?player=nobody").text.count("<li") == 0


def test_contest_games_are_among_them(settings, opened, tmp_path):
    folder = tmp_path / "contests" / "a league"
    players = (Entrant("ann", "random"), Entrant("bea", "random"))
    plan = Plan(game="gravity", rules={"size": 24, "stones": 2, "spacing": 3}, players=players)
    folder.parent.mkdir()
    drawn_records.play(folder, plan, np.random.default_rng(1))
    client = opened(msgspec.structs.replace(settings, contests=folder.parent))
    games = until(lambda: listed(client, where="contest", count=200)["games"])
    until(lambda: client.app.state.arena.index.left is None)
    games = listed(client, where="contest", count=200)["games"]
    lines = (folder / "records.jsonl").read_bytes().splitlines(keepends=True)
    assert len(games) == len(lines)
    assert {game["contest"] for game in games} == {"a league"}
    assert client.get(games[0]["url"], headers=HTML).status_code == 200
    picture(client.get(f"{games[0]['url']}/thumbnail.webp"))
    assert sorted(client.get("/games.jsonl?where=contest").content.splitlines(keepends=True)) == sorted(lines)
    assert ids(client, where="page") == set()


def test_lists_say_so_when_the_database_is_gone_and_games_go_on(settings, opened):
    client = opened(msgspec.structs.replace(settings, index="postgresql://nobody@127.0.0.1:9/none"))
    game = finish(client)
    page = client.get("/games", headers=HTML)
    assert page.status_code == 503
    assert "The list of games cannot be read now" in page.text
    assert "games go on" in page.text
    answer = client.get("/api/games")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert client.get("/games.jsonl").status_code == 503
    assert client.get(f"/games/{game}", headers=HTML).status_code == 200
    picture(client.get(f"/games/{game}/thumbnail.webp"))


def test_garbage_in_the_place_of_the_index(settings, opened):
    first = opened(settings)
    game = finish(first)
    first.__exit__(None, None, None)
    (settings.data / database.DEFAULT_FILE).write_bytes(b"\0\xff" * 9999)
    second = opened(settings)
    assert until(lambda: ids(second)) == {game}


def test_an_index_in_no_place(settings):
    from hinterland.errors import BadText
    from hinterland.web.app import create_app

    with pytest.raises(BadText, match="the index is at"):
        create_app(msgspec.structs.replace(settings, index="mysql://host/games"))
    assert not settings.data.exists()


@pytest.mark.thorough
def test_the_index_is_made_again_by_a_command(client, settings, capsys):
    game = finish(client)
    assert ids(client) == {game}
    version = client.app.state.arena.index.version
    assert run(["reindex", str(settings.data)]) == 0
    assert "is rebuilt" in capsys.readouterr().out
    until(lambda: client.app.state.arena.index.version != version and ids(client) == {game})


def test_an_index_that_cannot_be_made_again(tmp_path, capsys):
    (tmp_path / "games").mkdir()
    assert run(["reindex", str(tmp_path / "nowhere")]) == 2
    assert run(["reindex", str(tmp_path), "--index", "postgresql://nobody@127.0.0.1:9/none"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "is no data folder of an arena" in said[0]
    assert "the index cannot be reached: " in said[1]
