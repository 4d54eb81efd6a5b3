"""Contests of programs that do not start, or that stop starting: the others' games go on."""

import json
import sys

import pytest

SMALL = ("--size", "12", "--spacing", "3", "--stones", "2")
PLAYS = "def choose(position, clock, rng):\n    return position.legal_moves.sample(rng)\n"
STARTS_SOMETIMES = """\
import pathlib
count = pathlib.Path("count")
started = int(count.read_text()) if count.exists() else 0
count.write_text(str(started + 1))
if started >= {starts}:
    raise SystemExit("no licence left")

"""

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def contest(hinterland, tmp_path, monkeypatch):
    """Make a contest of two programs that start and three that do not; return its folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("ann", "bob", "syntax"):
        (tmp_path / f"{name}.py").write_text(PLAYS)
    (tmp_path / "gone.py").write_text("import sys\nsys.exit(3)\n")
    (tmp_path / "missing.py").write_text("")
    programs = [f"{name}=cmd:{sys.executable} {name}.py" for name in ("gone", "missing")]
    players = ["ann=./ann.py", "bob=./bob.py", "syntax=./syntax.py", *programs]
    hinterland("contest", "new", "cup", "gravity", *players, *SMALL)
    (tmp_path / "syntax.py").write_text("def choose(position, clock, rng)\n    return 1\n")
    (tmp_path / "missing.py").unlink()
    return tmp_path / "cup"


def records(folder):
    lines = (folder / "records.jsonl").read_text().splitlines() if (folder / "records.jsonl").exists() else []
    return [json.loads(line) for line in lines]


def test_all_that_do_not_start_are_named_before_anything_is_played(hinterland, contest):
    *reasons, refusal = hinterland("contest", "run", contest, code=2).err.splitlines()
    assert records(contest) == []
    found = [line for line in reasons if "syntax" in line or line.startswith(("gone", "missing"))]
    assert len(found) == 3
    assert any("./syntax.py', line 1: expected ':'" in line for line in found)
    assert any(line.startswith("gone: the program ended: exit status 3") for line in found)
    assert any(line.startswith("missing: ") and "No such file" in line for line in found)
    assert refusal == (
        "hinterland: 3 of 5 players do not start, so nothing was played: syntax, gone, missing; mend them, or go on:"
        " --absent skip lets their matches wait, --absent forfeit counts their games as lost"
    )


@pytest.mark.thorough
def test_their_matches_wait_until_they_start(hinterland, contest, tmp_path):
    said = hinterland("contest", "run", contest, "--absent", "skip").err
    assert said.splitlines()[-1] == "the matches of gone, missing, syntax wait: mend them, and run the contest again"
    assert {frozenset(record["players"]) for record in records(contest)} == {frozenset(("ann", "bob"))}
    (tmp_path / "syntax.py").write_text(PLAYS)
    hinterland("contest", "run", contest, "--absent", "skip")
    assert len(records(contest)) == 6
    assert all(record["reason"] == "complete" for record in records(contest))
    for name in ("gone", "missing"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(4)")
    hinterland("contest", "run", contest, "--absent", "forfeit")
    found = records(contest)
    assert len(found) == 20
    for record in found:
        absent = {"gone", "missing"} & set(record["players"])
        left = {record["players"][event["seat"]] for event in record["between"]}
        assert left <= absent
        assert bool(left) == bool(absent)
        assert record["reason"] == ("start" if absent else "complete")
    assert "over" in hinterland("contest", "status", contest).out
    assert (contest / "logs").is_dir()


def test_one_that_stops_starting_forfeits_and_the_others_go_on(hinterland, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ann.py").write_text(PLAYS)
    (tmp_path / "tired.py").write_text(STARTS_SOMETIMES.format(starts=3) + PLAYS)
    hinterland("contest", "gravity", "ann=./ann.py", "tired=./tired.py", "random", *SMALL, "--folder", "cup",
               "--pairings", "2")  # fmt: skip
    found = records(tmp_path / "cup")
    assert len(found) == 12
    lost = [record for record in found if record["reason"] != "complete"]
    assert 0 < len(lost) < 8, "it plays until it stops starting"
    assert all("no licence left" in record["detail"] for record in lost)
    assert all(record["players"][record["between"][0]["seat"]] == "tired" for record in lost)
    assert {record["reason"] for record in lost} == {"start"}


def test_a_way_that_does_not_exist_is_refused(hinterland, contest):
    said = hinterland("contest", "run", contest, "--absent", "wait", code=2).err.splitlines()[-1]
    assert said.endswith("unknown way to treat players that do not start 'wait'; known: stop, skip, forfeit")
