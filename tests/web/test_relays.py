"""Relays: who only watches is served by other processes, whatever becomes of Redis, of the arena, of a relay."""

import contextlib
import json
import signal
import sys
import time

import httpx
import msgspec
import pytest
import redis as redis_client
from litestar.exceptions import WebSocketDisconnect
from test_hosting import until
from test_server import STOPPED_IN_S, browser, slow_viewer
from two_forms import House, relay_of, until_well
from web_play import HTML, PERSON, REPLY, Relay, Viewer, mine, plies, start
from websockets.exceptions import ConnectionClosed

import real_redis
from hinterland.cli import run
from hinterland.web.relays import exchange, game_feeds, messages

BOB = {"kind": "person", "name": "Bob"}
HOUR = {"budget": 3600}


@pytest.fixture
def arena_at(opened, settings):
    """Open an arena that tells relays of its games by the Redis of an address."""
    return lambda url: opened(msgspec.structs.replace(settings, redis=url))


def closing(viewer):
    """Hear all there is; return how the connection is closed."""
    try:
        while True:
            viewer.hear()
    except WebSocketDisconnect as closed:
        return closed.code, closed.detail


@contextlib.contextmanager
def relaying(url, **limits):
    """Start a relay in a process of its own, and wait until it has heard of the arena."""
    with contextlib.closing(Relay(url, **limits)) as relay:
        with httpx.Client(base_url=relay.ready().url) as monitor:
            until_well(monitor)
        yield relay


def watchers(count):
    """Want a snapshot that so many look at."""
    return lambda snapshot: snapshot["viewers"] == count


def test_who_holds_a_key_is_sent_away(arena_at, redis_server):
    url = redis_server.url()
    arena = arena_at(url)
    game, key = start(arena, PERSON, BOB)
    with relay_of(url) as relay:
        at = House(arena, relay)
        with relay.websocket_connect(f"/watch/games/{game}/live") as socket:
            viewer = Viewer(socket, key)
            assert "players connect to the arena itself" in viewer.complaint()
            assert closing(viewer)[0] == 1008
        with at.watching(game) as eve:
            eve.see()
            eve.send(type="hello", key=key)
            assert "players connect to the arena itself" in eve.complaint()


@pytest.mark.parametrize("headers", [HTML, {**HTML, "Accept-Language": "de"}], ids=["en", "de"])
def test_a_relay_says_what_the_arena_says(arena_at, redis_server, headers):
    """To the letter, names of levels and the reason of the end included."""
    url = redis_server.url()
    arena = arena_at(url)
    game, key = start(arena, PERSON, REPLY, clock=HOUR)
    with relay_of(url) as relay, House(arena).watching(game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(2))
        ann.send(type="resign")
        at = House(arena, relay)
        with House(arena).watching(game, headers=headers) as here, at.watching(game, headers=headers) as far:
            wanted = lambda seen: seen["outcome"] and watchers(3)(seen)  # noqa: E731
            assert far.see(wanted) == here.see(wanted)


def test_a_match_is_watched_from_the_invitation_to_the_result(arena_at, redis_server):
    url = redis_server.url()
    arena = arena_at(url)
    with relay_of(url) as relay, contextlib.ExitStack() as stack:
        at = House(arena, relay)
        invitation = {"game": "gravity", "rules": {"size": 24, "stones": 1, "spacing": 3}, "name": "Ann"}
        made = arena.post("/api/challenges", json=invitation).json()
        eve = stack.enter_context(at.watching(made["id"], room="tables"))
        assert eve.see()["match"]["state"] == "waiting"
        key = arena.post(f"/api/tables/{made['id']}/seat", json={"name": "Ben"}).json()["key"]
        players = [stack.enter_context(at.watching(made["id"], seat, room="tables")) for seat in (made["key"], key)]
        for ply, (player, move) in enumerate(zip(players, ((5, 5), (20, 20)), strict=True)):
            player.see(lambda seen, ply=ply: mine(seen) and plies(ply)(seen))
            player.move(*move, ply=ply)
            eve.see(plies(ply + 1))
        over = eve.see_the_end()
        assert sorted(player["name"] for player in over["match"]["players"]) == ["Ann", "Ben"]


