"""Paths of a contest's programs and boards, which readers of the contest do not need."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from hinterland.contest import plan_file

BOT = """#!{python}
import json, os, sys
print("bot of", open("beside.txt").read().strip(), "in", os.getcwd(), file=sys.stderr, flush=True)
print(json.dumps({{"type": "join", "name": "bot"}}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "turn":
        taken = [move for _, move in asked["moves"]]
        free = next([vertex] for vertex in range(6) if [vertex] not in taken)
        answer = {{"type": "move", "game_id": asked["game_id"], "turn": asked["turn"], "move": free}}
        print(json.dumps(answer), flush=True)
"""


def hinterland(*words, cwd):
    call = [sys.executable, "-m", "hinterland", *map(str, words)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(call, capture_output=True, text=True, check=False, cwd=cwd, env=environment)


@pytest.fixture
def course(tmp_path):
    """Return a folder with a bot in a folder of its own, a board, and a contest between both."""
    home = tmp_path / "course"
    (home / "bots" / "mine").mkdir(parents=True)
    bot = home / "bots" / "mine" / "bot.py"
    bot.write_text(BOT.format(python=sys.executable))
    bot.chmod(0o755)
    (home / "bots" / "mine" / "beside.txt").write_text("mine\n")
    (home / "ring.csv").write_text("".join(f"{v},{(v + 1) % 6},1\n" for v in range(6)))
    made = hinterland(
        "contest", "new", "final", "graph", "bot=cmd:./bots/mine/bot.py", "random",
        "--board", "./ring.csv", "--tokens", 1, "--clock", 60, cwd=home,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return home


def test_paths_count_from_where_the_plan_was_made_wherever_it_is_run(course, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run = hinterland("contest", "run", course / "final", cwd=elsewhere)
    assert run.returncode == 0, run.stderr
    assert "left" not in run.stdout
    assert (course / "final" / "records.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.thorough
def test_a_contest_is_read_where_its_programs_and_boards_are_not(course, tmp_path):
    assert hinterland("contest", "run", course / "final", cwd=course).returncode == 0
    copied = tmp_path / "laptop" / "final"
    shutil.copytree(course / "final", copied)
    shutil.rmtree(course / "bots")
    (course / "ring.csv").unlink()
    for folder, cwd in ((course / "final", tmp_path), (copied, copied)):
        for words in (
            ("status", folder), ("status", folder, "--json"), ("report", folder),
            ("export", folder, tmp_path / "s.csv"), ("export", folder, tmp_path / "g.json", "--games"),
            ("add", folder, "late=cmd:./nowhere/late.py"), ("status", folder),
        ):  # fmt: skip
            done = hinterland("contest", *words, cwd=cwd)
            assert done.returncode == 0, (words, done.stderr)
        (tmp_path / "s.csv").unlink()
        (tmp_path / "g.json").unlink()
    refused = hinterland("contest", "run", copied, cwd=tmp_path)
    assert refused.returncode == 2
    assert "no program './bots/mine/bot.py'" in refused.stderr


@pytest.mark.thorough
def test_a_plan_written_by_hand_means_what_lies_beside_it(course):
    plan = course / "final" / plan_file.PLAN_FILE
    text = "".join(line for line in plan.read_text().splitlines(keepends=True) if not line.startswith("folder ="))
    (course / plan_file.PLAN_FILE).write_text(text)
    assert hinterland("contest", "run", course, cwd=course.parent).returncode == 0


@pytest.mark.thorough
def test_a_plan_that_does_not_say_is_run_from_the_current_folder_as_before(course):
    plan = course / "final" / plan_file.PLAN_FILE
    text = "".join(line for line in plan.read_text().splitlines(keepends=True) if not line.startswith("folder ="))
    plan.write_text(text)
    run = hinterland("contest", "run", "final", cwd=course)
    assert run.returncode == 0
    assert "paths count from the current folder" in run.stderr
    (course / "final" / "records.jsonl").unlink()
    refused = hinterland("contest", "run", course / "final", cwd=course.parent)
    assert refused.returncode == 2
    assert "no program './bots/mine/bot.py'" in refused.stderr
    assert str(course / "final") in refused.stderr


def test_where_a_plan_was_made_is_no_part_of_the_plan(course):
    plan = plan_file.read(course / "final")[0]
    other = plan_file.format_plan(plan, {}, "/somewhere/else")
    (course / plan_file.PLAN_FILE).write_text(other)
    assert plan_file.read(course)[0].hash == plan.hash


@pytest.mark.thorough
@pytest.mark.parametrize(
    "command", ["./bots/mine/bot.py", f"{sys.executable} bots/mine/bot.py", f"{sys.executable} -u ./bots/mine/bot.py x"]
)
def test_a_program_starts_in_its_own_folder(course, command):
    played = hinterland(
        "match", "graph", f"cmd:{command}", "random", "--board", "ring.csv", "--tokens", 1, "--record", "r.jsonl",
        cwd=course,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    for line in (course / "r.jsonl").read_text().splitlines():
        assert json.loads(line)["reason"] == "complete"
