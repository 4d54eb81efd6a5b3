"""Tables for programs in the arena: made by a page, played over sockets, kept with all other games, closed in time."""

import json
import os
import shutil
import socket
import sys
import time

import msgspec
import pytest
from litestar.testing import TestClient
from web_play import BASE, HTML, RULES, Viewer

from hinterland.contract import read_json
from hinterland.gravity import Rules
from hinterland.referee import verification
from hinterland.storage import records as record_files
from hinterland.web.api.match_request import MATCH_FORM, MatchRequest, plan_match
from hinterland.web.app import create_app
from lateness import measure_least
from programs import need_sandbox
from referee_clients import find_first_free, read_state

TINY = {"size": 12, "stones": 2, "spacing": 3}
WISH = {"game": "gravity", "rules": TINY}


def open_table(client, **others):
    answer = client.post("/api/tables", json={**WISH, **others})
    assert answer.status_code == 201, answer.text
    return answer.json()


class Program:
    """A player of protocol hps on a blocking socket."""

    def __init__(self, address, name):
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        self.lines = self.socket.makefile("rb")
        self.greeting = self.lines.readline().decode()
        self.socket.sendall(f"{name}\n".encode())
        self.stones = []

    def step(self, rules):
        """Answer one question; say whether there was one, None at the end of the connection."""
        line = self.lines.readline().decode().rstrip("\n")
        if not line:
            return None
        flag, told = read_state(line, rules)
        self.stones += [stone[:2] for stone in told]
        if flag == 1:
            self.stones = []
            return False
        move = find_first_free(self.stones, rules)
        self.stones.append(move)
        self.socket.sendall(f"{move[0]} {move[1]}\n".encode())
        return True

    def close(self):
        self.lines.close()
        self.socket.close()


def play(address, rules, *names, games=None):
    """Play a match, or its first games: each is begun by the next, and whoever is not asked waits for its line."""
    programs = [Program(address, name) for name in names]
    try:
        for game in range(games or rules.players):
            for turn in range(rules.stones * rules.players):
                assert programs[(game + turn) % len(programs)].step(rules) is True
            assert [program.step(rules) for program in programs] == [False] * len(programs)
        if games is None:
            assert [program.step(rules) for program in programs] == [None] * len(programs)
    finally:
        for program in programs:
            program.close()


def until(condition, patience_s=10):
    deadline = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.01)


def told(client, table):
    return client.get(f"/api/tables/{table['id']}").json()


def is_state(client, table, state):
    return lambda: told(client, table)["match"]["state"] == state


def test_a_match_of_programs_is_hosted_watched_and_recorded_once(client, settings):
    table = open_table(client)
    assert table["protocol"] == "hps"
    assert client.get(table["url"]).status_code == 200
    with client.websocket_connect(f"{table['url']}/live") as socket:
        viewer = Viewer(socket, None)
        assert viewer.see()["match"]["lobby"]["address"] == table["address"]
        play(table["address"], Rules(**TINY), "ann", "ben")
        seen = viewer.see(lambda seen: seen["match"]["games"])
    assert seen["match"]["players"][0]["name"] == "ann"
    until(lambda: (settings.data / "records.jsonl").read_bytes().count(b"\n") == 2)
    kept = [found for _, found in record_files.read(settings.data / "records.jsonl")]
    for one in kept:
        verification.verify(one)
    assert [one.players for one in kept] == [("ann", "ben"), ("ben", "ann")]


def test_records_of_hosted_and_of_ordinary_games_stand_in_one_file(client, settings):
    table = open_table(client)
    play(table["address"], Rules(**TINY), "ann", "ben")
    both = [{"kind": "program", "player": "random"}] * 2
    game = client.post("/api/games", json={"game": "gravity", "rules": RULES, "seats": both}).json()
    until(lambda: client.get(f"/api/games/{game['id']}").json()["outcome"])
    until(lambda: len(list(record_files.read(settings.data / "records.jsonl"))) == 3)


def test_the_house_fills_a_seat(client):
    table = open_table(client, house=["random"], rules={**TINY, "stones": 1})
    program = Program(table["address"], "ann")
    rules = Rules(**{**TINY, "stones": 1})
    while program.step(rules) is not None:
        pass
    program.close()
    until(lambda: len(told(client, table)["match"]["games"]) > 0)
    assert [player["name"] for player in told(client, table)["match"]["players"]] == ["ann", "random"]
    until(lambda: client.get("/api/games").json()["games"])
    pages = client.get("/api/games").json()["games"][0]["pages"]
    assert None in pages  # a program that named itself
    assert any(page and page.startswith("/players/random-") for page in pages)