def report(relay="r", viewers=(), awaited=()):
    return json.dumps({"relay": relay, "viewers": dict(viewers), "awaited": list(awaited)}).encode()


MANY = {f"games/{number:024x}": 1 for number in range(20_000)}
FLOODS = {
    "20,000 games in one message": [report(viewers=MANY, awaited=MANY)],
    "20,000 games in a hundred": [
        report(f"r{part}", list(MANY.items())[200 * part:200 * part + 200]) for part in range(100)
    ],
    "a long name": [report("r" * 1000)],
    "long addresses": [report(viewers={"games/" + "x" * 60_000: 1})],
    "more people than there are": [report(viewers={"showcase": 10**30, "games/a": -5})],
    "a megabyte of nothing": [b"[" * 1_000_000],
    "ten thousand small ones": [report(f"r{number}") for number in range(10_000)],
    "no report": [b"", b"null", b"\xff", b'{"relay": 1}', b'{"relay": "", "viewers": {}}'],
}


@pytest.mark.parametrize("flood", FLOODS)
def test_what_comes_by_redis_is_bounded_and_keeps_no_player_waiting(arena_at, redis_server, flood):
    url = redis_server.url()
    number = int(url.rpartition("=")[2])
    arena = arena_at(url)
    feeds = arena.app.state.arena.feeds
    game, key = start(arena, PERSON, BOB)
    with redis_client.Redis.from_url(url) as sender, House(arena).watching(game, key) as ann:
        ann.see(mine)
        until(lambda: feeds._exchange.is_up)
        for message in FLOODS[flood]:
            sender.publish(f"hinterland:{number}:relays", message)
        waits = []
        for ply, move in enumerate(((5, 5), (20, 20), (5, 20))):
            began = time.monotonic()
            ann.move(*move, ply=ply)
            ann.see(plies(ply + 1))
            waits.append(time.monotonic() - began)
            time.sleep(0.2)
        assert len(feeds._feeds) <= messages.MAX_GAMES
        assert feeds.relays <= messages.MAX_RELAYS
        assert 0 <= feeds.people <= 10_000
        assert max(waits) < 2, waits
        if flood in ("20,000 games in one message", "no report"):  # the control: a relay is shown the game
            with relay_of(url) as relay, House(arena, relay).watching(game) as eve:
                eve.see(plies(3))


def test_clocks_run_on_at_relays(arena_at, redis_server):
    """Who comes late to a relay is told what is left now, not when the arena told of it."""
    url = redis_server.url()
    arena = arena_at(url)
    game, key = start(arena, PERSON, BOB, clock=HOUR)
    with relay_of(url) as relay:
        at = House(arena, relay)
        with at.watching(game, key) as ann, at.watching(game) as eve:
            ann.move(5, 5, ply=0)
            early = eve.see(lambda seen: plies(1)(seen) and watchers(2)(seen))
            time.sleep(0.3)
            with at.watching(game) as late:
                first = late.hear()
            truth = arena.get(f"/api/games/{game}").json()
    assert first["left_ms"][0] == early["left_ms"][0]
    assert early["left_ms"][1] - 300 >= first["left_ms"][1] >= truth["left_ms"][1]
    assert first["left_ms"][1] - truth["left_ms"][1] < 2000


@pytest.mark.thorough
def test_several_relays_are_counted_together(arena_at, redis_server):
    url = redis_server.url()
    arena = arena_at(url)
    game, key = start(arena, PERSON, BOB)
    with relay_of(url) as one, House(arena).watching(game, key) as ann:
        with relay_of(url) as two, House(arena, one).watching(game) as eve:
            with House(arena, two).watching(game), House(arena, two).watching(game):
                eve.see(watchers(4))
            eve.see(watchers(2))
            with House(arena, two).watching(game) as bob:
                bob.see(watchers(3))
        ann.see(watchers(1))
        ann.move(5, 5, ply=0)
        ann.see(plies(1))


