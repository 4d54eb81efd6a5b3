"""The referee itself standing still, failing, or having more to do than it can."""

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest

from hinterland import catalog
from hinterland.errors import ArenaError
from hinterland.host import lag_monitor, synchronous
from hinterland.host.lag_monitor import (
    BEAT_PERIOD_NS,
    BEAT_TOLERANCE_NS,
    BRIEF_DELAY_NS,
    OVERLOAD_LAG_NS,
    RECENT_LAG_HALF_LIFE_S,
    STANDSTILL_NS,
    Admission,
    LagMonitor,
)
from hinterland.host.players import remote_player
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.referee import judge, match
from hinterland.referee.clock import TimeControl
from hinterland.referee.game_terms import GameTerms
from referee_clients import (
    PATIENCE_S,
    SMALL,
    Log,
    Table,
    make_plan,
    play_json,
)
from referee_games import NO_GRACE, Stalls, joined, play_all, seated


@pytest.fixture(autouse=True)
def short_debts(monkeypatch):
    monkeypatch.setattr(remote_player, "LATE_REPLY_S", 0.1)


def test_when_the_referee_stands_still_nobody_pays():
    async def play():
        log = Stalls([0.4])
        async with Table(make_plan(clock_ms=200, admission=NO_GRACE), log=log) as table:
            anna, ben = await seated(table, "anna", "ben")
            await anna.line()
            await log.until("Delayed")
            await anna.send("0 0\n")
            await ben.line()
            await ben.send("11 11\n")
            await anna.line()
            await anna.send("0 11\n")
            await ben.line()
            await ben.send("11 0\n")
            await log.until("game over")
            (kept,) = table.verified()
            assert kept.departures == ()
            assert kept.times.lag_ms >= 350
            assert kept.times.ms[0] < 200

    asyncio.run(play())


def test_who_keeps_the_machine_busy_pays_for_the_delay(monkeypatch):
    """But not for another's work while it is to move."""

    async def play(crowding):
        monkeypatch.setattr(RemotePlayer, "crowds_the_machine", lambda self: self.name == crowding)
        log = Stalls([0.4])
        async with Table(make_plan(clock_ms=200, admission=NO_GRACE), log=log) as table:
            anna, _ben = await seated(table, "anna", "ben")
            await anna.line()
            if crowding == "anna":
                await log.until("game over")
                return log.records[0].reason, log.notes
            await log.until("Delayed")
            return "credited", log.notes

    reason, notes = asyncio.run(play("anna"))
    assert reason == "time"
    assert any("anna: its own processes caused 0." in note and "s of delay, which count" in note for note in notes)
    assert asyncio.run(play("ben")) == ("credited", [])


def test_a_game_in_which_the_referee_stood_still_too_long_is_played_again(monkeypatch):
    monkeypatch.setattr(judge, "LONGEST_STANDSTILL_NS", 500_000_000)

    async def play():
        log = Stalls([0.6])
        async with Table(make_plan(protocol="json"), log=log) as table:
            anna, ben = await joined(table, "anna", "ben")
            told, _ = await play_all(table, anna, ben)
            records = table.log.records
            assert [(kept.number, kept.reason) for kept in records] == [(1, "void"), (1, "complete"), (2, "complete")]
            assert records[0].detail.startswith("the referee stood still for 0.")
            begun = [message for message in told if message["type"] == "game"]
            assert [message["number"] for message in begun] == [1, 1, 2]
            assert len({message["game_id"] for message in begun}) == 3

    asyncio.run(play())


def test_after_three_void_games_the_referee_gives_up(monkeypatch):
    monkeypatch.setattr(judge, "LONGEST_STANDSTILL_NS", 210_000_000)

    async def play():
        async with Table(make_plan(protocol="json"), log=Stalls([0.3] * 3)) as table:
            anna, _ben = await joined(table, "anna", "ben")
            told = await play_json(anna, SMALL)
            with pytest.raises(ArenaError, match="game 1 was void 3 times, the last time because the referee stood"):
                await table.done()
            assert "the referee had to end the match: game 1 was void 3 times" in told[-1]["detail"]
            assert [kept.reason for kept in table.log.records] == ["void"] * 3

    asyncio.run(play())


class Hands:
    """Clocks that only their test moves, so that no waiting for a processor is taken for a delay."""

    def __init__(self):
        self.now_ns = 1_000_000_000
        self.worked_ns = 0

    def monotonic_ns(self):
        return self.now_ns

    def process_time_ns(self):
        return self.worked_ns


@pytest.fixture
def hands(monkeypatch):
    hands = Hands()
    monkeypatch.setattr(lag_monitor, "time", hands)
    return hands


