"""Games over a live connection: moves, refusals, undo, resigning, clocks, programs that fail."""

import threading
import time

import numpy as np
import pytest
from web_play import PERSON, REPLY, mine, plies, start, watching

from hinterland import catalog
from hinterland.gravity import Position, Rules, Stone
from hinterland.gravity.players import Random, Reply

BOB = {"kind": "person", "name": "Bob"}
RANDOM = {"kind": "program", "player": "random"}


def position_of(snapshot):
    """Play the moves of a snapshot again."""
    moves = [(move["seat"], Stone(*move["move"])) for move in snapshot["moves"]]
    return Position.replay(Rules.from_json(snapshot["rules"]), moves)


def check(snapshot):
    """Hold a snapshot against the game itself."""
    position = position_of(snapshot)
    for ply, move in enumerate(snapshot["moves"], start=1):
        assert tuple(move["scores"]) == position.after(ply).scores
        assert move["ms"] >= 0
    if not snapshot["withdrawn"]:
        assert tuple(snapshot["scores"]) == position.scores
        assert snapshot["to_move"] == position.to_move


def test_first_snapshot(client):
    game, key = start(client, clock={"budget": 120, "increment": 2, "move": 30})
    with watching(client, game, key) as ann:
        first = ann.see()
    check(first)
    assert [seat.pop("page").rpartition("-")[0] for seat in first["seats"]] == ["ann", "reply"]
    assert first["seats"] == [
        {"name": "Ann", "kind": "person", "mine": True, "given": "Ann"},
        {"name": "reply", "kind": "program", "mine": False, "given": "reply"},
    ]
    assert first["clock"] == {"budget_ms": 120_000, "increment_ms": 2000, "move_ms": 30_000}
    assert first["left_ms"][1] == 120_000
    assert 110_000 < first["left_ms"][0] <= 120_000
    assert (first["moves"], first["scores"], first["outcome"], first["next"]) == ([], [0, 0], None, None)
    assert (first["can_move"], first["can_undo"], first["viewers"], first["weight_left"]) == (True, False, 1, None)


@pytest.mark.parametrize("law", ["gravity", "nearest"])
def test_whole_game_against_a_program(client, law):
    game, key = start(client, rules={"size": 24, "stones": 2, "spacing": 3, "law": law})
    with watching(client, game, key) as ann, watching(client, game) as eve:
        ann.see(mine)
        ann.move(5, 5, ply=0)
        check(ann.see(plies(2)))
        ann.move(20, 20, ply=2)
        last = ann.see_the_end()
        check(last)
        seen = eve.see_the_end()
    assert last["outcome"]["reason"] == "complete"
    assert last["outcome"]["winners"] == [int(np.argmax(last["scores"]))]
    assert not last["can_move"]
    assert (seen["moves"], seen["outcome"]) == (last["moves"], last["outcome"])
    assert not any(seat["mine"] for seat in seen["seats"])
    assert client.get(f"/api/games/{game}").json()["moves"] == last["moves"]


def test_a_seed_repeats_the_programs(client):
    games = []
    for _ in range(2):
        game, _key = start(client, REPLY, RANDOM, seed=7)
        with watching(client, game) as eve:
            last = eve.see_the_end()
            games.append([move["move"] for move in last["moves"]])
    assert len(games[0]) == 4
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ([5, 5], "stone 1 stands on 5,5 already"),
        ([6, 6], "6,6 is too close to stone 1: 1.4 away, 3 needed"),
        ([24, 0], "outside the board"),
        ([-1, 0], "outside the board"),
        ([10**25, 0], "outside the board"),
        ([5, 20, 2], "every stone weighs 1"),
        ([5], "a move is an array of whole numbers [row, col, weight]"),
        ([1, 2, 3, 4], "a move is an array of whole numbers [row, col, weight]"),
    ],
)
def test_refused_move(client, move, words):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        ann.move(*move, ply=1)
        assert words in ann.complaint()
        ann.move(20, 20, ply=1)
        check(ann.see(plies(2)))


def test_out_of_turn(client, monkeypatch):
    monkeypatch.setattr(Reply, "choose", lambda *_: time.sleep(0.3) or Stone(20, 20))
    game, key = start(client)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=3)
        assert ann.complaint() == "move 1 is to be made now, not move 4"
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        ann.move(10, 10, ply=1)
        assert ann.complaint() == "it is the turn of reply"
        ann.see(plies(2))


@pytest.mark.parametrize("key", [None, "", "wrong", "x" * 5000, "é"])
def test_who_has_no_key_only_watches(client, key):
    game, right = start(client)
    with watching(client, game, right) as ann, watching(client, game, key) as eve:
        assert not eve.see()["can_move"]
        for message in ({"type": "move", "ply": 0, "move": [5, 5]}, {"type": "undo"}, {"type": "resign"}):
            eve.send(**message)
            assert "only the browser that began the game" in eve.complaint()
        assert ann.see(mine)["moves"] == []


