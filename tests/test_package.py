"""The package from outside: it imports quickly, and its wheel is complete."""

import os
import resource
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import hinterland
from hinterland import catalog
from more_of_the_same import first_shows

ROOT = Path(__file__).parents[1]


def seconds(code):
    """Return the least processor time of several fresh interpreters that run a statement."""
    taken = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=without_coverage())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


def test_importing_is_cheap():
    assert seconds("import msgspec, hinterland") - seconds("import msgspec") <= 0.1


def test_help_is_quick():
    assert seconds("from hinterland.cli import run; run(['--help'])") <= 0.4


def test_importing_loads_nothing_heavy():
    heavy = ["numba", "numpy", "litestar", "cyclopts", "PIL"]
    code = f"import hinterland, sys; print([m for m in {heavy} if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout.strip() == "[]"


@pytest.mark.parametrize("name", first_shows(*catalog.GAMES))
def test_kernels_are_loaded_without_what_only_compiling_needs(name):
    code = f"import sys; from hinterland import catalog; catalog.game({name!r}).warm_up(); print(*sys.modules)"
    for _ in range(2):  # the first may have to compile them
        told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert {"scipy.linalg", "numba.typed.typeddict"}.isdisjoint(told.stdout.split())


def test_public_names_are_loaded_when_named():
    assert hinterland.gravity.Rules().size == 1000
    assert set(hinterland.__all__) <= set(dir(hinterland))
    with pytest.raises(AttributeError, match="it has"):
        hinterland.nothing  # noqa: B018


def without_coverage():
    """Return an environment without coverage, since the wheel's copy of the sources is not the sources."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}


def test_a_wheel_holds_the_page_and_runs_from_anywhere(tmp_path):
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(tmp_path),
            str(ROOT),
        ],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        packed.extractall(tmp_path / "site")
    page = [f"prints/templates/game_page.{kind}" for kind in ("html", "css", "js")]
    for needed in ("py.typed", "web/templates/game.html", "web/static/js/game/live-connection.js", *page):
        assert f"hinterland/{needed}" in names
    assert not [name for name in names if name.startswith(("tests", "docs", "benchmarks"))]
    code = (
        "import hinterland, sys; from hinterland.cli import run; print(hinterland.__file__); sys.exit(run(['games']))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        check=True, capture_output=True, text=True, cwd=tmp_path,
        env={**without_coverage(), "PYTHONPATH": str(tmp_path / "site")},
    )  # fmt: skip
    assert str(tmp_path) in told.stdout
    assert "gravity" in told.stdout
