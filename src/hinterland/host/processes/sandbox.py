"""A program in a bubblewrap sandbox: no network, a read-only system, its own directory, and nobody else's files.

Inside there are /usr and its links, a handful of files of /etc, the program's directory (read-only), a private /tmp of
bounded size, a new /proc in which it sees only itself and a bubblewrap that was started with a bare environment and
options that are not on its command line, and no capability. A filter of system calls keeps it from namespaces of its
own, other processes and memory that nobody counts (``system_calls``). The sandbox is a process namespace: when its
first process is killed, or the referee dies, the kernel ends every process in it, whatever it did.

Where the referee is root its programs are not: each is a user whom nobody else is, since the files of /proc and the
kernel's limits heed root's number even in a namespace of users. Others' programs keep the number of who started them.

The program's directory is that of the first word of its command line that is a file outside the system, or that word
itself where it is a folder (``java -cp bots/mine Bot``); two programs that lie in one directory can read each other.
"""

from __future__ import annotations

import asyncio
import functools
import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hinterland.errors import ArenaError, shown
from hinterland.host.processes.command import Command
from hinterland.host.processes.memory_usage import MIB
from hinterland.host.processes.system_calls import seccomp_filter

if TYPE_CHECKING:
    from collections.abc import Sequence

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
SETTINGS = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "ssl/certs")
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
PROBE_S = 5.0
SETUID = ("SETUID", "SETGID", "SETPCAP")
FIRST_USER, USERS = 1_900_000_000, 100_000_000
"""Numbers that belong to no user of any system, of which each program of root's gets one."""


class Isolation(NamedTuple):
    """One way of keeping a program apart."""

    options: tuple[str, ...]
    """Of bubblewrap."""
    is_other_user: bool = False
    """Whether the program runs as a user of its own, which only root can bring about."""

    def of_user(self, user: int | None) -> tuple[str, ...]:
        """Return the words before a command that make it that of a user; none for None."""
        if user is None:
            return ()
        nothing = ("--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all")
        return ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *nothing, "--")

    def user(self) -> int | None:
        """Draw a user for a program; None where it has that of the referee."""
        return FIRST_USER + secrets.randbelow(USERS) if self.is_other_user else None


NAMESPACES = ("ipc", "pid", "net", "uts", "cgroup-try")
APART = (*(f"--unshare-{name}" for name in NAMESPACES), "--cap-drop", "ALL")
AS_ANOTHER = Isolation((*APART, *(word for name in SETUID for word in ("--cap-add", f"CAP_{name}"))), True)
AS_ITSELF = Isolation((*APART, "--unshare-user", "--uid", "1000", "--gid", "1000"))
NO_NAMESPACES = Isolation((*AS_ITSELF.options, "--disable-userns"))
"""Since bubblewrap 0.8, and where /proc/sys can be written."""


def bubblewrap() -> str:
    """Return the path of bubblewrap. Raises ArenaError where it is missing."""
    found = shutil.which("bwrap") if sys.platform == "linux" else None
    if found is None:
        raise ArenaError(
            "--sandbox needs bubblewrap (bwrap), which was not found; "
            "install it (Debian: apt install bubblewrap) or leave --sandbox out"
        )
    return found


async def check() -> None:
    """Try the sandbox once, the first time it is asked for. Raises ArenaError where it does not work."""
    if complaint := (await asyncio.to_thread(_tried, bubblewrap()))[1]:
        raise ArenaError(
            f"--sandbox needs bubblewrap 0.7 or later and the right to make namespaces, but bwrap said "
            f"{shown(complaint, 160)}; allow it, or leave --sandbox out"
        )


@functools.cache
def _tried(bwrap: str) -> tuple[Isolation, str]:
    """Return the strictest isolation that works, and what bubblewrap says against any; empty where one works."""
    as_another = [AS_ANOTHER] if os.geteuid() == 0 else []
    for isolation in (*as_another, NO_NAMESPACES, AS_ITSELF):
        complaint = _complaint(bwrap, isolation)
        if not complaint:
            break
    return isolation, complaint


def _complaint(bwrap: str, isolation: Isolation) -> str:
    """Return what bubblewrap says against a sandbox of this kind; empty where it works."""
    options = (*isolation.options, *_room(MIB), "--as-pid-1", "--remount-ro", "/")  # as the first: no orphan
    try:
        with Confined.within(bwrap, options, (*isolation.of_user(isolation.user()), "true")) as confined:
            tried = subprocess.run(
                confined.argv, capture_output=True, timeout=PROBE_S, stdin=subprocess.DEVNULL, check=False,
                env=ENVIRONMENT, pass_fds=confined.descriptors,
            )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    words = tried.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if tried.returncode == 0 else (words[-1] if words else f"exit status {tried.returncode}")


