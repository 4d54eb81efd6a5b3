"""The house stands: imports go downwards, games never import one another, nothing goes in a circle."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "hinterland"
FLOORS = [
    ["errors"],
    ["palette", "film", "stopwatch", "dice", "contract", "jit"],
    ["search"],
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


def runtime_imports(source, lazy=True):
    """Return the names that a source text imports when it runs: at once, and, ``lazy``, when a function is called."""
    found = set()
    waiting = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.FunctionDef) and not lazy:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        waiting += ast.iter_child_nodes(node)
    return found


def circle(sources, lazy=True):
    """Return modules that import one another in a circle; None where there is none.

    ``sources``: texts by path from the package's folder. Who imports a part of a module imports the module.
    """
    named = {
        ".".join(["hinterland", *Path(path).with_suffix("").parts]).removesuffix(".__init__"): source
        for path, source in sources.items()
    }
    graph = {}
    for module, source in named.items():
        found = {name if name in named else name.rpartition(".")[0] for name in runtime_imports(source, lazy)}
        graph[module] = found & set(named) - {module}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return None


@pytest.mark.parametrize("lazy", [False, True])
def test_no_circle(lazy):
    sources = {file.relative_to(SOURCE).as_posix(): file.read_text() for file in SOURCE.rglob("*.py")}
    assert circle(sources, lazy) is None


def test_a_planted_circle_through_a_lazy_import_is_found():
    upper = "from hinterland.dots.solver import lower"
    lazy = "def f():\n    if True:\n        from hinterland.dots import upper"
    only_types = "if TYPE_CHECKING:\n    from hinterland.dots import upper\nelse:\n    import math"
    assert circle({"dots/upper.py": upper, "dots/solver/lower.py": lazy})
    assert circle({"dots/upper.py": upper, "dots/solver/lower.py": lazy}, lazy=False) is None
    assert circle({"dots/upper.py": upper, "dots/solver/lower.py": only_types}) is None
    assert circle({"dots/upper.py": upper, "dots/solver/lower.py": "import hinterland.dots.upper"})


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("errors.py", "from hinterland.contract import Rules"),
        ("gravity/rules.py", "from hinterland.dots import rules"),
        ("contract/rules.py", "def f():\n    import hinterland.web.app"),
        ("referee/judge.py", "import time"),
        ("gravity/area/ownership.py", "import asyncio.events"),
        ("catalog.py", "from hinterland import referee"),
    ],
)
def test_planted_faults_are_found(path, source):
    assert faults(path, source)
