"""A wheel for one platform brings compiled kernels: who can use them compiles nothing, who cannot compiles as ever."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hinterland import jit

pytestmark = [pytest.mark.jit, pytest.mark.once]

PLAYED = """
import sys
from pathlib import Path
from numba.core import event
from hinterland import jit
jit.SHIPPED = Path(sys.argv[1])
jit.shipped_folder.cache_clear()
exec(sys.argv[2])
jit.shipped_folder()
with event.install_recorder("numba:compile") as compiled:
    from hinterland import gravity
    scores = gravity.Rules(size=12, spacing=2).start().play(gravity.Stone(3, 4)).scores
print(len(compiled.buffer), jit.config.CPU_NAME, scores)
"""

NEXT_PYTHON = """
from types import SimpleNamespace
jit.sys = SimpleNamespace(**{**vars(sys), "version_info": (3, 99, 0)})
"""


def played(cache, shipped, first="pass"):
    """Judge a position in a process of its own; return the number of compilations, the processor and the scores."""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    told = subprocess.run(
        [sys.executable, "-c", PLAYED, str(shipped), first], check=True, capture_output=True, text=True,
        env={**surroundings, "XDG_CACHE_HOME": str(cache)},
    )  # fmt: skip
    count, name, scores = told.stdout.split(maxsplit=2)
    return int(count), name, scores


def kept(cache):
    """Return the code in a cache folder."""
    return sorted(path.name for path in Path(cache).rglob("*.nbc"))


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """Return a folder of kernels as a wheel brings them, and the scores that its maker saw."""
    cache = tmp_path_factory.mktemp("made")
    count, name, scores = played(cache, "nowhere", "jit.choose_processor(generic=True)")
    assert (count > 0, name) == (True, jit.generic_processor())
    return cache / "hinterland", scores


@pytest.mark.thorough
def test_what_the_package_brings_is_read_and_nothing_is_compiled(shipped, tmp_path):
    folder, scores = shipped
    assert played(tmp_path, folder) == (0, jit.generic_processor(), scores)
    assert kept(tmp_path) == []


@pytest.mark.thorough
def test_what_the_package_brings_is_read_where_nothing_can_be_written(shipped):
    folder, scores = shipped
    assert played("/dev/null", folder) == (0, jit.generic_processor(), scores)


@pytest.mark.parametrize(
    "other",
    [
        'jit.numba.__version__ = "0.1"', 'jit.llvmlite.__version__ = "0.1"', NEXT_PYTHON,
        "jit.choose_processor(generic=False)", "jit._is_supported = lambda: False",
    ],
)  # fmt: skip
@pytest.mark.thorough
def test_other_versions_and_processors_compile_their_own(shipped, tmp_path, other):
    folder, scores = shipped
    count, name, same = played(tmp_path, folder, other)
    assert (count > 0, name, same) == (True, "None", scores)
    assert kept(tmp_path)

