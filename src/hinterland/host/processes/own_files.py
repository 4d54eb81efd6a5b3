"""Chooses the files of the host that a sandboxed program sees: its own folder, and a Python outside the system.

The first word of the command line that names a file or folder outside the system decides: a program's own folder is the
folder of this file, or this folder itself (``java -cp bots/mine Bot``). Two programs in one folder can read each
other's files.

Whoever submits a program may have put links into its folder. A link on the way to a visible file must therefore stay in
the folder in which it lies: a link that leads out could show any of the operator's files. Links that root has made are
trusted if the referee is an ordinary user, since home folders can be links. A link to a Python interpreter is an
exception, since every virtual environment has one: it may lead to another folder if Python is installed there. Paths
are resolved once, and the files found are noted. Inside the sandbox the noted files are compared with the mounted
files, so that nobody can exchange a file in between.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from hinterland.errors import ArenaError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.host.processes.command import Command

SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
PYTHON_PARTS = ("bin", "lib", "pyvenv.cfg")
"""Parts of a Python installation that a program sees."""
EXCHANGED_STATUS = 126  # exit status of a sandbox that shows other files than were checked
MAX_LINKS = 8  # links between an interpreter's name and its file


class SeenFile(NamedTuple):
    """A file or folder of the host that the sandbox shows."""

    place: Path
    """The path at which the program sees the file."""
    real: Path
    """The file's path without links."""
    identity: str
    """Numbers of the file's device and inode."""


def find_own_directory(command: Command, program: Path) -> Path | None:
    """Return the folder that a program sees as its own; None if its command names nothing outside the system."""
    words = (str(program), *filter(None, command.argv[1:]))
    for path in (command.directory / word for word in words):
        own = path if path.is_dir() else path.parent
        is_above = own.resolve() in command.directory.resolve().parents
        if is_part_of_program(path) and not (path.is_dir() and is_above):
            return own
    return None


def is_part_of_program(path: Path) -> bool:
    """Say whether a path on a program's command line is a file or folder of the program: outside system and Python."""
    return path.exists() and not _is_system(path) and not _find_python_homes(path)


def start_at_home(command: Command, program: Path) -> Command:
    """Return a command that starts in its program's own folder, where the program finds the files beside it.

    Words that name files relative to the old folder are made absolute.
    """
    own, given = find_own_directory(command, program), command.directory
    if own is None or own.resolve() == given.resolve():
        return command
    argv = (command.argv[0], *(_absolute_word(word, given) for word in command.argv[1:]))
    if os.sep in command.argv[0]:
        argv = (str(program), *argv[1:])
    return msgspec.structs.replace(command, argv=argv, cwd=str(own))


def _absolute_word(word: str, given: Path) -> str:
    """Make the paths in a word absolute: ``bot.py``, ``lib/x.jar:classes``, ``--book=data/book.txt``."""
    option, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
    parts = (str(given / part) if _is_file_name(part, given) else part for part in value.split(os.pathsep))
    return f"{option}{equals}{os.pathsep.join(parts)}"


def _is_file_name(part: str, given: Path) -> bool:
    """Say whether a part of a word names a file or folder.

    A bare word may be an option's value that is also the name of a file, so it does not count.
    """
    path = given / part
    return bool(part) and path.exists() and (os.sep in part or bool(Path(part).suffix) or path.is_dir())


def list_visible_files(own: Path | None, program: Path) -> list[SeenFile]:
    """Return the host's files that a program sees.

    Raises ArenaError if a link on the way to one of them leads out of the folder in which the link lies.
    """
    return [_make_seen_file(path) for path in (*([] if own is None else [own]), *_list_python_files(program))]


def make_mount_check(seen: Sequence[SeenFile]) -> str:
    """Return shell commands that end a sandbox if it shows other files than those that were checked."""
    if not seen:
        return ""
    places = " ".join(shlex.quote(str(one.place)) for one in seen)
    found = " ".join(one.identity for one in seen)
    return f'[ "$(echo $(stat -L -c %d:%i {places}))" = "{found}" ] || exit {EXCHANGED_STATUS};'


def resolve_inside(path: Path) -> Path:
    """Return an absolute path without links. Raises ArenaError if a link leads out of the folder in which it lies."""
    real = Path(path.anchor)
    for part in path.parts[1:]:
        here = real.parent if part == ".." else real / part
        target = Path(os.path.realpath(here))
        leaves = here.is_symlink() and not target.is_relative_to(real)
        if leaves and (os.geteuid() == 0 or here.lstat().st_uid != 0):  # root's links are trusted
            words = "leads out of its folder, so a sandbox would show other files; put the files themselves there"
            raise ArenaError(f"the link {quote(str(here), 120)} {words}, or name {quote(str(target), 120)}")
        real = target
    return real


def _make_seen_file(path: Path) -> SeenFile:
    real = resolve_inside(path)
    try:
        found = os.lstat(real)
    except OSError as error:
        raise ArenaError(f"{quote(str(path), 120)} cannot be shown in a sandbox: {error.strerror}") from None
    return SeenFile(path, real, f"{found.st_dev}:{found.st_ino}")


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(top) for top in SYSTEM_FOLDERS)


def _find_python_homes(path: Path) -> set[Path]:
    """Return the folders of the Python to which an interpreter belongs; none if this Python is part of the system."""
    if not path.name.startswith("python"):
        return set()
    steps, here = [path], path
    while here.is_symlink() and len(steps) < MAX_LINKS:
        here = here.parent / here.readlink()
        steps.append(here)
    homes = {step.parent.parent.resolve() for step in steps if step.parent.name == "bin" and not _is_system(step)}
    return homes | {path.parent.parent for home in homes if (home / "pyvenv.cfg").exists()}


def _list_python_files(program: Path) -> list[Path]:
    """Return the paths that programs need to see of the Python whose interpreter is ``program``. Raises ArenaError.

    There are none if ``program`` is no Python interpreter, or if this Python is part of the system.
    """
    homes = _find_python_homes(program)
    if not homes:
        return []
    named = resolve_inside(program.parent).parent
    for home in homes:
        if home.resolve() != named and not any(home.glob("lib/python3*/os.py")):
            leads = f"the interpreter {quote(str(program), 120)} leads by a link to {quote(str(home), 120)}"
            raise ArenaError(f"{leads}, where no Python is installed")
    return [path for home in sorted(homes) for path in (home / part for part in PYTHON_PARTS) if os.path.lexists(path)]
