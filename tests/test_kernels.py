"""Kernels borrow arrays: those that allocate say so, and only functions of one kind return arrays to each other.

Threads that share a kernel take each strip once.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from hinterland.jit import SCALARS, generic_processor, in_strips, inlined, kernel

ROOT = Path(__file__).parents[1]
DECORATOR = re.compile(r"(jit\.)?(kernel|inlined|part)(\(allocates=True\))?")


ASKED = """
import sys
from numba.core import event
from hinterland.dots.solver.plies import line_of
from hinterland.jit import cache_folder

with event.install_recorder("numba:compile") as compiled:
    line_of(3)
sys.stdout.write(f"{cache_folder().name} {len(compiled.buffer)}")
"""
"""Prints the cache folder of the kernels, and how often the compiler began or ended."""


class Compiled(NamedTuple):
    """A function that its source marks as compiled."""

    place: str
    allocates: bool
    returns_arrays: bool
    called: set[str]


def compiled():
    """Return all compiled functions by name; several may share one."""
    found = defaultdict(list)
    for folder in ("src", "tests", "benchmarks", "research"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if not isinstance(node, ast.FunctionDef):
                    continue
                for word in filter(None, (DECORATOR.fullmatch(ast.unparse(one)) for one in node.decorator_list)):
                    returned = ast.unparse(node.returns) if node.returns else "not said"
                    calls = {call.func.id for call in ast.walk(node) if is_plain_call(call)}
                    place = f"{file.relative_to(ROOT)}: {node.name}"
                    found[node.name].append(Compiled(place, bool(word[3]), not SCALARS.fullmatch(returned), calls))
    return found


def is_plain_call(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


@pytest.mark.thorough
def test_arrays_are_handed_back_only_among_functions_of_one_kind():
    """Code that counts references takes an uncounted array for its own and frees it; other code never frees one."""
    found = compiled()
    assert sum(map(len, found.values())) > 250
    lenders = {name: ones[0].allocates for name, ones in found.items() if all(one.returns_arrays for one in ones)}
    assert {"find_labellings": True, "_state": False, "_layer": False}.items() <= lenders.items()
    callers = [one for ones in found.values() for one in ones]
    wrong = [
        (one.place, name) for one in callers for name in one.called & set(lenders) if lenders[name] != one.allocates
    ]
    assert wrong == []


def test_a_kernel_that_returns_arrays_has_to_say_that_it_allocates():
    def halves(values: np.ndarray) -> "np.ndarray":
        return values[: values.size // 2]

    with pytest.raises(TypeError, match=r"kernel .*halves returns np.ndarray: that needs allocates=True"):
        kernel(halves)
    assert kernel(allocates=True)(halves)(np.arange(4)).tolist() == [0, 1]


@pytest.mark.parametrize("returned", [int, None, tuple[int, int], "int", "tuple[int, float]", "np.int64"], ids=str)
def test_a_kernel_that_returns_numbers_need_not_say_so(returned):
    """Also if annotations are types, as without ``from __future__ import annotations``."""

    def nothing(values):
        del values

    nothing.__annotations__["return"] = returned
    assert callable(kernel(nothing))


@pytest.mark.jit
def test_what_allocates_without_a_word_is_not_compiled():
    @inlined
    def fresh(size: int) -> int:
        return np.zeros(size).size

    with pytest.raises(Exception, match=r"Only accept returning of array|NRT required"):
        fresh(3)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize(("count", "strip"), [(0, 3), (1, 3), (100, 1), (100, 7)])
def test_threads_take_each_strip_once_and_what_they_give_is_in_order(threads, count, strip):
    given = in_strips(lambda thread, first, end: (thread < threads, range(first, end)), count, strip, threads)
    assert all(is_one_of_them for is_one_of_them, _ in given)
    assert [i for _, taken in given for i in taken] == list(range(count))


def test_what_fails_in_one_strip_fails_in_all():
    def fail(thread, first, end):
        if first == 5:
            raise IndexError("of the work, not of the strips")

    for threads in (1, 2):
        with pytest.raises(IndexError, match="of the work"):
            in_strips(fail, 9, 1, threads)


def asked_of(package, cache):
    """Return the cache folder of a copy of the package, and whether a kernel had to be compiled."""
    surroundings = {**os.environ, "PYTHONPATH": str(package.parent), "XDG_CACHE_HOME": str(cache)}
    surroundings.pop("NUMBA_DISABLE_JIT", None)
    call = [sys.executable, "-c", ASKED]
    folder, events = subprocess.run(call, env=surroundings, capture_output=True, text=True, check=True).stdout.split()
    return folder, int(events) > 0


@pytest.mark.thorough
def test_checkouts_with_the_same_kernels_compile_them_once(tmp_path):
    first, second = (tmp_path / name / "hinterland" for name in ("first", "second"))
    for copy in (first, second):
        shutil.copytree(ROOT / "src" / "hinterland", copy, ignore=shutil.ignore_patterns("static", "__pycache__"))
    folder, is_compiled = asked_of(first, tmp_path / "cache")
    assert is_compiled
    for file in second.rglob("*.py"):
        os.utime(file)  # as in a checkout made later
    (second / "host" / "fresh.py").write_text("from typing import NamedTuple\n")
    assert asked_of(second, tmp_path / "cache") == (folder, False)
    with (second / "dots" / "solver" / "plies.py").open("a") as changed:
        changed.write("# changed\n")
    other, is_compiled = asked_of(second, tmp_path / "cache")
    assert other != folder
    assert is_compiled


CHOSEN = """
import sys
from hinterland import jit