def test_the_heartbeat_notices_delays_whoever_looks_first(hands):
    async def beat():
        monitor = LagMonitor()
        with monitor:
            begun_ns = hands.now_ns
            monitor.notice_delay(begun_ns + BEAT_PERIOD_NS + BEAT_TOLERANCE_NS)
            assert monitor.lag_ns == 0, "so late may a timer be"
            monitor.notice_delay(begun_ns + 500_000_000)
            assert monitor.lag_ns == 500_000_000 - BEAT_PERIOD_NS
            monitor.notice_delay(begun_ns + 500_000_000)
            assert monitor.lag_ns == 500_000_000 - BEAT_PERIOD_NS, "a delay counts once"

    asyncio.run(beat())


@pytest.mark.parametrize(
    ("worked_ns", "stood_ns"),
    [(0, STANDSTILL_NS + 7), (7, STANDSTILL_NS), (8, 0), (STANDSTILL_NS, 0), (3 * STANDSTILL_NS, 0)],
)
def test_only_a_process_that_did_nothing_has_stood_still(hands, worked_ns, stood_ns):
    """Whatever its threads do, judge or think or compile: the delay is charged to nobody, but no standstill."""

    async def beat():
        monitor = LagMonitor()
        with monitor:
            hands.now_ns += BEAT_PERIOD_NS + STANDSTILL_NS + 7
            hands.worked_ns += worked_ns
            monitor.notice_delay(hands.now_ns)
            assert monitor.lag_ns == STANDSTILL_NS + 7
            assert monitor.standstills_ns == [stood_ns] * (stood_ns > 0)
            assert (monitor.longest_standstill_ns(0), monitor.longest_standstill_ns(1)) == (stood_ns, 0)

    asyncio.run(beat())


def test_many_short_delays_are_no_standstill(hands):
    async def beat():
        monitor = LagMonitor()
        with monitor:
            for _ in range(1000):
                hands.now_ns += 50_000_000
                monitor.notice_delay(hands.now_ns)
            assert monitor.lag_ns == 1000 * (50_000_000 - BEAT_PERIOD_NS)
            assert monitor.longest_standstill_ns(0) == 0

    asyncio.run(beat())


def test_of_brief_delays_a_request_is_credited_with_one_of_others_with_all(hands):
    """So no player gains time from a loop that is always a little late, and an answer loses none to its delay."""

    def late(monitor, delay_ns):
        hands.now_ns += BEAT_PERIOD_NS + delay_ns
        monitor.notice_delay(hands.now_ns)

    async def beat():
        monitor = LagMonitor()
        with monitor:
            late(monitor, BRIEF_DELAY_NS - 1)
            before = monitor.lag_ns, monitor.brief_ns
            assert monitor.uncharged_ns(*before) == 0, "what was before the request is not for it"
            late(monitor, BRIEF_DELAY_NS - 1)
            assert monitor.uncharged_ns(*before) == BRIEF_DELAY_NS - 1
            for _ in range(1000):
                late(monitor, BRIEF_DELAY_NS - 1)
            assert monitor.uncharged_ns(*before) == BRIEF_DELAY_NS
            late(monitor, BRIEF_DELAY_NS)
            late(monitor, 7 * BRIEF_DELAY_NS)
            assert monitor.uncharged_ns(*before) == 9 * BRIEF_DELAY_NS

    asyncio.run(beat())


class Jitters(Log):
    """Is late for a moment again and again, from the first request on."""

    def __init__(self):
        super().__init__()
        self.monitor = None

    def on_effects(self, game, effects):
        super().on_effects(game, effects)
        if self.monitor is None and any(isinstance(effect, judge.Request) for effect in effects):
            self.monitor = game._lag_monitor
            asyncio.get_running_loop().call_soon(self.jitter)

    def jitter(self):
        time.sleep(0.02)
        asyncio.get_running_loop().call_later(0.006, self.jitter)


def test_a_clock_beside_a_loop_that_is_a_little_late_all_the_time_runs_out():
    async def play():
        log = Jitters()
        async with Table(make_plan(clock_ms=1000, admission=NO_GRACE), log=log) as table:
            await seated(table, "anna", "ben")
            await log.until("game over")
            (kept,) = table.verified()
            assert kept.reason == "time"
            brief_ms = log.monitor.brief_ns / 1e6
            assert brief_ms > 4 * BRIEF_DELAY_NS / 1e6, "there was enough of it"
            assert kept.times.lag_ms <= log.monitor.lag_ns / 1e6 - brief_ms + BRIEF_DELAY_NS / 1e6 + 1

    asyncio.run(play())


