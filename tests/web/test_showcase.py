"""The match on the front page: real games, one after another, only while somebody looks."""

import time
from types import SimpleNamespace

import msgspec
import pytest
from web_play import RULES, Viewer, over, plies, watching

from hinterland import catalog
from hinterland.host.preparation import Preparation
from hinterland.web.settings import Show

pytestmark = pytest.mark.jit  # the upper levels play, which search
PATH = "/showcase/live"


def test_real_games_follow_one_another(house, settings):
    at = house()
    with at.connect(PATH) as socket:
        eve = Viewer(socket, None)
        first = eve.see(over)
        assert first["next"] is None
        second = eve.see(lambda snapshot: snapshot["id"] != first["id"])
        eve.see(over)
    assert first["outcome"]["reason"] == "complete"
    assert len(first["moves"]) == 4
    assert {seat["kind"] for seat in first["seats"]} == {"program"}
    assert first["rules"]["size"] == RULES["size"]
    old = at.arena.get(f"/api/games/{first['id']}").json()
    assert old["next"] == {"url": f"/games/{second['id']}"}
    assert list((settings.data / "games").iterdir()) == []
    assert (settings.data / "records.jsonl").read_bytes() == b""


def test_a_game_of_the_show_has_a_page(client):
    with watching(client, None, path=PATH) as eve:
        game = eve.see()["id"]
        assert client.get(f"/games/{game}").status_code == 200
        assert client.get(f"/games/{game}.png").status_code == 200
        with watching(client, game) as ann:
            seen = ann.see(lambda snapshot: snapshot["next"])
            assert seen["id"] == game, "who watches one game does not follow the show"
            assert seen["outcome"] is not None


def test_nobody_can_move(client):
    with watching(client, None, "key", path=PATH) as eve:
        for message in ({"type": "move", "ply": 0, "move": [5, 5]}, {"type": "resign"}):
            eve.send(**message)
            assert "only the browser that began" in eve.complaint()


def test_it_rests_while_nobody_looks(opened, settings):
    slow = Show(move_s=0.05, rest_s=0.05, game="gravity", rules={"size": 30, "stones": 20, "spacing": 1})
    client = opened(msgspec.structs.replace(settings, show=slow))
    with watching(client, None, path=PATH) as eve:
        seen = eve.see(plies(2))
    time.sleep(0.15)  # a move that was being thought about may still come
    made = len(client.get(f"/api/games/{seen['id']}").json()["moves"])
    time.sleep(0.3)
    assert len(client.get(f"/api/games/{seen['id']}").json()["moves"]) == made < 40
    with watching(client, None, path=PATH) as eve:
        assert eve.see()["id"] == seen["id"]
        eve.see(plies(made + 2))


@pytest.mark.parametrize("players", [2, 7])
def test_there_are_enough_players(opened, settings, players):
    rules = {"size": 24, "stones": 1, "spacing": 2, "players": players}
    client = opened(msgspec.structs.replace(settings, show=Show(move_s=0, rest_s=0.01, game="gravity", rules=rules)))
    with watching(client, None, path=PATH) as eve:
        assert len(eve.see(over)["seats"]) == players


def size(rules):
    """Return what all boards of a preset share."""
    told = catalog.game(rules.game).page.rules(rules)
    return {name: told.get(name) for name in ("players", "size", "stones", "tokens", "vertices", "dots")}


def test_the_presets_are_shown(settings):
    from hinterland.web.live.showcase import Showcase

    prepared = SimpleNamespace(preparation=Preparation())
    assert Showcase(prepared, Show())._draw().game_name == "gravity"
    show = Showcase(prepared, Show(game=None))
    shown = set()
    for _ in range(40):
        setup = show._draw()
        assert size(setup.rules) in [size(setup.game.rules.from_options(one.options)) for one in setup.game.presets]
        shown.add(setup.game_name)
        assert len(setup.seats) == setup.rules.players
    assert shown == set(catalog.GAMES)