if len(sys.argv) > 1:
    jit.choose_processor(generic=sys.argv[1] == "generic")
from numba.core import event
from numba.core.registry import cpu_target
from hinterland.gravity.spacing import first_free
from hinterland.gravity.rules import Rules

with event.install_recorder("numba:compile") as compiled:
    assert Rules(size=5, spacing=2).start().to_move == 0
    first_free(Rules(size=5, spacing=2).start()._stones)
name, features = cpu_target.target_context.codegen().magic_tuple()[1:]
print(jit.cache_folder().name, name, len(features) > 0, len(compiled.buffer) > 0)
"""
"""Prints the cache folder of the kernels, their processor, and whether any was compiled."""


@pytest.mark.thorough
@pytest.mark.jit
def test_what_was_prepared_for_any_processor_is_read_by_whoever_comes_later(tmp_path):
    """Also without the environment variable; and no longer once it is undone."""

    def told(*words, **surroundings):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        ran = subprocess.run(
            [sys.executable, "-c", CHOSEN, *words], check=True, capture_output=True, text=True,
            env={**kept, "XDG_CACHE_HOME": str(tmp_path), **surroundings},
        )  # fmt: skip
        return ran.stdout.split()

    generic = generic_processor()
    folder, *prepared = told("generic")
    assert prepared == [generic, "False", "True"]
    assert told() == [folder, generic, "False", "False"]
    other, name, *rest = told(NUMBA_CPU_NAME="generic")
    assert (other != folder, name, rest) == (True, "generic", ["False", "True"])
    own, name, *rest = told("own")
    assert (own != folder, name != generic, rest) == (True, True, ["True", "True"])
    assert told() == [own, name, "True", "False"]
    (tmp_path / "hinterland" / "processor").write_text("x86-64-v9")
    assert told() == [own, name, "True", "False"], "of no such processor is anything known"


@pytest.mark.jit
def test_a_helper_can_be_called_by_kernels_and_by_python_in_any_order():
    @inlined
    def first_of(pair: tuple, values: np.ndarray) -> int:
        return pair[0] + values[0]

    @kernel
    def asks(values: np.ndarray) -> int:
        return first_of((values[1], values[2]), values)

    values = np.array([1, 20, 300])
    assert asks(values) == 21
    assert first_of((2, 3), values) == 3
    assert asks(values) == 21
    assert first_of((2.5, 3), values) == 3.5
    assert len(first_of.overloads) == 1, "those that Python calls are kept apart"
