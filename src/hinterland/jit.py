"""How this package compiles kernels with numba, caches them, and runs them side by side on threads.

``kernel`` compiles lazily, releases the interpreter lock, divides as C does, and never relaxes floating-point rules:
scores must not depend on the order in which a compiler adds. Compiled code is cached in a folder named by a hash of
every source file that may hold a kernel, because numba itself does not notice when a callee in another file has
changed. Where no such folder can be written, kernels are compiled anew in each process.

A kernel borrows its arrays from its caller, and counts no references to them. numba would otherwise count, with an
atomic instruction, each time that an array is taken out of a tuple; this took two thirds of the time of kernels that
are made of many small ones. Only a kernel that makes or returns arrays counts references, and says so:
``allocates=True``.
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
from contextlib import contextmanager, suppress
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ParamSpec, Self, TypeVar, overload

import llvmlite
import numba
from llvmlite import binding
from numba.core import config as numba_config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.types import int8, int16, int32, int64, unliteral
from numba.np import linalg

from hinterland.errors import ArenaError
from hinterland.user_folders import user_folder

config: Any = numba_config
P = ParamSpec("P")
T = TypeVar("T")

SCALARS = re.compile(r"(tuple\[)?((int|float|bool|None|np\.u?int\d+|np\.float\d+)(, )?)+\]?")
"""Matches the return annotations of functions that return no array."""

DECORATED = re.compile(rb"^@(kernel|inlined|part)\b", re.MULTILINE)
"""Matches sources that hold kernels."""
JIT_ON = not config.DISABLE_JIT
PACKAGE = Path(__file__).parent
SHIPPED = PACKAGE / "_kernels"
"""Folder of the compiled kernels in a wheel that is built for one platform. The folders in it are named as in a user's
cache."""

OWN_PROCESSOR = "own"
"""Word in the processor file (see ``_processor_file``) that means: compile for this very processor, although the
package brings kernels for older ones."""
X86_LEVEL, X86_FEATURES = "x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
"""The generation of x86 processors from 2013 (Intel) and 2015 (AMD) on, and the features that earlier processors
lack."""


def _cache_root() -> Path:
    """Return this user's folder for compiled kernels. Raises ArenaError if the user has no such folder."""
    if folder := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(folder)
    if sys.platform == "win32":
        return user_folder("LOCALAPPDATA") / "hinterland"
    return user_folder("XDG_CACHE_HOME", ".cache") / "hinterland"


def _processor_file() -> Path:
    """Return the processor file, which names the processor to compile for, if the user has chosen one."""
    return _cache_root() / "processor"


def generic_processor() -> str:
    """Return the compiler's name for the oldest supported processors of this machine's kind."""
    return X86_LEVEL if platform.machine() in {"x86_64", "AMD64"} else "generic"


def choose_processor(*, generic: bool) -> None:
    """Choose, for this and all later processes, to compile for any processor of this kind, or for this one alone.

    Call it before anything is compiled. Raises OSError if the choice cannot be written to the processor file.
    """
    file = _processor_file()
    file.unlink(missing_ok=True)
    if "NUMBA_CPU_NAME" not in os.environ:
        config.CPU_NAME = config.CPU_FEATURES = None  # undoes an earlier call
    if generic or SHIPPED.is_dir():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(generic_processor() if generic else OWN_PROCESSOR, encoding="ascii")
        _read_processor_file()
    shipped_folder.cache_clear()


def _read_processor_file() -> None:
    """Compile for the processor that the processor file names, unless this machine lacks its features."""
    if config.CPU_NAME is not None:  # NUMBA_CPU_NAME
        return
    with suppress(OSError, ArenaError):
        if _chosen_processor() == generic_processor() and _is_supported():
            config.CPU_NAME, config.CPU_FEATURES = generic_processor(), ""


def _chosen_processor() -> str:
    """Return what the processor file says. Raises OSError if there is no such file."""
    return _processor_file().read_bytes().decode("ascii", "replace")


