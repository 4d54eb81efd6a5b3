"""The modules of the pages lie in rooms: small ones, one module of a name, and imports that run downwards only."""

import re
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from pathlib import Path

import pytest

ORDER = ("base", "board device", "dots graph gravity", "game", "match puzzle review setup share study", "pages")
FLOORS = {room: floor for floor, rooms in enumerate(ORDER) for room in rooms.split()}
"""The floor on which each room lies; rooms of one floor know nothing of one another."""
MOST_FILES = 15
IMPORT = re.compile(r"""(?:\bfrom |\bimport\(|new URL\()["'](\.{1,2}/[^"']+)["']""")
SCRIPTS = Path(str(resources.files("hinterland.web").joinpath("static/js")))


def imports_of(folder):
    """Return of every module what it imports, types and workers included."""
    modules = {}
    for path in folder.rglob("*.js"):
        targets = {(path.parent / found).resolve() for found in IMPORT.findall(path.read_text())}
        assert all(target.exists() for target in targets), f"{path} imports what is not there"
        modules[path.relative_to(folder)] = {target.relative_to(folder.resolve()) for target in targets}
    return modules


def faults_of(folder):
    """Return what is wrong with the order of the rooms, a line each."""
    modules = imports_of(folder)
    names = [module.name for module in modules]
    found = [f"two modules are called {name}" for name in sorted({name for name in names if names.count(name) > 1})]
    for room, floor in FLOORS.items():
        inside = [module for module in modules if module.parts[0] == room]
        found += [f"{room} has {len(inside)} modules"] if len(inside) > MOST_FILES else []
        for module in inside:
            others = {target for target in modules[module] if target.parts[0] != room}
            found += [f"{module} imports {target}" for target in others if FLOORS[target.parts[0]] >= floor]
    try:
        TopologicalSorter(modules).prepare()
    except CycleError as error:
        found.append(f"circle: {' -> '.join(str(module) for module in error.args[1])}")
    return found


def test_every_module_lies_in_a_room_and_imports_downwards():
    assert {module.parts[0] for module in imports_of(SCRIPTS)} == set(FLOORS)
    assert faults_of(SCRIPTS) == []


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"base/a.js": 'import { b } from "../board/b.js";', "board/b.js": ""}, "base/a.js imports board/b.js"),
        ({"dots/a.js": 'import { b } from "../graph/b.js";', "graph/b.js": ""}, "dots/a.js imports graph/b.js"),
        ({"dots/a.js": '/** @typedef {import("./b.js").B} B */', "dots/b.js": 'import { a } from "./a.js";'}, "circle"),
        ({"base/a.js": "", "board/a.js": ""}, "two modules are called a.js"),
        ({f"base/{k}.js": "" for k in range(MOST_FILES + 1)}, "base has 16 modules"),
    ],
)  # fmt: skip
def test_a_planted_fault_is_found(tmp_path, files, fault):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (found,) = faults_of(tmp_path)
    assert found.startswith(fault)
