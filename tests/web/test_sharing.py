"""What a game looks like on other sites: its card, what they are told of it, and the one page that they may frame."""

import re
from io import BytesIO

import pytest
from PIL import Image
from web_play import BASE, HTML, PERSON, RULES, start

from hinterland import catalog
from hinterland.prints.frames import draw_card
from hinterland.prints.sheet import Scene


def told(client, game):
    """Return the properties of Open Graph that a page tells."""
    page = client.get(f"/games/{game}", headers=HTML).text
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))


def test_other_sites_are_told_of_a_game(client):
    game, _ = start(client, {"kind": "person", "name": "<b>Ann & Co</b>"}, {"kind": "person", "name": "Bob"})
    og = told(client, game)
    assert og["title"] == "&lt;b&gt;Ann &amp; Co&lt;/b&gt; v Bob · Gravity"
    assert og["url"] == f"{BASE}/games/{game}"
    image = client.get(og["image"].removeprefix(BASE))
    assert image.headers["content-type"] == "image/png"
    assert Image.open(BytesIO(image.content)).size == (int(og["image:width"]), int(og["image:height"])) == (1200, 630)


def test_a_card_shows_a_move_and_names(client):
    game, _ = start(client, PERSON, {"kind": "person", "name": "Bob"})
    other, _ = start(client, PERSON, {"kind": "person", "name": "Eve"})
    first, second = (client.get(f"/games/{one}.card.png?ply=0").content for one in (game, other))
    assert first != second
    assert client.get(f"/games/{game}.card.png?ply=1").status_code == 400


@pytest.mark.parametrize("name", ["gravity", "graph", "dots"])
@pytest.mark.parametrize("names", [["A" * 40, "\u4e2d\u6587"], ["", "b"]])
def test_every_game_has_a_card(name, names):
    game = catalog.game(name)
    image = Image.open(BytesIO(draw_card(Scene(game, game.rules.from_options({}).start(), tuple(names)))))
    assert image.size == (1200, 630)


def test_a_card_of_many_players():
    game = catalog.game("gravity")
    position = game.rules.from_options({**RULES, "size": 60, "players": 12}).start()
    scene = Scene(game, position, tuple(f"player {k}" for k in range(12)))
    assert Image.open(BytesIO(draw_card(scene))).size == (1200, 630)


def test_only_the_page_for_it_may_be_framed(client):
    game, _ = start(client)
    framed = client.get(f"/embed/{game}").headers
    assert "frame-ancestors *" in framed["content-security-policy"]
    assert framed["cross-origin-resource-policy"] == "cross-origin"
    others = ("/", f"/games/{game}", f"/games/{game}?embed=/embed/", "/embed", "/static/js/gravity/gravity-worker.js")
    for path in others:
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["cross-origin-resource-policy"] == "same-origin"
    assert client.get("/embed/nothing").status_code == 404
