"""The one numba policy of the house, its cache, and the threads that run kernels side by side.

``kernel`` compiles lazily, lets go of the interpreter lock, divides as C does, and never relaxes floating-point
rules: what is judged must not depend on how a compiler felt like adding. Compiled code is cached in a folder
named by a hash of every source file that may hold a kernel, because numba itself does not notice when a callee
in another file has changed; where no such folder can be written, kernels are compiled anew in each process.

A kernel borrows its arrays from whoever calls it, and counts no references to them: numba would otherwise count, with
an atomic instruction, each time that an array is taken out of a tuple, which in kernels made of many small ones came to
two thirds of all time. Only what makes or returns arrays counts, and says so: ``allocates=True``.
"""

from __future__ import annotations

import hashlib
import inspect
import itertools
import os
import platform
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from typing import Any, ParamSpec, Self, TypeVar, overload

import numba
from llvmlite import binding
from numba.core import config as numba_config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.np import linalg

from hinterland.errors import ArenaError
from hinterland.user_folders import user_folder

config: Any = numba_config
P = ParamSpec("P")
T = TypeVar("T")

SCALARS = re.compile(r"(tuple\[)?((int|float|bool|None|np\.u?int\d+|np\.float\d+)(, )?)+\]?")
"""What a function may be said to return that lends no array to its caller."""

DECORATED = re.compile(rb"^@(kernel|inlined)\b", re.MULTILINE)
"""Marks a source that holds kernels."""
JIT_ON = not config.DISABLE_JIT
PACKAGE = Path(__file__).parent

X86, X86_FEATURES = "x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
"""What Intel has built since 2013 and AMD since 2015, and what tells it from those before."""

# To look for SciPy's linear algebra takes as long as to load all kernels of a game, and none multiplies matrices.
linalg.ensure_blas = lambda: None


def _cache_root() -> Path:
    """Name the per-user folder for compiled kernels. Raises ArenaError where this user has none."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        return user_folder("LOCALAPPDATA") / "hinterland"
    return user_folder("XDG_CACHE_HOME", ".cache") / "hinterland"


def _processor_file() -> Path:
    """Name the file that tells the processor to compile for, where that is not this machine's own."""
    return _cache_root() / "processor"


def generic_processor() -> str:
    """Name the least that is asked of the processors of this kind, as the compiler calls it."""
    return X86 if platform.machine() in {"x86_64", "AMD64"} else "generic"


def choose_processor(*, generic: bool) -> None:
    """Compile for any processor of this kind, or for this one alone, in this process and in all later ones.

    To be called before anything is compiled. Raises OSError where that cannot be noted.
    """
    file = _processor_file()
    file.unlink(missing_ok=True)
    if "NUMBA_CPU_NAME" not in os.environ:
        config.CPU_NAME = config.CPU_FEATURES = None  # what an earlier call has noted
    if generic:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(generic_processor(), encoding="ascii")
        _compile_for_noted()


def _compile_for_noted() -> None:
    """Compile for the processor that is noted, unless this one lacks what its code would call."""
    if config.CPU_NAME is not None:  # NUMBA_CPU_NAME
        return
    with suppress(OSError, ArenaError):
        noted = _processor_file().read_bytes().decode("ascii", "replace")
        here = binding.get_host_cpu_features()
        if noted == generic_processor() and (noted != X86 or all(here.get(name) for name in X86_FEATURES)):
            config.CPU_NAME, config.CPU_FEATURES = noted, ""


_compile_for_noted()


def _fingerprint() -> str:
    """Hash all that compiled code depends on: kernels, the tuples they take, the compiler, the processor, checks."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    sources = {file: file.read_bytes() for file in sorted(PACKAGE.rglob("*.py"))}
    rooms = {_room(file) for file, source in sources.items() if DECORATED.search(source)}
    for file, source in sources.items():
        if _room(file) in rooms and (b"hinterland.jit" in source or b"NamedTuple" in source):
            digest.update(source)
    surroundings = (numba.__version__, sys.version, platform.machine(), config.BOUNDSCHECK, config.CPU_NAME)
    digest.update(repr(surroundings).encode())
    return digest.hexdigest()[:16]


def _room(file: Path) -> str:
    """Return the first part of a path below the package: a folder, or a file that lies in none."""
    return file.relative_to(PACKAGE).parts[0]


def cache_folder() -> Path | None:
    """Return the folder in which compiled kernels are kept, or None where none can be written."""
    found = _found_folder()
    return found if isinstance(found, Path) else None


def unkept() -> str:
    """Say in one line that compiled kernels cannot be kept, and why; empty where they can."""
    found = _found_folder() if JIT_ON else Path()
    if isinstance(found, Path):
        return ""
    return f"compiled code cannot be kept for next time, when all is compiled again: {found}"


@cache
def _found_folder() -> Path | str:
    """Return the folder in which compiled kernels are kept, or why none can be written."""
    root = None
    try:
        root = _cache_root()
        folder = root / f"kernels-{_fingerprint()}"
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        return f"{root} cannot be written ({error.strerror}); set XDG_CACHE_HOME to a folder that can"
    except ArenaError as error:
        return str(error)
    return folder


class _Locator(_CacheLocator):
    """Keeps a function's code below the folder of its fingerprint, wherever the package lies and however old its files.

    So two checkouts, or two environments, with the same kernels compile them once.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._path, self._line = str(folder / function.__module__), function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return self._path

    def get_source_stamp(self) -> str:
        return ""  # the folder's name tells the sources

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Self | None:  # noqa: ARG003
        folder = cache_folder()
        return None if folder is None else cls(py_func, folder)


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _KernelCache(FunctionCache):
    """Loads compiled code as it lies; numba's own first fills all tables of the compiler, which takes longer by far."""

    _impl_class = _KernelCacheImpl

    def load_overload(self, signature: object, target: object) -> object:
        if not hasattr(self, "_load_overload"):  # of a numba other than those it was written for
            return super().load_overload(signature, target)  # type: ignore[no-untyped-call]
        rtsys.initialize(target)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(signature, target)  # type: ignore[no-untyped-call]


