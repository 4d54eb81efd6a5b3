"""Contests with bots that connect: real connections in any order, late, broken, or after the parent was killed."""

import asyncio
import contextlib
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import pytest

from hinterland.cli import run
from hinterland.contest import engine
from hinterland.contest.connecting.network import Entrance, open_to_bots
from hinterland.contest.folder import ContestFolder, create
from hinterland.contest.plan import Entrant, Plan
from hinterland.errors import BadText
from hinterland.host.thread_pools import Workers
from hinterland.referee import record, verification
from referee_clients import PATIENCE_S, SMALL, Gone, HpsPlayer, Wire, answer_json, make_admission

pytestmark = pytest.mark.once

BOTS = ("ann", "bob", "cas")
TOKENS = {name: f"token-of-{name}" for name in BOTS}


def plan_of(*house, bots=BOTS, **more):
    seated = [(name, "connect") for name in bots] + [(f"{spec}{number}", spec) for number, spec in enumerate(house)]
    rules = {"size": SMALL.size, "stones": SMALL.stones, "spacing": SMALL.spacing}
    return Plan(**{"game": "gravity", "players": tuple(Entrant(*one) for one in seated), "rules": rules, **more})


def records_of(folder):
    lines = (folder / "records.jsonl").read_bytes().splitlines(keepends=True)
    found = [record.read_line(line) for line in lines]
    for kept in found:
        verification.verify(kept)
    return found


def games_of(plan):
    """Return the games of a round robin, each as its players in seat order."""
    pairs = combinations([player.name for player in plan.players], 2)
    return sorted(game for pair in pairs for game in (pair, pair[::-1]) for _ in range(plan.pairings))