SPY = """
import json, os, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print('{"type":"join","name":"spy"}', flush=True)
    elif told["type"] == "turn":
        seen = [name for name in ("HINTERLAND_ADMIN_TOKEN", "PGPASSWORD", "OTHER") if name in os.environ]
        sys.exit(f"it sees {seen} {os.path.exists(sys.argv[1])}")
"""


@pytest.mark.parametrize("sandbox", [False, True], ids=["bare", "sandbox"])
def test_a_seated_program_gets_no_secrets_and_in_the_sandbox_no_files(settings, opened, tmp_path, monkeypatch, sandbox):
    if sandbox:
        need_sandbox()
    for name in ("HINTERLAND_ADMIN_TOKEN", "PGPASSWORD", "OTHER"):
        monkeypatch.setenv(name, "a-secret-of-the-operator")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "spy.py").write_text(SPY)
    line = f"cmd:{sys.executable} {tmp_path}/bot/spy.py {settings.data}/records.jsonl"
    told = {"programs": {"program:spy": line}, "sandbox": sandbox}
    client = opened(msgspec.structs.replace(settings, **told))
    table = open_table(client, house=["program:spy"])
    guest = Program(table["address"], "ann")
    while guest.step(Rules(**TINY)) is not None:
        pass
    guest.close()
    until(lambda: (settings.data / "records.jsonl").read_bytes().count(b"\n") == 2)
    kept = [found for _, found in record_files.read(settings.data / "records.jsonl")]
    assert [f"it sees [] {not sandbox}" in left.detail for one in kept for left in one.departures] == [True, True]


BAD = [
    ({"game": "chess"}, "unknown game 'chess'"),
    ({"rules": {"size": 1}}, "size"),
    ({"rules": {"size": 9999}}, "in the browser size can be at most 2000, not 9999"),
    ({"rules": {"colour": 1}}, "unknown rule of gravity 'colour'"),
    ({"players": 1}, "players"),
    ({"players": "two"}, "Expected `int`"),
    ({"house": ["cmd:rm -rf /"]}, "pages start no programs"),
    ({"house": ["cmd"]}, "pages start no programs"),
    ({"house": ["./bot.py"]}, "pages start no programs"),
    ({"house": ["nobody"]}, "unknown player of gravity 'nobody'"),
    ({"house": ["reply:depth=9"]}, "depth"),
    ({"house": ["random", "random"]}, "2 of 2 players are seated here; leave a seat for a player that connects"),
    ({"house": ["random:" + "x" * 200]}, "at most 100 characters"),
    ({"protocol": "gtp"}, "unknown protocol 'gtp'; known: hps, hps-2016, hps-2018, json"),
    ({"illegal": "ignore"}, "unknown cost of an illegal move"),
    ({"clock": {}}, "budget must be 1 to 3600 seconds, not None"),
    ({"clock": {"budget": 99999}}, "budget must be 1 to 3600 seconds, not 99999"),
    ({"clock": {"budget": 10, "increment": 600}}, "increment must be at most 60 seconds"),
    ({"port": 80}, "port must be 0, for a free one, or from 1024 to 65535, not 80"),
    ({"port": 99999}, "port must be 0"),
    ({"sandbox": True}, "unknown field"),
]


@pytest.mark.parametrize(("change", "words"), BAD)
def test_bad_wishes_get_one_clear_line(client, change, words):
    answer = client.post("/api/tables", json={**WISH, **change})
    assert answer.status_code == 400
    message = answer.json()["error"]
    assert words in message
    assert "\n" not in message


def test_no_json_and_too_much(client):
    assert "a request for a match has the form" in client.post("/api/tables", content=b"{").json()["error"]
    assert client.post("/api/tables", content=b"x" * 70_000).status_code == 413


def test_a_port_that_is_taken(client, busy_port):
    answer = client.post("/api/tables", json={**WISH, "port": busy_port})
    assert (answer.status_code, answer.json()["error"]) == (503, f"port {busy_port} on 127.0.0.1 is in use")


def test_only_so_many_tables(opened, limited):
    client = opened(limited(hosted_matches=2))
    first, _ = open_table(client), open_table(client)
    answer = client.post("/api/tables", json=WISH)
    assert answer.status_code == 503
    assert "all 2 places for hosted matches are taken" in answer.json()["error"]
    assert client.post(f"/api/tables/{first['id']}/close", json={"key": first["key"]}).status_code == 200
    open_table(client)


