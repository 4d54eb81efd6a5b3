"""A backup of an arena at work is a folder that a crash could have left: every game that ended is recorded once."""

import gzip
import io
import os
import tarfile
import threading
import time

import httpx
import pytest
from web_play import PERSON, RULES, plies, start, watching, wish

from hinterland.cli import run
from hinterland.errors import ArenaError, BadText, HinterlandError, RecordError
from hinterland.referee import verification
from hinterland.referee.record import to_line
from hinterland.storage import backup, records
from hinterland.storage.archive import Archive, make_record
from hinterland.storage.backup import back_up, restore
from hinterland.storage.game_setup import NO_CLOCK, Seat, Setup
from hinterland.storage.journal import Begun, GameBegun, MatchSetup

BOB = {"kind": "person", "name": "Bob"}
RANDOM = {"kind": "program", "player": "random"}
MOVES = [(5, 5), (20, 20), (5, 20), (20, 5)]


def play(client, game, key, moves, begin=0):
    with watching(client, game, key) as ann:
        for ply, move in enumerate(moves, start=begin):
            ann.move(*move, ply=ply)
            ann.see(plies(ply + 1))


def ended_once(data):
    """Open a folder as an arena does; return how many games ended, each of which has its record exactly once."""
    archive = Archive(data)
    file = data / "records.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    if lines:
        for _, kept in records.read(file):
            verification.verify(kept)
    wanted = []
    for path in (data / "games").glob("*.jsonl"):
        setup, restored, book = archive.load(path.stem)
        book.close()
        if restored.game.ending is not None:
            wanted.append(to_line(make_record(setup, restored.game)))
    archive.close()
    assert sorted(wanted) == sorted(lines)
    return len(wanted)


def names(data):
    return {path.name for path in (data / "games").iterdir()}


def test_a_backup_restored_is_the_same_folder(client, settings, tmp_path):
    game, key = start(client, PERSON, BOB)
    play(client, game, key, MOVES)
    start(client, PERSON, BOB)
    contents = back_up(settings.data, tmp_path / "a.tar.gz")
    assert (contents.games, contents.matches) == (2, 0)
    assert restore(tmp_path / "a.tar.gz", tmp_path / "new") == contents
    for path in settings.data.rglob("*.jsonl"):
        copy = tmp_path / "new" / path.relative_to(settings.data)
        assert copy.read_bytes() == path.read_bytes()
        if path.parent.name == "games":
            assert abs(copy.stat().st_mtime_ns - path.stat().st_mtime_ns) < 1e6, "by which games are listed"
    assert ended_once(tmp_path / "new") == 1


@pytest.mark.parametrize("moment", range(3))
def test_a_game_that_ends_between_two_steps_is_recorded_once(client, settings, tmp_path, monkeypatch, moment):
    """After the first sizes of journals, after that of the records, and after the last sizes of journals."""
    game, key = start(client, PERSON, BOB)
    play(client, game, key, MOVES[:3])
    real = {name: getattr(backup, name) for name in ("journal_sizes", "whole_size")}
    steps = []

    def then_ends(name):
        def step(of):
            found = real[name](of)
            steps.append(name)
            if steps == ["journal_sizes", "whole_size", *["journal_sizes"] * 3][: [1, 2, 5][moment]]:
                play(client, game, key, MOVES[3:], begin=3)
            return found

        return step

    for name in real:
        monkeypatch.setattr(backup, name, then_ends(name))
    back_up(settings.data, tmp_path / "a.tar.gz")
    monkeypatch.undo()
    assert steps == ["journal_sizes", "whole_size", "journal_sizes", "journal_sizes", "journal_sizes"]
    assert client.get(f"/api/games/{game}").json()["outcome"]
    restore(tmp_path / "a.tar.gz", tmp_path / "new")
    had = (tmp_path / "new" / "records.jsonl").read_bytes().count(b"\n")
    assert had == [1, 0, 0][moment]
    assert ended_once(tmp_path / "new") == [1, 1, 0][moment]


def test_a_line_that_is_being_written_is_left_out(client, settings, tmp_path):
    game, key = start(client, PERSON, BOB)
    play(client, game, key, MOVES[:2])
    whole = (settings.data / "games" / f"{game}.jsonl").read_bytes()
    for file, torn in ((f"games/{game}.jsonl", b'{"type":"mo'), ("records.jsonl", b'{"format":"hin')):
        with (settings.data / file).open("ab") as out:
            out.write(torn)
    back_up(settings.data, tmp_path / "a.tar.gz")
    restore(tmp_path / "a.tar.gz", tmp_path / "new")
    assert (tmp_path / "new" / "games" / f"{game}.jsonl").read_bytes() == whole
    assert (tmp_path / "new" / "records.jsonl").read_bytes() == b""