class Contest:
    """A contest on a thread, to which bots of this loop connect."""

    def __init__(self, folder, plan, protocol="json"):
        create(folder, plan, {player.name: TOKENS[player.name] for player in plan.players if player.spec == "connect"})
        self.folder, self.plan = folder, plan
        self.entrance = Entrance(port=0, protocol=protocol, admission=make_admission())
        self.told = []
        self.bots = []

    def _tell(self, line):
        self.told.append(line)

    def _play(self):
        with (
            ContestFolder.locked(self.folder) as contest,
            open_to_bots(contest, self.entrance, tell=self._tell) as network,
            ThreadPoolExecutor(1) as executor,
        ):
            for _ in engine.play(contest, executor, 1, network=network):
                pass

    async def __aenter__(self):
        self.playing = Workers(1, "contest").start(self._play)
        self.port = int((await self.until(r"^bots connect to 127\.0\.0\.1:(\d+), "))[1])
        return self

    async def __aexit__(self, kind, *_):
        for bot in self.bots:
            bot.cancel()
        await asyncio.gather(*self.bots, return_exceptions=True)
        if kind is None:
            async with asyncio.timeout(PATIENCE_S):
                await self.playing

    async def until(self, pattern):
        """Wait for a line that matches; return the match."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for line in self.told:
                    if found := re.search(pattern, line):
                        return found
                if self.playing.done():
                    self.playing.result()
                await asyncio.sleep(0.01)

    async def join(self, name):
        """Connect a bot; return its wire after the hello."""
        wire = await Wire.to(self.port)
        await wire.until("hello")
        await wire.send_json(type="join", name="whatever", token=TOKENS[name])
        return wire

    def send_in(self, *names):
        self.bots += [asyncio.create_task(come_again(self.port, TOKENS[name])) for name in names]

    async def over(self):
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.shield(self.playing)
        found = records_of(self.folder)
        assert sorted(kept.players for kept in found) == games_of(self.plan)
        return found


async def come_again(port, token, think_s=0.0, last_words=None):
    """Play match after match, as a bot in a loop."""
    last_words = [] if last_words is None else last_words
    while True:
        try:
            wire = await Wire.to(port)
        except ConnectionError:
            await asyncio.sleep(0.05)
            continue
        try:
            await wire.until("hello")
            await wire.send_json(type="join", name="whatever", token=token)
            while True:
                message = await wire.message()
                if message["type"] == "turn":
                    await asyncio.sleep(think_s)
                    await answer_json(wire, message, SMALL)
                elif message["type"] == "bye":
                    last_words.append(message["detail"])
        except Gone:
            pass
        finally:
            wire.close()


def test_three_bots_and_a_player_of_the_house_meet_each_other_twice(tmp_path):
    async def play():
        async with Contest(tmp_path / "c", plan_of("random", pairings=2)) as contest:
            await contest.until("^waiting for ann, bob, cas$")
            contest.send_in(*BOTS)
            games = await contest.over()
            assert not any(kept.departures for kept in games)
            assert sorted(contest.told[2:5]) == ["ann is here", "bob is here", "cas is here"]

    asyncio.run(play())


def test_matches_without_bots_are_played_meanwhile_by_the_executor(tmp_path):
    async def play():
        plan = plan_of("random", "random", bots=("ann",))
        async with Contest(tmp_path / "c", plan) as contest:
            async with asyncio.timeout(PATIENCE_S):
                while not (tmp_path / "c" / "records.jsonl").exists() or len(records_of(tmp_path / "c")) < 2:
                    await asyncio.sleep(0.02)
            assert all(set(kept.players) == {"random0", "random1"} for kept in records_of(tmp_path / "c"))
            contest.send_in("ann")
            await contest.over()

    asyncio.run(play())


def test_a_wrong_token_is_refused_and_a_bot_whose_match_is_not_on_is_not(tmp_path):
    async def play():
        async with Contest(tmp_path / "c", plan_of()) as contest:
            ann = await contest.join("ann")
            for token in ("token-of-nobody", None):
                wire = await Wire.to(contest.port)
                await wire.until("hello")
                await wire.send_json(type="join", name="ann", token=token)
                assert (await wire.message())["detail"] == "this token is unknown"
                assert await wire.rest() == []
                wire.close()
            await contest.until("^ann is here")
            again = await contest.join("ann")
            assert (await ann.message())["detail"] == "another connection took this seat"
            assert await ann.rest() == []
            contest.send_in("bob", "cas")
            assert (await again.message())["type"] == "welcome"
            ann.close()
            again.close()
            contest.send_in("ann")
            await contest.over()

    asyncio.run(play())


def test_the_others_play_while_one_is_late(tmp_path):
    async def play():
        async with Contest(tmp_path / "c", plan_of()) as contest:
            contest.send_in("ann", "bob")
            async with asyncio.timeout(PATIENCE_S):
                while len(records_of(tmp_path / "c")) < 2:
                    await asyncio.sleep(0.02)
            assert {frozenset(kept.players) for kept in records_of(tmp_path / "c")} == {frozenset({"ann", "bob"})}
            assert "cas is here" not in contest.told
            contest.send_in("cas")
            await contest.over()
            assert "cas is here" in contest.told

    asyncio.run(play())


def test_who_breaks_off_comes_back_to_its_match(tmp_path):
    async def play():
        async with Contest(tmp_path / "c", plan_of()) as contest:
            contest.send_in("bob", "cas")
            wire = await contest.join("ann")
            await answer_json(wire, await wire.until("turn"), SMALL)
            turn = await wire.until("turn")
            wire.reset()
            contest.send_in("ann")
            games = await contest.over()
            assert not any(kept.departures for kept in games)
            told = [(seat, tuple(move)) for seat, move in turn["moves"]]
            assert sum(list(kept.played[: len(told)]) == told for kept in games if kept.players[0] == "ann") >= 1

    asyncio.run(play())


def test_bots_of_hps(tmp_path):
    async def once(port, name):
        wire = await Wire.to(port)
        first = await wire.line()
        await wire.send(f"whatever {TOKENS[name]}\n")
        second = await wire.line()
        lines = await HpsPlayer(wire, SMALL).play()
        wire.close()
        return first, second, [line for line in lines if line.startswith("1")]

    async def play():
        async with Contest(tmp_path / "c", plan_of(bots=("ann", "bob")), "hps") as contest:
            ann, bob = await asyncio.gather(once(contest.port, "ann"), once(contest.port, "bob"))
            await contest.over()
            assert ann[:2] == ("2 2 0", "2 2 1")
            assert bob[:2] == ("2 2 0", "2 2 2")
            assert len(ann[2]) == len(bob[2]) == 2

    asyncio.run(play())


def free_port():
    with contextlib.closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


INTERRUPTED = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
from hinterland.cli import main
if __name__ == "__main__":
    main()
"""