def test_only_who_made_a_table_may_close_it(client):
    table = open_table(client)
    path = f"/api/tables/{table['id']}/close"
    assert client.post(path, json={"key": "guessed"}).status_code == 403
    assert client.post(path, json={}).status_code == 400
    assert client.post("/api/tables/none/close", json={"key": table["key"]}).status_code == 404
    program = Program(table["address"], "ann")
    until(lambda: told(client, table)["match"]["lobby"]["guests"][0] == "ann")
    assert client.post(path, json={"key": table["key"]}).json() == {"closed": True}
    assert program.lines.readlines()[1:] == []  # one line that says why, and the end
    program.close()
    match = told(client, table)["match"]
    assert (match["state"], match["detail"]) == ("closed", "closed by its host")
    host, _, port = table["address"].rpartition(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)))


def test_a_table_to_which_nobody_comes_is_closed(opened, limited):
    client = opened(limited(deserted_s=0.1))
    table = open_table(client)
    until(is_state(client, table, "closed"))
    assert "nobody came within" in told(client, table)["match"]["detail"]


@pytest.mark.thorough
def test_a_table_at_which_somebody_waits_stays(opened, limited):
    client = opened(limited(deserted_s=0.1))
    table = open_table(client)
    program = Program(table["address"], "ann")
    until(lambda: told(client, table)["match"]["lobby"]["guests"][0] == "ann")
    time.sleep(0.3)
    assert told(client, table)["match"]["state"] == "waiting"
    program.close()
    until(is_state(client, table, "closed"))


def test_a_match_that_ends_shows_its_result_and_winner(client):
    table = open_table(client)
    play(table["address"], Rules(**TINY), "ann", "ben")
    until(is_state(client, table, "over"))  # though its last game was over sooner than the first one was looked at
    match = told(client, table)["match"]
    totals = [player["total"] for player in match["players"]]
    assert [game["number"] for game in match["games"]] == [1, 2]
    assert match["winners"] == [player for player in (0, 1) if totals[player] == max(totals)]


def test_players_that_leave_after_the_first_game_are_told_of_on_the_page_and_later(settings):
    with TestClient(create_app(settings), base_url=BASE) as client:
        table = open_table(client)
        play(table["address"], Rules(**TINY), "ann", "ben", games=1)
        until(is_state(client, table, "over"))
        match = told(client, table)["match"]
        [game] = match["games"]
        assert match["winners"] == [player for player in (0, 1) if game["scores"][player] == max(game["scores"])]
        notice = match["notice"]
        assert notice["title"] == "Not all games were played"
        assert notice["detail"] == "game 2 was not played: ann, ben had left"
        until((settings.data / "over" / f"{table['id']}.jsonl").is_file)
    with TestClient(create_app(settings), base_url=BASE) as client:
        page = client.get(table["url"], headers=HTML).text
        assert "after 1 of 2 games" in page
        page = client.get(table["url"], headers={**HTML, "Accept-Language": "de"}).text
        assert "nach 1 von 2 Partien" in page


@pytest.mark.thorough
def test_the_address_of_a_match_outlives_its_table_and_its_server(settings):
    with TestClient(create_app(settings), base_url=BASE) as client:
        table = open_table(client)
        play(table["address"], Rules(**TINY), "ann", "ben")
        until(is_state(client, table, "over"))
        until((settings.data / "over" / f"{table['id']}.jsonl").is_file)
        match = told(client, table)["match"]
    with TestClient(create_app(settings), base_url=BASE) as client:
        page = client.get(table["url"], headers=HTML)
        assert page.status_code == 200
        winners = [match["players"][player]["name"] for player in match["winners"]]
        assert (f"{winners[0]} wins the match" if len(winners) == 1 else "share the win") in page.text
        for game in match["games"]:
            assert f"/games/{game['id']}" in page.text
            assert client.get(f"/games/{game['id']}").status_code == 200
        for player in match["players"]:
            assert f"{player['total']:,}" in page.text
        assert client.get(f"/tables/{'x' * 16}").status_code == 404


def test_old_results_are_let_go(opened, limited, monkeypatch):
    from hinterland.web.matches import hosting

    monkeypatch.setattr(hosting, "MAX_FINISHED_MATCHES", 1)
    client = opened(limited(games_per_minute=1000))
    tables = [open_table(client) for _ in range(3)]
    for table in tables:
        client.post(f"/api/tables/{table['id']}/close", json={"key": table["key"]})
    open_table(client)
    assert [client.get(table["url"]).status_code for table in tables] == [404, 404, 200]


