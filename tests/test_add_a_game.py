"""The tutorial that adds a game: followed from top to bottom, it plays in matches, contests and on the page."""

import json
import subprocess
import sys

import httpx
import numpy as np
import pytest
from websockets.sync.client import connect

import tutorial_game
from contract_checks import CHECKS
from hinterland import catalog, envs
from hinterland.contract import Clock
from hinterland.referee import record, verification
from test_docs import blocks, commands, matches

NOT_RUN = {"pip", "serve"}
"""What ``tutorial_game`` does in other ways."""
RULES = [{}, {"points": 2, "stones": 1}, {"points": 7, "stones": 2, "players": 3}, {"points": 12, "stones": 6}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tutorial_game.lay_out(tmp_path_factory.mktemp("game"))


@pytest.fixture
def game(folder, monkeypatch):
    """Return the game, known to this process while a test runs."""
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setitem(catalog.GAMES, "circle", "circle.game")
    yield catalog.game("circle")
    for name in [name for name in sys.modules if name.partition(".")[0] == "circle"]:
        del sys.modules[name]


@pytest.mark.parametrize("values", RULES, ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_contract(check, values, game, rng):
    stone = game.move
    illegal = {stone(-1): "outside", stone(1000): "outside", stone(0.5): "not_a_stone"}
    check(game, game.rules(**values), illegal, rng)


@pytest.mark.parametrize("values", RULES, ids=str)
@pytest.mark.parametrize("spec", ["random", "greedy"])
def test_its_players_repeat_with_a_seed(spec, values, game):
    player, ends = catalog.player(game, spec), []
    for _ in range(2):
        rng, position = np.random.default_rng(5), game.rules(**values).start()
        while position.to_move is not None:
            position = position.play(player.choose(position, Clock(), rng))
        ends.append(position)
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("stones", "owners"),
    [
        ((), (-1, -1, -1, -1, -1, -1, -1, -1)),
        ((0,), (0, 0, 0, 0, 0, 0, 0, 0)),
        ((0, 4), (0, 0, -1, 1, 1, 1, -1, 0)),
        ((0, 4, 5, 6), (0, 0, -1, 1, 1, 0, 1, -1)),
    ],
)
def test_a_point_belongs_to_the_nearest_stone(stones, owners, game):
    position = game.rules(points=8, stones=2).start()
    for point in stones:
        position = position.play(game.move(point))
    assert position.owners == owners
    assert position.scores == (owners.count(0), owners.count(1))


def test_it_can_be_drawn_and_learnt(game):
    position = game.rules().start().play(game.move(3))
    after = position.play(game.move(9)).play(game.move(15))
    assert after._repr_svg_() == tutorial_game.PAGE.with_name("circle.svg").read_text()
    assert game.pictures.image(position, 100).size == (100, 100)
    assert position.planes(1)[2:].tolist() == [[float(point == 3) for point in range(24)], [1.0] * 24]
    assert position.rules.planes[:2] == ("stones of seat +0", "points of seat +0")
    assert envs.batch("circle", envs=3, points=12).observations().shape == (3, 4, 12)


@pytest.mark.thorough
def test_its_commands_print_what_is_shown(folder, tmp_path):
    """A match, and a contest with its report, in processes that find the game as an installed one."""
    ran = 0
    for _, text in blocks(tutorial_game.PAGE, "console"):
        for command, lines in commands(text):
            first, *words = command.split()
            if first in NOT_RUN or words[0] in NOT_RUN:
                continue
            assert first == "hinterland"
            done = subprocess.run(
                [sys.executable, "-m", "hinterland", *words], cwd=tmp_path, env=tutorial_game.surroundings(folder),
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            assert matches(done.stdout + done.stderr, lines), f"{command} prints\n{done.stdout + done.stderr}"
            ran += 1
    assert ran == 5
    assert "Voronoi on a circle" in (tmp_path / "weekend" / "report.html").read_text()


@pytest.fixture(scope="module")
def arena(folder, tmp_path_factory):
    with (
        tutorial_game.serving(folder, tmp_path_factory.mktemp("data")) as address,
        httpx.Client(base_url=address, timeout=30) as client,
    ):
        yield client


def test_its_pages_come_from_its_folder(folder, arena):
    page = arena.get("/play/circle").text
    for name in ("circle-rules.js", "circle-view.js", "circle-position.js"):
        (link,) = [word for word in page.split('"') if word.endswith(f"js/circle/{name}")]
        assert arena.get(link).status_code == 200
    (sheet,) = [word for word in page.split('"') if word.endswith(".css")]
    assert "circle-board .arc" in arena.get(sheet).text
    assert "it belongs to nobody" in page
    assert "Voronoi auf einem Kreis" in arena.get("/play/circle", headers={"Accept-Language": "de"}).text
    assert '"limits": {"points": 120, "stones": 20}' in page
    assert "circle-example.js" in arena.get("/").text


def test_it_is_played_through_the_page_s_socket(arena, game):
    seats = [{"kind": "person", "name": "Ann"}, {"kind": "program", "player": "greedy"}]
    told = arena.post("/api/games", json={"game": "circle", "rules": {"stones": 2}, "seats": seats}).json()
    with connect(f"{str(arena.base_url).replace('http', 'ws', 1)}/games/{told['id']}/live") as socket:
        socket.send(json.dumps({"type": "hello", "key": told["key"]}))
        snapshot = {"outcome": None}
        while snapshot["outcome"] is None:
            snapshot = json.loads(socket.recv(timeout=30))
            if snapshot["type"] != "snapshot":
                snapshot = {"outcome": None}
            elif snapshot["can_move"]:
                free = sorted(set(range(24)) - {move["move"][0] for move in snapshot["moves"]})
                ply = len(snapshot["moves"])
                socket.send(json.dumps({"type": "move", "ply": ply, "move": [free[0]]}))
    assert len(snapshot["moves"]) == 4
    url = f"/games/{told['id']}"
    assert arena.get(f"{url}.png").content.startswith(b"\x89PNG")
    assert "<svg" in arena.get(f"{url}.svg").text
    verification.verify(record.read_line(arena.get(f"{url}.jsonl").text))
    refused = arena.post("/api/games", json={"game": "circle", "rules": {"points": 121}, "seats": seats})
    assert "in the browser points can be at most 120, not 121" in refused.text