def begun_match(archive, named, unnamed):
    """Write a match that names a game and does not name another yet."""
    of_match = MatchSetup(
        id="m" * 16, game="gravity", rules=RULES, control=NO_CLOCK, illegal=None, seed=1, protocol="hps",
        house=("random", "random"), tokens=None, port=0, key_sha256="",
    )  # fmt: skip
    match = archive.create_match(of_match)
    match.write([Begun(()), GameBegun(1, named)])
    match.close()
    for game in (named, unnamed):
        of_game = Setup(
            id=game, game_name="gravity", rules_json=RULES, seats=(Seat("bot", "a"), Seat("bot", "b")),
            control=NO_CLOCK, seed=1, key_sha256="", started="2026-01-01T00:00:00Z", table=of_match.id,
        )  # fmt: skip
        archive.create(of_game).close()


def test_a_match_and_its_games_agree(tmp_path):
    """A game that the match does not name yet is left out: it begins it anew. One of a match that is over stays."""
    archive = Archive(tmp_path / "data")
    begun_match(archive, "a" * 16, "b" * 16)
    contents = back_up(tmp_path / "data", tmp_path / "a.tar.gz")
    assert (contents.games, contents.matches) == (1, 1)
    restore(tmp_path / "a.tar.gz", tmp_path / "new")
    assert names(tmp_path / "new") == {f"{'a' * 16}.jsonl"}
    restored = Archive(tmp_path / "new")
    ((so_far, journal),) = restored.unfinished_matches()
    assert so_far.games == ("a" * 16,)
    journal.close()
    restored.close()
    archive.end_match("m" * 16)
    archive.close()
    assert back_up(tmp_path / "data", tmp_path / "b.tar.gz").games == 2


def test_a_match_that_ends_meanwhile_is_copied_once(tmp_path, monkeypatch):
    """It was not over when the matches were read, and it is copied as it was then."""
    archive = Archive(tmp_path / "data")
    begun_match(archive, "a" * 16, "b" * 16)
    read_matches = backup._read_matches

    def read_then_end(folder):
        found = read_matches(folder)
        archive.end_match("m" * 16)
        return found

    monkeypatch.setattr(backup, "_read_matches", read_then_end)
    assert back_up(tmp_path / "data", tmp_path / "a.tar.gz").matches == 1
    restore(tmp_path / "a.tar.gz", tmp_path / "new")
    assert [path.parent.name for path in (tmp_path / "new").rglob("m*.jsonl")] == ["matches"]
    assert names(tmp_path / "new") == {f"{'a' * 16}.jsonl"}
    archive.close()


@pytest.mark.thorough
@pytest.mark.once
def test_backups_while_games_end(serving, tmp_path):
    server = serving(games_per_minute=100_000, requests_per_second=10_000).ready()
    stopping, ended = threading.Event(), []

    def begin_games():
        with httpx.Client(base_url=server.url) as client:
            while not stopping.is_set():
                ended.append(client.post("/api/games", json=wish((RANDOM, RANDOM))).status_code)

    player = threading.Thread(target=begin_games)
    player.start()
    try:
        files, until = [], time.monotonic() + 2
        while time.monotonic() < until:
            files.append(tmp_path / f"{len(files)}.tar.gz")
            assert run(["backup", str(server.data), str(files[-1])]) == 0
    finally:
        stopping.set()
        player.join()
    assert server.stop()[0] == 0
    assert len(files) > 3
    found = []
    for file in files[:: max(1, len(files) // 4)]:
        restore(file, tmp_path / "new" / file.stem)
        found.append(ended_once(tmp_path / "new" / file.stem))
    assert found == sorted(found)
    assert 0 < found[-1] <= ended_once(server.data) <= ended.count(201)


@pytest.fixture
def backed_up(client, settings, tmp_path):
    game, key = start(client, PERSON, BOB)
    play(client, game, key, MOVES)
    back_up(settings.data, tmp_path / "a.tar.gz")
    return tmp_path / "a.tar.gz"


def members(file):
    with tarfile.open(file) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar}


def archive(file, *given):
    """Write an archive of (name or TarInfo, content)."""
    with tarfile.open(file, "w:gz") as tar:
        for name, content in given:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return file


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def dated(name, mtime):
    info = special(name, tarfile.REGTYPE)
    info.mtime = mtime
    return info


GAME = f"games/{'a' * 16}.jsonl"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../evil.jsonl", "it holds '../evil.jsonl'"),
        ("/etc/passwd", "it holds '/etc/passwd'"),
        ("games/../records.jsonl", "it holds"),
        (f"games/{'a' * 15}/.jsonl", "it holds"),
        (f"{GAME}\n", "it holds"),
        ("other.jsonl", "it holds 'other.jsonl'"),
        (special("games", tarfile.DIRTYPE), "it holds 'games'"),
        (special(GAME, tarfile.SYMTYPE, "/etc/passwd"), "is no ordinary file"),
        (special(GAME, tarfile.LNKTYPE, "records.jsonl"), "is no ordinary file"),
        (special(GAME, tarfile.FIFOTYPE), "is no ordinary file"),
        (special("records.jsonl", tarfile.SYMTYPE, "/etc/passwd"), "is no ordinary file"),
        (dated(GAME, 2**63), "has an impossible time"),
        (dated(GAME, -(2**70)), "has an impossible time"),
    ],
)
def test_archives_of_others_are_refused(tmp_path, name, words):
    file = archive(tmp_path / "a.tar.gz", (name, b""), ("records.jsonl", b""))
    with pytest.raises(BadText, match="is no backup of an arena") as refused:
        restore(file, tmp_path / "new")
    assert words in str(refused.value)
    assert not (tmp_path / "new").exists()