def _is_supported() -> bool:
    """Say whether this machine can run code that is compiled for ``generic_processor()``."""
    here = binding.get_host_cpu_features()
    return generic_processor() != X86_LEVEL or all(here.get(feature) for feature in X86_FEATURES)


_read_processor_file()


def _fingerprint() -> str:
    """Hash everything that compiled code depends on: kernels, tuple types, compiler, processor, bounds checks."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    sources = {file: file.read_bytes() for file in sorted(PACKAGE.rglob("*.py"))}
    rooms = {_room(file) for file, source in sources.items() if DECORATED.search(source)}
    for file, source in sources.items():
        if _room(file) in rooms and (b"hinterland.jit" in source or b"NamedTuple" in source):
            digest.update(source)
    versions = numba.__version__, llvmlite.__version__, sys.implementation.name, sys.version_info[:2]
    surroundings = (*versions, sys.platform, platform.machine(), config.BOUNDSCHECK, config.CPU_NAME)
    digest.update(repr(surroundings).encode())
    return digest.hexdigest()[:16]


def _room(file: Path) -> str:
    """Return the first part of a path below the package: the name of a folder, or of a file that is in no folder."""
    return file.relative_to(PACKAGE).parts[0]


@cache
def shipped_folder() -> Path | None:
    """Return the folder of the kernels that the package brings, if this machine can use them.

    In that case this process compiles for the same processors from then on.
    """
    name = config.CPU_NAME
    with suppress(OSError, ArenaError):
        if _chosen_processor() == OWN_PROCESSOR:
            return None
    if not SHIPPED.is_dir() or name not in {None, generic_processor()} or not _is_supported():
        return None
    before = config.CPU_FEATURES
    config.CPU_NAME, config.CPU_FEATURES = generic_processor(), ""
    folder = SHIPPED / f"kernels-{_fingerprint()}"
    if not folder.is_dir():  # other versions
        config.CPU_NAME, config.CPU_FEATURES = name, before
        return None
    return folder


shipped_folder()  # before anything is compiled


def is_in_cache(name: str) -> bool:
    """Say whether the file ``name`` is in this user's folder of compiled kernels or in that of the package."""
    return any(folder is not None and (folder / name).exists() for folder in (shipped_folder(), cache_folder()))


def cache_folder() -> Path | None:
    """Return this user's folder of compiled kernels, or None if it cannot be written."""
    found = _find_cache_folder()
    return found if isinstance(found, Path) else None


def explain_missing_cache() -> str:
    """Return a line that says why compiled kernels cannot be kept, or an empty text if they can."""
    found = _find_cache_folder() if JIT_ON else Path()
    if isinstance(found, Path) or shipped_folder() is not None:
        return ""
    return f"compiled code cannot be kept for next time, when all is compiled again: {found}"


@cache
def _find_cache_folder() -> Path | str:
    """Return this user's folder of compiled kernels, or the reason why it cannot be written."""
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
    """Keeps compiled code in the folder of its fingerprint, wherever the package lies and however old its files are.

    So if two checkouts or two environments have the same kernels, these are compiled only once.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._path, self._line = str(folder / function.__module__), function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return self._path

    def get_source_stamp(self) -> str:
        return ""  # the folder's name holds the hash of the sources

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Self | None:  # noqa: ARG003
        folder = cache_folder() or shipped_folder()
        return None if folder is None else cls(py_func, folder)


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _KernelCache(FunctionCache):
    """Loads compiled code alone; numba's own class first fills all tables of the compiler, which takes longer."""

    _impl_class = _KernelCacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._shipped: Any = None
        if (shipped := shipped_folder()) is not None:
            path = str(shipped / function.__module__)
            self._shipped = IndexDataCacheFile(path, self._impl.filename_base, "")  # type: ignore[no-untyped-call]

    def load_overload(self, signature: object, target: object) -> object:
        if not hasattr(self, "_load_overload"):  # a version of numba for which this class was not written
            return super().load_overload(signature, target)  # type: ignore[no-untyped-call]
        with _no_linear_algebra(), self._guard_against_spurious_io_errors():
            rtsys.initialize(target)
            return self._load_shipped(signature, target) or self._load_overload(signature, target)  # type: ignore[no-untyped-call]

    def _load_shipped(self, signature: object, target: Any) -> object:
        if self._shipped is None:
            return None
        data = self._shipped.load(self._index_key(signature, target.codegen()))  # type: ignore[no-untyped-call]
        return None if data is None else self._impl.rebuild(target, data)

    def save_overload(self, signature: object, data: object) -> None:
        if cache_folder() is not None:  # the kernels that the package brings are never changed
            super().save_overload(signature, data)  # type: ignore[no-untyped-call]


