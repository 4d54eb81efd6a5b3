"""A match that its operator interrupts, and a full disk."""

import asyncio
import errno
import os
import re

import pytest

from hinterland.errors import RecordError
from hinterland.host.players import remote_player
from hinterland.storage import records as record_files
from referee_clients import (
    PATIENCE_S,
    SMALL,
    HpsPlayer,
    Table,
    make_plan,
    play_json,
)
from referee_games import NO_GRACE, joined, play_hps, reasons, seated


@pytest.fixture(autouse=True)
def short_debts(monkeypatch):
    monkeypatch.setattr(remote_player, "LATE_REPLY_S", 0.1)


# The operator


def test_a_match_waits_until_it_is_confirmed():
    async def play():
        asked, pressed = asyncio.Event(), asyncio.Event()

        async def confirm():
            asked.set()
            await pressed.wait()

        async with Table(confirm=confirm) as table:
            wires = await seated(table, "anna", "ben")
            await asked.wait()
            assert table.log.all("match began") == []
            pressed.set()
            await play_hps(table, *wires)
            assert reasons(table.verified()) == [[], []]

    asyncio.run(play())


def test_who_takes_a_seat_while_the_operator_hesitates_plays():
    async def play():
        asked, pressed = asyncio.Semaphore(0), asyncio.Event()

        async def confirm():
            asked.release()
            await pressed.wait()

        async with Table(confirm=confirm) as table:
            anna, ben = await seated(table, "anna", "ben")
            await asked.acquire()
            ben.close()
            await table.log.until("went")
            cleo = await table.sit("cleo")
            pressed.set()
            await play_hps(table, anna, cleo)
            assert table.verified()[0].players == ("anna", "cleo")
            assert reasons(table.log.records) == [[], []]

    asyncio.run(play())


def test_confirmed_too_soon_it_is_asked_for_again():
    async def play():
        asked, answers = asyncio.Semaphore(0), asyncio.Queue()

        async def confirm():
            asked.release()
            await answers.get()

        async with Table(confirm=confirm) as table:
            anna, ben = await seated(table, "anna", "ben")
            await asked.acquire()
            ben.close()
            await table.log.until("went")
            await answers.put(None)
            cleo = await table.sit("cleo")
            await asked.acquire()
            assert table.log.all("match began") == []
            await answers.put(None)
            await play_hps(table, anna, cleo)

    asyncio.run(play())


def test_stopped_before_anybody_came_or_while_they_gather():
    async def play(names):
        async with Table() as table:
            wires = await seated(table, *names)
            table.host.stop()
            assert await table.done() == []
            for wire in wires:
                assert await wire.rest() == ["the referee is closing"]
            assert table.log.results == []

    asyncio.run(play([]))
    asyncio.run(play(["anna"]))


def test_stopped_in_a_game_it_is_finished_and_no_other_begins():
    async def play():
        async with Table(make_plan(matches=2)) as table:
            anna, ben = await seated(table, "anna", "ben")
            first = HpsPlayer(anna, SMALL)
            await first.answer(await anna.line())
            table.host.stop()
            assert await (await table.wire()).rest() == ["all seats are taken"]
            lines = await asyncio.gather(first.play(), HpsPlayer(ben, SMALL).play())
            (result,) = await table.done()
            (kept,) = table.verified()
            assert kept.reason == "complete"
            assert [len(player.scores) for player in result.players] == [1, 1]
            assert all(line[-1].startswith("1 ") for line in lines)

    asyncio.run(play())


def test_aborted_in_a_game_it_is_void_and_nothing_is_recorded(tmp_path):
    async def play(protocol):
        ledger = record_files.RecordFile(tmp_path / f"{protocol}.jsonl")
        async with Table(make_plan(protocol=protocol), records=ledger) as table:
            enter = seated if protocol == "hps" else joined
            anna, ben = await enter(table, "anna", "ben")
            await table.log.until("Request")
            table.host.abort("the operator ended it")
            (result,) = await table.done()
            assert result.winners == ()
            assert [kept.reason for kept in table.log.records] == ["void"]
            if protocol == "json":
                over = await ben.until("over")
                assert (over["reason"], over["detail"]) == ("void", "the operator ended it")
                assert over["winners"] == []
                assert (await ben.until("bye"))["winners"] == []
            else:
                assert await ben.rest() == ["1 0 0"]
                assert await anna.rest() == ["0 0 0", "1 0 0"]
        ledger.close()
        assert (tmp_path / f"{protocol}.jsonl").read_bytes() == b""

    asyncio.run(play("hps"))
    asyncio.run(play("json"))


@pytest.mark.parametrize("how", ["stop", "abort"])
def test_between_two_games_no_other_begins(how):
    async def play():
        async with Table(make_plan(clock_ms=100, admission=NO_GRACE)) as table:
            remote_player.LATE_REPLY_S = PATIENCE_S
            late, _ = await seated(table, "late", "ben")
            await table.log.until("game over")
            if how == "stop":
                table.host.stop()
            else:
                table.host.abort("the operator ended it")
            await late.send("0 0\n")
            await table.done()
            assert len(table.log.games) == 1
            assert reasons(table.verified()) == [["time"]]

    asyncio.run(play())


# The disk


@pytest.fixture
def full_disk(tmp_path, monkeypatch):
    """A ledger whose file takes nothing more once a match goes on."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    ledger = record_files.RecordFile(tmp_path / "games.jsonl")
    monkeypatch.setattr(os, "fsync", full)
    yield ledger
    ledger.close()


FULL = "the referee had to end the match: .*cannot be written: No space left on device"


def test_a_full_disk_ends_a_match_of_json_in_one_line_and_nobody_was_told_of_the_game(full_disk):
    async def play():
        async with Table(make_plan(protocol="json"), records=full_disk) as table:
            wires = await joined(table, "anna", "ben")
            for messages in await asyncio.gather(*(play_json(wire, SMALL) for wire in wires)):
                assert "over" not in [message["type"] for message in messages]
                assert messages[-1]["type"] == "bye"
                assert re.fullmatch(FULL, messages[-1]["detail"])
            with pytest.raises(RecordError, match="cannot be written: No space left on device"):
                await table.done()
            assert table.log.all("game over") == []

    asyncio.run(play())


def test_a_full_disk_ends_a_match_of_hps_in_one_line_and_nobody_was_told_of_the_game(full_disk):
    async def play():
        async with Table(records=full_disk) as table:
            anna, ben = await seated(table, "anna", "ben")
            for wire, move in ((anna, "0 0"), (ben, "11 11"), (anna, "0 11"), (ben, "11 0")):
                assert (await wire.line()).startswith("0 ")
                await wire.send(f"{move}\n")
            for wire in (anna, ben):
                (line,) = await wire.rest()
                assert re.fullmatch(FULL, line)
            with pytest.raises(RecordError, match="cannot be written: No space left on device"):
                await table.done()

    asyncio.run(play())
