"""People who play one another: a challenge is made, taken once, played with a key a seat, and played again."""

import contextlib
import json
import signal
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import msgspec
import pytest
from web_play import HTML, RULES, mine, over, plies, watching
from websockets.sync.client import connect

from hinterland import catalog
from hinterland.web.openness import Openness
from hinterland.web.settings import Limits
from more_of_the_same import first_shows

NO_HINTS = "hints are off between people until all of them agree"
MOVES = [(2, 2), (20, 20), (2, 20), (20, 2)]
"""A whole game of RULES, in turn order."""


def challenge(client, name="Ann", **others):
    """Make a challenge; return its id and the key of who made it."""
    answer = client.post("/api/challenges", json={"game": "gravity", "rules": RULES, "name": name, **others})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], answer.json()["key"]


def take(client, table, name="Ben"):
    return client.post(f"/api/tables/{table}/seat", json={"name": name})


def look(client, table, key=None):
    return watching(client, table, key, path=f"/tables/{table}/live")


def playing(number):
    """Want a snapshot of a game of that number that goes on."""
    return lambda told: told["match"]["number"] == number and told["outcome"] is None


def finish(players, first=0):
    """Play a whole game, the player of that number first; return the last snapshot of each."""
    for ply, move in enumerate(MOVES):
        player = players[(first + ply) % 2]
        player.see(lambda told, ply=ply: told["can_move"] and len(told["moves"]) == ply)
        player.move(*move, ply=ply)
    return [player.see(over) for player in players]


def test_who_has_the_link_plays(client):
    table, key = challenge(client)
    with look(client, table, key) as ann, look(client, table) as ben:
        asked = ben.see(lambda told: told["match"]["terms"]["here"] == [0])
        assert asked["match"]["lobby"]["guests"] == ["Ann", None]
        ben.send(type="hello", key=take(client, table).json()["key"])
        first, second = finish([ann, ben])
    assert [seat["mine"] for seat in first["seats"]] == [True, False]
    assert [seat["mine"] for seat in second["seats"]] == [False, True]
    assert first["match"]["of"] == 0


def test_a_rematch_swaps_who_begins_and_carries_everybody_along(client):
    table, key = challenge(client)
    with look(client, table, key) as ann, look(client, table) as ben, look(client, table) as eve:
        ben.send(type="hello", key=take(client, table).json()["key"])
        finish([ann, ben])
        ben.send(type="wish", matter="again", yes=True)
        ann.see(lambda told: told["match"]["terms"]["again"] == [1])
        ann.send(type="wish", matter="again", yes=True)
        told = eve.see(playing(2))
        assert told["match"]["starter"] == 1
        assert len(told["match"]["games"]) == 1
        finish([ann, ben], first=1)
        assert eve.see(lambda told: over(told) and told["match"]["number"] == 2)["match"]["state"] == "playing"
        ann.send(type="wish", matter="again", yes=False)
        ended = eve.see(lambda told: told["match"]["state"] == "over")["match"]
    assert ended["terms"]["left"] == 0
    assert [game["number"] for game in ended["games"]] == [1, 2]
    records = [client.get(f"/games/{game['id']}.jsonl").json() for game in ended["games"]]
    assert [record["players"] for record in records] == [["Ann", "Ben"], ["Ben", "Ann"]]


def test_another_game_is_wished_for_when_one_is_over(client):
    table, key = challenge(client)
    with look(client, table, key) as ann, look(client, table) as ben:
        ann.send(type="wish", matter="again", yes=True)
        assert ann.complaint() == "the match has not begun, or is over"
        ben.send(type="hello", key=take(client, table).json()["key"])
        ann.see(mine)
        ann.send(type="wish", matter="again", yes=True)
        assert ann.complaint() == "the game is not over"
        ann.send(type="wish", matter="gold", yes=True)
        assert "Invalid enum value 'gold'" in ann.complaint()


def test_nobody_but_those_who_play_has_a_say(client):
    table, key = challenge(client)
    with look(client, table, key) as ann, look(client, table) as ben, look(client, table, "forged" * 8) as eve:
        ben.send(type="hello", key=take(client, table).json()["key"])
        ann.see(mine)
        hints = {"type": "wish", "matter": "hints", "yes": True}
        for message in ({"type": "move", "ply": 0, "move": [2, 2]}, {"type": "resign"}, hints):
            eve.send(**message)
            assert eve.complaint() == "you are watching: only players with a seat can do that"
        ben.see(playing(1))
        ben.move(2, 2, ply=0)
        assert ben.complaint() == "it is not your turn"
        assert client.get(f"/api/tables/{table}").json()["moves"] == []


