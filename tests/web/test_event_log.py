"""The log of a server and its audit trail: a line an event, whatever somebody sends, and never too many."""

import asyncio
import contextlib
import json
import logging
import socket
import sys
import time
from datetime import datetime

import httpx
import pytest
from web_play import PERSON, RULES, start, wish

from hinterland.web.operations import audit as audit_module
from hinterland.web.operations.audit import LINES_PER_ADDRESS, LINES_PER_MINUTE, Audit
from hinterland.web.operations.event_log import JsonLines, TextLines, with_fields
from more_of_the_same import first_shows

BOB = {"kind": "person", "name": "Bob"}


def event(message, *arguments, fields=None, exc_info=None):
    record = logging.LogRecord("hinterland.web", logging.INFO, "x.py", 1, message, arguments, exc_info)
    vars(record).update(with_fields(**(fields or {})))
    return record


def a_fault():
    try:
        raise ValueError("a\nb")
    except ValueError:
        return sys.exc_info()


def test_an_event_as_json():
    line = JsonLines().format(event("said %s", "a\n\ud800b", fields={"game": "x", "time": "mine"}, exc_info=a_fault()))
    assert "\n" not in line
    told = json.loads(line)
    assert list(told) == ["time", "level", "logger", "message", "exception", "game"]
    assert told["message"] == "said a\n\\ud800b"
    assert told["game"] == "x"
    assert told["exception"].endswith("ValueError: a\nb")
    assert datetime.fromisoformat(told["time"]).utcoffset().total_seconds() == 0


def test_an_event_as_text():
    line = TextLines().format(event("said %s", "a\n2026 ERROR b\x1b[31m", fields={"name": "c\rd"}))
    assert line.endswith(" INFO hinterland.web: said a\\n2026 ERROR b\\x1b[31m name=c\\rd")
    assert "ValueError" in TextLines().format(event("failed", exc_info=a_fault()))


@pytest.fixture
def told(caplog):
    caplog.set_level(logging.INFO, "hinterland.audit")
    return lambda: [(one.getMessage(), one.fields) for one in caplog.records if one.name == "hinterland.audit"]


def test_one_who_does_the_same_again_and_again_fills_no_disk(told):
    async def flood():
        audit = Audit()
        for number in range(5000):
            audit.note("refused with 429", "10.0.0.1", path="/" + "x" * 1000 + str(number))
        audit.note("refused with 429", "10.0.0.2", path="/")
        audit.sum_up()
        audit.note("refused with 429", "10.0.0.1", path="/again")
        audit.sum_up()
        audit.sum_up()

    asyncio.run(flood())
    lines = told()
    assert len(lines) == LINES_PER_ADDRESS + 3
    assert lines[0] == ("refused with 429", {"address": "10.0.0.1", "path": "/" + "x" * 199})
    assert lines[-2] == (
        "refused with 429: more of the same",
        {"address": "10.0.0.1", "count": 5000 - LINES_PER_ADDRESS},
    )
    assert lines[-1][1]["path"] == "/again"


def test_a_crowd_of_addresses_fills_no_disk_either(told):
    async def flood():
        audit = Audit()
        for number in range(50_000):
            audit.note("game made", f"2001:db8::{number:x}", game="x")
        assert len(audit._seen) <= LINES_PER_MINUTE
        audit.sum_up()

    asyncio.run(flood())
    lines = told()
    assert len(lines) == LINES_PER_MINUTE + 1
    assert lines[-1] == ("more than can be told", {"count": 50_000 - LINES_PER_MINUTE})


def test_a_minute_ends_by_itself(told, monkeypatch):
    monkeypatch.setattr(audit_module, "MINUTE_S", 0.05)

    async def flood():
        audit = Audit()
        for _ in range(LINES_PER_ADDRESS + 2):
            audit.note("game made", "10.0.0.1")
        await asyncio.sleep(0.2)

    asyncio.run(flood())
    assert told()[-1] == ("game made: more of the same", {"address": "10.0.0.1", "count": 2})


