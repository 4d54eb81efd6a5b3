"""Layers: imports go downwards and in no circles, games never import one another, and all but the shells is pure."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "hinterland"
FLOORS = [
    ["errors", "figures", "user_folders"],
    ["palette", "film", "search_clock", "dice", "contract", "jit", "evidence"],
    ["search"],
    ["gravity", "graph", "dots"],
    ["catalog"],
    ["referee", "learning", "review", "storage", "puzzles", "prints", "envs"],
    ["host"],
    ["contest"],
    ["ladder"],
    ["web"],
    ["cli", "widgets"],
]
GAMES = FLOORS[3]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

SHELLS = ("host/", "storage/", "contest/", "ladder/", "web/", "cli/", "widgets/")
PURE_ROOMS = {"contest/pairings/": {"dice", "errors", "evidence"}}
"""Pure rooms within shells, with all that they import from other rooms of the package."""
IMPURE_MODULES = {
    *("asyncio", "http", "select", "selectors", "socket", "ssl", "urllib", "uvicorn", "websockets"),
    *("concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process", "multiprocessing"),
    *("signal", "subprocess", "threading"),
    *("datetime", "time", "random", "secrets", "uuid"),
    *("fcntl", "glob", "io.open", "os", "shutil", "sqlite3", "tempfile"),
}
"""Sockets, processes and threads; clocks and chance; files."""
IMPURE_CALLS = {"open", "input", "print", "eval", "exec", "__import__", "import_module"}
IMPURE_METHODS = {
    *("write_text", "write_bytes", "open", "mkdir", "rmdir", "unlink", "touch", "rename", "chmod"),
    *("symlink_to", "hardlink_to", "read_text", "read_bytes", "iterdir", "glob", "rglob", "stat", "exists", "is_file"),
    *("is_dir", "tofile"),
}
"""Methods of paths; ``replace`` with one argument is that of a path, not of text."""
EXCEPTIONS = {
    "user_folders.py": {"os"},  # where this user's files are
    "search_clock.py": {"time"},  # the one clock, for players that think as long as they may
    "jit.py": {"os", "mkdir", "touch", "unlink", "read_bytes", "rglob", "write_text"},  # compiled code; the processors
    "catalog.py": {"import_module"},  # games by name
    "contract/game.py": {"import_module"},  # a game that another process has sent
    "contract/board_files.py": {"stat", "open"},  # the one reader of the boards that people name
    "dots/solver/solutions.py": {"os"},  # how much memory there is for a table
    "dots/atlas/atlas_file.py": {"read_bytes"},  # the atlas that the package ships
    "puzzles/collection.py": {"read_bytes"},  # the puzzles that the package ships
}
"""Impure files below the shells, each with its reason."""


parsed = cache(ast.parse)


@cache
def imports(path, source, *, lazy=True, types=True):
    """Return the full names of what a source text imports.

    ``lazy``: with imports within functions; ``types``: with imports that only a type checker sees.
    """
    folder = ["hinterland", *Path(path).parent.parts]
    found = set()
    waiting = [parsed(source)]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.If() if not types and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
                waiting += node.orelse
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() if not lazy:
                continue
            case ast.ImportFrom():
                above = folder[: len(folder) - node.level + 1] if node.level else []
                module = ".".join([*above, *filter(None, [node.module])])
                found |= {f"{module}.{alias.name}" for alias in node.names}
            case ast.Import():
                found |= {alias.name for alias in node.names}
            case ast.Call(func=ast.Name(id="__import__") | ast.Name(id="import_module"), args=[ast.Constant(name), *_]):
                found.add(name)
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(name), *_]):
                found.add(name)
        waiting += ast.iter_child_nodes(node)
    return found


def effects(path, source):
    """List the impure parts of a source text: modules, built-in functions, methods of paths."""
    found = {
        module
        for name in imports(path, source)
        for module in IMPURE_MODULES
        if name == module or name.startswith(f"{module}.")
    }
    for node in ast.walk(parsed(source)):
        match node:
            case ast.Name(id=name) if name in IMPURE_CALLS:
                found.add(name)
            case ast.Attribute(attr=name) if name in IMPURE_METHODS | {"import_module"}:
                found.add(name)
            case ast.Call(func=ast.Attribute(attr="replace"), args=[_], keywords=[]):
                found.add("replace")
    return found


def faults(path, source):
    """List the imports of a file from above or beside, and those that break purity."""
    room = path.split("/")[0].removesuffix(".py")
    if room in ("__init__", "__main__"):
        return []
    found = []
    for name in imports(path, source):
        package, _, inside = name.partition(".")
        other = inside.split(".")[0]
        if package != "hinterland" or other not in FLOOR_OF or other == room:
            continue
        if FLOOR_OF[other] > FLOOR_OF[room]:
            found.append(f"{path} imports {name} from a floor above")
        elif room in GAMES and other in GAMES:
            found.append(f"{path} imports another game, {name}")
    pure = next((pure for pure in PURE_ROOMS if path.startswith(pure)), None)
    if pure is not None:
        own = "hinterland." + pure.replace("/", ".")
        for name in imports(path, source):
            package, _, inside = name.partition(".")
            if package == "hinterland" and not name.startswith(own) and inside.split(".")[0] not in PURE_ROOMS[pure]:
                found.append(f"{path} imports {name} from a room that it must not know")
    if pure is not None or not path.startswith(SHELLS):
        found += [f"{path} is impure: {name}" for name in effects(path, source) - EXCEPTIONS.get(path, set())]
    return found


@cache
def sources():
    return {file.relative_to(SOURCE).as_posix(): file.read_text() for file in SOURCE.rglob("*.py")}


def test_every_room_has_a_floor():
    rooms = {path.stem if path.is_file() else path.name for path in SOURCE.iterdir() if not path.name.startswith("_")}
    assert rooms - {"py"} <= set(FLOOR_OF)


def test_imports_go_downwards_and_what_is_below_the_shells_is_pure():
    assert [fault for path, source in sources().items() for fault in faults(path, source)] == []


@pytest.mark.parametrize("path", EXCEPTIONS)
def test_no_exception_is_wider_than_it_must_be(path):
    assert effects(path, (SOURCE / path).read_text()) == EXCEPTIONS[path]


def circle(sources, lazy=True):
    """Return modules that import one another in a circle, or None.

    ``sources``: texts by path from the package's folder. Importing a part of a module counts as importing the module.
    """
    modules = {
        path: ".".join(["hinterland", *Path(path).with_suffix("").parts]).removesuffix(".__init__") for path in sources
    }
    named = set(modules.values())
    graph = {}
    for path, source in sources.items():
        names = imports(path, source, lazy=lazy, types=False)
        found = {name if name in named else name.rpartition(".")[0] for name in names}
        graph[modules[path]] = (found & named) - {modules[path]}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return None


@pytest.mark.parametrize("lazy", [False, True])
def test_no_circle(lazy):
    assert circle(sources(), lazy) is None


UPPER = "from hinterland.dots.solver import lower"


@pytest.mark.parametrize(
    "lower",
    [
        "from hinterland.dots import upper",
        "from hinterland.dots.upper import value",
        "import hinterland.dots.upper",
        "import hinterland.dots.upper as other",
        "from .. import upper",
        "from ..upper import value",
        "if TYPE_CHECKING:\n    import math\nelse:\n    from hinterland.dots import upper",
    ],
)
def test_a_planted_circle_is_found(lower):
    planted = {"dots/upper.py": UPPER, "dots/solver/lower.py": lower}
    assert set(circle(planted, lazy=False)) == {"hinterland.dots.upper", "hinterland.dots.solver.lower"}


@pytest.mark.parametrize(
    "lower",
    [
        "def f():\n    if True:\n        from hinterland.dots import upper",
        "async def f():\n    from hinterland.dots import upper",
        "class C:\n    def f(self):\n        from .. import upper",
        "f = lambda: __import__('hinterland.dots.upper')",
        "def f():\n    return importlib.import_module('hinterland.dots.upper')",
    ],
)
def test_a_planted_circle_through_a_lazy_import_is_found(lower):
    planted = {"dots/upper.py": UPPER, "dots/solver/lower.py": lower}
    assert circle(planted)
    assert circle(planted, lazy=False) is None


@pytest.mark.parametrize("guard", ["TYPE_CHECKING", "typing.TYPE_CHECKING"])
def test_what_only_a_type_checker_sees_makes_no_circle(guard):
    only_types = f"if {guard}:\n    from hinterland.dots import upper\nelse:\n    import math"
    assert circle({"dots/upper.py": UPPER, "dots/solver/lower.py": only_types}) is None


def test_a_planted_circle_of_three_is_found():
    three = {"a.py": "import hinterland.b", "b.py": "from hinterland import c", "c/__init__.py": "from ..a import x"}
    assert len(set(circle(three))) == 3


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("errors.py", "from hinterland.contract import Rules"),
        ("gravity/rules.py", "from hinterland.dots import rules"),
        ("gravity/area/stones.py", "from ...dots import rules"),
        ("contract/rules.py", "def f():\n    import hinterland.web.app"),
        ("contract/rules.py", "async def f():\n    from ..web import app"),
        ("catalog.py", "from hinterland import referee"),
        ("search/budget.py", "if TYPE_CHECKING:\n    from hinterland.gravity import Stone"),
        ("contest/pairings/swiss.py", "from hinterland.contest import plan"),
        ("contest/pairings/swiss.py", "from hinterland import catalog"),
        ("contest/pairings/swiss.py", "from .. import plan"),
    ],
)
def test_planted_imports_from_above_and_beside_are_found(path, source):
    assert any("imports" in fault for fault in faults(path, source))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("referee/judge.py", "import time"),
        ("referee/judge.py", "from datetime import datetime"),
        ("gravity/area/ownership.py", "import asyncio.events"),
        ("gravity/players.py", "from concurrent.futures import ProcessPoolExecutor"),
        ("gravity/players.py", "from concurrent.futures.process import ProcessPoolExecutor"),
        ("referee/record.py", "import os"),
        ("referee/record.py", "import os as system"),
        ("referee/record.py", "from os import path"),
        ("referee/record.py", "def f():\n    import fcntl"),
        ("referee/record.py", "def f():\n    return __import__('os')"),
        ("referee/record.py", "def f():\n    return importlib.import_module('socket')"),
        ("referee/record.py", "def f(name):\n    return importlib.import_module(name)"),
        ("referee/record.py", "def f(name):\n    open(name)"),
        ("referee/record.py", "def f(name, read=open):\n    read(name)"),
        ("referee/record.py", "from io import open as o"),
        ("film.py", "def f(path):\n    path.write_bytes(b'')"),
        ("film.py", "def f(path):\n    path.write_text('')"),
        ("film.py", "def f(path):\n    with path.open('wb') as file:\n        pass"),
        ("film.py", "def f(path):\n    path.parent.mkdir(parents=True)"),
        ("film.py", "def f(paths):\n    return list(map(Path.unlink, paths))"),
        ("film.py", "def f(path):\n    path.touch()"),
        ("film.py", "def f(path, to):\n    path.rename(to)"),
        ("film.py", "def f(path, to):\n    path.replace(to)"),
        ("film.py", "def f(path):\n    return path.read_text()"),
        ("jit.py", "def f(path):\n    path.write_bytes(b'')"),
        ("search_clock.py", "import os"),
        ("dots/rules.py", "import random"),
        ("contest/pairings/swiss.py", "import time"),
        ("contest/pairings/swiss.py", "def f(name):\n    open(name)"),
    ],
)
def test_planted_impurity_is_found(path, source):
    assert any("impure" in fault for fault in faults(path, source))


@pytest.mark.parametrize(
    "source",
    [
        "text.replace('a', 'b')",
        "msgspec.structs.replace(game, clock=clock)",
        "from concurrent.futures import ThreadPoolExecutor",
        "Path('a.csv').suffix",
        "import io",
    ],
)
def test_what_is_pure_is_not_found(source):
    assert faults("referee/judge.py", source) == []


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_may(shell):
    assert faults(f"{shell}x.py", "import os, time\nopen('a')") == []
