"""Players with tokens: their seats, guessed tokens, and coming back."""

import asyncio
import time

import pytest

from hinterland.host import matchmaker
from referee_clients import (
    SMALL,
    TOKENS,
    Table,
    answer_json,
    make_admission,
    make_plan,
    make_token_plan,
)
from referee_games import THREE, play_all


def test_the_token_decides_the_name():
    async def play():
        async with Table(make_token_plan()) as table:
            wire = await table.wire()
            hello = await wire.until("hello")
            assert hello["needs_token"] is True
            assert hello["player"] is None
            await wire.send_json(type="join", name="I am not ben", token=TOKENS["ben"])
            assert await wire.until("welcome") == {"type": "welcome", "player": 0, "name": "ben"}
            await play_all(table, wire, await table.join("anna", token=TOKENS["anna"]))
            assert table.verified()[0].players == ("ben", "anna")

    asyncio.run(play())


@pytest.mark.parametrize(
    "token", [None, "", "a-secret-of-ann", "a-secret-of-anna ", "A-SECRET-OF-ANNA", "anna", "x" * 3000, "\u00e4\ud7ff"]
)
def test_a_wrong_token_is_refused_without_a_hint(token):
    async def play():
        async with Table(make_token_plan()) as table:
            wire = await table.wire()
            await wire.until("hello")
            told = {} if token is None else {"token": token}
            await wire.send_json(type="join", name="anna", **told)
            assert (await wire.until("bye"))["detail"] == "this token is unknown"
            assert not any("secret" in note for note in table.log.notes)
            await table.join("anna", token=TOKENS["anna"])

    asyncio.run(play())


def test_who_guesses_has_to_wait_and_who_knows_does_not(monkeypatch):
    monkeypatch.setattr(matchmaker, "WRONG_TOKEN_DELAY_S", 0.5)

    async def guess(table, *, more=False):
        """Return how long the answer took."""
        wire = await table.wire()
        await wire.until("hello")
        began = time.monotonic()
        await wire.send_json(type="join", name="anna", token="a guess of anna")
        if more:
            await wire.send_json(type="join", name="anna", token=TOKENS["anna"])  # one connection, one token
        assert (await wire.until("bye"))["detail"] == "this token is unknown"
        return time.monotonic() - began

    async def play():
        async with Table(make_token_plan()) as table:
            for _ in range(matchmaker.WRONG_TOKENS_UNTIL_DELAY - 1):
                assert await guess(table) < 0.5
            guessing = asyncio.gather(*(guess(table, more=True) for _ in range(5)))
            await asyncio.sleep(0.1)
            await table.join("anna", token=TOKENS["anna"])
            assert not guessing.done(), "the right token of the same address did not wait"
            assert min(await guessing) >= 0.5
            monkeypatch.setattr(matchmaker, "WRONG_TOKENS_S", 0.0)
            assert await guess(table) < 0.5

    asyncio.run(play())


async def seated_by_token(table):
    anna = await table.join("anna", token=TOKENS["anna"])
    ben = await table.join("ben", token=TOKENS["ben"])
    return anna, ben


async def come_back(table, name):
    """Connect again with a player's token; return the wire behind its welcome."""
    wire = await table.wire()
    await wire.until("hello")
    await wire.send_json(type="join", name="whoever", token=TOKENS[name])
    welcome = await wire.until("welcome")
    assert welcome["name"] == name
    return wire


def test_tokens_in_hps_stand_behind_the_name_and_bring_a_player_back():
    async def play():
        async with Table(make_plan(tokens=TOKENS)) as table:
            wires = {}
            for number, name in enumerate(("anna", "ben"), start=1):
                wires[name] = await table.wire()
                assert await wires[name].line() == "2 2 0"
                await wires[name].send(f"whoever {TOKENS[name]}\n")
                assert await wires[name].line() == f"2 2 {number}"
            assert await wires["anna"].line() == "0 0 0"
            await wires["anna"].send("0 0\n")
            assert await wires["ben"].line() == "0 144 0 0 0 1"
            wires["ben"].close()
            await table.log.until("went")
            back = await table.wire()
            await back.send(f"ben {TOKENS['ben']}\n")
            assert [await back.line() for _ in range(3)] == ["2 2 0", "2 2 2", "0 144 0 0 0 1"]
            await back.send("11 11\n")
            line = await wires["anna"].line()
            assert line.endswith(" 11 11 2"), line
            back.close()
            await table.log.until("went", 2)
            again = await table.wire()
            await again.send(f"ben {TOKENS['ben']}\n")
            assert [await again.line() for _ in range(2)] == ["2 2 0", "2 2 2"]
            await wires["anna"].send("0 11\n")
            assert (await again.line()).endswith(" 0 0 1 11 11 2 0 11 1"), "it is told its own moves too"
            for wire in (wires["anna"], again):
                wire.close()

    asyncio.run(play())


@pytest.mark.parametrize("line", ["ben", "ben wrong-secret-of-ben", "a-secret-of-ben"])
def test_a_name_without_its_token_is_sent_away_in_hps(line):
    async def play():
        async with Table(make_plan(tokens=TOKENS)) as table:
            wire = await table.wire()
            assert await wire.line() == "2 2 0"
            await wire.send(f"{line}\n")
            assert await wire.rest() == ["this token is unknown"]

    asyncio.run(play())


