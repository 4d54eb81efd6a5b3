"""A program to start: the one-line form of its command, ``cmd:./mybot --flag 'two words'``, and its environment.

A program gets a short list of environment variables, so that it gets none of the operator's secrets: admin tokens and
database passwords are in the referee's environment. A list of forbidden variables would miss the next secret, so the
list names the allowed variables. The operator names further variables in ``PASS_ENV``.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from hinterland.errors import ArenaError, BadText, quote
from hinterland.host.processes.process_limits import ProcessLimits

COMMAND_PREFIX = "cmd:"
MAX_COMMAND_CHARACTERS = 4096
USUAL_LIMITS = ProcessLimits()
ELF_MAGIC = b"\x7fELF"
MACHINES = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
EMULATORS = Path("/proc/sys/fs/binfmt_misc")
PATH_VARIABLES = ("HOME", "LOGNAME", "PATH", "SHELL", "TMPDIR", "USER", "XDG_CACHE_HOME")
"""Variables that tell a program where to find other programs, the user's files and room for its own."""
LANGUAGE_VARIABLES = ("LANG", "LANGUAGE", "TZ")
RUNTIME_VARIABLES = (
    "CLASSPATH", "CONDA_PREFIX", "DOTNET_ROOT", "GOCACHE", "GOPATH", "GOROOT", "JAVA_HOME", "LD_LIBRARY_PATH",
    "NODE_PATH", "PYTHONPATH", "VIRTUAL_ENV",
)  # fmt: skip
"""Variables that tell the runtimes of programming languages where they and their libraries are."""
THREAD_VARIABLES = ("MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Variables that tell libraries how many processors to use; by default each library uses all."""
KEPT_VARIABLES = frozenset((*PATH_VARIABLES, *LANGUAGE_VARIABLES, *RUNTIME_VARIABLES, *THREAD_VARIABLES))
KEPT_PREFIXES = ("LC_", "NUMBA_")
"""Prefixes of further variables. ``LC_`` completes LANG; ``NUMBA_`` is for programs that use this package."""
PASS_ENV = "HINTERLAND_PASS_ENV"
"""The variable in which the operator lists further variables to pass on, separated by commas."""
VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ProgramOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How the programs of a match are started."""

    folder: str = "."
    """The folder from which relative paths in commands are read."""
    sandbox: bool = False
    """Whether programs run in a sandbox."""
    limits: ProcessLimits = USUAL_LIMITS
    """Limits of each program."""
    must_start: bool = True
    """Whether a program that does not start stops the match; if not, it forfeits its games."""


USUAL_START = ProgramOptions()


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A program to start, with its folder and its limits."""

    argv: tuple[str, ...]
    """The program and its arguments."""
    cwd: str = "."
    """The folder in which the program starts."""
    limits: ProcessLimits = USUAL_LIMITS
    sandbox: bool = False
    """Whether the program runs in a sandbox, without a network and with no files but its own."""

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        prefix: str = COMMAND_PREFIX,
        cwd: str = ".",
        limits: ProcessLimits = USUAL_LIMITS,
        sandbox: bool = False,
    ) -> Command:
        """Read ``cmd:PROGRAM ARGUMENT…``, quoted as in a shell; ``prefix`` stands for ``cmd:``. Raises BadText."""
        form = f"the form is {prefix}PROGRAM ARGUMENT…, quoted as in a shell"
        if not text.startswith(prefix):
            raise BadText(f"{quote(text)} does not start a program; {form}")
        line = text.removeprefix(prefix)
        if len(line) > MAX_COMMAND_CHARACTERS or not line.isprintable():
            raise BadText(
                f"{quote(text)} is longer than {MAX_COMMAND_CHARACTERS} characters or has control characters; {form}"
            )
        try:
            argv = tuple(shlex.split(line))
        except ValueError as error:
            raise BadText(f"{quote(text)} cannot be read ({str(error).lower()}); {form}") from None
        if not argv or not argv[0]:
            raise BadText(f"{quote(text)} names no program; {form}")
        return cls(argv=argv, cwd=cwd, limits=limits, sandbox=sandbox)

    @property
    def directory(self) -> Path:
        return Path(self.cwd).absolute()

    def program(self) -> Path:
        """Return the absolute path of the program. Raises ArenaError if the program cannot be started."""
        if not self.directory.is_dir():
            raise ArenaError(f"{quote(self.cwd)} is not a directory to start {quote(self.argv[0])} in")
        path = self._find_program()
        if path.is_dir():
            raise ArenaError(f"{_quote_path(path)} is a directory, not a program")
        if not os.access(path, os.X_OK):
            raise ArenaError(f"{_quote_path(path)} is not executable; make it so: chmod +x {shlex.quote(path.name)}")
        _check_form(path)
        return path

    def _find_program(self) -> Path:
        name = self.argv[0]
        if os.sep in name:
            path = self.directory / name
            try:
                path.stat()
            except (FileNotFoundError, NotADirectoryError):
                where = _quote_path(self.directory)
                raise ArenaError(f"no program {quote(name)} in {where}; the path must lead to a file") from None
            except OSError as error:
                raise ArenaError(f"{_quote_path(path)} cannot be started: {error.strerror}") from None
            return path
        found = shutil.which(name)
        if found is None:
            here = (
                f"; for the one in {_quote_path(self.directory)} write ./{name}"
                if (self.directory / name).exists()
                else ""
            )
            raise ArenaError(f"no program {quote(name)} on the PATH{here}")
        return Path(found).absolute()


