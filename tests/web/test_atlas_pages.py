"""The atlas to leaf through: every board is on exactly one page, as the data file has it, and leads to a game on it."""

import csv
import gzip
import html
import json
import re
from collections import Counter
from importlib import resources
from itertools import combinations
from xml.etree import ElementTree

import pytest
from web_play import HTML

from hinterland import catalog
from hinterland.web.pages.atlas_pages import signed, summary

COUNTS = {3: 1, 4: 2, 5: 3, 6: 16, 7: 135, 8: 3315}
CARD = re.compile(r'<a class="small-board" href="([^"]+)">(.*?)</a>', re.DOTALL)
FACTS = re.compile(r"board (\d+).*?hull (\d+).*?crossings (\d+).*?best moves (\d+)", re.DOTALL)


@pytest.fixture(scope="module")
def shipped():
    """Read the data file without the program: size -> number -> row."""
    text = gzip.decompress(resources.files("hinterland.dots.atlas").joinpath("atlas.csv.gz").read_bytes()).decode()
    rows = {size: {} for size in COUNTS}
    for row in csv.DictReader(text.splitlines()):
        rows[int(row["dots"])][int(row["number"])] = row
    return rows


def points_of(row):
    return [tuple(map(int, place.split())) for place in row["points"].split(";")]


def corners(points):
    """Return the dots on the hull: those on a line that has all others on one side."""
    found = set()
    for (ax, ay), (bx, by) in combinations(points, 2):
        sides = {(bx - ax) * (y - ay) > (by - ay) * (x - ax) for x, y in points if (x, y) not in ((ax, ay), (bx, by))}
        if len(sides) == 1:
            found |= {(ax, ay), (bx, by)}
    return found


def turns(points):
    return [(bx - ax) * (cy - ay) > (by - ay) * (cx - ax) for (ax, ay), (bx, by), (cx, cy) in combinations(points, 3)]


def page(client, query):
    answer = client.get(f"/atlas/dots?{query}", headers=HTML)
    assert answer.status_code == 200, answer.text
    return answer.text


def cards(text):
    """Return the cards of a page: the address, the picture, and the value and the facts as they are read."""
    found = []
    for url, inside in CARD.findall(text):
        picture = ElementTree.fromstring(re.search(r"<svg.*</svg>", inside, re.DOTALL).group())
        value = re.search(r"worth </span>([^<]+)</span>", inside).group(1)
        found.append((html.unescape(url), picture, value, tuple(map(int, FACTS.search(inside).groups()))))
    return found


@pytest.mark.parametrize("size", COUNTS)
def test_every_board_is_there_once_and_as_it_was_found(client, shipped, size):
    rows, seen = shipped[size], []
    url = f"/atlas/dots?n={size}"
    while url:
        text = page(client, url.partition("?")[2])
        assert len(cards(text)) <= 60
        for link, _, value, (number, *facts) in cards(text):
            row = rows[number]
            assert facts == [int(row[name]) for name in ("hull", "crossings", "best")]
            assert value.replace("−", "-").removeprefix("+") == row["value"]
            assert link == f"/play/dots?n={size}&board={number}"
            seen.append(number)
        following = re.search(r'rel="next" href="([^"]+)"', text)
        url = following and html.unescape(following.group(1))
    assert seen == list(range(COUNTS[size]))


@pytest.mark.parametrize("size", COUNTS)
def test_a_picture_shows_the_dots_and_their_hull(client, shipped, size):
    for _, picture, _, (number, *_) in cards(page(client, f"n={size}")):
        points = points_of(shipped[size][number])
        dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in picture.iter("circle")]
        assert all(5 <= at <= 95 for dot in dots for at in dot)
        assert turns([(x, -y) for x, y in dots]) == turns(points), "y goes downwards in a picture"
        outline = picture.find("polygon").get("points").split()
        place = dict(zip(points, dots, strict=True))
        around = [tuple(map(float, corner.split(","))) for corner in outline]
        assert len(around) == len(set(around)) == int(shipped[size][number]["hull"])
        assert set(around) == {place[corner] for corner in corners(points)}


@pytest.mark.parametrize("query", ["n=8&value=1", "n=7&hull=5&value=", "n=8&hull=6&value=0&page=2", "n=5&value=-3"])
def test_filters(client, shipped, query):
    asked = dict(part.split("=") for part in query.split("&"))
    fits = [
        number
        for number, row in shipped[int(asked["n"])].items()
        if asked.get("value") in (None, "", row["value"]) and asked.get("hull") in (None, row["hull"])
    ]
    first = 60 * (int(asked.get("page", 1)) - 1)
    shown = [facts[0] for *_, facts in cards(page(client, query))]
    assert shown
    assert shown == fits[first : first + 60]


