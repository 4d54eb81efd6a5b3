"""Games outlive the server; records are written exactly once; nothing on the disk is trusted blindly."""

import json
import os
import time

import msgspec
import pytest
from web_play import BASE, HTML, PERSON, mine, plies, start, watching

from hinterland.errors import ArenaError
from hinterland.host import commit
from hinterland.referee import verification
from hinterland.storage import records as record_files
from hinterland.storage.archive import Archive, is_id
from hinterland.web.app import create_app

BOB = {"kind": "person", "name": "Bob"}


@pytest.fixture
def reopened(settings, opened):
    """Run parts of a game, each in an arena of its own on the same folder."""
    import contextlib

    from litestar.testing import TestClient

    @contextlib.contextmanager
    def again():
        with TestClient(create_app(settings), base_url=BASE, raise_server_exceptions=False) as client:
            yield client

    return again


@pytest.fixture
def journal(settings):
    return lambda game: settings.data / "games" / f"{game}.jsonl"


def played(client, *moves, seats=(PERSON, BOB), **others):
    """Begin a game between persons and make moves."""
    game, key = start(client, *seats, **others)
    with watching(client, game, key) as ann:
        for ply, move in enumerate(moves):
            ann.move(*move, ply=ply)
            ann.see(plies(ply + 1))
    return game, key


def same(one, other):
    """Say whether two snapshots tell the same, clocks and viewers left aside."""
    passing = ("left_ms", "viewers", "can_undo")
    return {k: v for k, v in one.items() if k not in passing} == {k: v for k, v in other.items() if k not in passing}


def test_a_running_game_survives(reopened):
    with reopened() as client:
        game, key = played(client, (5, 5), (20, 20), (5, 20))
        before = client.get(f"/api/games/{game}").json()
    with reopened() as client:
        assert same(client.get(f"/api/games/{game}").json(), before)
        with watching(client, game, key) as ann:
            assert ann.see(mine)["can_undo"]
            ann.move(20, 5, ply=3)
            last = ann.see_the_end()
    with reopened() as client:
        assert same(client.get(f"/api/games/{game}").json() | {"seats": last["seats"]}, last)


def test_a_program_goes_on_after_a_restart(reopened, monkeypatch):
    from hinterland.gravity.players import Reply

    choose = Reply.choose
    monkeypatch.setattr(Reply, "choose", lambda *_: time.sleep(0.5))
    with reopened() as client:
        game, key = start(client)
        with watching(client, game, key) as ann:
            ann.move(5, 5, ply=0)
            assert ann.see(plies(1))["to_move"] == 1
    monkeypatch.setattr(Reply, "choose", choose)
    with reopened() as client, watching(client, game, key) as ann:
        assert ann.see(plies(2))["moves"][1]["seat"] == 1


def test_undo_and_departures_survive(reopened):
    with reopened() as client:
        game, key = played(client, (5, 5), (20, 20), seats=(PERSON, BOB, PERSON))
        with watching(client, game, key) as ann:
            ann.send(type="undo")
            ann.see(plies(1))
            ann.send(type="resign")
            before = ann.see(lambda snapshot: snapshot["withdrawn"])
            assert before["to_move"] == 2
    with reopened() as client, watching(client, game, key) as ann:
        assert same(ann.see(mine), before)


def test_clocks_go_on_from_what_was_left(reopened):
    with reopened() as client:
        game, key = start(client, PERSON, BOB, clock={"budget": 60})
        with watching(client, game, key) as ann:
            ann.see(mine)
            time.sleep(0.15)
    with reopened() as client:
        left = client.get(f"/api/games/{game}").json()["left_ms"]
        assert 50_000 < left[0] <= 60_000 - 150
        assert left[1] == 60_000
        assert client.get(f"/api/games/{game}").json()["left_ms"] == left  # nobody has come yet


def test_every_reported_move_is_on_the_disk(client, journal):
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        for ply, move in enumerate([(5, 5), (20, 20), (5, 20), (20, 5)]):
            ann.move(*move, ply=ply)
            ann.see(plies(ply + 1))
            lines = [json.loads(line) for line in journal(game).read_text().splitlines()]
            assert [line["move"] for line in lines if line.get("type") == "move"][ply] == list(move)


