"""Contests in the arena: listed, shown as their report shows them, read on while they grow, their games replayed."""

import json
import re
import time
from urllib.parse import quote

import msgspec
import numpy as np
import pytest
from web_play import HTML, watching

import drawn_records
from hinterland.contest import engine
from hinterland.contest.plan import Entrant, Plan
from hinterland.web.live import contest_library
from hinterland.web.live.contest_library import ContestLibrary

BOARD = {"size": 12, "spacing": 2, "stones": 2}


def plan(names=("ann", "bob", "cas"), **options):
    return Plan(game="gravity", players=tuple(Entrant(name, "random") for name in names), rules=BOARD, **options)


@pytest.fixture(autouse=True)
def _always_fresh(monkeypatch):
    monkeypatch.setattr(contest_library, "VIEW_FRESH_S", 0.0)
    monkeypatch.setattr(contest_library, "REST_FACTOR", 0.0)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "contests").mkdir()
    return tmp_path / "contests"


@pytest.fixture
def client(settings, opened, folder):
    return opened(msgspec.structs.replace(settings, contests=folder))


def page(client, address):
    answer = client.get(address, headers=HTML)
    assert answer.status_code == 200, answer.text
    return answer.text


def points(text):
    """Return the standings of a page: name -> points."""
    rows = re.findall(r'<tr data-player="\d+">(.*?)</tr>', text, re.DOTALL)
    return {
        re.search(r'class="who"[^>]*>([^<]*)<', row)[1]:
            float(re.search(r'points">(\d*)', row)[1] or 0) + 0.5 * ("½" in row)
        for row in rows
    }


def test_a_contest_is_shown_in_the_language_of_who_asks_and_reported_in_english(client, folder, rng):
    drawn_records.play(folder / "first", plan(), rng)
    german = {**HTML, "Accept-Language": "de"}
    shown = client.get("/contests/first", headers=german).text
    for words in ("Tabelle", "Siege–Remis–Niederlagen", "Format und Regeln", "<dt>Spiel</dt><dd>Gravitation</dd>"):
        assert words in shown
    assert "Standings" in page(client, "/contests/first")
    tag = client.get("/contests/first/now", headers=HTML).headers["etag"]
    again = client.get("/contests/first/now", headers={**german, "If-None-Match": tag})
    assert (again.status_code, "Tabelle" in again.text) == (200, True)
    tag = again.headers["etag"]
    assert client.get("/contests/first/now", headers={**german, "If-None-Match": tag}).status_code == 304


def test_contests_are_listed_and_a_broken_one_says_why(client, folder, rng):
    assert "There is no contest in the folder yet" in page(client, "/contests")
    drawn_records.play(folder / "first", plan(), rng)
    drawn_records.play(folder / "begun", plan(), rng, most=0)
    (folder / "broken").mkdir()
    (folder / "broken" / "plan.toml").write_text("contest = 3")
    (folder / "no contest").mkdir()
    text = page(client, "/contests")
    assert [name for name in ("first", "begun", "broken", "no contest") if f">{name}<" in text] == [
        "first", "begun", "broken",
    ]  # fmt: skip
    assert "plan.toml" in text
    assert "0 %" in text
    assert client.get("/contests/broken").status_code == 400


def test_without_a_folder_it_is_said_how_to_give_one(settings, opened):
    client = opened(settings)
    assert "--contests FOLDER" in page(client, "/contests")
    assert client.get("/contests/any").status_code == 404


def test_a_folder_that_is_a_contest_is_the_only_one(settings, opened, folder, rng):
    drawn_records.play(folder, plan(), rng)
    client = opened(msgspec.structs.replace(settings, contests=folder))
    assert '<a href="/contests/contests">' in page(client, "/contests")
    assert set(points(page(client, "/contests/contests"))) == {"ann", "bob", "cas"}


@pytest.mark.parametrize("name", ["..", "../contests", "%2e%2e", "first%2f..%2f..", "%2e", "plan.toml", "first/.."])
def test_no_name_leads_out_of_the_folder(client, folder, rng, tmp_path, name):
    drawn_records.play(tmp_path, plan(), rng)
    drawn_records.play(folder / "first", plan(), rng)
    for rest in ("", "/now", "/pairs/0-1", "/games/1.1.1"):
        answer = client.get(f"/contests/{name}{rest}", follow_redirects=False)
        assert 'class="who"' not in answer.text
        assert '"seats"' not in answer.text
    assert ContestLibrary(folder).find(name) is None


def test_a_page_is_read_on_and_said_to_be_the_same_while_it_is(client, folder, rng):
    drawn_records.play(folder / "c", plan(pairings=4), rng, most=5)
    first = client.get("/contests/c/now")
    tag = first.headers["etag"]
    assert json.loads(re.search(r'id="page-data">(.*?)</script>', page(client, "/contests/c"))[1]) == {"version": tag}
    assert client.get("/contests/c/now", headers={"If-None-Match": tag}).status_code == 304
    drawn_records.play(folder / "c", plan(pairings=4), rng, most=12)
    second = client.get("/contests/c/now", headers={"If-None-Match": tag})
    assert second.status_code == 200
    assert second.headers["etag"] != tag
    assert sum(points(second.text).values()) > sum(points(first.text).values())
    drawn_records.play(folder / "c", plan(pairings=4), rng)
    assert "<b>Over</b>" in page(client, "/contests/c")
    assert sum(points(page(client, "/contests/c")).values()) == 3 * 4


