"""Threads that many ask for: who comes next, who is refused, and programs that think shorter or wait unwatched."""

import asyncio
import sys
import threading
import time

import msgspec
import pytest
from web_play import PERSON, REPLY, SHOW, plies, start, watching

from hinterland.contract import Clock
from hinterland.errors import ArenaError
from hinterland.host.players.in_process import MAX_MOVE_MS, MIN_MOVE_MS, USUAL_MOVE_MS, shorten_request
from hinterland.host.thread_pools import SERVER_ITSELF, Workers
from hinterland.referee.judge import Request
from hinterland.web.live import arena_game


class Work:
    """Pieces of work that are held until they are let go, and the order in which they began."""

    def __init__(self):
        self.began = []
        self.free = threading.Semaphore(0)

    def __call__(self, name):
        self.began.append(name)
        assert self.free.acquire(timeout=20)

    async def until(self, count):
        """Wait until so many have begun, and a moment to see that it is no more."""
        async with asyncio.timeout(20):
            while len(self.began) < count:
                await asyncio.sleep(0.001)
        await asyncio.sleep(0.02)
        return self.began


def asked(workers, work, *names, asker, rank=0):
    share = workers.share_for(asker, lambda: rank)
    return [asyncio.ensure_future(share.run(work, name)) for name in names]


async def finished(work, tasks):
    for _ in tasks:
        work.free.release()
    await asyncio.gather(*tasks)


def test_who_has_least_running_comes_next():
    async def play():
        workers, work = Workers(1, "test"), Work()
        tasks = asked(workers, work, *(f"a{number}" for number in range(30)), asker="a")
        await work.until(1)
        tasks += asked(workers, work, "b0", "b1", asker="b") + asked(workers, work, "c0", asker="c")
        await finished(work, tasks)
        return work.began

    began = asyncio.run(play())
    assert began[0] == "a0"
    assert sorted(began[1:4]) == ["a1", "b0", "c0"], "each in turn"
    assert began.index("b1") <= 5
    assert began[6:] == [f"a{number}" for number in range(3, 30)]


def test_newcomers_come_first():
    """Who has not been served lately comes before all who have, however long these wait."""

    async def play():
        workers, work = Workers(1, "test"), Work()
        crowd = {asker: [f"{asker}{number}" for number in range(9)] for asker in "abcd"}
        tasks = [one for asker, names in crowd.items() for one in asked(workers, work, *names, asker=asker)]
        for _ in range(4):
            await work.until(len(work.began) + (not work.began))
            work.free.release()
            await asyncio.sleep(0.05)
        tasks += asked(workers, work, "new", asker="newcomer")
        before = len(work.began)
        await finished(work, tasks[:-4])
        return work.began, before

    began, before = asyncio.run(play())
    assert began.index("new") == before, "the next"


def test_who_has_most_waiting_makes_room():
    async def play():
        workers, work = Workers(1, "test"), Work()
        tasks = asked(workers, work, *(f"a{number}" for number in range(6)), asker="a")
        tasks += asked(workers, work, "b0", "b1", asker="b")
        await work.until(1)
        assert workers.make_room("c")
        assert workers.make_room("b")
        assert not workers.make_room("a"), "nobody has more"
        await finished_or_dropped(work, tasks)
        assert [name for name, task in zip(["a4", "a5"], tasks[4:6], strict=True) if task.exception()] == ["a4", "a5"]
        assert sorted(work.began) == ["a0", "a1", "a2", "a3", "b0", "b1"]

    asyncio.run(play())


async def finished_or_dropped(work, tasks):
    for _ in tasks:
        work.free.release()
    await asyncio.wait(tasks)


def test_nobody_has_the_last_thread_while_there_are_others():
    async def play():
        workers, work = Workers(2, "test"), Work()
        tasks = asked(workers, work, "b0", asker="b")
        await work.until(1)
        await finished(work, tasks)
        tasks = asked(workers, work, "a0", "a1", "a2", asker="a")
        assert await work.until(2) == ["b0", "a0"], "one is kept for b, who asked a moment ago"
        tasks += asked(workers, work, "b1", asker="b")
        assert await work.until(3) == ["b0", "a0", "b1"]
        await finished(work, tasks)

    asyncio.run(play())


def test_who_is_alone_has_all_of_them():
    async def play():
        workers, work = Workers(3, "test"), Work()
        tasks = asked(workers, work, *"pqrs", asker="a")
        assert await work.until(3) == [*"pqr"]
        assert workers.crowding == pytest.approx(4 / 3)
        await finished(work, tasks)
        await asyncio.sleep(0.02)
        assert workers.crowding == 1

    asyncio.run(play())


def test_the_least_rank_comes_first():
    async def play():
        workers, work = Workers(1, "test"), Work()
        tasks = asked(workers, work, "first", asker="a")
        await work.until(1)
        tasks += asked(workers, work, "unwatched", asker="b", rank=2)
        tasks += asked(workers, work, "watched", asker="c", rank=1)
        tasks += asked(workers, work, "a person's", asker="a")
        await finished(work, tasks)
        return work.began

    assert asyncio.run(play()) == ["first", "a person's", "watched", "unwatched"]


def test_who_has_too_much_waiting_is_refused_at_once():
    async def play():
        workers, work = Workers(1, "test", most_waiting=2), Work()
        tasks = asked(workers, work, "a0", asker="a")
        await work.until(1)
        tasks += asked(workers, work, "a1", "a2", asker="a")
        await asyncio.sleep(0)
        with pytest.raises(ArenaError, match="too much of what you asked for is still being worked on"):
            await workers.share_for("a").run(work, "a3")
        tasks += asked(workers, work, "b0", asker="b")
        await finished(work, tasks)
        return work.began

    assert sorted(asyncio.run(play())) == ["a0", "a1", "a2", "b0"]


