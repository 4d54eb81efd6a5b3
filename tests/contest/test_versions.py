"""Versions of programs in contests: what changed is said, kept apart, and played anew; nothing is mixed."""

import hashlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from hinterland.cli import run
from hinterland.errors import ArenaError
from hinterland.host.processes.command import Command
from hinterland.host.processes.program_version import find_version

BOT = """\
import json, sys, itertools
start = {start}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "join", "name": "bot"}}), flush=True)
    elif message["type"] == "turn":
        taken = [stone for _, stone in message["moves"]]
        cells = list(itertools.product(range(12), range(12)))
        row, col = next((r, c) for r, c in cells[start:] + cells[:start]
                        if all((r - s[0]) ** 2 + (c - s[1]) ** 2 >= 9 for s in taken))
        answer = {{"type": "move", "game_id": message["game_id"], "turn": message["turn"], "move": [row, col]}}
        print(json.dumps(answer), flush=True)
"""
SMALL = ("--size", "12", "--spacing", "3", "--stones", "2")

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(name, start):
        (tmp_path / f"{name}.py").write_text(BOT.format(start=start))
        return f"{name}=cmd:{sys.executable} -S -E -I {name}.py"

    return written


@pytest.fixture
def contest(write, capsys):
    def call(*arguments, code=0):
        assert run(["contest", *map(str, arguments)]) == code
        return capsys.readouterr()

    return call


def records(folder):
    return [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]


def pairs(found):
    return sorted({tuple(sorted(record["players"])) for record in found})


@pytest.mark.thorough
def test_of_a_round_robin_exactly_the_pairs_of_changed_programs_are_played_again(write, contest, tmp_path):
    names = [f"bot{number}" for number in range(6)]
    contest("new", "cup", "gravity", *(write(name, number) for number, name in enumerate(names)), *SMALL)
    contest("run", "cup")
    first = records(tmp_path / "cup")
    assert len(first) == 30
    assert contest("run", "cup").err.count("changed") == 0
    assert records(tmp_path / "cup") == first
    for name in names[:2]:
        write(name, 77)
    said = contest("run", "cup").err
    assert re.findall(r"^(bot\d) has changed \(", said, re.MULTILINE) == names[:2]
    again = records(tmp_path / "cup")[30:]
    expected = [pair for pair in itertools.combinations(names, 2) if set(names[:2]) & set(pair)]
    assert pairs(again) == expected
    assert len(again) == 2 * len(expected)
    now, then = versions_in(again), versions_in(first)
    assert {name for name in names if now[name] != then[name]} == set(names[:2])
    standings = json.loads(contest("status", "cup", "--json").out)["standings"]
    assert all(row["matches"] == 5 for row in standings)
    listed = contest("versions", "cup").out
    for name in names[:2]:
        assert re.search(rf"{name} +{then[name][:6]} +10 ", listed), "the old version keeps its games"
        assert re.search(rf"{name} +{now[name][:6]} +present +10 ", listed)
    counts = {row["name"]: row["points"] for row in standings}
    assert counts == points(again + [record for record in first if not set(names[:2]) & set(record["players"])])


def versions_in(found):
    """Return the version of each player; the last, if there are several."""
    return {
        name: version
        for record in found
        for name, version in zip(record["players"], record["times"]["versions"]["players"], strict=True)
    }


def points(found):
    """Count the points of each player from records alone: a match is two games with the scores added."""
    sums, totals = {}, {}
    for record in found:
        for name, score in zip(record["players"], record["scores"], strict=True):
            key = (record["contest"]["task"], name)
            sums[key] = sums.get(key, 0) + score
    for (task, name), own in sums.items():
        (other,) = (score for (at, one), score in sums.items() if at == task and one != name)
        ahead = (own > other) - (own < other)
        totals[name] = totals.get(name, 0) + (1 + ahead) / 2
    return totals


def test_a_program_that_comes_back_gets_its_games_back(write, contest, tmp_path):
    contest("new", "cup", "gravity", write("ann", 0), write("bob", 1), "random", *SMALL)
    contest("run", "cup")
    first = contest("status", "cup").out
    write("ann", 50)
    contest("run", "cup")
    write("ann", 0)
    contest("run", "cup")
    assert contest("status", "cup").out == first
    assert len(records(tmp_path / "cup")) == 6 + 4


@pytest.mark.thorough
def test_a_program_changed_while_the_contest_runs_is_never_mixed(write, contest, tmp_path):
    players = [write("ann", 0), write("bob", 1), write("cas", 2)]
    contest("new", "cup", "gravity", *players, *SMALL, "--pairings", 10)
    call = [sys.executable, "-m", "hinterland", "contest", "run", "cup"]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as running:
        file = tmp_path / "cup" / "records.jsonl"
        while not (file.exists() and file.read_bytes().count(b"\n") >= 4):
            time.sleep(0.02)
        write("ann", 90)
        said = running.communicate(timeout=100)[1]
    assert running.returncode == 2
    assert "changed while the contest ran: ann; the games since then are kept apart" in said.splitlines()[-1]
    contest("run", "cup")
    found = records(tmp_path / "cup")
    versions = json_lines(tmp_path / "cup" / "versions.jsonl")
    present = {line["player"]: line["version"] for line in versions}
    counted = [
        record for record in found
        if all(present[name] == version
               for name, version in zip(record["players"], record["times"]["versions"]["players"], strict=True))
    ]  # fmt: skip
    assert len(counted) == 60
    assert json.loads(contest("status", "cup", "--json").out)["games"] == 60


