"""Clocks of one person against programs of the house: they wait for the first stone, and stand behind the rules."""

import time

import pytest

from web.web_play import PERSON, REPLY, start, watching

BOB = {"kind": "person", "name": "Bob"}
CLOCK = {"budget": 0.6}
LONGER_S = 0.8


def asked(snapshot):
    return snapshot["can_move"]


def past_the_first_stone(ann):
    """Wait until the clock runs, after a stone and its answer."""
    ann.see(asked)
    ann.move(5, 5, ply=0)
    ann.see(lambda snapshot: len(snapshot["moves"]) == 2)


def test_the_clock_waits_for_the_first_stone(client):
    game, key = start(client, clock=CLOCK)
    with watching(client, game, key) as ann:
        first = ann.see(asked)
        assert first["clock_stands"] is True
        time.sleep(LONGER_S)
        ann.move(5, 5, ply=0)
        second = ann.see(lambda snapshot: len(snapshot["moves"]) == 2)
        assert 500 < second["left_ms"][0] <= 600
        assert second["clock_stands"] is False
        lost = ann.see(lambda snapshot: snapshot["outcome"] is not None)
    assert [gone["reason"] for gone in lost["withdrawn"]] == ["time"]


def test_the_clock_stands_while_the_rules_are_read(client):
    game, key = start(client, clock=CLOCK)
    with watching(client, game, key) as ann:
        past_the_first_stone(ann)
        ann.send(type="rest", on=True)
        resting = ann.see(lambda snapshot: snapshot["clock_stands"])
        time.sleep(LONGER_S)
        ann.send(type="rest", on=False)
        again = ann.see(lambda snapshot: not snapshot["clock_stands"])
        assert abs(resting["left_ms"][0] - again["left_ms"][0]) <= 100, "but for what is credited"
        ann.move(20, 20, ply=2)
        over = ann.see(lambda snapshot: snapshot["outcome"] is not None)
    assert over["outcome"]["reason"] == "complete"
    assert over["moves"][2]["ms"] < 600


def test_who_goes_away_while_reading_rests_no_longer(client):
    game, key = start(client, clock=CLOCK)
    with watching(client, game, key) as ann, watching(client, game) as eve:
        past_the_first_stone(ann)
        ann.send(type="rest", on=True)
        eve.see(lambda snapshot: snapshot["clock_stands"])
        ann.socket.close()
        lost = eve.see(lambda snapshot: snapshot["outcome"] is not None)
    assert [gone["reason"] for gone in lost["withdrawn"]] == ["time"]


@pytest.mark.parametrize("seats", [(PERSON, BOB), (PERSON, BOB, REPLY)])
def test_between_people_no_clock_waits(client, seats):
    game, key = start(client, *seats, clock=CLOCK)
    with watching(client, game, key) as ann:
        assert ann.see(asked)["clock_stands"] is False
        ann.send(type="rest", on=True)
        lost = ann.see(lambda snapshot: snapshot["withdrawn"])
    assert lost["withdrawn"][0]["reason"] == "time"


def test_who_only_watches_stops_no_clock(client):
    game, key = start(client, clock=CLOCK)
    with watching(client, game, key) as ann, watching(client, game) as eve:
        past_the_first_stone(ann)
        eve.send(type="rest", on=True)
        lost = ann.see(lambda snapshot: snapshot["outcome"] is not None)
    assert [gone["reason"] for gone in lost["withdrawn"]] == ["time"]