def test_a_contest_that_was_made_anew_is_read_from_its_beginning(client, folder):
    drawn_records.play(folder / "c", plan(pairings=4), np.random.default_rng(1))
    before = points(page(client, "/contests/c"))
    (folder / "c" / "records.jsonl").unlink()
    assert "Not started" in page(client, "/contests/c")
    drawn_records.play(folder / "c", plan(pairings=4), np.random.default_rng(2))
    assert points(page(client, "/contests/c")) != before
    (folder / "c" / "plan.toml").unlink()
    assert client.get("/contests/c").status_code == 404


def test_what_took_long_is_not_made_again_at_once(folder, rng, monkeypatch):
    monkeypatch.setattr(contest_library, "VIEW_FRESH_S", 60.0)
    drawn_records.play(folder / "c", plan(), rng, most=2)
    shown = ContestLibrary(folder).find("c")
    before = shown.view()
    drawn_records.play(folder / "c", plan(), rng)
    assert shown.view() == before
    monkeypatch.setattr(contest_library, "VIEW_FRESH_S", 0.0)
    assert ContestLibrary(folder).find("c").view() != before


def test_names_are_escaped(client, folder, rng):
    name = "<img src=x> & 50%"
    drawn_records.play(folder / name, plan(["<b>ann", "bob&amp;"], pairings=2), rng)
    listed = page(client, "/contests")
    address = f"/contests/{quote(name, safe='')}"
    assert f'href="{address}"' in listed
    for text in (listed, page(client, address), page(client, f"{address}/pairs/0-1")):
        assert "<img" not in text
        assert "<b>ann" not in text
    assert "bob&amp;amp;" in page(client, address)


def test_a_cell_leads_to_games_and_a_game_to_its_replay(client, folder):
    wanted = plan(pairings=2, seed=4)
    engine.run(wanted, folder / "c")
    records = drawn_records.lines_of(folder / "c")
    cells = set(re.findall(r'href="(/contests/c/pairs/[^"]+)"', page(client, "/contests/c")))
    assert len(cells) == 3
    seen = []
    for cell in sorted(cells):
        for address in re.findall(r'href="(/contests/c/games/[^"]+)"', page(client, cell)):
            round_, task, number = map(int, address.rpartition("/")[2].split("."))
            (record,) = [
                game for game in records
                if (game["contest"]["round"] + 1, game["contest"]["task"] + 1, game["number"]) == (round_, task, number)
            ]  # fmt: skip
            seen.append((round_, task, number))
            text = page(client, address)
            assert '<a href="/contests/c">c</a>' in text
            game_id = re.search(r'data-id="([^"]+)"', text)[1]
            with watching(client, game_id) as viewer:
                told = viewer.see()
            assert [seat["name"] for seat in told["seats"]] == record["players"]
            assert [move["move"] for move in told["moves"]] == record["moves"]
            assert [move["ms"] for move in told["moves"]] == record["times"]["ms"]
            assert told["outcome"]["scores"] == told["moves"][-1]["scores"] == record["scores"]
            assert told["outcome"]["winners"] == record["winners"]
            assert client.get(f"/games/{game_id}.png").content.startswith(b"\x89PNG")
            assert re.search(r'data-id="([^"]+)"', page(client, address))[1] == game_id
    assert len(seen) == len(set(seen)) == len(records) == 12


def test_a_game_that_nobody_has_opened_is_studied_framed_and_drawn(client, folder, rng):
    drawn_records.play(folder / "c", plan(), rng)
    end = time.monotonic() + 20
    while not (listed := client.get("/api/games").json()["games"]):
        assert time.monotonic() < end, "the games of the contest are not listed"
        time.sleep(0.05)
    game = listed[0]
    for address in ("/study/{}", "/games/{}", "/embed/{}", "/games/{}.png", "/games/{}.jsonl", "/api/games/{}"):
        assert client.get(address.format(game["id"]), headers=HTML).status_code == 200, address
    with watching(client, game["id"]) as viewer:
        assert viewer.see()["id"] == game["id"]
    assert re.search(r'data-id="([^"]+)"', page(client, game["url"]))[1] == game["id"]
    (folder / "c" / "records.jsonl").rename(folder / "gone")
    assert client.get(f"/study/{listed[1]['id']}", headers=HTML).status_code == 404
    assert client.get(f"/study/{'0' * 24}", headers=HTML).status_code == 404


@pytest.mark.parametrize("place", ["9.1.1", "1.99.1", "1.1.3", "0.1.1", "1.1", "a", "1.1.1.1"])
def test_a_game_that_is_not_there_is_not_found(client, folder, rng, place):
    drawn_records.play(folder / "c", plan(), rng)
    assert client.get(f"/contests/c/games/{place}").status_code == 404


@pytest.mark.parametrize("pair", ["0-9", "1-0", "a-b", "0", "0-1-2"])
def test_two_who_did_not_meet_have_no_page(client, folder, rng, pair):
    drawn_records.play(folder / "c", plan(), rng)
    assert client.get(f"/contests/c/pairs/{pair}").status_code == 404


def test_a_large_contest_is_asked_about_cheaply(client, folder, rng):
    drawn_records.play(folder / "c", plan([f"p{number}" for number in range(12)], pairings=5), rng)
    tag = client.get("/contests/c/now").headers["etag"]
    began = time.perf_counter()
    for _ in range(20):
        assert client.get("/contests/c/now", headers={"If-None-Match": tag}).status_code == 304
    assert time.perf_counter() - began < 10