async def stopped(folder, port, games, number):
    """Run a contest in a process until it has ``games`` games; return its exit code and output."""
    words = [sys.executable, "-c", INTERRUPTED, "contest", "run", str(folder), "--port", str(port)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        async with asyncio.timeout(4 * PATIENCE_S):
            while not (folder / "records.jsonl").exists() or len(records_of(folder)) < games:
                assert process.poll() is None, process.communicate()
                await asyncio.sleep(0.02)
        process.send_signal(number)
        _, told = await asyncio.to_thread(process.communicate, timeout=PATIENCE_S)
    finally:
        process.kill()
        process.communicate()
    return process.returncode, told


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_a_contest_that_was_ended_goes_on_with_the_same_bots(number, code, tmp_path):
    plan, folder, port, last_words = plan_of("random", pairings=8), tmp_path / "c", free_port(), []
    create(folder, plan, TOKENS)

    async def play():
        bots = [asyncio.create_task(come_again(port, token, 0.02, last_words)) for token in TOKENS.values()]
        found, told = await stopped(folder, port, 5, number)
        assert found == code, told
        assert f"bots connect to 127.0.0.1:{port}, protocol json" in told
        assert "Traceback" not in told
        assert ("the contest was stopped; connect again when it goes on" in last_words) == (number == signal.SIGINT)
        before = (folder / "records.jsonl").read_bytes()
        await asyncio.to_thread(engine.run, plan, folder, entrance=Entrance(port=port))
        assert (folder / "records.jsonl").read_bytes().startswith(before)
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)

    asyncio.run(play())
    assert sorted(kept.players for kept in records_of(folder)) == games_of(plan)


# contests that cannot be played


@pytest.fixture
def refused(tmp_path, capsys):
    def call(plan, tokens, *words):
        create(tmp_path / "c", plan, tokens)
        assert run(["contest", "run", str(tmp_path / "c"), *words]) == 2
        told = capsys.readouterr().err
        assert told.startswith("hinterland: ")
        assert told.count("\n") == 1
        return told

    return call


def test_a_player_without_a_token_is_named(refused):
    told = refused(plan_of(), {name: token for name, token in TOKENS.items() if name != "bob"})
    assert re.search(r'plan.toml: bob connects and has no token; write one under .tokens., such as "bob" = "\S+"', told)


@pytest.mark.parametrize(
    ("token", "complaint"),
    [("short", "one word of 8 to 200 characters"), ("two words", "one word"), ("token-of-ann", "that of another")],
)
def test_tokens_that_are_no_tokens(token, complaint, refused):
    assert complaint in refused(plan_of(), {**TOKENS, "cas": token})


def test_a_port_in_use(refused):
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        told = refused(plan_of(), TOKENS, "--port", str(port))
    assert f"port {port} on 127.0.0.1 is in use; choose another with --port" in told


def test_hps_for_a_game_without_stones(refused):
    plan = plan_of(game="dots", rules={"dots": 6})
    told = refused(plan, TOKENS, "--protocol", "hps")
    assert "protocol hps is for games with stones; play dots with --protocol json" in told


def test_protocols_that_are_none_or_have_no_tokens(refused):
    assert "unknown protocol 'morse'; known: hps, " in refused(plan_of(), TOKENS, "--protocol", "morse")


def test_series_without_a_port_refuse_bots_that_connect(tmp_path):
    with pytest.raises(BadText, match=r"^ann connects over the network; `hinterland contest` plays with such players$"):
        next(engine.play(without_a_port(tmp_path), ThreadPoolExecutor(1), 1))


def without_a_port(tmp_path):
    create(tmp_path / "c", plan_of(), TOKENS)
    return ContestFolder(tmp_path / "c")
