"""Puts programs into control groups of the kernel (cgroup v2), if the referee may make such groups.

The kernel counts all memory of a group's processes, including what the kernel holds for these. If a group uses too much
memory, the kernel ends all its processes. The kernel refuses processes beyond the group's limit. The referee may make
groups where it owns its own group: as root, or where systemd has delegated one (``Delegate=yes``, ``systemd-run --user
--scope -p Delegate=yes``). The kernel allows no processes in a group that has groups below it. So the referee, if it is
alone in its group, moves itself into a new group below.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from hinterland.errors import ArenaError
from hinterland.host.processes.memory_usage import MIB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.host.processes.process_limits import ProcessLimits

MOUNTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
MEMBERSHIP = Path("/proc/self/cgroup")
NO_GROUP = (
    "--by-kernel needs a control group (cgroup v2) with memory and pids that this user may divide, as "
    "systemd-run --user --scope -p Delegate=yes gives one; start it so, or leave --by-kernel out"
)
NEEDED_CONTROLLERS = frozenset(("memory", "pids"))
WRAPPER_THREADS = 8
"""Threads allowed in addition to the program's: for the sandbox and the shell that becomes the program."""
GROUP_PREFIX = "hinterland"
REMOVING_ROUNDS, REMOVING_S = 10, 0.01
DELEGATION_ATTRIBUTES = ("user.delegate", "trusted.delegate")
"""Attributes of a group's folder by which systemd says that its owner may make groups in it."""
_numbers = itertools.count(1)


class ControlGroup:
    """The control group of one program."""

    def __init__(self, path: Path, limits: ProcessLimits) -> None:
        """Make a group with limits. Raises OSError."""
        self.path = path
        path.mkdir()
        try:
            (path / "memory.max").write_text(str(limits.memory_mib * MIB))
            (path / "pids.max").write_text(str(limits.threads + WRAPPER_THREADS))
            for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):  # not every kernel has them
                with contextlib.suppress(OSError):
                    (path / name).write_text(value)
        except OSError:
            path.rmdir()
            raise

    @classmethod
    def create(cls, limits: ProcessLimits) -> ControlGroup | None:
        """Return a new group for a program, or None if groups cannot be made.

        Raises ArenaError if ``limits`` require a group.
        """
        home = find_parent_group()
        if home is not None:
            with contextlib.suppress(OSError):
                return cls(home / f"{GROUP_PREFIX}-{os.getpid()}-{next(_numbers)}", limits)
        if limits.by_kernel:
            raise ArenaError(NO_GROUP)
        return None

    @property
    def script(self) -> str:
        """The shell command by which a shell joins the group, and with it the program that the shell becomes."""
        return f"echo 0 > '{self.path}/cgroup.procs';"

    def has_run_out(self) -> bool:
        """Say whether the kernel has ended the group's processes because they had used up their memory."""
        return "oom_kill" in self._read_events("memory.events")

    def kill(self) -> None:
        """End all processes of the group at once; before Linux 5.14, do nothing."""
        with contextlib.suppress(OSError):
            (self.path / "cgroup.kill").write_text("1")

    def remove(self) -> None:
        """End the processes that are left, and remove the group."""
        end_group(self.path)

    def _read_events(self, name: str) -> dict[str, int]:
        """Return how often each event of the group has happened; events that have not happened are left out."""
        try:
            pairs = (line.split() for line in (self.path / name).read_text().splitlines())
            return {words[0]: int(words[1]) for words in pairs if words[1] != "0"}
        except (OSError, ValueError, IndexError):
            return {}


def end_group(path: Path) -> None:
    """End all processes of a group and remove it. A group that stays busy remains: processes can hang in the system."""
    for _ in range(REMOVING_ROUNDS):
        with contextlib.suppress(OSError):
            (path / "cgroup.kill").write_text("1")
        try:
            path.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(REMOVING_S)
        else:
            return


@cache
def find_parent_group() -> Path | None:
    """Prepare and return the group below which the groups of programs are made; None if there is none."""
    for group in _list_own_groups():
        with contextlib.suppress(OSError, ValueError):
            if set((group / "cgroup.controllers").read_text().split()) >= NEEDED_CONTROLLERS and _prepare_group(group):
                _remove_stale_groups(group)
                return group
    return None


def _remove_stale_groups(home: Path) -> None:
    for path in home.glob(f"{GROUP_PREFIX}-*-*"):
        if (owner := path.name.split("-")[1]).isdigit() and not psutil.pid_exists(int(owner)):
            end_group(path)


def _list_own_groups() -> Iterator[Path]:
    """Yield the referee's group, then the group above if systemd has delegated that one to the referee."""
    try:
        lines = MEMBERSHIP.read_text().splitlines()
    except OSError:
        return
    place = next((line.removeprefix("0::").strip("/") for line in lines if line.startswith("0::")), None)
    mount = next((path for path in MOUNTS if (path / "cgroup.controllers").exists()), None)
    if place is not None and mount is not None:
        yield mount / place
        if place and _is_delegated((mount / place).parent):
            yield (mount / place).parent


def _is_delegated(group: Path) -> bool:
    for name in DELEGATION_ATTRIBUTES:
        with contextlib.suppress(OSError, AttributeError):
            if os.getxattr(group, name) == b"1":
                return True
    return False


def _prepare_group(group: Path) -> bool:
    """Let a group limit groups below it; return whether groups can be made there. Raises OSError, ValueError."""
    shares = group / "cgroup.subtree_control"
    if not set(shares.read_text().split()) >= NEEDED_CONTROLLERS:
        if not os.access(group / "cgroup.procs", os.W_OK):
            return False
        if [int(number) for number in (group / "cgroup.procs").read_text().split()] == [os.getpid()]:
            below = group / "referee"
            below.mkdir(exist_ok=True)
            (below / "cgroup.procs").write_text("0")
        shares.write_text(" ".join(f"+{name}" for name in sorted(NEEDED_CONTROLLERS)))
    return os.access(group, os.W_OK)


def describe_memory_counting() -> str:
    """Return words that tell people who counts the memory of programs."""
    if find_parent_group() is None:
        return "counted by the referee, which has no control group that it may divide"
    return "enforced by the kernel"
