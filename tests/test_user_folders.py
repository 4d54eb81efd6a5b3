"""Where files of a user are kept: what the environment says first, the home folder only where that is needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hinterland import jit
from hinterland.errors import ArenaError
from hinterland.user_folders import user_folder
from hinterland.web.settings import default_data


@pytest.fixture
def homeless(monkeypatch):
    """A user without HOME and without an entry among the users."""

    def home():
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", home)
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)


def test_a_variable_is_enough(homeless, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_folder("XDG_CACHE_HOME", ".cache") == tmp_path
    assert jit._cache_root() == tmp_path / "hinterland"


@pytest.mark.parametrize("value", ["", "cache", "./cache", "../cache"])
def test_what_is_empty_or_relative_counts_as_not_set(monkeypatch, tmp_path, value):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.setenv("XDG_DATA_HOME", value)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert jit._cache_root() == tmp_path / ".cache" / "hinterland"
    assert default_data() == tmp_path / ".local" / "share" / "hinterland"


def test_without_any_it_is_one_line(homeless):
    with pytest.raises(ArenaError, match=r"^this user has no home folder; set HOME, or XDG_CACHE_HOME to a folder$"):
        jit._cache_root()
    with pytest.raises(
        ArenaError, match=r"^this user has no home folder; [^\n]+; or name a folder for games with --data$"
    ):
        default_data()


@pytest.mark.skipif(not jit.JIT_ON, reason="nothing is compiled")
def test_it_is_said_where_kernels_cannot_be_kept(homeless, monkeypatch, tmp_path):
    monkeypatch.setattr(jit, "_find_cache_folder", jit._find_cache_folder.__wrapped__)
    assert "this user has no home folder" in jit.explain_missing_cache()
    assert jit.cache_folder() is None
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert "cannot be written (Not a directory)" in jit.explain_missing_cache()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert (jit.explain_missing_cache(), jit.cache_folder().parent) == ("", tmp_path / "hinterland")


@pytest.mark.thorough
@pytest.mark.parametrize("more", [(), ("--print-unit", "systemd")])
def test_serve_of_a_user_without_a_home_is_one_line(more):
    code = (
        "import sys\nfrom pathlib import Path\ndef home():\n    raise RuntimeError('no home')\n"
        "Path.home = home\nfrom hinterland.cli import main\nmain(['serve', *sys.argv[1:]])"
    )
    surroundings = {
        "PATH": os.environ["PATH"],
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": str(Path(jit.__file__).parents[1]),
    }
    told = subprocess.run(
        [sys.executable, "-c", code, *more], env=surroundings, cwd="/", capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert told.returncode == 2
    assert told.stderr.startswith("hinterland: this user has no home folder; ")
    assert told.stderr.count("\n") == 1
