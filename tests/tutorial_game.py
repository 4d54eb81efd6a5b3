"""The game of the tutorial ``add-a-game``: its files as a reader makes them, and found as pip installs them."""

import os
import re
import subprocess
import sys
import tomllib
from contextlib import contextmanager
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "tutorials" / "add-a-game.md"
BLOCK = re.compile(r"^```\w+\n(?:#|/\*|\{#) (\S+\.\w+)(?: \*/| #\})?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A block that the reader saves; its first line is a comment with the file's name."""


def lay_out(folder):
    """Write the files of the tutorial, and of its package what pip writes to make its entry points known."""
    for name, text in BLOCK.findall(PAGE.read_text()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    about = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [line for group, points in groups for line in (f"[{group}]", *(f"{k} = {v}" for k, v in points.items()))]
    (about / "entry_points.txt").write_text("\n".join(lines))
    return folder


def surroundings(folder):
    """Return the environment of a process that finds the game; it compiles nothing."""
    return {**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"}


@contextmanager
def serving(folder, data):
    """Run an arena that knows the game; yield its address."""
    command = [sys.executable, "-m", "hinterland", "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, env=surroundings(folder), stdout=subprocess.PIPE, text=True) as server:
        try:
            found = (re.search(r"ready at (http://\S+)", line) for line in server.stdout)
            yield next(match[1] for match in found if match)
        finally:
            server.terminate()
            server.stdout.read()
