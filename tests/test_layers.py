"""The house stands: imports go downwards, games never import one another, nothing goes in a circle."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "hinterland"
FLOORS = [
    ["errors"],
    ["palette", "film", "stopwatch", "dice", "contract", "jit"],
    ["budget"],
    ["gravity", "graph", "dots"],
    ["catalog"],
    ["referee", "review", "storage"],
    ["contest", "envs"],
    ["web"],
    ["cli"],
]
GAMES = FLOORS[3]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
IMPURE = {"socket", "asyncio", "datetime", "subprocess", "time", "multiprocessing", "selectors", "threading"}
SHELLS = ("referee/shell/", "storage/", "web/", "cli/")
CLOCK = "stopwatch.py"
"""The one file below the shells that reads the time, for players that think as long as they may."""


def imports(source):
    """Return the hinterland modules and the outside packages that a source text imports, type-only imports included."""
    inside, outside = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "hinterland":
                inside.add(name)
            else:
                outside.add(name.split(".")[0])
    return inside, outside


def faults(path, source):
    """Name what a file imports from above, from beside, or against purity."""
    room = path.split("/")[0].removesuffix(".py")
    if room in ("__init__", "__main__"):
        return []
    found = []
    inside, outside = imports(source)
    for name in inside:
        other = name.split(".")[1] if "." in name else None
        if other not in FLOOR_OF or other == room:
            continue
        if FLOOR_OF[other] > FLOOR_OF[room]:
            found.append(f"{path} imports {name} from a floor above")
        elif room in GAMES and other in GAMES:
            found.append(f"{path} imports another game, {name}")
    if not path.startswith(SHELLS) and path != CLOCK:
        found += [f"{path} imports {name}" for name in outside & IMPURE]
    return found


def test_every_room_has_a_floor():
    rooms = {path.stem if path.is_file() else path.name for path in SOURCE.iterdir() if not path.name.startswith("_")}
    assert rooms - {"py"} <= set(FLOOR_OF)


def test_imports_go_downwards():
    found = []
    for file in SOURCE.rglob("*.py"):
        found += faults(file.relative_to(SOURCE).as_posix(), file.read_text())
    assert found == []


def test_no_circle():
    graph = {}
    for file in SOURCE.rglob("*.py"):
        name = ".".join(["hinterland", *file.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")
        eager = _without_type_checking(ast.parse(file.read_text()))
        graph[name] = {found for found in eager if found != name}
    TopologicalSorter({name: seen & set(graph) for name, seen in graph.items()}).prepare()


def _without_type_checking(tree):
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("hinterland."):
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "hinterland":
            found |= {f"hinterland.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("errors.py", "from hinterland.contract import Rules"),
        ("gravity/rules.py", "from hinterland.dots import rules"),
        ("contract/rules.py", "def f():\n    import hinterland.web.app"),
        ("referee/judge.py", "import time"),
        ("gravity/field.py", "import asyncio.events"),
        ("catalog.py", "from hinterland import referee"),
    ],
)
def test_planted_faults_are_found(path, source):
    assert faults(path, source)
