"""Files of records: one referee writes, and each line is whole and synced, whatever crash or full disk came before."""

import contextlib
import os
import resource
from pathlib import Path

import pytest

import judged_games as games
from hinterland.errors import RecordError
from hinterland.referee import record
from hinterland.storage import append_file
from hinterland.storage import records as record_files


@pytest.fixture(scope="module")
def played():
    """Two finished games."""
    return [games.make_record(games.play_choices(games.SMALL[2], choices).game) for choices in ([], [("illegal", 1)])]


@contextlib.contextmanager
def opened(file):
    ledger = record_files.RecordFile(file)
    try:
        yield ledger
    finally:
        ledger.close()


@contextlib.contextmanager
def full_disk(size):
    """Limit the size of this process's files."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def without_privileges():
    """Give up root's privileges during the context, since root may write everywhere."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_a_ledger_keeps_what_was_there_and_adds_whole_lines(played, tmp_path):
    file = tmp_path / "games.jsonl"
    with opened(file) as ledger:
        ledger.add(played[0])
    with opened(file) as ledger:
        for kept in (played[1], played[0]):
            ledger.add(kept)
            assert file.read_bytes().endswith(record.to_line(kept)), "it is in the file before add returns"
    assert [kept for _, kept in record_files.read(file)] == [*played, played[0]]


def test_a_line_is_on_the_disk_before_the_ledger_says_so(played, tmp_path, monkeypatch):
    calls = []
    write, sync = os.write, os.fsync
    monkeypatch.setattr(os, "write", lambda *call: calls.append("write") or write(*call))
    monkeypatch.setattr(os, "fsync", lambda *call: calls.append("sync") or sync(*call))
    with opened(tmp_path / "games.jsonl") as ledger:
        assert calls == ["sync"], "the name of a new file"
        ledger.add(played[0])
    assert calls == ["sync", "write", "sync"]


def check_refused(file):
    with pytest.raises(RecordError, match=r"another referee writes .*games\.jsonl; stop it or choose another file"):
        record_files.RecordFile(file).close()


def test_a_second_referee_is_refused_until_the_first_is_done(played, tmp_path):
    file = tmp_path / "games.jsonl"
    with opened(file) as ledger:
        ledger.add(played[0])
        check_refused(file)
        ledger.add(played[1])
    with opened(file):
        check_refused(file)
    assert len(list(record_files.read(file))) == 2


def test_a_ledger_without_a_lock_would_be_found(tmp_path, monkeypatch):
    monkeypatch.setattr(record_files.RecordFile, "_lock", lambda ledger, words: None)
    with opened(tmp_path / "games.jsonl"), pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        check_refused(tmp_path / "games.jsonl")


@pytest.mark.parametrize("cut", [1, 2, 40, 200, None])
def test_a_torn_last_line_is_taken_off_at_the_opening(played, tmp_path, cut):
    file = tmp_path / "games.jsonl"
    whole = record.to_line(played[0])
    torn = record.to_line(played[1])[: -1 if cut is None else cut]
    file.write_bytes(whole + torn)
    with opened(file) as ledger:
        assert file.read_bytes() == whole
        ledger.add(played[1])
    assert [kept for _, kept in record_files.read(file)] == list(played)


@pytest.mark.parametrize("torn", [b"", b"{", b'{"format":"hinterland-record/1","ga', b"\0" * 700, b'{"form\0\0\0'])
@pytest.mark.parametrize("lines", [0, 1])
def test_what_a_crash_left_behind_is_taken_off(played, tmp_path, lines, torn):
    file = tmp_path / "games.jsonl"
    whole = record.to_line(played[0]) * lines
    file.write_bytes(whole + torn)
    with opened(file):
        assert file.read_bytes() == whole


