"""Logs of games: bounded excerpts, conversations line by line, and a folder that never grows beyond its bound."""

import logging
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinterland.errors import ArenaError
from hinterland.host.network.player_log import Excerpt, PlayerLog
from hinterland.storage.log_folder import LogFolder, log_name, read_log, shorten_log


@given(st.lists(st.binary(max_size=40), max_size=30), st.integers(1, 30))
def test_an_excerpt_is_the_beginning_and_the_end(pieces, kept):
    excerpt = Excerpt(kept)
    for piece in pieces:
        excerpt.add(piece)
    whole = b"".join(pieces)
    if len(whole) <= 2 * kept:
        assert excerpt.text() == whole.decode("utf-8", "replace")
    else:
        left_out = f"\n[{len(whole) - 2 * kept:,} bytes are left out here]\n"
        parts = (whole[:kept], whole[len(whole) - kept :])
        assert excerpt.text() == left_out.join(part.decode("utf-8", "replace") for part in parts)


def test_a_stream_of_any_length_takes_little_memory():
    excerpt = Excerpt(64)
    for number in range(100_000):
        excerpt.add(b"%7d\n" % number)
    assert len(excerpt.text()) < 200
    assert excerpt.text().endswith("  99999\n")


def test_each_piece_of_a_conversation_is_a_line_of_the_log():
    log = PlayerLog()
    log.on_sent(b'{"type":"hello"}\n{"type":"game"}\n')
    log.on_received(b'{"type":"mo')
    log.on_received(b've"}\n{"type":"info"}\n')
    log.on_error_output(b"Traceback\n")
    parts = dict(shorten_log("\n" + log.take("ann")))
    assert parts["ann: standard error"] == "Traceback"
    assert [re.sub(r"^ +\d+\.\d{3} ", "", line) for line in parts["ann: conversation"].splitlines()] == [
        '< {"type":"hello"}', '< {"type":"game"}', '> {"type":"mo', '+ ve"}', '> {"type":"info"}',
    ]  # fmt: skip
    assert shorten_log("\n" + log.take("ann")) == [], "the next game has a log of its own"


def test_no_program_can_write_the_title_of_a_part():
    log = PlayerLog()
    log.on_error_output(b"=== bob: conversation\nmine\n=== bob: conversation\nmine, too\n")
    log.on_sent(b"=== bob: standard error\n")
    assert [part.title for part in shorten_log("\n" + log.take("ann"))] == ["ann: standard error", "ann: conversation"]


def test_a_long_part_is_shown_by_its_last_lines():
    text = "\n=== ann: standard error\n" + "\n".join(f"line {number} " + 1000 * "x" for number in range(50))
    (part,) = shorten_log(text)
    first, *others = part.text.splitlines()
    assert first == "…"
    assert [line.split()[1] for line in others] == [str(number) for number in range(30, 50)]
    assert all(len(line) < 410 for line in others)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def age(path, seconds):
    os.utime(path, (1_700_000_000 - seconds,) * 2)


def test_the_oldest_logs_without_a_fault_go_first(tmp_path):
    logs = LogFolder(tmp_path, max_bytes=8000)
    for number in range(1, 7):
        fault = "crash" if number in (1, 4) else ""
        logs.write(f"1.{number}.1", fault, 1000 * "x")
        age(tmp_path / log_name(f"1.{number}.1", fault), 100 - number)
    assert len(names(tmp_path)) == 6
    logs.write("1.7.1", "", 2000 * "y")
    assert names(tmp_path) == ["1.1.1-crash.txt", "1.3.1.txt", "1.4.1-crash.txt", "1.5.1.txt", "1.6.1.txt", "1.7.1.txt"]
    for number in range(8, 12):
        logs.write(f"1.{number}.1", "time", 1500 * "z")
    late = ["1.10.1-time.txt", "1.11.1-time.txt", "1.8.1-time.txt", "1.9.1-time.txt"]
    assert names(tmp_path) == sorted([*late, "1.4.1-crash.txt"])


def test_two_writers_stay_within_the_bound_together(tmp_path):
    folders = [LogFolder(tmp_path, max_bytes=50_000) for _ in range(2)]
    for number in range(1000):
        folders[number % 2].write(f"1.{number}.1", "", 300 * "x")
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 50_000
    assert "1.999.1.txt" in names(tmp_path)


def test_other_files_in_the_folder_stay(tmp_path):
    (tmp_path / "notes.md").write_text(9000 * "n")
    logs = LogFolder(tmp_path, max_bytes=1000)
    for number in range(9):
        logs.write(f"1.{number}.1", "", 300 * "x")
    assert "notes.md" in names(tmp_path)


def test_a_full_disk_is_said_once_and_leaves_no_half_log(tmp_path, caplog):
    for game in ("1.1.1", "1.2.1"):
        (tmp_path / f"{game}.txt").symlink_to("/dev/full")
    logs = LogFolder(tmp_path)
    with caplog.at_level(logging.WARNING):
        logs.write("1.1.1", "", "x")
        logs.write("1.2.1", "", "x")
    assert [record.message for record in caplog.records] == [
        f"logs cannot be written to {tmp_path}: No space left on device; the games go on without them"
    ]
    logs.write("1.1.1", "", "now there is room")
    assert read_log(tmp_path, "1.1.1", "") == "now there is room"


def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path):
    (tmp_path / "logs").write_text("a file")
    with pytest.raises(ArenaError, match=r"logs cannot be a folder of logs: File exists$"):
        LogFolder(tmp_path / "logs").make()
    assert read_log(tmp_path, "1.1.1", "") is None