def _quote_path(path: Path) -> str:
    return quote(str(path), 120)


def _check_form(path: Path) -> None:
    """Refuse a file that the kernel would not start: a shell would read it as a script and complain strangely."""
    try:
        with path.open("rb") as file:
            head = file.read(256)
    except OSError:
        return  # not readable: only the kernel can tell whether it starts
    if head.startswith(b"#!"):
        _check_interpreter(path, head[2:].split(b"\n")[0])
    elif head.startswith(ELF_MAGIC):
        _check_machine(path, head)
    elif platform.system() == "Linux" and not _has_emulators():
        raise ArenaError(
            f"{_quote_path(path)} is neither a Linux program nor a script whose first line is #!INTERPRETER"
        )


def _check_interpreter(path: Path, line: bytes) -> None:
    if line.endswith(b"\r"):
        raise ArenaError(f"{_quote_path(path)} has line ends of Windows (CR LF), which its #! line must not have")
    interpreter = os.fsdecode(line.split()[0]) if line.split() else ""
    if not os.access(interpreter, os.X_OK):
        raise ArenaError(f"the first line of {_quote_path(path)} asks for {quote(interpreter)}, which cannot be run")


def _check_machine(path: Path, head: bytes) -> None:
    wants = MACHINES.get(int.from_bytes(head[18:20], "little" if head[5:6] == b"\x01" else "big"), "another machine")
    here = platform.machine()
    if here not in MACHINES.values() or wants == here or (wants, here) == ("i386", "x86_64") or _has_emulators():
        return
    raise ArenaError(f"{_quote_path(path)} is a program for {wants}, this machine is {here}; compile it here")


def _has_emulators() -> bool:
    """Say whether the kernel can run programs of other formats or machines, by emulators."""
    try:
        return any(entry.name not in ("register", "status") for entry in EMULATORS.iterdir())
    except OSError:
        return False


def make_program_environment(own: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables of a program outside the sandbox. Raises ArenaError if ``PASS_ENV`` is invalid."""
    kept = {name: value for name, value in own.items() if name in KEPT_VARIABLES or name.startswith(KEPT_PREFIXES)}
    return kept | read_passed_variables(own)


def read_passed_variables(own: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables that the operator passes on by name. Raises ArenaError if one of these is not set."""
    passed = {}
    for name in filter(None, map(str.strip, own.get(PASS_ENV, "").split(","))):
        if not VARIABLE_NAME.fullmatch(name) or name not in own:
            raise ArenaError(f"{PASS_ENV} names {quote(name)}, which is not set here; set it, or leave it out")
        passed[name] = own[name]
    return passed