def test_nothing_after_the_end(client):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        ann.send(type="resign")
        last = ann.see_the_end()
        for message in ({"type": "move", "ply": 0, "move": [5, 5]}, {"type": "undo"}, {"type": "resign"}):
            ann.send(**message)
            assert ann.complaint() == "the game is over"
    assert last["outcome"]["winners"] == [1]
    assert last["withdrawn"] == [{"seat": 0, "reason": "resigned", "detail": "seat 0 resigned"}]


def test_undo_against_a_program(client):
    game, key = start(client, clock={"budget": 60})
    with watching(client, game, key) as ann:
        ann.send(type="undo")
        assert ann.complaint() == "there is no move to take back"
        ann.move(5, 5, ply=0)
        two = ann.see(plies(2))
        assert two["can_undo"]
        ann.send(type="undo")
        back = ann.see(plies(0))
        assert not back["can_undo"]
        assert back["can_move"]
        assert back["left_ms"][0] <= two["left_ms"][0]
        ann.move(5, 5, ply=0)
        again = ann.see(plies(2))
        assert [move["move"] for move in again["moves"]] == [move["move"] for move in two["moves"]]


def test_undo_while_the_program_thinks(client, monkeypatch):
    free, asked = threading.Event(), threading.Event()

    def choose(self, position, clock, rng):
        asked.set()
        free.wait(10)
        return Stone(20, 20)

    monkeypatch.setattr(Reply, "choose", choose)
    game, key = start(client)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        assert asked.wait(10)
        ann.send(type="undo")
        ann.see(plies(0))
        free.set()
        ann.move(6, 6, ply=0)
        last = ann.see(plies(2))
    assert [move["move"] for move in last["moves"]] == [[6, 6], [20, 20]]


def test_undo_between_persons_takes_one_move_back(client):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        ann.move(20, 20, ply=1)
        ann.see(plies(2))
        ann.send(type="undo")
        assert ann.see(plies(1))["to_move"] == 1


def test_melee_goes_on_after_one_resigns(client):
    game, key = start(client, PERSON, REPLY, RANDOM, rules={"size": 30, "stones": 2, "spacing": 3})
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(3))
        ann.send(type="resign")
        last = ann.see_the_end()
    assert last["scores"][0] == 0
    assert [move["seat"] for move in last["moves"]] == [0, 1, 2, 1, 2]
    assert last["outcome"]["winners"][0] in (1, 2)
    assert not last["can_undo"]


def test_weighted_game(client):
    game, key = start(client, rules={"size": 24, "stones": 2, "spacing": 3, "weight": 10})
    with watching(client, game, key) as ann:
        assert ann.see(mine)["weight_left"] == [10, 10]
        ann.move(5, 5, 11, ply=0)
        assert "only 10 weight left" in ann.complaint()
        ann.move(5, 5, 9, ply=0)
        two = ann.see(plies(2))
        assert two["weight_left"] == [1, 5]
        assert two["moves"][0]["move"] == [5, 5, 9]


@pytest.mark.parametrize("clock", [{"budget": 0.15}, {"move": 0.15}, {"budget": 60, "move": 0.15}])
def test_time_runs_out(client, clock):
    game, key = start(client, PERSON, REPLY, clock=clock)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)  # for which the clock waits
        last = ann.see_the_end()
    assert last["withdrawn"][0]["reason"] == "time"
    assert last["outcome"]["winners"] == [1]


def test_an_illegal_move_does_not_stop_the_clock(client):
    game, key = start(client, PERSON, BOB, clock={"budget": 0.3})
    with watching(client, game, key) as ann:
        ann.move(99, 99, ply=0)
        assert "outside" in ann.complaint()
        assert ann.see_the_end()["withdrawn"][0]["reason"] == "time"


def test_no_clock_runs_before_the_person_comes(client):
    game, key = start(client, clock={"budget": 0.2})
    with watching(client, game) as eve:
        assert eve.see()["left_ms"] == [200, 200]
        time.sleep(0.3)
        with watching(client, game, key) as ann:
            assert ann.see(mine)["left_ms"][0] > 100


def test_programs_play_on_their_own(client):
    game, _ = start(client, REPLY, RANDOM)
    for _ in range(200):
        snapshot = client.get(f"/api/games/{game}").json()
        if snapshot["outcome"]:
            break
        time.sleep(0.02)
    check(snapshot)
    assert snapshot["outcome"]["reason"] == "complete"


@pytest.mark.parametrize(
    ("choose", "reason", "words"),
    [
        (lambda *_: 1 / 0, "crash", "random failed: ZeroDivisionError: division by zero"),
        (lambda *_: Stone(99, 99), "illegal", "random: 99,99 is outside the board"),
        (lambda *_: "nonsense", "illegal", "random: a move of gravity is Stone"),
        (lambda *_: None, "illegal", "random: a move of gravity is Stone"),
    ],
)
def test_a_program_that_fails_leaves_the_game(client, monkeypatch, choose, reason, words):
    monkeypatch.setattr(Random, "choose", choose)
    game, key = start(client, PERSON, RANDOM)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        last = ann.see_the_end()
    assert last["withdrawn"][0]["reason"] == reason
    assert words in last["withdrawn"][0]["detail"]
    assert last["outcome"]["winners"] == [0]