def test_who_made_joined_and_closed_what_and_who_was_refused(opened, limited, told):
    client = opened(limited(games_per_minute=3))
    game, _ = start(client, PERSON, BOB)
    table = client.post("/api/tables", json={"game": "gravity", "rules": RULES}).json()
    client.post(f"/api/tables/{table['id']}/seat", json={"name": "Ann"})
    client.post("/api/games", json=wish((PERSON, BOB)))
    client.post(f"/api/tables/{table['id']}/close", json={"key": "wrong"})
    client.post(f"/api/tables/{table['id']}/close", json={"key": table["key"]})
    lines = told()
    assert [kind for kind, _ in lines] == [
        "game made", "table opened", "seat taken", "refused with 429", "refused with 403", "table closed",
    ]  # fmt: skip
    assert {fields["address"] for _, fields in lines} == {"testclient"}
    assert lines[0][1]["game"] == game
    assert (lines[2][1]["table"], lines[2][1]["name"], lines[2][1]["number"]) == (table["id"], "Ann", "0")
    assert lines[4][1]["path"] == f"/api/tables/{table['id']}/close"
    assert not any(table["key"] in str(fields) for _, fields in lines), "keys are secrets"


ADDRESSES = {"tcp": "127.0.0.1", "websocket": "testclient"}


@contextlib.contextmanager
def program(client, table, carrier):
    """Connect to a table as a program does; yield how it speaks and how it hangs up."""
    if carrier == "websocket":
        with client.websocket_connect(f"{table['url']}/join") as joined:
            yield lambda message: joined.send_text(json.dumps(message)), lambda: joined.close(1000)
        return
    host, _, port = table["address"].rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as joined:
        yield lambda message: joined.sendall(json.dumps(message).encode() + b"\n"), joined.close


def lines_of(told, count):
    """Return what was told of a table, once there is so much of it."""
    deadline = time.monotonic() + 10
    while len(told()) < count and time.monotonic() < deadline:
        time.sleep(0.02)
    return [(kind, fields.get("address"), fields.get("name"), fields.get("detail")) for kind, fields in told()]


@pytest.mark.parametrize("carrier", ["tcp", "websocket"])
def test_which_programs_join_a_table_from_where_and_why_one_is_refused(opened, limited, told, carrier):
    client = opened(limited())
    asked = {"game": "gravity", "rules": RULES, "protocol": "json", "tokens": ["ann", "ben"]}
    table = client.post("/api/tables", json=asked).json()
    words, before = "this token is unknown", len(told())
    with program(client, table, carrier) as (say, close):
        say({"type": "join", "name": "x", "token": "secret-of-mine"})
        assert lines_of(told, before + 1)[before:] == [
            ("program refused", ADDRESSES[carrier], None, f"was sent away: {words}")
        ]
    with program(client, table, carrier) as (say, close):
        say({"type": "join", "name": "y", "token": table["tokens"]["ann"]})
        assert lines_of(told, before + 2)[-1] == ("program joins", ADDRESSES[carrier], "ann", None)
        close()
        assert lines_of(told, before + 3)[-1][:3] == ("program is gone", ADDRESSES[carrier], "ann")
    assert {fields["table"] for _, fields in told()} == {table["id"]}
    assert not any(token in str(told()) for token in ("secret-of-mine", table["tokens"]["ann"])), "tokens are secrets"


def test_a_program_at_a_table_that_is_none_is_refused(client, told):
    with client.websocket_connect("/tables/nowhere/join") as refused:
        refused.receive_json()
    assert [(kind, fields["detail"]) for kind, fields in told()] == [("program refused", "there is no such match here")]


@pytest.mark.thorough
@pytest.mark.once
@pytest.mark.parametrize("form", first_shows("json", "text"))
def test_the_log_of_a_server(serving, form):
    server = serving(log=form, games_per_minute=1, requests_at_once=20, requests_per_second=1).ready()
    game, _ = server.start(PERSON, BOB)
    with httpx.Client(base_url=server.url) as client:
        assert [client.get("/api/catalogue").status_code for _ in range(60)][-1] == 429
    code, _, written = server.stop()
    assert code == 0
    lines = [line for line in written.splitlines() if "hinterland.audit" in line]
    assert len(lines) == 1 + LINES_PER_ADDRESS + 1, written
    if form == "text":
        assert lines[0].endswith(f"INFO hinterland.audit: game made address=127.0.0.1 game={game} of=gravity")
        assert " INFO hinterland.audit: refused with 429: more of the same address=127.0.0.1 count=" in lines[-1]
        return
    first, *_, last = [json.loads(line) for line in lines]
    assert (first["logger"], first["message"], first["game"]) == ("hinterland.audit", "game made", game)
    assert (last["level"], last["message"]) == ("INFO", "refused with 429: more of the same")
    assert 20 < last["count"] <= 60 - LINES_PER_ADDRESS
