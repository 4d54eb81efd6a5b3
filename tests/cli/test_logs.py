"""Logs of games, from the commands that keep them to the pages and reports that show them."""

import json
import re

import pytest

BOT = """\
import sys

def choose(position, clock, rng):
    print("thinking about move", len(position.moves), file=sys.stderr)
    if {wrong}:
        raise ValueError("no idea <b>at all</b>")
    return position.legal_moves.sample(rng)
"""
SMALL = ("--size", "12", "--spacing", "3", "--stones", "2")

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """Return a function that writes a bot, which fails where the expression ``wrong`` is true, and returns its spec."""
    monkeypatch.chdir(tmp_path)

    def write(wrong="False", name="mybot"):
        (tmp_path / f"{name}.py").write_text(BOT.format(wrong=wrong))
        return f"{name}=./{name}.py" if name != "mybot" else "./mybot.py"

    return write


def test_a_match_keeps_the_log_of_each_game(hinterland, bot, tmp_path):
    kept = ("--logs", "logs", "--record", "games.jsonl")
    hinterland("match", "gravity", bot("len(position.moves) == 3"), "random", *SMALL, *kept)
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [record["reason"] for record in records] == ["complete", "crash"]
    whole, crashed = sorted((tmp_path / "logs").iterdir(), key=lambda path: path.name.partition("-1.")[2])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d\.\d\d\.\d\d-1\.1\.txt", whole.name)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d\.\d\d\.\d\d-1\.2-crash\.txt", crashed.name)
    for record, path, plies in zip(records, (whole, crashed), ((0, 2), (1, 3)), strict=True):
        text = path.read_text()
        for ply in plies:
            assert f"thinking about move {ply}\n" in text
        for seat, move in zip(record["movers"], record["moves"], strict=True):
            if record["players"][seat] == "./mybot.py":
                assert re.search(rf' > .*"move":\[{move[0]},{move[1]}\]', text)
    assert "ValueError: no idea" not in whole.read_text()
    assert 'raise ValueError("no idea <b>at all</b>")' in crashed.read_text()
    assert "thinking about move 0\n" not in crashed.read_text(), "each game has a log of its own"


def test_a_folder_of_logs_that_is_a_file_is_refused_before_the_match(hinterland, bot, tmp_path):
    (tmp_path / "logs").write_text("a file")
    found = hinterland("match", "gravity", bot(), "random", *SMALL, "--logs", "logs", code=2)
    assert found.err.splitlines()[-1].endswith("logs cannot be a folder of logs: File exists")


def test_a_contest_leads_from_a_fault_to_its_log(hinterland, bot, tmp_path):
    ann, bob = bot("len(position.moves) >= 2", "ann"), bot(name="bob")
    hinterland("contest", "gravity", ann, bob, "random", *SMALL, "--folder", "cup")
    records = [json.loads(line) for line in (tmp_path / "cup" / "records.jsonl").read_text().splitlines()]
    expected, first = set(), ""
    for record in records:
        address = f"{record['contest']['round'] + 1}.{record['contest']['task'] + 1}.{record['number']}"
        expected.add(f"{address}-crash.txt" if "ann" in record["players"] else f"{address}.txt")
        first = min(first or "9", address) if "ann" in record["players"] else first
    assert len(expected) == 6
    assert {path.name for path in (tmp_path / "cup" / "logs").iterdir()} == expected
    said = hinterland("contest", "status", "cup").out
    assert f"ann left 4 of 4 games: 4 by crash; the first, game {first}: the program ended: exit status 1" in said
    log = re.search(r"; its log: (.*)", said)[1]
    assert "ValueError: no idea" in (tmp_path / log).read_text()
    hinterland("contest", "report", "cup")
    report = (tmp_path / "cup" / "report.html").read_text()
    assert f"crash in game {first}" in report
    assert "raise ValueError(&#34;no idea &lt;b&gt;at all&lt;/b&gt;&#34;)" in report
    assert "<b>at all" not in report
    assert report.count('class="fault-board"') == 4


@pytest.mark.thorough
def test_a_report_of_long_logs_stays_small(hinterland, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loud.py").write_text(
        "import sys\ndef choose(position, clock, rng):\n"
        "    for _ in range(100):\n        print(4000 * '&', file=sys.stderr)\n    raise ValueError\n"
    )
    bots = [f"loud{number}=./loud.py" for number in range(4)]
    hinterland("contest", "gravity", *bots, "random", *SMALL, "--folder", "cup")
    hinterland("contest", "report", "cup")
    report = (tmp_path / "cup" / "report.html").read_bytes()
    assert len(report) < 500_000
    assert b'class="fault-board"' in report


@pytest.mark.thorough
def test_logs_change_no_record(hinterland, bot, tmp_path):
    players = (bot(name="ann"), bot(name="bob"))
    for folder in ("one", "two"):
        hinterland("contest", "gravity", *players, *SMALL, "--folder", folder, "--seed", "5")

    def played(folder):
        records = [json.loads(line) for line in (tmp_path / folder / "records.jsonl").read_text().splitlines()]
        return [(record["moves"], record["crc"]) for record in records]
    (tmp_path / "two" / "logs" / "1.1.1.txt").unlink()
    assert played("one") == played("two")
    assert "its log" not in hinterland("contest", "status", "two").out