class Confined(NamedTuple):
    """A command line that makes a sandbox, and the descriptors from which bubblewrap reads what it is to be like.

    They are to be handed on to the process, and closed after it has been started: leave the context.
    """

    argv: tuple[str, ...]
    descriptors: tuple[int, ...] = ()
    user: int | None = None
    """To whom the program's pipes are to be given; None where it has the referee's own user."""

    @classmethod
    def within(cls, bwrap: str, options: Sequence[str], argv: Sequence[str]) -> Confined:
        """Return the command line for a sandbox with options; on that line are only those of what runs in it."""
        told = [_readable(b"".join(os.fsencode(option) + b"\0" for option in options))]
        words = ["--args", str(told[0])]
        if (calls := seccomp_filter()) is not None:
            told.append(_readable(calls))
            words += ["--seccomp", str(told[1])]
        return cls((bwrap, *words, "--", *argv), tuple(told))

    def __enter__(self) -> Confined:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)


def _readable(data: bytes) -> int:
    """Return a descriptor from which some bytes can be read once."""
    descriptor = os.memfd_create("sandbox")
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def sandboxed(command: Command, program: Path, argv: tuple[str, ...]) -> Confined:
    """Return what runs ``argv`` in a sandbox made for the program of a command.

    Raises ArenaError where the program's user may not look into its directory.
    """
    start, bwrap = str(command.directory), bubblewrap()
    isolation = _tried(bwrap)[0]
    own, user = own_directory(command, program), isolation.user()
    if user is not None and own is not None and own.stat().st_mode & 0o005 != 0o005:
        words = "in the sandbox programs of root run as a user of their own, who may not look into"
        raise ArenaError(f"{words} {shown(str(own), 120)}; make it so: chmod o+rx, with the files in it")
    room = [*isolation.options, *_room(command.limits.file_mib * MIB), "--dir", start]
    for path in (own, *_interpreter(program)):
        if path is not None:
            room += ["--dir", str(path.parent), "--ro-bind", str(path), str(path)]  # else root alone could go there
    options = (*room, "--remount-ro", "/", "--chdir", start)
    return Confined.within(bwrap, options, (*isolation.of_user(user), *argv))._replace(user=user)


def own_directory(command: Command, program: Path) -> Path | None:
    """Return the directory that a program sees as its own; None for one that belongs to the system."""
    words = (str(program), *filter(None, command.argv[1:]))
    for path in (command.directory / word for word in words):
        own = path if path.is_dir() else path.parent
        is_above = own.resolve() in command.directory.resolve().parents
        if path.exists() and not _is_system(path) and not _prefixes(path) and not (path.is_dir() and is_above):
            return own
    return None


def _room(tmp_bytes: int) -> list[str]:
    """Return the options that make the room in which any program runs."""
    options = ["--die-with-parent", "--new-session", "--clearenv"]
    for name, value in ENVIRONMENT.items():
        options += ["--setenv", name, value]
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            options += ["--ro-bind", str(path), str(path)]
    options += ["--dir", "/etc", "--dir", "/etc/ssl"]  # else root alone could go there
    for path in (*(Path("/etc") / name for name in SETTINGS), *sorted(Path("/etc").glob("java*"))):
        options += ["--ro-bind-try", str(path), str(path)]
    options += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"]
    options += ["--dev", "/dev", "--dev-bind", "/dev/null", "/dev/zero"]  # mapped it is memory without a file
    size = ["--perms", "1777", "--size", str(tmp_bytes), "--tmpfs"]
    return [*options, *size, "/dev/shm", "--remount-ro", "/dev", *size, "/tmp"]


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(top) for top in SYSTEM)


def _prefixes(path: Path) -> set[Path]:
    """Return the folders of the Python installations that an interpreter outside the system belongs to."""
    if not path.name.startswith("python"):
        return set()
    steps, here = [path], path
    while here.is_symlink() and len(steps) < 8:
        here = here.parent / here.readlink()
        steps.append(here)
    homes = {step.parent.parent.resolve() for step in steps if step.parent.name == "bin" and not _is_system(step)}
    return homes | {path.parent.parent for home in homes if (home / "pyvenv.cfg").exists()}


def _interpreter(program: Path) -> list[Path]:
    """Return what of a Python installation outside the system its programs must see."""
    parts = (home / part for home in sorted(_prefixes(program)) for part in ("bin", "lib", "pyvenv.cfg"))
    return [path for path in parts if path.exists()]
