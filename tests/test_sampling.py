"""Which cases ``--sampled`` and ``--quick`` keep."""

import subprocess
import sys
from pathlib import Path

PLANTED = """
import pytest

@pytest.mark.parametrize("size", [1, pytest.param(2, marks=pytest.mark.thorough), 3])
def test_some_are_thorough(size):
    pass

@pytest.mark.thorough
@pytest.mark.parametrize("size", [1, 2, 3])
def test_all_are_thorough(size):
    pass

@pytest.mark.thorough
def test_one():
    pass

@pytest.mark.rare
def test_for_minutes():
    pass

@pytest.mark.parametrize("size", range(11))
def test_many(size):
    pass

@pytest.mark.parametrize("size", [0, pytest.param(1, marks=pytest.mark.each), 2, 3])
def test_one_is_like_no_other(size):
    pass

@pytest.mark.browser
@pytest.mark.parametrize("size", [1, 2])
def test_page(size):
    pass

@pytest.mark.browser
def test_another_page():
    pass
"""


def collected(folder, *options):
    (folder / "test_planted.py").write_text(PLANTED)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  thorough\n  rare\n  each\n  browser\n")
    command = [sys.executable, "-m", "pytest", "-p", "sampling", "--collect-only", "-q", "-n", "0", *options, "."]
    done = subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(Path(__file__).parent)}, capture_output=True, text=True, check=True
    )
    return [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]


def test_of_many_cases_six_are_kept_and_two_thorough_ones_where_there_are_no_others(tmp_path):
    every = collected(tmp_path)
    kept = collected(tmp_path, "--sampled")
    assert len(every) == 26
    assert [name for name in every if name not in kept] == [
        "test_some_are_thorough[2]",
        "test_all_are_thorough[2]",
        "test_for_minutes",
        *(f"test_many[{number}]" for number in (1, 3, 5, 7, 9)),
    ]


def test_two_cases_are_quick_and_one_page(tmp_path):
    assert collected(tmp_path, "--quick") == [
        "test_some_are_thorough[1]",
        "test_some_are_thorough[3]",
        "test_many[0]",
        "test_many[10]",
        *(f"test_one_is_like_no_other[{number}]" for number in (0, 1, 3)),
        "test_page[1]",
    ]
