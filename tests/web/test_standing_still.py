"""The arena stands still for too long: games are void, and nobody loses on time, whoever was to move."""

import contextlib
import signal
import time

import pytest
from test_challenges import challenge, look, take
from test_server import browser
from web_play import PERSON, REPLY, mine, over, plies, start, watching

from hinterland.referee import judge

BOB = {"kind": "person", "name": "Bob"}
CLOCK = {"budget": 0.4}
BRIEF_S, LONG_S = 0.5, 1.2


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.setattr(judge, "LONGEST_STANDSTILL_NS", 900_000_000)


def stand_still(client, seconds):
    """Hold up the event loop, without using the processor."""
    with client.portal() as portal:
        portal.call(time.sleep, seconds)


@contextlib.contextmanager
def two_people(client):
    game, key = start(client, PERSON, BOB, clock=CLOCK)
    with watching(client, game, key) as ann:
        ann.see(mine)
        yield ann


@contextlib.contextmanager
def against_a_program(client):
    """The clock of who plays a program alone runs from the second move."""
    game, key = start(client, PERSON, REPLY, clock=CLOCK)
    with watching(client, game, key) as ann:
        ann.see(mine)
        ann.move(5, 5, ply=0)
        ann.see(lambda told: mine(told) and plies(2)(told))
        yield ann


@contextlib.contextmanager
def friends(client):
    table, key = challenge(client, clock=CLOCK)
    with look(client, table, key) as ann, look(client, table) as ben:
        ben.send(type="hello", key=take(client, table).json()["key"])
        ann.see(mine)
        yield ann


@pytest.mark.parametrize("playing", [two_people, against_a_program, friends])
def test_a_standstill_of_the_arena_makes_games_void(client, playing):
    with playing(client) as ann:
        stand_still(client, LONG_S)
        outcome = ann.see(over)["outcome"]
    assert outcome["reason"] == "void", outcome
    assert "stood still for 1." in outcome["detail"]


@pytest.mark.parametrize("playing", [two_people, against_a_program, friends])
def test_a_short_standstill_is_charged_to_nobody(client, playing):
    """The control: the same, but short enough to be taken off the clock; then time runs out as it does."""
    with playing(client) as ann:
        stand_still(client, BRIEF_S)
        outcome = ann.see(over)["outcome"]
    assert outcome["reason"] == "time", outcome


def test_what_a_player_sent_while_the_arena_stood_still_changes_nothing(client):
    with two_people(client) as ann:
        with client.portal() as portal:
            standing = portal.start_task_soon(_sleep)
            ann.move(5, 5, ply=0)
            standing.result()
        outcome = ann.see(over)["outcome"]
    assert outcome["reason"] == "void", outcome


async def _sleep():
    time.sleep(LONG_S)


@pytest.mark.thorough
def test_an_arena_that_was_stopped_for_twelve_seconds(serving):
    server = serving().ready()
    game, key = server.start(PERSON, BOB, clock={"budget": 8})
    with browser(server, game, key) as ann:
        ann.see(mine)
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(12)
        server.process.send_signal(signal.SIGCONT)
        outcome = ann.see(over)["outcome"]
    assert outcome["reason"] == "void", outcome