def test_a_relay_that_is_gone_counts_no_more(arena_at, redis_server, monkeypatch):
    monkeypatch.setattr(game_feeds, "SILENCE_TIMEOUT_S", 0.5)
    url = redis_server.url()
    arena = arena_at(url)
    game, key = start(arena, PERSON, BOB)
    with redis_client.Redis.from_url(url) as speaker, House(arena).watching(game, key) as ann:
        ann.see(watchers(1))
        number = url.rpartition("=")[2]
        report = {"relay": "gone soon", "viewers": {f"games/{game}": 7}, "awaited": []}
        assert speaker.publish(f"hinterland:{number}:relays", msgspec.json.encode(report)) == 1
        ann.see(watchers(8))
        ann.see(watchers(1))


def test_redis_goes_away_and_comes_back(arena_at, caplog):
    with real_redis.started() as server:
        url = server.url()
        arena = arena_at(url)
        game, key = start(arena, PERSON, BOB)
        with relay_of(url) as relay:
            at = House(arena, relay)
            with at.watching(game, key) as ann:
                with at.watching(game) as eve:
                    ann.move(5, 5, ply=0)
                    eve.see(plies(1))
                    server.stop()
                    assert closing(eve) == (1012, "the arena cannot be reached from here")
                with at.watching(game) as eve:
                    assert eve.complaint() == "the arena cannot be reached from here"
                    assert closing(eve)[0] == 1013
                assert relay.get("/healthz").json()["reason"] == "the arena cannot be reached from here"
                ann.see(watchers(1))
                ann.move(20, 20, ply=1)
                ann.see(plies(2))
                server.start()
                until_well(relay)
                with at.watching(game) as eve:
                    eve.see(plies(2))
                    ann.see(watchers(2))
                    ann.move(5, 20, ply=2)
                    eve.see(plies(3))
        said = [record.getMessage() for record in caplog.records if record.name == "hinterland.web"]
    assert sum("Redis cannot be reached" in line for line in said) == 2, "one line each: the arena, the relay"
    assert sum("Redis can be reached again" in line for line in said) == 2
    assert len(said) == 4


def test_a_redis_that_answers_nothing_is_noticed(arena_at, monkeypatch):
    monkeypatch.setattr(exchange, "REDIS_TIMEOUT_S", 0.5)
    with real_redis.started() as server:
        url = server.url()
        arena = arena_at(url)
        game, key = start(arena, PERSON, BOB)
        with relay_of(url) as relay:
            at = House(arena, relay)
            with at.watching(game, key) as ann:
                with at.watching(game) as eve:
                    eve.see(watchers(2))
                    with server.frozen():
                        assert closing(eve) == (1012, "the arena cannot be reached from here")
                        ann.move(5, 5, ply=0)
                        ann.see(plies(1))
                until_well(relay)
                with at.watching(game) as eve:
                    eve.see(plies(1))


def test_what_makes_no_sense_by_redis_is_passed_over(arena_at, redis_server, caplog):
    url = redis_server.url()
    arena = arena_at(url)
    game, key = start(arena, PERSON, BOB)
    with relay_of(url) as relay, redis_client.Redis.from_url(url) as speaker:
        at = House(arena, relay)
        with at.watching(game, key) as ann, at.watching(game) as eve:
            eve.see()
            for channel in ("relays", f"games/{game}"):
                for text in (b"", b"\xff", b"{}", b"[1]", b'{"relay": 1}', b'{"type": "shown", "snapshot": {}}'):
                    assert speaker.publish(f"hinterland:{url.rpartition('=')[2]}:{channel}", text) == 1
            ann.move(5, 5, ply=0)
            eve.see(plies(1))
    said = [record.getMessage() for record in caplog.records if "could not be taken" in record.getMessage()]
    assert len(said) == 2, "each process says it once"