def test_the_key_of_another_table_opens_nothing(client):
    table, _ = challenge(client)
    _, other = challenge(client)
    for path, body in (("close", {}), ("leave", {}), ("name", {"name": "Eve"}), ("offer", {"to_all": True})):
        answer = client.post(f"/api/tables/{table}/{path}", json={"key": other, **body})
        assert answer.status_code in (403, 503), (path, answer.text)
    assert client.get(f"/api/tables/{table}").json()["match"]["lobby"]["guests"] == ["Ann", None]


@pytest.mark.thorough
def test_a_challenge_that_two_take_at_once_is_had_by_one(serving):
    server = serving().ready()
    with httpx.Client(base_url=server.url) as client, ThreadPoolExecutor(8) as at_once:
        table, _ = challenge(client)
        url = f"{server.url}/api/tables/{table}/seat"
        answers = list(at_once.map(lambda name: httpx.post(url, json={"name": name}), "BCDEFGHI"))
        assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
        refused = next(answer for answer in answers if answer.status_code == 409)
        assert refused.json()["error"] == "somebody was quicker: no seat is left, but you can watch"
        names = client.get(f"/api/tables/{table}").json()["match"]["lobby"]["guests"]
        assert names[0] == "Ann"
        assert names[1] == "BCDEFGHI"[[answer.status_code for answer in answers].index(201)]


@pytest.mark.parametrize("name", ["", "   ", "x" * 10_000, "a\nb", "a\x00b", "\x1b[31mred", "abc\u202edef", "a\ud800"])
def test_bad_names(client, name):
    table, key = challenge(client)
    bodies = {
        "/api/challenges": {"game": "gravity", "rules": RULES},
        f"/api/tables/{table}/seat": {},
        f"/api/tables/{table}/name": {"key": key},
    }
    for path, other in bodies.items():
        body = {**other, "name": name}
        answer = client.post(path, content=json.dumps(body).encode("utf-8", "surrogatepass"))
        assert answer.status_code == 400
        assert answer.json()["error"].isprintable()
        assert len(answer.json()["error"]) < 400
    assert client.get(f"/api/tables/{table}").json()["match"]["lobby"]["guests"] == ["Ann", None]


def test_a_name_is_text_and_two_of_one_name_are_told_apart(client):
    table, key = challenge(client, name="<b>Zoë</b>")
    assert client.get(f"/api/tables/{table}").json()["match"]["lobby"]["guests"][0] == "<b>Zoë<_b>"
    assert client.post(f"/api/tables/{table}/name", json={"key": key, "name": "Ben"}).json() == {"name": "Ben"}
    take(client, table, "Ben")
    assert client.get(f"/api/tables/{table}").json()["match"]["lobby"]["guests"] == ["Ben", "Ben#2"]
    late = client.post(f"/api/tables/{table}/name", json={"key": key, "name": "Eve"})
    assert late.json()["error"] == "the match has begun; you can resign"