@overload
def kernel(function: Callable[P, T], *, allocates: bool = False) -> Callable[P, T]: ...
@overload
def kernel(*, allocates: bool) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
def kernel(function: Callable[P, T] | None = None, *, allocates: bool = False) -> Any:
    """Compile a function of arrays and numbers to machine code on its first call.

    ``allocates``: whether it makes arrays or returns any; see above. Raises TypeError where it returns some without.
    Kernels of this package are kept for the next process; the fingerprint knows no other sources.
    """
    if function is None:
        return partial(kernel, allocates=allocates)
    returned = function.__annotations__.get("return", "it is not said what")
    returned = returned if isinstance(returned, str) else inspect.formatannotation(returned)
    if not (allocates or SCALARS.fullmatch(returned)):
        raise TypeError(f"the kernel {function.__qualname__} returns {returned}: that needs allocates=True")
    compiled = _compiled(function, allocates, inline=False)
    if JIT_ON and function.__module__.startswith("hinterland.") and cache_folder() is not None:
        compiled._cache = _KernelCache(function)  # type: ignore[no-untyped-call]
    return compiled


@overload
def inlined(function: Callable[P, T], *, allocates: bool = False) -> Callable[P, T]: ...
@overload
def inlined(*, allocates: bool) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
def inlined(function: Callable[P, T] | None = None, *, allocates: bool = False) -> Any:
    """Compile a helper of kernels, as ``kernel`` does; it becomes part of each place that calls it.

    To leave that to the optimiser cost some kernels half of their time again (docs/performance.md). What is large and
    called from many places had better be a kernel, which stays a function.
    One that allocates nothing may return parts of what it was given, to helpers and kernels that allocate nothing.
    """
    return partial(inlined, allocates=allocates) if function is None else _compiled(function, allocates, inline=True)


def _compiled(function: Callable[P, T], allocates: bool, *, inline: bool) -> Any:
    compile_it: Any = numba.njit  # which is not declared to take these options
    options = {"nogil": True, "error_model": "numpy", "forceinline": inline, "_nrt": allocates}  # counts references
    if not (inline and JIT_ON):
        return compile_it(no_cfunc_wrapper=True, **options)(function)
    helper = compile_it(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)
    helper.__class__ = _Helper
    helper.on_its_own = compile_it(**options)(function)
    return helper


class _Helper(CPUDispatcher):
    """Compiles a function for the kernels that it becomes part of, without what takes it a fifth of the time again.

    That is the code by which Python calls it, which unpacks arrays and tuples. A call from Python, in a test, compiles
    it once more, with that.
    """

    on_its_own: Any

    def add_overload(self, compiled: Any) -> None:
        self.overloads[tuple(compiled.signature.args)] = compiled

    def _compile_for_args(self, *_: object, **__: object) -> object:
        return self.on_its_own


@cache
def cores() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=cores(), thread_name_prefix="kernel")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # its threads are not copied


def _taken(take: Callable[[], int]) -> Iterator[int]:
    """Yield what is taken as long as there is any; other threads take some, too."""
    with suppress(IndexError):
        while True:
            yield take()


def in_strips(work: Callable[[int, int, int], T], count: int, strip: int, threads: int) -> list[T]:
    """Run ``work(thread, first, end)`` on strips of 0 … count - 1, and return what each gave, in their order.

    Kernels release the interpreter lock, so this uses all cores: a thread takes the next strip whenever it is free,
    those of odd number from the end; the caller's is number 0. Unlike numba's own parallel loops it may be entered from
    several threads at once.
    """
    strips = deque(range(0, count, strip))

    def run(thread: int) -> list[tuple[int, T]]:
        taken = _taken(strips.pop if thread % 2 else strips.popleft)
        return [(first, work(thread, first, min(first + strip, count))) for first in taken]

    others = [_pool().submit(run, thread) for thread in range(1, threads)]
    found = [*run(0), *itertools.chain.from_iterable(other.result() for other in others)]
    return [given for _, given in sorted(found, key=itemgetter(0))]
