"""One bad contest in the folder of an arena is one bad card: the others are listed and shown as ever."""

import os
import re
import sys
import threading
import time

import msgspec
import pytest
from test_contest_pages import plan
from web_play import HTML

import drawn_records
from hinterland.contest import plan_file
from hinterland.contest.report.contest_sums import ContestSums

PLAN = plan_file.format_plan(plan(), {})
HUNDRED = ", ".join(map(str, range(100)))
MANY = "\n".join(f'p{number} = "random"' for number in range(1000))


def with_plan(text):
    return lambda folder: (folder / "plan.toml").write_text(text)


def with_pipe(folder):
    with_plan(PLAN)(folder)
    os.mkfifo(folder / "records.jsonl")


def with_folder(folder):
    with_plan(PLAN)(folder)
    (folder / "records.jsonl").mkdir()


def with_sparse(folder):
    with (folder / "plan.toml").open("wb") as file:
        file.truncate(5 << 30)


def of_no_year(folder):
    with_plan(PLAN)(folder)
    (folder / "records.jsonl").touch()
    os.utime(folder / "records.jsonl", (0, 300_000_000_000))


BAD = {
    "five options vary": (
        with_plan(PLAN + "\n[vary]\n" + "\n".join(f"o{one} = [{HUNDRED}]" for one in range(5))),
        "vary makes 100 x 100 x 100 x 100 x 100 combinations",
    ),
    "a thousand players": (
        with_plan(re.sub(r"pairings = \d+", "pairings = 10000000", PLAN).replace("[players]", f"[players]\n{MANY}")
                  .replace('ann = "random"\nbob = "random"\ncas = "random"\n', "")),
        "499,500 tables x 10,000,000 pairings",
    ),
    "nested arrays": (with_plan("a = " + "[" * 9000), "nested too deeply"),
    "nested tables": (with_plan("a = " + "{a = " * 5000 + "1" + "}" * 5000), "nested too deeply"),
    "nested keys": (with_plan(PLAN + "\n[rules" + ".a" * 3000 + "]\nb = 1\n"), "nested too deeply"),
    "no UTF-8": (lambda folder: (folder / "plan.toml").write_bytes(b"\xff\xfe"), "cannot be read"),
    "five gigabytes": (with_sparse, "larger than 4 MiB"),
    "a pipe": (with_pipe, "records.jsonl is no file"),
    "a folder of records": (with_folder, "records.jsonl is no file"),
}


@pytest.fixture
def folder(tmp_path, rng):
    (tmp_path / "contests").mkdir()
    drawn_records.play(tmp_path / "contests" / "good", plan(), rng)
    return tmp_path / "contests"


@pytest.fixture
def client(settings, opened, folder):
    return opened(msgspec.structs.replace(settings, contests=folder))


def listed(client):
    """Return the list of contests, which must not take long."""
    began = time.monotonic()
    answer = client.get("/contests", headers=HTML)
    assert answer.status_code == 200, answer.text
    assert '<a href="/contests/good">' in answer.text
    assert client.get("/contests/good").status_code == 200
    assert time.monotonic() - began < 20
    return answer.text


@pytest.mark.parametrize("name", BAD)
def test_one_bad_contest_is_one_bad_card(client, folder, name):
    make, words = BAD[name]
    (folder / "bad").mkdir()
    make(folder / "bad")
    text = listed(client)
    assert re.search(rf"<td>bad</td>\s*<td [^>]*>[^<]*{re.escape(words)}", text)
    answer = client.get("/contests/bad")
    assert answer.status_code in (400, 500)
    assert words in answer.json()["error"]
    for told in (text, answer.text):
        assert str(folder) not in told, "who reads pages is not told where things lie"


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems know no such names")
@pytest.mark.parametrize("name", [b"caf\xe9", b"\xff", b"a\xed\xa0\x80b"])
def test_a_folder_whose_name_is_no_text(client, folder, name):
    bad = folder / os.fsdecode(name)
    bad.mkdir()
    with_plan(PLAN)(bad)
    assert "the name of its folder is not UTF-8; rename the folder" in listed(client)


def test_a_time_that_is_in_no_calendar(client, folder):
    (folder / "bad").mkdir()
    of_no_year(folder / "bad")
    assert '<a href="/contests/bad">' in listed(client)


def test_a_fault_of_ours_is_one_bad_card(client, folder, monkeypatch, caplog):
    (folder / "bad").mkdir()
    with_plan(PLAN)(folder / "bad")
    view = ContestSums.view
    monkeypatch.setattr(
        ContestSums, "view", lambda self, contest: view(self, contest) if contest.folder.name == "good" else 1 // 0
    )
    assert "something went wrong in the arena; it has been logged" in listed(client)
    assert "contest bad cannot be shown" in caplog.text


def test_looking_at_them_does_not_take_the_memory(client, folder):
    """The control: what is read of ten such plans stays small."""
    resource = pytest.importorskip("resource")
    listed(client)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(10):
        make, _ = BAD[("five options vary", "a thousand players")[number % 2]]
        (folder / f"bad{number}").mkdir()
        make(folder / f"bad{number}")
    listed(client)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000
    assert threading.active_count() < 100