@pytest.mark.parametrize("text", [b"notes without an end of line", b"a\nb", b"\x89PNG\r\n\x1a\n\0\0IHDR", b"{}"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, text):
    file = tmp_path / "notes"
    file.write_bytes(text)
    with pytest.raises(RecordError, match="notes ends in something that is no record; choose another file"):
        record_files.RecordFile(file)
    assert file.read_bytes() == text
    file.unlink()
    record_files.RecordFile(file).close()


@pytest.mark.parametrize("room", [0, 1, 100, -1])
def test_on_a_full_disk_a_line_is_written_whole_or_not_at_all(played, tmp_path, room):
    file = tmp_path / "games.jsonl"
    first, second = (record.to_line(kept) for kept in played)
    with opened(file) as ledger:
        ledger.add(played[0])
        size = len(first) + (room if room >= 0 else len(second) - 1)
        with full_disk(size), pytest.raises(RecordError, match=r"games\.jsonl cannot be written: ") as caught:
            ledger.add(played[1])
        assert file.read_bytes() == first
        ledger.add(played[1])
    assert "\n" not in str(caught.value)
    assert file.read_bytes() == first + second


def test_a_disk_without_any_room_is_named(played):
    words = "/dev/full cannot be written: No space left"
    with opened(Path("/dev/full")) as ledger, pytest.raises(RecordError, match=words):
        ledger.add(played[0])


def test_a_ledger_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for name, words in (("folder", "Is a directory"), ("no/such", "No such file"), ("file/in", "Not a directory")):
        with pytest.raises(RecordError, match=f"cannot be written: {words}"):
            record_files.RecordFile(tmp_path / name)
    (tmp_path / "file").chmod(0o444)
    with without_privileges(), pytest.raises(RecordError, match="cannot be written: Permission denied"):
        record_files.RecordFile(tmp_path / "file")


def test_a_closed_ledger_takes_nothing_more(played, tmp_path):
    ledger = record_files.RecordFile(tmp_path / "games.jsonl")
    ledger.close()
    ledger.close()
    with pytest.raises(RecordError, match="cannot be written: Bad file descriptor"):
        ledger.add(played[0])
    assert (tmp_path / "games.jsonl").read_bytes() == b""


def replaced(file):
    file.rename(file.with_suffix(".old"))
    file.touch()


def doubled(file):
    file.write_bytes(2 * file.read_bytes())


@pytest.mark.parametrize(
    ("meddle", "words"),
    [
        (lambda file: file.unlink(), "was moved or deleted while it was written"),
        (lambda file: file.rename(file.with_suffix(".old")), "was moved or deleted while it was written"),
        (replaced, "was replaced by another file while it was written"),
        (lambda file: os.truncate(file, 100), r"by somebody else while it was written: \d+ bytes were there, 100 are"),
        (doubled, "changed by somebody else while it was written"),
    ],
)
def test_what_somebody_does_to_the_file_is_noticed_before_the_next_record(played, tmp_path, meddle, words):
    file = tmp_path / "games.jsonl"
    with opened(file) as ledger:
        ledger.add(played[0])
        meddle(file)
        left = {path: path.read_bytes() for path in tmp_path.iterdir()}
        with pytest.raises(RecordError, match=words):
            ledger.add(played[1])
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == left, "nothing is written anywhere"


def test_what_could_not_be_taken_off_is_taken_off_before_the_next_record(played, tmp_path, monkeypatch):
    from hinterland.storage import append_file

    file = tmp_path / "games.jsonl"

    class Failing:
        """A disk that takes half of a write and cannot truncate it."""

        def __getattr__(self, name):
            return getattr(os, name)

        def write(self, descriptor, data):
            os.write(descriptor, data[: len(data) // 2])
            raise OSError(28, "No space left on device")

        def ftruncate(self, *_):
            raise OSError(5, "Input/output error")

    with opened(file) as ledger:
        ledger.add(played[0])
        with monkeypatch.context() as patch:
            patch.setattr(append_file, "os", Failing())
            for _ in range(2):
                with pytest.raises(RecordError, match="cannot be written"):
                    ledger.add(played[1])
        ledger.add(played[1])
    assert [kept for _, kept in record_files.read(file)] == played


def test_the_name_of_a_new_file_is_synced_too(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(append_file, "sync_folder", synced.append)
    with append_file.new_file(tmp_path / "a") as out:
        out.write(b"x")
    assert synced == [tmp_path]
