"""Who imports whom, by import-linter, whose rules are in pyproject.toml; and no call touches the world unseen by it.

Only modules in ``ignore_imports`` of its last rule may touch the world. Imports show no ``open``, no method of a path.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "hinterland"
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
LISTED = [row.partition(" ->")[0] for row in CONTRACTS[-1]["ignore_imports"]]
REACHES = re.compile("|".join(re.escape(row).replace(r"\*\*", ".*").replace(r"\*", "[^.]*") for row in LISTED))
NAMES = {"open", "input", "print", "eval", "exec", "__import__", "import_module", "ProcessPoolExecutor"}
METHODS = {
    *("write_text", "write_bytes", "open", "mkdir", "rmdir", "unlink", "touch", "rename", "chmod", "import_module"),
    *("symlink_to", "hardlink_to", "read_text", "read_bytes", "iterdir", "glob", "rglob", "stat", "exists", "is_file"),
    *("is_dir", "tofile", "ProcessPoolExecutor"),
}


def calls(source):
    """Yield what a source text names that reaches the world."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name) if name in NAMES:
                yield name
            case ast.ImportFrom(module="io" | "concurrent.futures", names=names):
                yield from NAMES & {alias.name for alias in names}
            case ast.Attribute(attr=name) if name in METHODS:
                yield name
            case ast.Call(func=ast.Attribute(attr="replace"), args=[_], keywords=[]):
                yield "replace"  # of a path; that of a text has two arguments


def test_calls_reach_the_world_only_from_the_modules_on_the_list():
    for path in SOURCE.rglob("*.py"):
        module = ".".join(("hinterland", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
        if not REACHES.fullmatch(module):
            assert list(calls(path.read_text())) == [], module


@pytest.mark.parametrize(
    "planted",
    ["open('a')", "read = open", "from io import open as o", "path.open('wb')", "path.parent.mkdir()", "Path.unlink",
     "path.replace(to)", "from concurrent.futures import ProcessPoolExecutor", "importlib.import_module(name)"],
)  # fmt: skip
def test_a_planted_call_is_found(planted):
    assert [*calls(planted)]
    assert not list(calls("text.replace('a', 'b'); from concurrent.futures import ThreadPoolExecutor; path.suffix"))


def lint(folder):
    linter = [Path(sys.executable).with_name("lint-imports"), ROOT / "pyproject.toml", "--no-cache"]
    done = subprocess.run(linter, check=False, cwd=folder, env=os.environ | {"PYTHONPATH": "."}, stdout=subprocess.PIPE)
    return [broken.decode() for broken in re.findall(rb"(.+) BROKEN", done.stdout)] if done.returncode else []


def test_imports_keep_the_rules_and_planted_ones_break_them(tmp_path):
    shutil.copytree(SOURCE, tmp_path / "hinterland", ignore=shutil.ignore_patterns("static", "__pycache__"))
    assert lint(tmp_path) == []
    for file, planted, rule in (
        ("contract/text.py", "if TYPE_CHECKING:\n    from hinterland.contract.rules import Rules", "No circles"),
        ("search/budget.py", "def f():\n    from hinterland.dots import rules", "Rooms import downwards"),
        ("gravity/last_stone.py", "import hinterland.dots.rules", "Rooms import downwards"),
        ("contest/pairings/swiss.py", "from hinterland.contest import plan", "Pairings know no game"),
        ("referee/judge.py", "import time", "Only these touch the world"),
    ):
        kept = (path := tmp_path / "hinterland" / file).read_text()
        path.write_text(f"{kept}\n{planted}\n")
        assert rule in lint(tmp_path), file
        path.write_text(kept)