@pytest.mark.parametrize("torn", [b'{"type":"move","pl', b"\x00" * 5000, b'{"type":"back"}'])
def test_a_torn_last_line_is_dropped(reopened, journal, torn):
    with reopened() as client:
        game, key = played(client, (5, 5), (20, 20))
        before = client.get(f"/api/games/{game}").json()
    with journal(game).open("ab") as file:
        file.write(torn)
    with reopened() as client:
        assert same(client.get(f"/api/games/{game}").json(), before)
        with watching(client, game, key) as ann:
            ann.move(5, 20, ply=2)
            ann.see(plies(3))
    assert [json.loads(line).get("plies") for line in journal(game).read_bytes().splitlines()] == [None, 1, 2, 3]
    with reopened() as client:
        assert len(client.get(f"/api/games/{game}").json()["moves"]) == 3


def test_any_cut_of_a_journal_is_a_game(reopened, journal):
    """As after a crash at any byte: the game is there, with every move whose line was whole."""
    with reopened() as client:
        game, _ = played(client, (5, 5), (20, 20), (5, 20), (20, 5))
    whole = journal(game).read_bytes()
    first = whole.index(b"\n") + 1
    for cut in [*range(first, len(whole), 37), len(whole)]:
        journal(game).write_bytes(whole[:cut])
        with reopened() as client:
            snapshot = client.get(f"/api/games/{game}").json()
        sound = whole[:cut].rpartition(b"\n")[0]
        assert len(snapshot["moves"]) == sound.count(b'"type":"move"')
    assert snapshot["outcome"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"move":[20,20]', b'"move":[5,6]', "line 3: 5,6 is too close to stone 1: "),
        (b'"move":[20,20]', b'"move":[99,20]', "line 3: 99,20 is outside"),
        (b'"plies":2,"seat":1', b'"plies":2,"seat":0', "line 3: seat 1 is to move, not seat 0"),
        (b'"type":"move","plies":2', b'"type":"mole","plies":2', "line 3"),
        (b'"size":24', b'"size":-1', "size must be"),
        (b'"game":"gravity"', b'"game":"chess"', "unknown game"),
        (b'"format":"hinterland-game/1"', b'"format":"other"', "first line"),
    ],
)
def test_a_damaged_journal_is_named(reopened, journal, old, new, words):
    with reopened() as client:
        game, key = played(client, (5, 5), (20, 20), (5, 20))
        other, _ = played(client, (5, 5))
    data = journal(game).read_bytes()
    assert old in data
    journal(game).write_bytes(data.replace(old, new))
    with reopened() as client:
        answer = client.get(f"/api/games/{game}")
        assert answer.status_code >= 400
        assert words in answer.json()["error"]
        with watching(client, game, key) as ann:
            assert words in ann.complaint()
        assert client.get("/games", headers=HTML).status_code == 200
        assert client.get(f"/api/games/{other}").status_code == 200


def test_no_refusal_names_a_folder_of_the_server(client, settings, monkeypatch):
    """A file that cannot be written is called by its name, not by where it lies."""
    game, key = start(client, PERSON, BOB)
    fsync = os.fsync
    with watching(client, game, key) as ann:
        ann.see(mine)

        def full(file):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        ann.move(5, 5, ply=0)
        complaint = ann.complaint()
        answer = client.post("/api/games", json={"game": "gravity", "seats": [PERSON, BOB]})
        monkeypatch.setattr(os, "fsync", fsync)
    for told in (complaint, answer.json()["error"]):
        assert ".jsonl cannot be written: No space left on device" in told
        assert str(settings.data.parent) not in told


def records(settings):
    return list(record_files.read(settings.data / "records.jsonl"))


def test_a_finished_game_has_one_sound_record(reopened, settings):
    with reopened() as client:
        game, _ = played(client, (5, 5), (20, 20), (5, 20), (20, 5), seats=(PERSON, PERSON), seed=5)
        snapshot = client.get(f"/api/games/{game}").json()
    for _ in range(2):
        with reopened() as client:
            client.get(f"/api/games/{game}")
    ((_, kept),) = records(settings)
    verification.verify(kept)
    assert kept.players == ("Ann", "Ann#2")
    assert kept.scores == tuple(snapshot["scores"])
    assert kept.seed == 5