@contextmanager
def _no_linear_algebra() -> Iterator[None]:
    """Keep numba from looking for SciPy's linear algebra, which takes as long as loading all kernels of a game."""
    found = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        yield
    finally:
        linalg.ensure_blas = found


@overload
def kernel(function: Callable[P, T], *, allocates: bool = False) -> Callable[P, T]: ...
@overload
def kernel(*, allocates: bool) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
def kernel(function: Callable[P, T] | None = None, *, allocates: bool = False) -> Any:
    """Compile a function of arrays and numbers to machine code on its first call.

    ``allocates``: whether the function makes or returns arrays; see the head of this file. Raises TypeError for a
    function that returns arrays but lacks ``allocates``. Only kernels of this package are cached for the next process,
    because the fingerprint covers no other sources.
    """
    if function is None:
        return partial(kernel, allocates=allocates)
    returned = function.__annotations__.get("return", "it is not said what")
    returned = returned if isinstance(returned, str) else inspect.formatannotation(returned)
    if not (allocates or SCALARS.fullmatch(returned)):
        raise TypeError(f"the kernel {function.__qualname__} returns {returned}: that needs allocates=True")
    compile_it: Any = numba.njit  # the type of njit does not declare these options
    compiled = compile_it(no_cfunc_wrapper=True, pipeline_class=_Compiler, **_options(allocates))(function)
    if not JIT_ON:
        return compiled
    compiled.__class__ = _Kernel
    if function.__module__.startswith("hinterland.") and (cache_folder() or shipped_folder()):
        compiled._cache = _KernelCache(function)
    return compiled


@overload
def inlined(function: Callable[P, T], *, allocates: bool = False) -> Callable[P, T]: ...
@overload
def inlined(*, allocates: bool) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
def inlined(function: Callable[P, T] | None = None, *, allocates: bool = False) -> Any:
    """Compile a helper of kernels, as ``kernel`` does; its code is inserted at each place that calls it.

    When the optimiser chose which helpers to insert, some kernels took 1.5 times as long. A
    large function that is called from many places should be a kernel, which stays a function. If a helper that
    allocates nothing returns parts of its arguments, only helpers and kernels that allocate nothing may call it.
    """
    return partial(inlined, allocates=allocates) if function is None else _helper(function, allocates, inline=True)


@overload
def part(function: Callable[P, T], *, allocates: bool = False) -> Callable[P, T]: ...
@overload
def part(*, allocates: bool) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
def part(function: Callable[P, T] | None = None, *, allocates: bool = False) -> Any:
    """Compile a large helper that only kernels call; within each kernel it stays a function."""
    return partial(part, allocates=allocates) if function is None else _helper(function, allocates, inline=False)


def _options(allocates: bool) -> dict[str, object]:
    return {"nogil": True, "error_model": "numpy", "_nrt": allocates}  # counts references


def _helper(function: Callable[P, T], allocates: bool, *, inline: bool) -> Any:
    compile_it: Any = numba.njit
    if not JIT_ON:
        return function
    options = _options(allocates) | {"forceinline": inline}
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    helper = compile_it(**wrappers, pipeline_class=_HelperCompiler, **options)(function)
    helper.__class__ = _Helper
    helper.on_its_own = compile_it(pipeline_class=_Compiler, **options)(function)
    return helper