def test_a_heartbeat_on_a_thread_notices_a_standstill_whoever_looks_first(hands):
    with LagMonitor(on_thread=True) as monitor:
        for number in range(1, 20):
            hands.now_ns += 10 * STANDSTILL_NS
            monitor.notice_delay(hands.now_ns)
            assert monitor.standstills_ns == [10 * STANDSTILL_NS - BEAT_PERIOD_NS] * number
    hands.now_ns += 10 * STANDSTILL_NS
    monitor.notice_delay(hands.now_ns)
    assert len(monitor.standstills_ns) == 19, "nobody needs it any more"


def test_the_heartbeat_notices_a_busy_loop():
    async def beat():
        monitor = LagMonitor()
        with monitor, monitor:
            time.sleep(0.1)
            await asyncio.sleep(0.02)
            assert monitor.lag_ns >= 80_000_000

    asyncio.run(beat())


def test_the_heartbeat_rests_when_nobody_needs_it(hands):
    async def beat():
        monitor = LagMonitor()
        with monitor, monitor:
            pass
        hands.now_ns += 50_000_000
        monitor.notice_delay(hands.now_ns)
        assert monitor.lag_ns == 0
        with monitor:
            await asyncio.sleep(0)
            assert monitor.lag_ns == 0, "what was before does not count"

    asyncio.run(beat())


def test_a_machine_that_stood_still_is_calm_again_after_a_while(hands):
    async def beat():
        monitor = LagMonitor()
        with monitor:
            now_ns = hands.now_ns
            assert monitor.is_calm(now_ns)
            monitor.notice_delay(now_ns + 2 * OVERLOAD_LAG_NS)
            after_ns = now_ns + 2 * OVERLOAD_LAG_NS
            assert not monitor.is_calm(after_ns)
            assert not monitor.is_calm(after_ns + int(RECENT_LAG_HALF_LIFE_S * 0.5e9))
            assert monitor.is_calm(after_ns + int(RECENT_LAG_HALF_LIFE_S * 2e9))
            assert monitor.is_calm(after_ns + int(RECENT_LAG_HALF_LIFE_S * 1e15))

    asyncio.run(beat())


def test_a_game_waits_until_the_machine_is_calm():
    async def play():
        monitor = LagMonitor()
        admission = Admission(10, monitor)
        began = []

        async def game():
            async with admission.game():
                began.append(time.monotonic_ns())

        with monitor:
            async with admission.game():
                before_ns = time.monotonic_ns()
                monitor.notice_delay(before_ns + 2 * OVERLOAD_LAG_NS)
                second = asyncio.get_running_loop().create_task(game())
                await asyncio.sleep(0.02)
                assert began == [], "it waits"
                async with asyncio.timeout(PATIENCE_S):
                    await second
            assert admission.running == 0

    asyncio.run(play())


def test_a_fault_inside_the_referee_is_raised_and_everybody_is_sent_away():
    class Broken(Log):
        def on_effects(self, game, effects):
            raise RuntimeError("a fault of the referee")

    async def play():
        async with Table(log=Broken()) as table:
            anna, _ben = await seated(table, "anna", "ben")
            with pytest.raises(RuntimeError, match="a fault of the referee"):
                await table.done()
            assert await anna.rest() == ["0 0 0", "the referee had to end the match"]

    asyncio.run(play())


class Stopping:
    """Places its stones in order; for some moves it first has this whole process stopped for a moment."""

    def __init__(self, times):
        self.left, self.name = times, "stopping"

    def choose(self, position, clock, rng):
        if self.left:
            self.left -= 1
            with subprocess.Popen(["/bin/sh", "-c", f"sleep 0.8; kill -CONT {os.getpid()}"]):
                os.kill(os.getpid(), signal.SIGSTOP)
        return next(iter(position.legal_moves))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process")
@pytest.mark.parametrize("times", [1, match.MAX_TRIES])
def test_players_of_this_process_play_it_again_too(monkeypatch, times):
    monkeypatch.setattr(judge, "LONGEST_STANDSTILL_NS", 500_000_000)
    void, kept = [], []
    rules = catalog.game("gravity").rules.from_options({"size": 10, "stones": 2, "spacing": 2})
    terms = GameTerms(rules=rules, names=("a", "b"), clock=TimeControl(budget_ms=60_000), seed=1)

    def play():
        players = [Stopping(times), Stopping(0)]
        return synchronous.play_match(terms, players, kept.append, void=void.append)

    if times < match.MAX_TRIES:
        assert play() == kept
        assert [(one.number, one.reason) for one in kept] == [(1, "complete"), (2, "complete")]
    else:
        with pytest.raises(ArenaError, match=r"game 1 was void 3 times, the last time because the referee stood"):
            play()
        assert kept == []
    assert [(one.number, one.reason) for one in void] == [(1, "void")] * times