def test_leafing_keeps_the_filter(client):
    first = page(client, "n=8&hull=6")
    assert 'href="/atlas/dots?n=8&amp;hull=6&amp;page=2"' in first
    assert 'rel="prev"' not in first
    second = page(client, "n=8&hull=6&page=2")
    assert 'href="/atlas/dots?n=8&amp;hull=6&amp;page=1"' in second
    assert 'rel="next"' not in second
    assert "61–90 of 90" in second


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (3, "One board of 3 dots, worth +3."),
        (4, "2 boards of 4 dots: one worth +3, one worth −4."),
        (5, "3 boards of 5 dots: 2 worth +3, one worth −3."),
        (7, "135 boards of 7 dots, all worth 0."),
        (8, "3,315 boards of 8 dots: 3,314 worth 0, one worth +1."),
    ],
)
def test_the_sum_of_it_in_a_sentence(client, size, words):
    assert words in page(client, f"n={size}")


def test_words_for_values():
    assert [signed(value) for value in (-4, 0, 12)] == ["−4", "0", "+12"]
    assert (
        summary(Counter({-1: 2, 1: 2, 0: 1}), 9, "dots") == "5 boards of 9 dots: 2 worth +1, 2 worth −1, one worth 0."
    )


def test_none_is_like_that(client):
    text = page(client, "n=6&value=5")
    assert "No board of 6 dots matches" in text
    assert cards(text) == []


BAD = [
    ("/atlas/dots?n=9", 400, "the atlas has boards of 3 to 8 dots, not of 9"),
    ("/atlas/dots?n=-3", 400, "the atlas has boards of 3 to 8 dots, not of -3"),
    ("/atlas/dots?n=eight", 400, "n must be a whole number, not 'eight'"),
    ("/atlas/dots?page=-1", 400, "page counts from 1, it cannot be -1"),
    ("/atlas/dots?page=0", 400, "page counts from 1, it cannot be 0"),
    ("/atlas/dots?n=8&page=57", 400, "page must be from 1 to 56 for these boards, not 57"),
    ("/atlas/dots?n=6&value=5&page=2", 400, "page must be from 1 to 1 for these boards, not 2"),
    ("/atlas/dots?value=x", 400, "value must be a whole number, not 'x'"),
    ("/atlas/dots?hull=1e9", 400, "hull must be a whole number, not '1e9'"),
    ("/atlas/dots?hull=%D9%A3", 400, "hull must be a whole number, not '\\u0663'"),
    ("/atlas/dots?page=99999999999999999999", 400, "page must be a whole number, not '99999999999999999999'"),
    ("/atlas/gravity", 404, "there is no atlas of Gravity"),
    ("/atlas/chess", 404, "known: gravity"),
    ("/play/dots?n=8", 400, "a board of the atlas is named by n and board, both of them"),
    ("/play/dots?board=1", 400, "a board of the atlas is named by n and board, both of them"),
    ("/play/dots?n=8&board=3315", 400, "board must be from 0 to 3314 for 8 dots, not 3315"),
    ("/play/dots?n=8&board=-1", 400, "board must be from 0 to 3314 for 8 dots, not -1"),
    ("/play/dots?n=9&board=1", 400, "the atlas has boards of 3 to 8 dots, not of 9"),
    ("/play/dots?n=8&board=x", 400, "board must be a whole number, not 'x'"),
    ("/play/gravity?n=8&board=1", 400, "there is no atlas of Gravity"),
]


@pytest.mark.parametrize(("path", "status", "words"), BAD, ids=[path for path, *_ in BAD])
def test_what_cannot_be_is_refused_in_one_line(client, path, status, words):
    answer = client.get(path)
    assert answer.status_code == status
    assert words in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    shown = html.unescape(client.get(path, headers=HTML).text)
    error = answer.json()["error"]
    assert f"<h1>{error[0].upper()}{error[1:]}</h1>" in shown


def told(client, path):
    """Return what a page is told to start with."""
    text = client.get(path, headers=HTML).text
    return json.loads(re.search(r'id="page-data">(.*?)</script>', text, re.DOTALL).group(1))


@pytest.mark.parametrize(("size", "number"), [(3, 0), (6, 15), (8, 17), (8, 3314)])
def test_a_board_is_set_up_and_played_on(client, shipped, size, number):
    board = told(client, f"/play/dots?n={size}&board={number}")["board"]
    assert [tuple(point) for point in board["points"]] == points_of(shipped[size][number])
    assert catalog.game("dots").rules.from_options({**board, "players": 2}).dots == size
    assert told(client, "/play/dots")["board"] is None


def test_the_atlas_is_found_where_it_is_wanted(client):
    link = '<a class="faint" href="/atlas/dots">Browse every board of up to 8 dots</a>'
    for path in ("/play/dots", "/rules/dots"):
        assert link in client.get(path, headers=HTML).text
    for path in ("/play/gravity", "/rules/gravity", "/host/dots"):
        assert "/atlas/" not in client.get(path, headers=HTML).text
