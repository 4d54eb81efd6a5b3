"""Puzzles on pages, without a browser: nothing gives an answer away, every answer is judged, nonsense is one line."""

import html
import json
import re
import time

import pytest
from web_play import HTML

from hinterland import catalog
from hinterland.puzzles import collection

GAMES = tuple(catalog.GAMES)


def told(client, path):
    """Return what a page is told to start with."""
    answer = client.get(path, headers=HTML)
    assert answer.status_code == 200, answer.text
    return json.loads(re.search(r'id="page-data">(.*?)</script>', answer.text, re.DOTALL).group(1))


def ask(client, name, number, body):
    return client.post(f"/api/puzzles/{name}/{number}", **body)


def test_the_first_is_that_of_the_day_and_all_games_follow(client):
    data = told(client, "/puzzles")
    before = collection.of_the_day(int(time.time() // 86_400))
    assert (data["daily"]["game"], data["daily"]["number"]) == before  # unless it has just become midnight
    assert set(data["ranges"]) == set(GAMES)
    assert data["ranges"]["dots"] == {"easy": [1, 167], "medium": [168, 334], "hard": [335, 500]}
    answer = client.get("/puzzles/today", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/puzzles/{}/{}".format(*before))


@pytest.mark.parametrize("name", GAMES)
def test_a_list_leads_to_every_puzzle(client, name):
    text = client.get(f"/puzzles/{name}", headers=HTML).text
    links = re.findall(rf'href="/puzzles/{name}/(\d+)"', text)
    assert [int(number) for number in links] == list(range(1, 501))


@pytest.mark.parametrize("name", GAMES)
def test_a_page_tells_all_but_the_answer(client, name):
    puzzle = collection.puzzle(name, 42)
    data = told(client, f"/puzzles/{name}/42")
    assert [tuple(move["move"]) for move in data["moves"]] == list(puzzle.history)
    assert [move["seat"] for move in data["moves"]] == [k % 2 for k in range(len(puzzle.history))]
    assert data["names"][data["seat"]] == "You"
    assert not {"best", "worth", "needed", "elsewhere", "near_misses"} & set(data)
    assert data["drawing_data"] is None or name != "gravity"


@pytest.mark.parametrize("name", GAMES)
def test_answers_are_judged(client, name, rng):
    puzzle = collection.puzzle(name, 300)
    right = ask(client, name, 300, {"json": {"move": puzzle.best}}).json()
    assert right["right"] is True
    assert (right["worth"], right["loss"], right["best"]) == (puzzle.worth, 0, list(puzzle.best))
    position = puzzle.position(catalog.game(name))
    moves = (position.legal_moves.sample(rng).numbers for _ in range(1000))
    answers = (ask(client, name, 300, {"json": {"move": move}}).json() for move in moves)
    wrong = next(answer for answer in answers if not answer["right"])
    assert wrong["worth"] + wrong["loss"] == puzzle.worth
    assert not {"best", "most"} & set(wrong)
    given = client.get(f"/api/puzzles/{name}/300/answer").json()
    assert given == {"best": list(puzzle.best), "worth": puzzle.worth}


NOWHERE = [
    ("/puzzles/chess", "unknown game with puzzles 'chess'; known: gravity, graph, dots"),
    ("/puzzles/chess/1", "unknown game with puzzles 'chess'; known: gravity, graph, dots"),
    ("/puzzles/dots/0", "puzzles of dots are numbered from 1 to 500, there is no puzzle 0"),
    ("/puzzles/dots/501", "puzzles of dots are numbered from 1 to 500, there is no puzzle 501"),
    ("/puzzles/dots/-1", "puzzles of dots are numbered from 1 to 500, there is no puzzle -1"),
    ("/puzzles/dots/two", "number must be a whole number, not 'two'"),
    ("/puzzles/dots/%D9%A3", "number must be a whole number, not '\\u0663'"),
    ("/puzzles/dots/99999999999999999999", "number must be a whole number, not '99999999999999999999'"),
]


@pytest.mark.parametrize(("path", "words"), NOWHERE, ids=[path for path, _ in NOWHERE])
def test_an_address_that_leads_nowhere(client, path, words):
    for address in (path, f"/api{path}/answer") if path.count("/") == 3 else (path,):
        answer = client.get(address)
        assert (answer.status_code, answer.json()["error"]) == (404, words)
    assert f"<h1>{words[0].upper()}{words[1:]}</h1>" in html.unescape(client.get(path, headers=HTML).text)


BAD = [
    ({"json": {"move": [0, 0, 0]}}, "a move is an array of whole numbers [a, b]"),
    ({"json": {"move": [0, 99]}}, "dot 99 is not on the board"),
    ({"json": {"move": [3, 3]}}, "a line joins two dots, not dot 3 with itself"),
    ({"json": {"move": [2**70, 1]}}, "is not on the board"),
    ({"json": {"move": ["a", 1]}}, "an answer is an object like"),
    ({"json": {"move": [0, 1], "best": True}}, "an answer is an object like"),
    ({"json": {}}, "an answer is an object like"),
    ({"json": [0, 1]}, "an answer is an object like"),
    ({"content": b""}, "an answer is an object like"),
    ({"content": b"\xff\x00"}, "an answer is an object like"),
    ({"content": b"[" * 60_000}, "an answer is an object like"),
]


@pytest.mark.parametrize(("body", "words"), BAD, ids=[str(body)[:40] for body, _ in BAD])
def test_nonsense_is_refused_in_one_line(client, body, words):
    answer = ask(client, "dots", 300, body)
    assert answer.status_code == 400, answer.text
    assert words in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_who_sends_too_much_is_refused(client):
    assert ask(client, "dots", 1, {"content": b"x" * 100_000}).status_code == 413


def test_no_stone_goes_where_none_may(client):
    stone = collection.puzzle("gravity", 7).history[0]
    answer = ask(client, "gravity", 7, {"json": {"move": stone}})
    assert answer.status_code == 400
    assert answer.json()["error"] == f"stone 1 stands on {stone[0]},{stone[1]} already"