def test_a_name_may_not_come_twice_and_records_may_not_be_missing(tmp_path):
    file = archive(tmp_path / "a.tar.gz", ("records.jsonl", b""), ("records.jsonl", b""))
    with pytest.raises(BadText, match=r"it holds records\.jsonl twice"):
        restore(file, tmp_path / "new")
    with pytest.raises(BadText, match=r"there is no records\.jsonl in it"):
        restore(archive(tmp_path / "b.tar.gz"), tmp_path / "new")


def test_a_backup_that_was_cut_short_or_changed_is_refused_and_leaves_nothing(backed_up, tmp_path):
    whole = backed_up.read_bytes()
    new = tmp_path / "new"
    new.mkdir()
    for cut in [*range(0, len(whole), 61), len(whole) - 1]:
        backed_up.write_bytes(whole[:cut])
        with pytest.raises(BadText, match="was cut short"):
            restore(backed_up, new)
        assert list(new.iterdir()) == []
    backed_up.write_bytes(whole[:300] + bytes([whole[300] ^ 1]) + whole[301:])
    with pytest.raises(HinterlandError):
        restore(backed_up, new)
    backed_up.write_bytes(gzip.compress(b"no tar"))
    with pytest.raises(BadText):
        restore(backed_up, new)
    assert list(new.iterdir()) == []


@pytest.mark.parametrize(
    ("of", "old", "new", "words"),
    [
        ("games", b'"type":"move"', b'"type":"mole"', ", line 2: Invalid value"),
        ("games", b'"format":"hinterland-game/1"', b'"format":"other"', "first line is not the set-up of a game"),
        ("games", b'"id":"', b'"id":"x', "it is the journal of another game"),
        ("games", b'{"type":"recorded"}\n', b'{"type":"recorded"}', "cut short: a line ends with a newline"),
        ("records", b'"format":"hinterland', b'"format":"other', "line 1"),
        ("records", b"}\n", b"}", "cut short"),
    ],
)
def test_what_does_not_parse_is_named(backed_up, tmp_path, of, old, new, words):
    held = members(backed_up)
    (name,) = [name for name in held if name.startswith(of)]
    assert old in held[name]
    held[name] = held[name].replace(old, new, 1)
    with pytest.raises(RecordError) as refused:
        restore(archive(tmp_path / "b.tar.gz", *held.items()), tmp_path / "new")
    said = str(refused.value)
    assert said.startswith(f"{tmp_path / 'b.tar.gz'} is damaged: ")
    assert words in said
    assert name.split("/")[-1] in said or "set-up" in said
    assert "restoring" not in said
    assert "\n" not in said
    assert not (tmp_path / "new").exists()


def complaint(capsys, *arguments):
    assert run([str(argument) for argument in arguments]) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    return told.err


def test_faults_of_both_commands_are_one_line(backed_up, settings, tmp_path, capsys):
    taken = tmp_path / "taken.tar.gz"
    taken.write_text("mine")
    assert "taken.tar.gz is there already" in complaint(capsys, "backup", settings.data, taken)
    assert taken.read_text() == "mine"
    assert "is no data folder of an arena" in complaint(capsys, "backup", tmp_path, tmp_path / "b")
    assert "No such file" in complaint(capsys, "backup", settings.data, tmp_path / "no" / "b")
    assert "cannot be read" in complaint(capsys, "restore", tmp_path / "none", tmp_path / "new")
    assert "is not empty" in complaint(capsys, "restore", backed_up, tmp_path)
    assert "another process is using" in complaint(capsys, "restore", backed_up, settings.data)
    assert "cannot be written" in complaint(capsys, "restore", backed_up, taken)
    assert not (tmp_path / "new").exists()
    assert run(["restore", str(backed_up), str(tmp_path / "new")]) == 0
    assert "is restored in" in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == {"data", "a.tar.gz", "taken.tar.gz", "new"}


def test_a_file_that_appears_meanwhile_is_not_overwritten(client, settings, tmp_path, monkeypatch):
    file = tmp_path / "a.tar.gz"
    fill = backup._copy_files
    monkeypatch.setattr(backup, "_copy_files", lambda *given: (fill(*given), file.write_text("mine"))[0])
    with pytest.raises(ArenaError, match="File exists"):
        back_up(settings.data, file)
    assert file.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"data", "a.tar.gz"}


def test_a_full_disk_leaves_nothing(backed_up, settings, tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ArenaError, match="No space left on device"):
            back_up(settings.data, tmp_path / "b.tar.gz")
        with pytest.raises(ArenaError, match="No space left on device"):
            restore(backed_up, tmp_path / "new")
    assert {path.name for path in tmp_path.iterdir()} == {"data", "a.tar.gz"}