@pytest.mark.thorough
def test_arenas_with_numbers_of_their_own_do_not_hear_one_another(arena_at, redis_server):
    arena = arena_at(redis_server.url())
    game, key = start(arena, PERSON, BOB)
    with pytest.raises(AssertionError, match="cannot be reached"), relay_of(redis_server.url()):
        raise RuntimeError("a relay has heard of an arena that is not its own")
    with House(arena).watching(game, key) as ann:
        ann.see(watchers(1))


@pytest.mark.thorough
def test_an_arena_that_stops_says_so_to_all_and_is_back_after_a_restart(settings, redis_server, serving):
    url = redis_server.url()
    server = serving(redis=url).ready()
    game, _ = server.start(PERSON, BOB)
    with relay_of(url) as relay:
        at = House(None, relay)
        with at.watching(game) as eve:
            eve.see()
            server.process.send_signal(signal.SIGTERM)
            assert closing(eve) == (1012, "the arena is stopping")
        assert server.stop()[0] == 0
        serving(redis=url).ready()
        until_well(relay)
        with at.watching(game) as eve:
            eve.see()


@pytest.mark.thorough
@pytest.mark.once
def test_an_arena_that_is_killed_is_noticed(redis_server, serving):
    url = redis_server.url()
    server = serving(redis=url).ready()
    game, _ = server.start(PERSON, BOB)
    with relay_of(url) as relay, House(None, relay).watching(game) as eve:
        eve.see()
        server.process.kill()
        assert closing(eve) == (1012, "the arena cannot be reached from here")


@pytest.mark.thorough
@pytest.mark.once
def test_a_relay_is_a_process_that_stops_when_told_to(redis_server, serving):
    url = redis_server.url()
    server = serving(redis=url, metrics_port=0).ready()
    game, _ = server.start(PERSON, BOB)
    with relaying(url) as relay, browser(relay, game) as eve:
        eve.see()
        assert httpx.get(f"{relay.url}/healthz").json()["viewers"] == 1
        until(lambda: "hinterland_relayed_viewers 1" in httpx.get(server.metrics_url).text)
        code, took_s, complaints = relay.stop()
        with pytest.raises(ConnectionClosed) as closed:
            eve.see(lambda _: False)
    assert (code, complaints) == (0, "")
    assert closed.value.rcvd.reason == "this relay is stopping"
    assert took_s < 3 * STOPPED_IN_S


@pytest.mark.thorough
@pytest.mark.once
def test_who_never_reads_is_cut_off_by_a_relay_too(redis_server, serving):
    url = redis_server.url()
    server = serving(redis=url, games_per_minute=1000, messages_per_second=10_000).ready()
    with relaying(url, send_s=0.5) as relay:
        slow_viewer(server, relay)


WRONG = [
    ("http://127.0.0.1", "--redis is redis://HOST:PORT/NUMBER, rediss:// with TLS, or unix:///SOCKET, not 'http://"),
    ("redis://127.0.0.1:many/0", "--redis is redis://"),
    ("redis://127.0.0.1:9/games", "--redis is redis://"),
    ("redis://127.0.0.1:9/0?colour=red", "--redis is redis://"),
    ("", "--redis is redis://"),
    ("redis://ann:secret@127.0.0.1:9/0", "Redis at redis://127.0.0.1:9/0 cannot be used: "),
    ("unix:///no/such/socket", "Redis at unix:///no/such/socket cannot be used: "),
]


@pytest.mark.parametrize("command", ["serve", "relay"])
@pytest.mark.parametrize(("url", "words"), WRONG)
def test_a_wrong_redis_is_one_clear_line(command, url, words, tmp_path, capsys):
    given = ["--data", str(tmp_path / "data")] if command == "serve" else []
    assert run([command, "--port", "0", "--redis", url, *given]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"hinterland: {words}")
    assert told.err.count("\n") == 1
    assert "secret" not in told.err


def test_a_missing_library_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    assert run(["relay", "--port", "0", "--redis", "redis://127.0.0.1:9/0"]) == 2
    assert capsys.readouterr().err == "hinterland: Redis needs its library: pip install 'hinterland[redis]'\n"
