"""A refereed match on its live page: from the lobby to the result, faults in words, no trouble for the referee."""

import asyncio
import contextlib
import json
import socket
import time

import httpx
import pytest
from match_show import Viewer, game, play_hps, show_of, socket_url, state, viewer_of
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from hinterland.errors import ArenaError
from hinterland.gravity import Rules
from hinterland.host.matchmaker import AdmissionLimits
from hinterland.storage import records as record_files
from hinterland.web.live import audience
from hinterland.web.matches.shown_matches import MatchState
from hinterland.web.watching import watching
from lateness import measure_least
from referee_clients import SMALL, HpsPlayer, make_plan, play_json

MELEE = Rules(size=12, players=3, stones=1, spacing=3)


def test_a_match_is_watched_from_the_lobby_to_the_result():
    async def play():
        async with show_of(make_plan()) as (show, table), viewer_of(show) as viewer:
            empty = await viewer.see(state("waiting"))
            playing = await play_hps(table, "ann", "ben")
            over = await viewer.see(state("over"))
            await playing
            (result,) = await table.done()
            return empty, viewer.seen, over, result, table.verified()

    empty, seen, over, result, kept = asyncio.run(play())
    lobby = empty["match"]["lobby"]
    assert (lobby["address"], lobby["protocol"], lobby["guests"]) == ("127.0.0.1:9000", "hps", [None, None])
    assert empty["moves"] == []
    match = over["match"]
    assert match["number"] == match["of"] == 2
    assert [player["name"] for player in match["players"]] == ["ann", "ben"]
    assert [player["total"] for player in match["players"]] == [player.total for player in result.players]
    assert [match["players"][player]["name"] for player in match["winners"]] == list(result.winners)
    assert [line["number"] for line in match["games"]] == [1, 2]
    numbers = [one["match"]["number"] for one in seen]
    assert numbers == sorted(numbers)
    assert {0, 2} <= set(numbers), "the viewer went along to game 2"
    assert len(over["moves"]) == len(kept[1].moves)


def test_the_lobby_tells_who_is_here():
    async def play():
        async with show_of(make_plan(own_players=("random",), rules=MELEE)) as (show, table), viewer_of(show) as viewer:
            wire = await table.sit("ann")
            here = await viewer.see(lambda seen: seen["match"]["lobby"]["guests"] == ["ann", None])
            wire.close()
            left = await viewer.see(lambda seen: seen["match"]["lobby"]["guests"] == [None, None])
            return here["match"], left["match"]

    here, left = asyncio.run(play())
    assert here["lobby"]["house"] == ["random"]
    assert left["notice"] == {
        "kind": "gone", "player": None, "title": "ann has left", "detail": "the connection was closed"
    }  # fmt: skip


def test_a_player_keeps_its_place_through_all_games():
    """In game 2 ben has the first turn; its stones, score and clock are still shown as those of player 2."""

    async def play():
        async with show_of(make_plan()) as (show, table), viewer_of(show) as viewer:
            await play_hps(table, "ann", "ben")
            over = await viewer.see(state("over"))
            await table.done()
            return over, table.verified()

    over, (_, second) = asyncio.run(play())
    assert second.players == ("ben", "ann")
    assert [seat["name"] for seat in over["seats"]] == ["ann", "ben"]
    assert [move["seat"] for move in over["moves"]] == [1 - seat for seat in second.movers]
    assert over["scores"] == list(reversed(second.scores)) == over["moves"][-1]["scores"]
    assert over["match"]["starter"] == 1
    assert over["outcome"]["winners"] == [1 - seat for seat in reversed(second.winners)]


