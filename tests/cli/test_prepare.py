"""``hinterland prepare``: compiles all kernels for later commands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hinterland import jit


def prepare(home):
    """Run it with another cache folder."""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    call = [sys.executable, "-m", "hinterland", "prepare"]
    return subprocess.run(
        call, check=False, capture_output=True, text=True, env={**surroundings, "XDG_CACHE_HOME": str(home)}
    )


@pytest.mark.parametrize("home", ["/dev/null", __file__])
def test_where_nothing_can_be_kept_it_says_so_in_one_line(home):
    ran = prepare(home)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("hinterland: compiled code cannot be kept")
    assert ran.stderr.endswith("set XDG_CACHE_HOME to a folder that can\n")
    assert ran.stderr.count("\n") == 1


@pytest.mark.thorough
@pytest.mark.jit
def test_it_makes_all_kernels_ready_and_says_where(tmp_path):
    """Here those that the tests have compiled already lie in the folder."""
    folder = jit.cache_folder()
    (tmp_path / "hinterland").mkdir()
    (tmp_path / "hinterland" / folder.name).symlink_to(folder)
    ran = prepare(tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("All kernels are ready after ")
    assert Path(ran.stdout.split(" s, in ")[1].strip()) == tmp_path / "hinterland" / folder.name
    kept = {file.name for file in folder.rglob("*.nbi")}
    for kernel in ("best_response.improve", "plies.line_of", "gain_tree._grow", "discs.enter_band"):
        module, function = kernel.split(".")
        assert any(module in name and function in name for name in kept), kernel