class _Kernel(CPUDispatcher):
    """A kernel that is compiled once for all whole numbers: other kernels pass narrower ones and literals as int64."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(list(map(_in_full_width, args)), kws)


def _in_full_width(kind: Any) -> Any:
    kind = unliteral(kind)  # type: ignore[no-untyped-call]
    return int64 if kind in (int8, int16, int32) else kind


class _Flags(Flags):
    """The compiler's options for one function.

    numba compiles its own functions, such as ``max``, anew for each set of options of their callers. So the copy, which
    numba compares, leaves out the options in which only kernels, helpers and parts differ.
    """

    __slots__ = ()

    def copy(self) -> Flags:
        """Return the options that matter for numba's own functions."""
        shared = Flags(self)  # type: ignore[no-untyped-call]
        for name in ("forceinline", "no_cpython_wrapper", "no_cfunc_wrapper"):
            shared.discard(name)  # type: ignore[no-untyped-call]
        return shared


class _Compiler(Compiler):
    """Compiles a function of this package."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)  # type: ignore[no-untyped-call]
        self.state.flags = _Flags(self.state.flags)  # type: ignore[no-untyped-call]


class _HelperLibrary(JITCodeLibrary):
    """Holds the code of a helper for the kernels that include it, neither optimised nor compiled to machine code.

    Without this class, numba would optimise and compile each helper, with all helpers in it, and do so again in each
    kernel.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._verify_declare_only_symbols()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
        return 0  # only kernels that include the helper call it

    @property
    def codegen(self) -> Any:
        """A stand-in for the code generator, in which numba would store the environment of machine code."""
        return _NO_MACHINE_CODE


_NO_MACHINE_CODE = SimpleNamespace(set_env=lambda *_: None)


class _HelperCompiler(_Compiler):
    """Compiles each helper into a ``_HelperLibrary``."""

    def define_pipelines(self) -> Any:
        state = self.state
        state.library = _HelperLibrary(state.targetctx.codegen(), state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        return super().define_pipelines()  # type: ignore[no-untyped-call]


class _Helper(CPUDispatcher):
    """Compiles a function for the kernels that include it, without the code by which Python calls it.

    The code for calls from Python unpacks arrays and tuples, and would make compiling a fifth longer. When Python calls
    the function, as tests do, the function is compiled once more, with this code.
    """

    on_its_own: Any

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile one form for all numbers of a type; numba itself compiles another form for each literal."""
        return super().get_call_template([unliteral(one) for one in args], kws)  # type: ignore[no-untyped-call]

    def add_overload(self, compiled: Any) -> None:
        self.overloads[tuple(compiled.signature.args)] = compiled

    def _compile_for_args(self, *_: object, **__: object) -> object:
        return self.on_its_own


@cache
def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=cores(), thread_name_prefix="kernel")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # its threads are not copied


def _take_all(take: Callable[[], int]) -> Iterator[int]:
    """Yield what ``take`` returns, until it raises IndexError; other threads take items from the same store."""
    with suppress(IndexError):
        while True:
            yield take()


def in_strips(work: Callable[[int, int, int], T], count: int, strip: int, threads: int) -> list[T]:
    """Divide 0 … count - 1 into strips, run ``work(thread, first, end)`` on each, and return the results in order.

    Kernels release the interpreter lock, so the threads use several cores. A thread that is free takes the next strip:
    a thread with an even number from the beginning, one with an odd number from the end. The caller's thread is number
    0. Unlike numba's own parallel loops, this function may be called from several threads at once.
    """
    strips = deque(range(0, count, strip))

    def run(thread: int) -> list[tuple[int, T]]:
        firsts = _take_all(strips.pop if thread % 2 else strips.popleft)
        return [(first, work(thread, first, min(first + strip, count))) for first in firsts]

    others = [_pool().submit(run, thread) for thread in range(1, threads)]
    found = [*run(0), *itertools.chain.from_iterable(other.result() for other in others)]
    return [result for _, result in sorted(found, key=itemgetter(0))]