def test_a_program_that_thinks_for_ever_loses_on_time(client, monkeypatch):
    stop = threading.Event()
    monkeypatch.setattr(Random, "choose", lambda *_: stop.wait(20))
    game, key = start(client, PERSON, RANDOM, clock={"budget": 0.2})
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        last = ann.see_the_end()
    stop.set()
    assert last["withdrawn"] == [{"seat": 1, "reason": "time", "detail": last["withdrawn"][0]["detail"]}]
    assert catalog.game("gravity").players["random"] is Random


def test_who_resigns_among_several_does_so_in_turn(client, monkeypatch):
    free = threading.Event()
    monkeypatch.setattr(Reply, "choose", lambda *_: free.wait(10) and Stone(20, 20))
    game, key = start(client, PERSON, REPLY, BOB)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        ann.send(type="resign")
        assert "you can resign only on your turn" in ann.complaint()
        free.set()
        ann.see(plies(2))
        ann.send(type="resign")
        assert ann.see(lambda snapshot: snapshot["withdrawn"])["withdrawn"][0]["seat"] == 2


def test_the_only_person_may_resign_at_any_time(client, monkeypatch):
    free = threading.Event()
    monkeypatch.setattr(Reply, "choose", lambda *_: free.wait(10) and Stone(20, 20))
    game, key = start(client)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        ann.send(type="resign")
        assert ann.see_the_end()["outcome"]["winners"] == [1]
    free.set()


@pytest.fixture
def busy_thinkers(client, monkeypatch):
    """Occupy every thread on which programs think, until the event is set."""
    from hinterland.jit import cores

    free, asked = threading.Event(), threading.Semaphore(0)
    monkeypatch.setattr(Random, "choose", lambda *_: asked.release() or free.wait(20))
    for _ in range(cores()):
        start(client, RANDOM, RANDOM)
        assert asked.acquire(timeout=10)
    yield free
    free.set()


def test_waiting_for_a_processor_costs_a_program_nothing(client, busy_thinkers):
    game, key = start(client, clock={"budget": 1.0})
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        time.sleep(1.2)
        assert client.get(f"/api/games/{game}").json()["left_ms"][1] > 950
        busy_thinkers.set()
        assert ann.see(plies(2))["moves"][1]["seat"] == 1


def test_after_an_undo_the_clock_of_the_person_runs(client, busy_thinkers):
    game, key = start(client, PERSON, BOB, REPLY, clock={"budget": 0.4})
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        ann.move(15, 15, ply=1)
        ann.see(plies(2))
        ann.send(type="undo")
        ann.see(plies(1))
        began = time.monotonic()
        assert ann.see(lambda snapshot: snapshot["withdrawn"])["withdrawn"][0]["reason"] == "time"
        assert time.monotonic() - began < 5


def test_an_event_is_carried_through_though_its_bringer_is_gone(settings, monkeypatch):
    """A connection may be cut off while its move is being judged: the table and the disk must still agree."""
    import asyncio

    import msgspec
    from web_play import wish

    from hinterland.host.commit import JournalCommit
    from hinterland.storage.archive import Archive
    from hinterland.web.api.game_request import GameRequest, create_setup
    from hinterland.web.live.game_registry import GameRegistry

    judging, free, decide = threading.Event(), threading.Event(), JournalCommit._commit

    def slowly(self, game, event, now_ns):
        done = decide(self, game, event, now_ns)
        if game.position.moves == () and done[0].position.moves:
            judging.set()
            free.wait(10)
        return done

    async def play(archive):
        hub = GameRegistry(archive, settings.limits, lambda _: None)
        wanted = msgspec.convert(wish([PERSON, BOB]), GameRequest)
        table = await hub.create(create_setup(wanted, "key", None))
        await table.arrive("key")
        move = asyncio.ensure_future(table.move("key", 0, [5, 5]))
        await asyncio.to_thread(judging.wait, 10)
        move.cancel()
        await asyncio.gather(move, return_exceptions=True)
        asyncio.get_running_loop().call_later(0.05, free.set)
        await table.move("key", 1, [20, 20])
        assert [stone.numbers for _, stone in table.game.position.moves] == [(5, 5), (20, 20)]
        await hub.stop()
        return table.setup.id

    monkeypatch.setattr(JournalCommit, "_commit", slowly)
    archive = Archive(settings.data)
    game = asyncio.run(play(archive))
    _, restored, book = archive.load(game)
    assert len(restored.game.position.moves) == 2
    book.close()
    archive.close()