@pytest.mark.parametrize("written", ["not", "half", "whole"])
def test_a_record_interrupted_by_a_crash_is_completed(reopened, settings, journal, written):
    with reopened() as client:
        played(client, (5, 5), (20, 20), (5, 20), (20, 5))
        other, _ = played(client, (6, 6), (20, 20), (5, 20), (20, 5))
    journal(other).write_bytes(journal(other).read_bytes().removesuffix(b'{"type":"recorded"}\n'))
    file = settings.data / "records.jsonl"
    first, second = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(first + {"not": b"", "half": second[: len(second) // 2], "whole": second}[written])
    for number in range(250):  # later games, of which nothing is missing
        journal(f"{number:016}").touch()
    with reopened():
        pass
    assert file.read_bytes() == first + second
    with reopened() as client:
        client.get(f"/api/games/{other}")
    assert file.read_bytes() == first + second
    assert journal(other).read_bytes().count(b'"recorded"') == 1


def test_a_game_that_ended_but_was_not_told_so_ends_again(reopened, settings, journal):
    with reopened() as client:
        game, _ = played(client, (5, 5), (20, 20), (5, 20), (20, 5))
    data = journal(game).read_bytes()
    journal(game).write_bytes(data[: data.index(b'{"type":"ended"')])
    (settings.data / "records.jsonl").write_bytes(b"")
    with reopened() as client:
        assert client.get(f"/api/games/{game}").json()["outcome"]["reason"] == "complete"
    assert len(records(settings)) == 1


def test_a_move_that_cannot_be_saved_was_not_made(client, journal, monkeypatch):
    game, key = start(client, PERSON, BOB)
    fsync = os.fsync
    with watching(client, game, key) as ann, watching(client, game) as eve:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        before = journal(game).read_bytes()

        def full(file):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        ann.move(20, 20, ply=1)
        assert "No space left on device" in ann.complaint()
        assert "No space left on device" in eve.complaint()
        answer = client.post("/api/games", json={"game": "gravity", "seats": [PERSON, BOB]})
        assert answer.status_code == 503
        monkeypatch.setattr(os, "fsync", fsync)
    assert journal(game).read_bytes() == before
    with watching(client, game, key) as ann:
        assert len(ann.see(mine)["moves"]) == 1
        ann.move(20, 20, ply=1)
        ann.see(plies(2))


def test_idle_games_are_put_away_and_come_back(opened, limited):
    client = opened(limited(live_games=3))
    games = [played(client, (5, 5 + number)) for number in range(8)]
    hub = client.app.state.arena.registry
    assert len(hub._games) <= 3
    for number, (game, key) in enumerate(games):
        with watching(client, game, key) as ann:
            assert ann.see(mine)["moves"][0]["move"] == [5, 5 + number]
    assert len(hub._games) <= 3


def test_a_full_arena_says_so(opened, limited):
    import contextlib

    client = opened(limited(live_games=2))
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            game, key = start(client, PERSON, BOB)
            stack.enter_context(watching(client, game, key)).see()
        answer = client.post("/api/games", json={"game": "gravity", "seats": [PERSON, BOB]})
        assert answer.status_code == 503
        assert "all 2 places for live games" in answer.json()["error"]
        assert int(answer.headers["retry-after"]) > 0


def test_swept_when_nobody_waits(opened, limited):
    client = opened(limited(idle_s=0.05))
    timed, _ = played(client, (5, 5), clock={"budget": 60})
    played(client, (5, 5))
    hub = client.app.state.arena.registry
    for _ in range(100):
        if len(hub._games) == 1:
            break
        time.sleep(0.03)
    assert list(hub._games) == [timed]  # its clock runs on


@pytest.mark.parametrize(
    "name",
    ["..%2f..%2flock", "....%2f", "%2e%2e", "%00" * 16, "a" * 15, "a" * 17, *("a" * 15 + last for last in "./é\n ")],
)
def test_only_ids_become_paths(client, name):
    from urllib.parse import unquote

    assert not is_id(unquote(name))
    assert client.get(f"/api/games/{name}".replace("\n", "%0a")).status_code == 404


def test_two_arenas_on_one_folder(settings, client):
    with pytest.raises(ArenaError, match=r"another arena is using the data directory .*--data"):
        create_app(settings)


def test_two_arenas_on_one_folder_whatever_was_deleted(settings, client):
    for path in settings.data.iterdir():
        if path.is_file():
            path.unlink(missing_ok=True)  # the index may be opened just now
    with pytest.raises(ArenaError, match=r"another arena is using the data directory .*--data"):
        create_app(settings)


def test_a_game_that_is_refused_leaves_no_journal(client, settings, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        answer = client.post("/api/games", json={"game": "gravity", "seats": [PERSON, BOB]})
    assert answer.status_code == 503
    assert list((settings.data / "games").iterdir()) == []


def test_a_folder_that_cannot_be_written(tmp_path, settings):
    (tmp_path / "file").write_text("")
    for data in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ArenaError, match=r"the data directory .* cannot be written: .*; choose another"):
            create_app(msgspec.structs.replace(settings, data=data))
    with pytest.raises(ArenaError, match=r"the folder for artworks .* cannot be written"):
        create_app(msgspec.structs.replace(settings, artworks=tmp_path / "file"))


def test_the_folder_is_free_again(settings):
    for _ in range(2):
        archive = Archive(settings.data)
        archive.close()


def test_a_fault_of_the_server_loses_no_game(client, monkeypatch, caplog):
    from hinterland.referee import judge

    step = judge.step
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        ann.move(5, 5, ply=0)
        ann.see(plies(1))
        monkeypatch.setattr(judge, "step", lambda *_: 1 / 0)
        ann.move(20, 20, ply=1)
        assert ann.complaint() == "the server failed; the game goes on from its last move"
        monkeypatch.setattr(judge, "step", step)
    assert "ZeroDivisionError" in caplog.text
    with watching(client, game, key) as ann:
        ann.see(plies(1))
        ann.move(20, 20, ply=1)
        ann.see(plies(2))


def test_a_record_that_cannot_be_written_comes_later(reopened, settings, journal, caplog):
    file = settings.data / "records.jsonl"
    with reopened() as client:
        file.unlink()
        file.mkdir()
        game, _ = played(client, (5, 5), (20, 20), (5, 20), (20, 5))
        assert client.get(f"/api/games/{game}").json()["outcome"]
    assert "the record is added when the arena starts again" in caplog.text
    assert b"recorded" not in journal(game).read_bytes()
    file.rmdir()
    for _ in range(2):
        with reopened():
            pass
    assert len(records(settings)) == 1


def test_a_game_that_cannot_be_begun(client, settings):
    import shutil

    shutil.rmtree(settings.data / "games")
    answer = client.post("/api/games", json={"game": "gravity", "seats": [PERSON, BOB]})
    assert answer.status_code == 503
    assert "cannot be written: No such file or directory" in answer.json()["error"]


def test_no_room_to_bring_a_game_back(opened, limited):
    import contextlib

    client = opened(limited(live_games=2))
    resting, _ = played(client, (5, 5))
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            game, key = start(client, PERSON, BOB)
            stack.enter_context(watching(client, game, key)).see()
        assert client.get(f"/api/games/{resting}").status_code == 503
    assert client.get(f"/api/games/{resting}").status_code == 200


def test_foreign_files_among_the_games(reopened, settings, journal):
    with reopened() as client:
        game, _ = played(client, (5, 5))
    data = journal(game).read_bytes()
    (settings.data / "games" / "notes.txt").write_text("mine")
    journal("a" * 16).write_bytes(b"")
    journal("b" * 16).write_bytes(data)  # says that it is another game
    journal("c" * 16).mkdir()
    with reopened() as client:
        assert client.get("/games").status_code == 200
        for other in "abc":
            assert client.get(f"/api/games/{other * 16}").status_code == 404
        assert client.get(f"/api/games/{game}").status_code == 200


def test_a_game_cannot_be_taken_back_for_ever(client, monkeypatch):

    monkeypatch.setattr(commit, "MAX_JOURNAL_LINES_TO_TAKE_BACK", 3)
    game, key = start(client, PERSON, BOB)
    with watching(client, game, key) as ann:
        for turn in range(2):
            ann.move(5, 5, ply=0)
            assert ann.see(plies(1))["can_undo"] is (turn == 0)
            ann.send(type="undo")
            if turn == 0:
                ann.see(plies(0))
        assert ann.complaint() == "there is no move to take back"
