"""A program in a bubblewrap sandbox: no network, a read-only system, its own directory, and nobody else's files.

Inside there are /usr and its links, a handful of files of /etc, the program's directory (read-only), a private /tmp of
bounded size, a new /proc in which it sees only itself and a bubblewrap that was started with a bare environment and
options that are not on its command line, and no capability. A filter of system calls keeps it from namespaces of its
own, other processes, memory that nobody counts and what tells of others by the files that all share
(``system_calls``). There is no terminal: all sandboxes would draw them from one number. /proc is read-only, so that no
process takes off the mark by which the kernel ends it first (``process_limits``). The sandbox is a process namespace:
when its first process is killed, or the referee dies, the kernel ends every process in it, whatever it did.

Where the referee is root its programs are not: each is a user whom nobody else is, since the files of /proc and the
kernel's limits heed root's number even in a namespace of users. Others' programs keep the number of who started them.

What a program sees of the host's files is said in ``own_files``.
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

from hinterland.errors import ArenaError, quote
from hinterland.host.processes import own_files
from hinterland.host.processes.command import Command
from hinterland.host.processes.environment import read_passed_variables
from hinterland.host.processes.memory_usage import MIB
from hinterland.host.processes.own_files import SYSTEM_FOLDERS
from hinterland.host.processes.process_limits import wrap_in_shell
from hinterland.host.processes.system_calls import make_seccomp_filter

if TYPE_CHECKING:
    from collections.abc import Sequence

SHOWN_IN_ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mono", "ssl/certs")
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}
PROBE_S = 5.0
SETUID_CAPABILITIES = ("SETUID", "SETGID", "SETPCAP")
FIRST_USER_ID, USER_IDS = 1_900_000_000, 100_000_000
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
        return FIRST_USER_ID + secrets.randbelow(USER_IDS) if self.is_other_user else None


NAMESPACES = ("ipc", "pid", "net", "uts", "cgroup-try")
ISOLATION_OPTIONS = (*(f"--unshare-{name}" for name in NAMESPACES), "--cap-drop", "ALL")
AS_ANOTHER = Isolation(
    (*ISOLATION_OPTIONS, *(word for name in SETUID_CAPABILITIES for word in ("--cap-add", f"CAP_{name}"))), True
)
AS_ITSELF = Isolation((*ISOLATION_OPTIONS, "--unshare-user", "--uid", "1000", "--gid", "1000"))
NO_NAMESPACES = Isolation((*AS_ITSELF.options, "--disable-userns"))
"""Since bubblewrap 0.8, and where /proc/sys can be written."""


def find_bubblewrap() -> str:
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
    if complaint := (await asyncio.to_thread(_try_isolations, find_bubblewrap()))[1]:
        raise ArenaError(
            f"--sandbox needs bubblewrap 0.7 or later and the right to make namespaces, but bwrap said "
            f"{quote(complaint, 160)}; allow it, or leave --sandbox out"
        )


@functools.cache
def _try_isolations(bwrap: str) -> tuple[Isolation, str]:
    """Return the strictest isolation that works, and what bubblewrap says against any; empty where one works."""
    as_another = [AS_ANOTHER] if os.geteuid() == 0 else []
    for isolation in (*as_another, NO_NAMESPACES, AS_ITSELF):
        complaint = _try_isolation(bwrap, isolation)
        if not complaint:
            break
    return isolation, complaint


def _try_isolation(bwrap: str, isolation: Isolation) -> str:
    """Return what bubblewrap says against a sandbox of this kind; empty where it works."""
    options = (
        *isolation.options,
        *_make_room_options(MIB),
        "--as-pid-1",
        "--remount-ro",
        "/",
    )  # as the first: no orphan
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
        told = [_make_readable(b"".join(os.fsencode(option) + b"\0" for option in options))]
        words = ["--args", str(told[0])]
        if (calls := make_seccomp_filter()) is not None:
            told.append(_make_readable(calls))
            words += ["--seccomp", str(told[1])]
        return cls((bwrap, *words, "--", *argv), tuple(told))

    def __enter__(self) -> Confined:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)


def _make_readable(data: bytes) -> int:
    """Return a descriptor from which some bytes can be read once."""
    descriptor = os.memfd_create("sandbox")
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def confine(command: Command, program: Path, commands: str, argv: tuple[str, ...]) -> Confined:
    """Return what runs the shell's commands and then ``argv`` in a sandbox made for the program of a command.

    Raises ArenaError where the program's user may not look into its directory, or a link leads out of it.
    """
    start, bwrap = str(command.directory), find_bubblewrap()
    isolation = _try_isolations(bwrap)[0]
    own, user = own_files.find_own_directory(command, program), isolation.user()
    if user is not None and own is not None and own.stat().st_mode & 0o005 != 0o005:
        words = "in the sandbox programs of root run as a user of their own, who may not look into"
        raise ArenaError(f"{words} {quote(str(own), 120)}; make it so: chmod o+rx, with the files in it")
    seen = own_files.list_visible_files(own, program)
    room = [*isolation.options, *_make_room_options(command.limits.file_mib * MIB), "--dir", start]
    for one in seen:
        room += ["--dir", str(one.place.parent), "--ro-bind", str(one.real), str(one.place)]  # else root alone could go
    options = (*room, "--remount-ro", "/", "--chdir", start)
    inner = wrap_in_shell(own_files.make_mount_check(seen) + commands, argv)
    return Confined.within(bwrap, options, (*isolation.of_user(user), *inner))._replace(user=user)


def _make_room_options(tmp_bytes: int) -> list[str]:
    """Return the options that make the room in which any program runs."""
    options = ["--die-with-parent", "--new-session", "--clearenv"]
    for name, value in (ENVIRONMENT | read_passed_variables()).items():
        options += ["--setenv", name, value]
    for path in map(Path, SYSTEM_FOLDERS):
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            options += ["--ro-bind", str(path), str(path)]
    options += ["--dir", "/etc", "--dir", "/etc/ssl"]  # else root alone could go there
    for path in (*(Path("/etc") / name for name in SHOWN_IN_ETC), *sorted(Path("/etc").glob("java*"))):
        options += ["--ro-bind-try", str(path), str(path)]
    options += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--remount-ro", "/proc"]
    options += ["--dev", "/dev", "--dev-bind", "/dev/null", "/dev/zero"]  # mapped it is memory without a file
    options += ["--size", "4096", "--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"]
    size = ["--perms", "1777", "--size", str(tmp_bytes), "--tmpfs"]
    return [*options, *size, "/dev/shm", "--remount-ro", "/dev", *size, "/tmp"]