def test_who_waits_no_more_takes_no_turn():
    async def play():
        workers, work = Workers(1, "test"), Work()
        tasks = asked(workers, work, "a0", asker="a")
        await work.until(1)
        waiting = asked(workers, work, "a1", "a2", asker="a")
        await asyncio.sleep(0)
        waiting[0].cancel()
        await finished(work, [*tasks, waiting[1]])
        await workers.wait_for_turn()
        given = asyncio.ensure_future(workers.share_for("b").wait_for_turn())
        await asyncio.sleep(0)
        workers._take_back(SERVER_ITSELF)
        given.cancel()  # in the same moment
        await asyncio.sleep(0)
        await asyncio.wait_for(workers.run(work.began.append, "next"), 20)
        return work.began

    assert asyncio.run(play()) == ["a0", "a2", "next"]


@pytest.mark.parametrize(
    ("left_ms", "move_ms", "crowding", "expected"),
    [
        (None, None, 1.0, None),
        (None, None, 4.0, USUAL_MOVE_MS // 4),
        (None, None, 1000.0, MIN_MOVE_MS),
        (60_000, None, 1.0, MAX_MOVE_MS),
        (60_000, 3000, 1.0, 3000),
        (60_000, 3000, 2.0, USUAL_MOVE_MS // 2),
        (60_000, 100, 2.0, 100),
    ],
)
def test_where_many_wait_programs_think_shorter(left_ms, move_ms, crowding, expected):
    ask = Request(0, 1, Clock(left_ms=left_ms, move_ms=move_ms), 0)
    assert shorten_request(ask, crowding).clock.move_ms == expected


def test_a_game_of_programs_alone_waits_while_nobody_looks(settings, opened, monkeypatch):
    monkeypatch.setattr(arena_game, "UNWATCHED_PLAY_S", 0.0)
    client = opened(settings)
    game, _ = start(client, REPLY, REPLY)
    time.sleep(0.3)
    made = len(client.get(f"/api/games/{game}").json()["moves"])
    with watching(client, game) as eve:
        eve.see(plies(4))
    assert made < 4


def test_a_game_of_programs_that_is_only_asked_for_goes_on(limited, opened, monkeypatch):
    """Also when it was put away meanwhile."""
    monkeypatch.setattr(arena_game, "UNWATCHED_PLAY_S", 0.05)
    client = opened(limited(idle_s=0.1))
    game, _ = start(client, REPLY, REPLY)
    registry = client.app.state.arena.registry
    until = time.monotonic() + 20
    while (seen := client.get(f"/api/games/{game}").json())["outcome"] is None:
        assert time.monotonic() < until, seen
        while game in registry._games and time.monotonic() < until and not seen["outcome"]:
            time.sleep(0.02)
            seen = msgspec.json.decode(msgspec.json.encode(seen))
            if not registry._games.get(game) or registry._games[game].game.ending is not None:
                break
    assert len(seen["moves"]) == 4


def test_a_program_answers_a_person_after_a_pause_that_is_on_nobodys_clock(limited, opened):
    client = opened(limited(answer_s=1.5))
    game, key = start(client, REPLY, PERSON, clock={"budget": 1})
    with watching(client, game, key) as ann:
        began_s = time.monotonic()
        seen = ann.see(plies(1))
        assert time.monotonic() - began_s >= 1.4
    assert seen["left_ms"][0] > 500


def test_programs_alone_do_not_pause(limited, opened):
    client = opened(limited(answer_s=3600))
    game, _ = start(client, REPLY, REPLY)
    with watching(client, game) as eve:
        eve.see(plies(4))


@pytest.mark.jit  # the upper levels play, which search
def test_the_show_outlives_a_pause_in_which_nobody_looks(settings, opened, limited):
    client = opened(msgspec.structs.replace(limited(idle_s=0.05), show=msgspec.structs.replace(SHOW, move_s=0.05)))
    with watching(client, None, path="/showcase/live") as eve:
        eve.see(lambda seen: len(seen["moves"]) >= 1)
    time.sleep(0.5)
    with watching(client, None, path="/showcase/live") as eve:
        first = eve.see()
        eve.see(lambda seen: (seen["id"], len(seen["moves"])) != (first["id"], len(first["moves"])))


def test_a_thread_that_cannot_be_had_is_no_loss_for_later(monkeypatch):
    async def play():
        workers = Workers(1, "test")
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", lambda _: (_ for _ in ()).throw(RuntimeError("no more")))
            for _ in range(3):
                with pytest.raises(ArenaError, match="no more threads"):
                    await workers.run(int)
        with pytest.raises(RuntimeError, match="SystemExit"):
            await workers.run(sys.exit)
        return await asyncio.wait_for(workers.run(lambda: 7), 20)

    assert asyncio.run(play()) == 7


def test_it_is_said_where_programs_think_shorter(settings, opened):
    client = opened(settings)
    game, _ = start(client)
    thinkers, work = client.app.state.arena.registry.thinkers, Work()

    async def crowd():
        tasks = asked(thinkers, work, *"abcdefgh", asker="a")
        await work.until(1)
        return tasks

    tasks = client.blocking_portal.call(crowd)
    shown = client.get(f"/api/games/{game}").json()["remark"]
    client.blocking_portal.call(finished, work, tasks)
    assert shown == "many games are being played here, so programs think for less time"
    assert client.get(f"/api/games/{game}").json()["remark"] is None