def test_a_table_is_listed_where_tables_are_made(client):
    table = open_table(client)
    page = client.get("/host").text
    assert table["url"] in page
    assert "waiting for 2 of 2 players" in page
    assert client.get("/host/gravity").text == page
    assert client.get("/host/chess").status_code == 404


def test_names_are_shown_as_they_are_written(client):
    table = open_table(client)
    programs = [Program(table["address"], name) for name in ("<b>ann</b>", "ben")]
    until(is_state(client, table, "playing"))
    assert "<b>ann<" not in client.get("/host").text
    assert "&lt;b&gt;ann" in client.get("/host").text
    for program in programs:
        program.close()


def test_json_tables_take_players_over_websocket(client):
    rules = {**TINY, "stones": 1}
    table = open_table(client, protocol="json", house=["random"], rules=rules)
    assert told(client, table)["match"]["lobby"]["socket"] == f"{table['url']}/join"
    kinds = []
    with client.websocket_connect(f"{table['url']}/join") as player:
        player.send_text('{"type":"join","name":"ann"}')
        while not kinds or kinds[-1] != "bye":
            message = player.receive_json(timeout=20)
            kinds.append(message["type"])
            if message["type"] == "turn":
                move = find_first_free([move[:2] for _, move in message["moves"]], Rules(**rules))
                echoed = {"game_id": message["game_id"], "turn": message["turn"]}
                player.send_text(json.dumps({"type": "move", **echoed, "move": move}))
    assert kinds.count("over") == 2
    with client.websocket_connect(f"{table['url']}/join") as player:
        assert player.receive_json(timeout=20)["type"] == "bye"


def test_a_fault_of_the_disk_is_told_and_the_match_goes_on_another_time(client, settings, monkeypatch, caplog):
    table = open_table(client)
    programs = [Program(table["address"], name) for name in ("ann", "ben")]
    rules = Rules(**TINY)
    programs[0].step(rules)
    programs[1].lines.readline()

    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    programs[1].socket.sendall(b"9 9\n")
    until(is_state(client, table, "closed"))
    assert "the referee had to stop" in told(client, table)["match"]["detail"]
    assert "No space left on device" in caplog.text
    for program in programs:
        program.close()
    assert [file.stem for file in (settings.data / "matches").iterdir()] == [table["url"].rpartition("/")[2]]


def test_a_record_that_cannot_be_added_is_added_by_the_next_server(opened, settings, caplog):
    """The journal of the game is on the disk by then: nothing is lost, and the match goes on."""
    client = opened(settings)
    table = open_table(client)
    (settings.data / "records.jsonl").unlink()
    (settings.data / "records.jsonl").mkdir()
    programs = [Program(table["address"], name) for name in ("ann", "ben")]
    rules = Rules(**TINY)
    for turn in range(4):
        programs[turn % 2].step(rules)
    until(lambda: "records.jsonl cannot be written" in caplog.text)
    client.__exit__(None, None, None)
    for program in programs:
        program.close()
    (settings.data / "records.jsonl").rmdir()
    opened(settings)
    assert [record.players for _, record in record_files.read(settings.data / "records.jsonl")] == [("ann", "ben")]


@pytest.mark.parametrize(
    ("wish", "illegal"),
    [
        ({"protocol": "hps"}, "retry"),
        ({"protocol": "json"}, "forfeit"),
        ({"protocol": "hps", "illegal": "skip"}, "skip"),
        ({"protocol": "json", "illegal": None}, "forfeit"),
    ],
)
def test_a_table_is_played_by_the_habits_of_its_protocol(wish, illegal):
    plan, _ = plan_match(read_json(json.dumps({"game": "gravity", **wish}), MatchRequest, MATCH_FORM), {})
    assert plan.illegal == illegal
    assert bool(plan.habits) == (wish["protocol"] == "hps")


@pytest.mark.thorough
@pytest.mark.once
def test_the_arena_stops_with_players_at_a_table(serving):
    assert measure_least(lambda: stop_with_players(serving), 2.0) < 2.0


def stop_with_players(serving):
    """Stop an arena in the middle of a match; return how long that took."""
    import httpx

    server = serving().ready()
    table = httpx.post(f"{server.url}/api/tables", json=WISH).json()
    programs = [Program(table["address"], name) for name in ("ann", "ben")]
    programs[0].step(Rules(**TINY))
    code, took_s, complaints = server.stop()
    for program in programs:
        program.close()
    assert (code, complaints) == (0, "")
    assert (server.data / "records.jsonl").read_bytes() == b""
    shutil.rmtree(server.data)  # else the next arena would go on with this match
    return took_s
