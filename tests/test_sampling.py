"""Which cases ``--sampled`` keeps."""

import subprocess
import sys
from pathlib import Path

PLANTED = """
import pytest

@pytest.mark.parametrize("size", [1, pytest.param(2, marks=pytest.mark.thorough), 3])
def test_some_are_thorough(size):
    pass

@pytest.mark.thorough
@pytest.mark.parametrize("size", [1, 2])
def test_all_are_thorough(size):
    pass

@pytest.mark.thorough
def test_one():
    pass
"""


def collected(folder, *options):
    (folder / "test_planted.py").write_text(PLANTED)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = thorough\n")
    command = [sys.executable, "-m", "pytest", "-p", "sampling", "--collect-only", "-q", "-n", "0", *options, "."]
    done = subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(Path(__file__).parent)}, capture_output=True, text=True, check=True
    )
    return [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]


def test_thorough_cases_beside_others_are_left_out_and_no_other(tmp_path):
    every = collected(tmp_path)
    kept = collected(tmp_path, "--sampled")
    assert len(every) == 6
    assert [name for name in every if name not in kept] == ["test_some_are_thorough[2]"]