def json_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]


@pytest.mark.thorough
def test_a_kill_between_two_versions_changes_nothing(write, contest, tmp_path):
    contest("new", "cup", "gravity", write("ann", 0), write("bob", 1), "random", *SMALL, "--pairings", 6)
    contest("run", "cup")
    write("ann", 90)
    call = [sys.executable, "-m", "hinterland", "contest", "run", "cup"]
    for _ in range(3):
        with subprocess.Popen(call, stderr=subprocess.DEVNULL) as running:
            time.sleep(1.2)
            running.send_signal(signal.SIGKILL)
    with (tmp_path / "cup" / "versions.jsonl").open("ab") as file:
        file.write(b'{"player":"bo')  # a line cut short by a crash
    contest("run", "cup")
    assert json.loads(contest("status", "cup", "--json").out)["games"] == 36
    write("bob", 40)
    contest("run", "cup")
    lines = (tmp_path / "cup" / "versions.jsonl").read_text().splitlines()
    assert [json.loads(line)["player"] for line in lines] == ["ann", "bob", "ann", "bob"]
    assert json.loads(contest("status", "cup", "--json").out)["games"] == 36


def test_a_program_that_was_missing_plays_its_forfeited_games_when_it_is_there(write, contest, tmp_path):
    contest("new", "cup", "gravity", write("ann", 0), write("bob", 1), "random", *SMALL)
    text = (tmp_path / "bob.py").read_text()
    (tmp_path / "bob.py").unlink()
    contest("run", "cup", "--absent", "forfeit")
    assert [record["reason"] for record in records(tmp_path / "cup")].count("start") == 4
    contest("run", "cup", "--absent", "forfeit")
    assert len(records(tmp_path / "cup")) == 6
    (tmp_path / "bob.py").write_text(text)
    contest("run", "cup")
    assert len(records(tmp_path / "cup")) == 10
    assert "left" not in contest("status", "cup").out


# What a version is a digest of


def command(*argv):
    return Command(argv=argv)


def test_a_version_follows_the_files_of_a_program_and_its_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot, other = tmp_path / "bot.py", tmp_path / "other.py"
    bot.write_text("one")
    other.write_text("one")
    first = find_version(command(sys.executable, "bot.py", "--depth", "3"))
    assert re.fullmatch("[0-9a-f]{12}", first)
    assert find_version(command(sys.executable, str(bot), "--depth", "3")) == first, "wherever it lies"
    assert find_version(command(sys.executable, "bot.py", "--depth", "4")) != first
    assert find_version(command(sys.executable, "other.py", "--depth", "3")) != first
    stamp = bot.stat()
    bot.write_text("two")
    os.utime(bot, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1))
    assert find_version(command(sys.executable, "bot.py", "--depth", "3")) != first
    bot.write_text("one")
    assert find_version(command(sys.executable, "bot.py", "--depth", "3")) == first


def test_a_file_that_a_program_writes_changes_no_version(tmp_path):
    bot, out = tmp_path / "bot.py", tmp_path / "out.log"
    bot.write_text("one")
    out.write_text("started")
    first = find_version(command(sys.executable, str(bot), "--log", str(out)))
    out.write_text("started twice")
    assert find_version(command(sys.executable, str(bot), "--log", str(out))) == first


def test_bot_toml_names_the_folder_that_counts(tmp_path):
    (tmp_path / "lib").mkdir()
    bot, helper = tmp_path / "bot.py", tmp_path / "lib" / "helper.py"
    bot.write_text("import lib.helper")
    helper.write_text("depth = 3")
    call = command(sys.executable, str(bot))
    alone = find_version(call)
    helper.write_text("depth = 4")
    assert find_version(call) == alone, "a file that nobody names does not count"
    (tmp_path / "bot.toml").write_text("folder = '.'")
    whole = find_version(call)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "bot.pyc").write_text("compiled")
    assert find_version(call) == whole
    helper.write_text("depth = 5")
    assert find_version(call) not in {alone, whole}
    for text in ("folder = 7", "folder = 'nowhere'", "file = 'bot.py'", "not toml"):
        (tmp_path / "bot.toml").write_text(text)
        with pytest.raises(ArenaError, match=r"bot\.toml' (should be one line|cannot be read)"):
            find_version(call)


def test_a_folder_of_any_layout_has_the_version_of_its_files(tmp_path):
    """Two folders have one version exactly if they hold the same files: the oracle is a list of names and contents."""
    layouts = [
        {"a.py": "1", "b.py": "2"}, {"a.py": "12", "b.py": ""}, {"ab.py": "12"}, {"a/b.py": "12"},
        {"a.py": "1", "b.py": "2", ".x.py": "3", "out.log": "4"},
    ]
    seen = {}
    for number, files in enumerate(layouts):
        folder = tmp_path / str(number) / "program"
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        is_code = {name: name.endswith(".py") and not name.startswith(".") for name in files}
        visible = tuple(sorted((name, text) for name, text in files.items() if is_code[name]))
        key = hashlib.sha256(repr(visible).encode()).hexdigest()
        seen.setdefault(key, set()).add(find_version(command("/bin/sh", str(folder))))
    assert all(len(versions) == 1 for versions in seen.values())
    assert len(set.union(*seen.values())) == len(seen) == 4