@pytest.mark.parametrize("leave", ["close", "reset", "half_close", "stay"])
def test_who_comes_back_in_its_own_turn_is_asked_again_and_the_game_is_finished(leave):
    async def play():
        async with Table(make_token_plan()) as table:
            anna, ben = await seated_by_token(table)
            await answer_json(anna, await anna.until("turn"), SMALL)
            await answer_json(ben, await ben.until("turn"), SMALL)
            asked = await anna.until("turn")
            if leave != "stay":
                getattr(anna, leave)()
                await table.log.until("went")
            back = await come_back(table, "anna")
            if leave == "stay":
                assert (await anna.until("bye"))["detail"] == "another connection took this seat"
                assert await anna.rest() == []
            game, turn = await back.message(), await back.message()
            assert (game["type"], game["game_id"], game["seat"]) == ("game", asked["game_id"], 0)
            assert turn["type"] == "turn"
            assert [turn[key] for key in ("turn", "moves", "scores")] == [
                asked[key] for key in ("turn", "moves", "scores")
            ]
            await answer_json(back, turn, SMALL)
            await play_all(table, back, ben)
            assert [kept.reason for kept in table.verified()] == ["complete", "complete"]
            assert [what[:2] for what in table.log.all("returned")] == [(0, "anna")]

    asyncio.run(play())


def test_who_comes_back_while_the_other_thinks_is_not_asked():
    async def play():
        async with Table(make_token_plan()) as table:
            anna, ben = await seated_by_token(table)
            await answer_json(anna, await anna.until("turn"), SMALL)
            asked = await ben.until("turn")
            anna.close()
            await table.log.until("went")
            back = await come_back(table, "anna")
            assert (await back.message())["type"] == "game"
            await answer_json(ben, asked, SMALL)
            turn = await back.message()
            assert (turn["type"], turn["turn"], len(turn["moves"])) == ("turn", 3, 2)
            await answer_json(back, turn, SMALL)
            await play_all(table, back, ben)
            assert [kept.reason for kept in table.verified()] == ["complete", "complete"]
            assert [game.discarded for game in table.log.games] == [0, 0]

    asyncio.run(play())


def test_who_comes_back_between_two_games_plays_the_next():
    async def play():
        async with Table(make_token_plan()) as table:
            anna, ben = await seated_by_token(table)
            await answer_json(anna, await anna.until("turn"), SMALL)
            await answer_json(ben, await ben.until("turn"), SMALL)
            await answer_json(anna, await anna.until("turn"), SMALL)
            anna.close()
            await table.log.until("went")
            await answer_json(ben, await ben.until("turn"), SMALL)
            await table.log.until("game over")
            await ben.until("turn")
            back = await come_back(table, "anna")
            assert (await back.until("game"))["number"] == 2
            await come_back_and_finish(table, back, ben)

    async def come_back_and_finish(table, anna, ben):
        again = await come_back(table, "ben")
        await play_all(table, anna, again)
        assert [kept.reason for kept in table.verified()] == ["complete", "complete"]

    asyncio.run(play())


def test_who_does_not_come_back_leaves_when_its_own_clock_has_run_out():
    async def play():
        async with Table(make_token_plan(clock_ms=150, admission=make_admission(grace_ms=0))) as table:
            anna, ben = await seated_by_token(table)
            await anna.until("turn")
            anna.close()
            await play_all(table, ben)
            first, second = table.verified()
            assert [left.reason for left in first.departures] == ["disconnect"]
            assert first.departures[0].detail == "anna did not come back in time"
            assert [left.reason for left in second.departures] == ["disconnect"]
            departed, asked = table.log.all("Departure")[0], table.log.all("Request")[0]
            assert departed[2] - asked[1].deadline_ns >= 0, "not before its time is up"

    asyncio.run(play())


def test_who_was_taken_out_cannot_come_back():
    async def play():
        tokens = {**TOKENS, "cleo": "a-secret-of-cleo"}
        async with Table(make_plan(THREE, protocol="json", tokens=tokens)) as table:
            anna, ben, cleo = [await table.join(name, token=tokens[name]) for name in tokens]
            asked = await anna.until("turn")
            await ben.send("[]\n")
            await ben.until("bye")
            wire = await table.wire()
            await wire.until("hello")
            await wire.send_json(type="join", name="ben", token=TOKENS["ben"])
            assert (await wire.until("bye"))["detail"].startswith("ben was taken out of this match: ")
            await answer_json(anna, asked, THREE)
            await play_all(table, anna, cleo)
            assert [[left.reason for left in kept.departures] for kept in table.verified()] == [["protocol"]] * 3

    asyncio.run(play())


def test_a_waiting_player_with_a_token_that_leaves_makes_room_and_may_sit_down_again():
    async def play():
        async with Table(make_token_plan()) as table:
            anna = await table.join("anna", token=TOKENS["anna"])
            anna.close()
            await table.log.until("went")
            ben = await table.join("ben", token=TOKENS["ben"])
            await play_all(table, ben, await table.join("anna", token=TOKENS["anna"]))
            assert table.verified()[0].players == ("ben", "anna")

    asyncio.run(play())