BAD = [
    ({}, "missing required field `game`"),
    ({"game": "chess", "name": "Ann"}, "unknown game 'chess'"),
    ({"game": "gravity"}, "missing required field `name`"),
    ({"game": "gravity", "name": "Ann", "rules": {"size": 2001}}, "in the browser size can be at most 2000"),
    ({"game": "gravity", "name": "Ann", "rules": {"players": 13}}, "players must be a whole number from 2 to 12"),
    ({"game": "gravity", "name": "Ann", "clock": {"budget": -1}}, "clock: from 0.001"),
    ({"game": "gravity", "name": "Ann", "hosue": ["reply"]}, "unknown field `hosue`"),
    ([1], "Expected `object`"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_challenges(client, body, words):
    answer = client.post("/api/challenges", json=body)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_a_challenge_stands_in_the_list_while_its_maker_is_here(client):
    table, key = challenge(client, to_all=True)
    hidden, _ = challenge(client)
    assert client.get("/api/challenges").json() == {"challenges": []}
    with look(client, table, key) as ann:
        ann.see(lambda told: told["match"]["terms"]["is_offered"])
        (card,) = client.get("/api/challenges").json()["challenges"]
        assert (card["url"], card["names"], card["free"]) == (f"/tables/{table}", ["Ann"], 1)
        answer = client.post(f"/api/tables/{table}/offer", json={"key": key, "to_all": False})
        assert answer.json() == {"to_all": False}
        assert client.get("/api/challenges").json() == {"challenges": []}
        client.post(f"/api/tables/{table}/offer", json={"key": key, "to_all": True})
        take(client, table)
        assert client.get("/api/challenges").json() == {"challenges": []}
        late = client.post(f"/api/tables/{table}/offer", json={"key": key, "to_all": True})
        assert late.status_code == 409
    assert hidden not in client.get("/host", headers=HTML).text


def test_who_made_it_takes_it_back_until_it_begins(client):
    table, key = challenge(client)
    assert client.post(f"/api/tables/{table}/close", json={"key": key}).json() == {"closed": True}
    late = take(client, table)
    assert late.status_code == 409
    other, key = challenge(client)
    take(client, other)
    answer = client.post(f"/api/tables/{other}/close", json={"key": key})
    assert (answer.status_code, answer.json()["error"]) == (409, "the match has begun; you can resign")


def test_a_challenge_that_nobody_looks_at_expires(limited, opened):
    client = opened(limited(challenge_s=0.2))
    table, _ = challenge(client)
    with look(client, table) as ben:
        ben.see()
    with look(client, table) as late:
        late.see()
        assert client.get(f"/api/tables/{table}").json()["match"]["state"] == "waiting"  # while somebody looks
    time.sleep(1)
    told = client.get(f"/api/tables/{table}").json()["match"]
    assert (told["state"], told["detail"][:18]) == ("closed", "nobody came within")
    assert take(client, table).status_code == 409


def test_the_arena_has_so_many(limited, opened):
    client = opened(limited(challenges=3))
    keys = [challenge(client) for _ in range(3)]
    answer = client.post("/api/challenges", json={"game": "gravity", "rules": RULES, "name": "Ann"})
    assert answer.status_code == 503
    assert "all 3 places for games with friends are taken" in answer.json()["error"]
    table, key = keys[0]
    client.post(f"/api/tables/{table}/close", json={"key": key})
    challenge(client)


def test_the_code_leads_to_the_link(client):
    table, _ = challenge(client)
    answer = client.get(f"/tables/{table}/qr.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(answer.content).tag.endswith("svg")
    assert client.get("/tables/nothing/qr.svg").status_code == 404


def test_hints_are_off_until_all_agree(client, settings):
    table, key = challenge(client)
    with look(client, table, key) as ann, look(client, table) as ben:
        ben.send(type="hello", key=take(client, table).json()["key"])
        ann.see(mine)
        for wanted in ("hint", "heat.png"):
            assert client.get(f"/tables/{table}/{wanted}").json()["error"] == NO_HINTS
        ann.send(type="wish", matter="hints", yes=True)
        assert not ann.see(lambda told: told["match"]["terms"]["hints"] == [0])["match"]["terms"]["has_hints"]
        assert client.get(f"/tables/{table}/hint").status_code == 409
        ben.send(type="wish", matter="hints", yes=True)
        ann.see(lambda told: told["match"]["terms"]["has_hints"])
        (journal,) = (settings.data / "games").iterdir()
        assert b'"type":"help"' not in journal.read_bytes()
        assert client.get(f"/tables/{table}/hint").json()["seat"] == 0
        assert journal.read_bytes().count(b'"type":"help"') == 1  # it counts for no ladder any more
        assert client.get(f"/tables/{table}/heat.png").content.startswith(b"\x89PNG")
        ann.send(type="wish", matter="hints", yes=False)
        ann.see(lambda told: not told["match"]["terms"]["has_hints"])
        assert client.get(f"/tables/{table}/hint").status_code == 409


def test_a_program_takes_a_challenge(client):
    table, key = challenge(client)
    with look(client, table, key) as ann, client.websocket_connect(f"/tables/{table}/join") as bot:
        assert bot.receive_json(timeout=20)["type"] == "hello"
        bot.send_json({"type": "join", "name": "bert"})
        told = ann.see(mine)
        assert [player["name"] for player in told["match"]["players"]] == ["Ann", "bert"]
        ann.move(*MOVES[0], ply=0)
        while (asked := bot.receive_json(timeout=20))["type"] != "turn":
            pass
        bot.send_json({"type": "move", "game_id": asked["game_id"], "turn": asked["turn"], "move": list(MOVES[1])})
        assert ann.see(plies(2))["match"]["terms"]["here"] == [0, 1]


class Player:
    """A browser's connection to a real server."""

    def __init__(self, open_sockets, server, table, key=None):
        self.socket = open_sockets.enter_context(connect(f"ws://127.0.0.1:{server.port}/tables/{table}/live"))
        self.send(type="hello", key=key)

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def see(self, wanted):
        while True:
            told = json.loads(self.socket.recv(timeout=20))
            if told["type"] == "snapshot" and wanted(told):
                return told


@pytest.mark.parametrize("moves", first_shows(3, 0, 4), ids=["playing", "waiting", "between games"])
def test_nothing_is_lost_when_the_server_is_killed(serving, moves):
    with contextlib.ExitStack() as open_sockets:
        killed_and_started_anew(serving, moves, lambda *who: Player(open_sockets, *who))


def killed_and_started_anew(serving, moves, player_of):
    server = serving().ready()
    with httpx.Client(base_url=server.url) as client:
        table, key = challenge(client, to_all=True)
        keys = [key, take(client, table).json()["key"]] if moves else [key]
    players = [player_of(server, table, key) for key in keys]
    for ply, move in enumerate(MOVES[:moves]):
        players[ply % 2].see(lambda told, ply=ply: told["can_move"] and len(told["moves"]) == ply)
        players[ply % 2].send(type="move", ply=ply, move=move)
    if moves:
        players[0].see(lambda told: len(told["moves"]) == moves)
    server.stop(signal.SIGKILL)
    again = serving(server.data).ready()
    players = [player_of(again, table, key) for key in keys]
    if moves == 0:
        told = players[0].see(lambda told: told["match"]["terms"]["is_offered"])
        assert told["match"]["lobby"]["guests"] == ["Ann", None]
        with httpx.Client(base_url=again.url) as client:
            assert len(client.get("/api/challenges").json()["challenges"]) == 1
            players.append(player_of(again, table, take(client, table).json()["key"]))
        players[0].see(mine)
    elif moves == 3:
        players[1].see(mine)
        players[1].send(type="move", ply=3, move=MOVES[3])
        assert players[0].see(over)["match"]["number"] == 1
    else:
        told = players[0].see(lambda told: told["match"]["games"])
        assert [seat["mine"] for seat in told["seats"]] == [True, False]
        for player in players:
            player.send(type="wish", matter="again", yes=True)
        assert players[1].see(mine)["match"]["number"] == 2
    assert again.stop()[2] == ""


def test_others_need_no_token_and_an_address_has_a_share(settings, opened):
    few = msgspec.structs.replace(
        settings, openness=Openness(admin_token="t" * 16), limits=Limits(challenges_per_address=2)
    )
    client = opened(few)
    first, _ = challenge(client), challenge(client)
    asked = {"game": "gravity", "rules": RULES, "name": "Ann"}
    answer = client.post("/api/challenges", json=asked)
    assert answer.status_code == 503
    assert answer.json()["error"] == "2 games with friends go on from your address already; end one first"
    assert client.post("/api/tables", json={"game": "gravity", "rules": RULES}).status_code == 403
    client.post(f"/api/tables/{first[0]}/close", json={"key": first[1]})
    challenge(client)


def test_a_match_against_a_built_in_player_goes_on_game_after_game(client):
    table, key = challenge(client, house=["random"])
    with look(client, table, key) as ann:
        for number in (1, 2):
            shown = ann.see(playing(number))
            assert shown["match"]["starter"] == number - 1
            while not shown["outcome"]:
                taken = [stone["move"] for stone in shown["moves"]]
                if has_moved := shown["can_move"]:
                    ann.move(*free_spot(taken), ply=len(taken))
                shown = ann.see(partial(has_gone_on, len(taken), has_moved))
            assert shown["match"]["number"] == number
            ann.send(type="wish", matter="again", yes=True)
        third = ann.see(playing(3))
    match = third["match"]
    for player, shown in enumerate(match["players"]):
        assert shown["total"] == sum(game["scores"][player] for game in match["games"]) > 0


def test_a_built_in_player_of_a_match_goes_by_the_title_of_its_level(client):
    level = catalog.game("gravity").levels[1]
    table, key = challenge(client, house=[level.spec])
    with look(client, table, key) as ann:
        begun = ann.see(playing(1))
    assert [seat["name"] for seat in begun["seats"]] == ["Ann", level.title.capitalize()]
    assert [player["name"] for player in begun["match"]["players"]] == ["Ann", level.title.capitalize()]


@pytest.mark.parametrize(
    ("house", "words"),
    [
        (["cmd:./bot"], "pages start no programs"), (["nobody"], "nobody"),
        (["random", "random"], "2 of 2 players are seated here; leave a seat for a player that connects"),
    ],
)
def test_who_cannot_sit_in_a_match_is_refused(client, house, words):
    wanted = {"game": "gravity", "rules": RULES, "name": "Ann", "house": house}
    answer = client.post("/api/challenges", json=wanted)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def has_gone_on(plies, has_moved, told):
    """Say whether a snapshot shows a move or the end, or that it is our turn now, which may come after the move."""
    return len(told["moves"]) > plies or told["outcome"] or (told["can_move"] and not has_moved)


def free_spot(taken):
    """Return a place on the board of RULES that is far enough from all stones."""
    size, spacing = RULES["size"], RULES["spacing"]
    return next(
        (row, col) for row in range(size) for col in range(size)
        if all((row - r) ** 2 + (col - c) ** 2 >= spacing**2 for r, c, *_ in taken)
    )  # fmt: skip