def test_the_end_of_a_game_stays_before_the_next_is_shown():
    async def play():
        at_once = make_plan(admission=AdmissionLimits(pause_s=0))
        async with show_of(at_once, linger_s=1.0) as (show, table), viewer_of(show) as viewer:
            wires = [await table.sit("ann"), await table.sit("ben")]
            players = [HpsPlayer(wire, SMALL) for wire in wires]
            await asyncio.gather(*(player.play_one() for player in players))
            await table.log.until("game began", 2)
            began = time.monotonic()
            await viewer.see(game(1, over=True))
            await viewer.see(game(2))
            took = time.monotonic() - began
            await asyncio.gather(*(player.play() for player in players))
            return took

    assert asyncio.run(play()) > 0.2


FAULTS = {
    "illegal": ("made an illegal move", "rows and columns go from 0 to 11"),
    "nonsense": ("made an illegal move", ""),
    "silence": ("ran out of time", "s into its move"),
    "gone": ("is gone", "the connection was closed"),
    "flood": ("sent too long a line", "more than 4096 bytes"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_in_words(fault):
    async def play():
        clock = 300 if fault == "silence" else 60_000
        async with show_of(make_plan(MELEE, clock_ms=clock), linger_s=5) as (show, table), viewer_of(show) as viewer:
            wires = [await table.sit(name) for name in ("ann", "ben", "eve")]
            others = [asyncio.create_task(HpsPlayer(wire, MELEE).play()) for wire in wires[1:]]
            await wires[0].line()
            if fault == "gone":
                wires[0].close()
            elif fault != "silence":
                await wires[0].send({"illegal": "99 5\n", "nonsense": "hello\n", "flood": "x" * 5000}[fault])
            seen = await viewer.see(lambda seen: (seen["match"]["notice"] or {}).get("kind") == "out")
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            return seen

    seen = asyncio.run(play())
    notice = seen["match"]["notice"]
    title, detail = FAULTS[fault]
    assert (notice["player"], notice["title"]) == (0, title)
    assert detail in notice["detail"]
    assert "seat 0" not in notice["detail"]
    assert seen["withdrawn"][0]["seat"] == 0


@pytest.mark.parametrize(("illegal", "kind"), [("skip", "skip"), ("retry", "retry")])
def test_a_refused_move_is_told_until_it_is_made_good(illegal, kind):
    async def play():
        async with show_of(make_plan(illegal=illegal)) as (show, table), viewer_of(show) as viewer:
            ann, ben = await table.sit("ann"), await table.sit("ben")
            await ann.line()
            await ann.send("99 99\n")
            seen = await viewer.see(lambda seen: (seen["match"]["notice"] or {}).get("kind") == kind)
            await ann.send("0 0\n")
            if illegal == "skip":
                await ben.line()
                await ben.send("0 0\n")
                await ann.line()
                await ann.send("5 5\n")
            await viewer.see(lambda seen: seen["match"]["notice"] is None and seen["match"]["number"] == 1)
            return seen["match"]["notice"]

    assert asyncio.run(play())["player"] == 0


def test_who_lost_its_connection_and_comes_back_is_told():
    async def play():
        tokens = {"ann": "token-of-ann", "ben": "token-of-ben"}
        async with show_of(make_plan(protocol="json", tokens=tokens)) as (show, table), viewer_of(show) as viewer:
            ann, ben = await table.join("x", token="token-of-ann"), await table.join("y", token="token-of-ben")
            await ann.until("turn")
            ann.close()
            gone = await viewer.see(lambda seen: seen["match"]["notice"] is not None)
            back = await table.join("x", token="token-of-ann")
            await viewer.see(lambda seen: seen["match"]["notice"] is None)
            await asyncio.gather(play_json(back, SMALL), play_json(ben, SMALL))
            return gone["match"]["notice"]

    assert asyncio.run(play())["title"] == "has lost its connection"


def test_several_matches_are_shown_one_after_the_other():
    async def play():
        async with show_of(make_plan(matches=2)) as (show, table), viewer_of(show) as viewer:
            first = [await table.sit("ann"), await table.sit("ben")]
            second = [await table.sit("cat"), await table.sit("dan")]
            await viewer.see(lambda seen: seen["match"]["match"] == 1 and seen["match"]["state"] == "playing")
            await asyncio.gather(*(HpsPlayer(wire, SMALL).play() for wire in second))
            assert {one["match"]["match"] for one in viewer.seen} == {1}, "a match is shown to its end"
            await asyncio.gather(*(HpsPlayer(wire, SMALL).play() for wire in first))
            return await viewer.see(lambda seen: seen["match"]["state"] == "over"), show.match_show

    over, table = asyncio.run(play())
    assert [player["name"] for player in over["match"]["players"]] == ["ann", "ben"]
    assert not table.matches.running


def test_a_lobby_follows_a_match_that_is_over():
    async def play():
        async with show_of(make_plan(matches=2)) as (show, table), viewer_of(show) as viewer:
            await (await play_hps(table, "ann", "ben"))
            await viewer.see(state("over"))
            await table.sit("cat")
            return await viewer.see(state("waiting"))

    match = asyncio.run(play())["match"]
    assert (match["match"], match["lobby"]["guests"], match["games"]) == (2, ["cat", None], [])


def test_a_late_viewer_sees_everything_at_once():
    async def play():
        async with show_of(make_plan()) as (show, table):
            await (await play_hps(table, "ann", "ben"))
            await table.done()
            await asyncio.sleep(0.1)
            async with viewer_of(show) as viewer:
                return await viewer.hear()

    seen = asyncio.run(play())
    assert seen["match"]["state"] == "over"
    assert len(seen["match"]["games"]) == 2
    assert len(seen["moves"]) == 4


@pytest.mark.parametrize("method", ["begin", "finish"])
def test_a_fault_of_the_show_never_reaches_the_referee(monkeypatch, caplog, method):
    monkeypatch.setattr(MatchState, method, lambda *_: 1 / 0)

    async def play():
        async with show_of(make_plan()) as (show, table), viewer_of(show) as viewer:
            await viewer.hear()
            await (await play_hps(table, "ann", "ben"))
            await table.done()
            return [kept.reason for kept in table.verified()]

    assert asyncio.run(play()) == ["complete", "complete"]
    assert "the live page of a match missed something" in caplog.text


@pytest.mark.parametrize(("name", "value"), [("UPDATE_INTERVAL_S", 0.5), ("MAX_BYTES_PER_S", 100)])
def test_viewers_are_not_told_more_often_than_they_can_see(monkeypatch, name, value):
    """However fast programs play, however many look, a viewer gets a few snapshots and the end."""
    monkeypatch.setattr(audience, name, value)

    async def play():
        async with show_of(make_plan()) as (show, table), viewer_of(show) as viewer:
            began = time.monotonic()
            await (await play_hps(table, "ann", "ben"))
            await viewer.see(state("over"))
            return len(viewer.seen), time.monotonic() - began

    count, took_s = asyncio.run(play())
    assert count <= 4 + took_s / 0.25  # a crowd is counted every quarter of a second


def test_the_page_and_its_files():
    async def ask():
        async with show_of(make_plan()) as (show, _), httpx.AsyncClient(base_url=show.url) as client:
            page, named = await client.get("/"), await client.get(f"/tables/{show.match_show.id}")
            told = (await client.get(f"/api/tables/{show.match_show.id}")).json()
            statuses = {path: (await client.get(path)).status_code for path in ("/tables/none", "/games", "/host")}
            heads = [await client.head(path) for path in ("/", "/favicon.ico", "/static/js/pages/match-page.js")]
            foreign = await client.get("/", headers={"Host": "evil.example"})
            return page, named, told, statuses, heads, foreign

    page, named, told, statuses, heads, foreign = asyncio.run(ask())
    assert page.text == named.text
    assert "host another match" not in page.text
    assert told["match"]["state"] == "waiting"
    assert set(statuses.values()) == {404}
    assert [(head.status_code, head.content) for head in heads] == [(200, b"")] * 3
    assert foreign.status_code == 421
    assert "default-src 'self'" in page.headers["content-security-policy"]


def test_foreign_pages_may_not_look():
    async def look():
        async with show_of(make_plan()) as (show, _):
            for what in ("live", "join"):
                with pytest.raises(InvalidStatus) as refused:
                    async with connect(socket_url(show, what), origin="http://evil.example", proxy=None):
                        pass
                assert refused.value.response.status_code == 403

    asyncio.run(look())


def test_a_port_in_use_is_named(busy_port):
    async def open_it():
        async with watching(make_plan(), host="127.0.0.1", port=busy_port, players_at=("127.0.0.1", 9000)):
            raise AssertionError("the port is taken")

    with pytest.raises(ArenaError, match=f"port {busy_port} on 127.0.0.1 is in use; choose another with --watch-port"):
        asyncio.run(open_it())


def test_viewers_are_told_when_the_referee_closes_and_it_stops_in_time():
    async def play():
        async with contextlib.AsyncExitStack() as stack:
            async with show_of(make_plan()) as (show, table):
                viewers = [await stack.enter_async_context(viewer_of(show)) for _ in range(3)]
                deaf = await deaf_viewer(show)
                await (await play_hps(table, "ann", "ben"))
                await viewers[0].see(state("over"))
                await table.done()
                began = time.monotonic()
            took_s = time.monotonic() - began
            deaf.close()
            return took_s, [await viewer.rest() for viewer in viewers], viewers[0].seen[-1]

    def measured():
        took_s, ends, last = asyncio.run(play())
        assert ends == [(1000, "the referee has closed")] * 3
        assert last["match"]["state"] == "over"
        return took_s

    assert measure_least(measured, 1.5) < 1.5  # a second, and the host's own farewell


async def deaf_viewer(show):
    """Open a live connection and read nothing any more."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(raw, ("127.0.0.1", show.settings.port))
    head = (
        f"GET /tables/{show.match_show.id}/live HTTP/1.1\r\nHost: 127.0.0.1:{show.settings.port}\r\n"
        "Upgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await loop.sock_sendall(raw, head.encode())
    await loop.sock_recv(raw, 1000)
    hello = b'{"type":"hello","key":null}'
    await loop.sock_sendall(raw, bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    return raw


def test_a_match_that_is_ended_by_the_operator_says_so():
    async def play():
        async with show_of(make_plan()) as (show, table), viewer_of(show) as viewer:
            ann, _ = await table.sit("ann"), await table.sit("ben")
            await ann.line()
            table.host.abort("the operator ended it")
            await table.done()
            seen = await viewer.see(lambda seen: seen["match"]["state"] == "over")
            return seen["match"]

    match = asyncio.run(play())
    assert (match["games"], match["winners"]) == ([], [])
    assert match["notice"]["title"] == "This game does not count"


def test_nothing_is_kept_but_the_record(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))

    async def play():
        ledger = record_files.RecordFile(tmp_path / "games.jsonl")
        async with show_of(make_plan(), records=ledger) as (_, table):
            await (await play_hps(table, "ann", "ben"))
            await table.done()
        ledger.close()

    asyncio.run(play())
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"]
    assert len(list(record_files.read(tmp_path / "games.jsonl"))) == 2


def test_a_viewer_cannot_play():
    async def play():
        async with show_of(make_plan()) as (show, _), viewer_of(show) as viewer:
            await viewer.hear()
            await viewer.socket.send('{"type":"move","ply":0,"move":[1,2]}')
            while (message := json.loads(await viewer.socket.recv()))["type"] != "error":
                pass
            return message["message"]

    assert asyncio.run(play()).startswith("you are watching")


def test_the_viewer_of_the_tests_refuses_what_is_no_snapshot():
    """Plant an error: the helper must not pass it over."""

    class Socket:
        async def recv(self):
            return '{"type":"error","message":"no"}'

    with pytest.raises(AssertionError):
        asyncio.run(Viewer(Socket()).hear())
