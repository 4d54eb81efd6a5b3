"""A seccomp filter of the system calls that a sandboxed program may not make: a few lines of classic BPF.

The filter refuses calls that no player needs and that reach beyond the sandbox or hide memory from the supervisor:
access to other processes' memory, mounts, namespaces, keys, kernel modules, tracing, io_uring, and memory that no
process shows (memfd, System V, message queues, shared mappings without a file, pages given to a pipe). Files of /usr
and /dev/null are shared by all sandboxes and the host. The filter also refuses calls by which a shared file tells who
uses it or carries bits from one program to another: watches (inotify, fanotify), file locks, leases, hints. The filter
also refuses calls that use up a resource of the whole machine: contexts of aio, whose number the system limits. If
libraries can do without a refused call, the call fails as if it did not exist; all other refused calls fail as
forbidden.

Sockets are limited to the families that a network namespace contains: by other families (vsock, AF_ALG) a program would
reach the outside, or the kernel's own machinery. The sources are seccomp(2) and Linux's tables of system calls.
``MACHINES`` lists the machines for which there is a filter.
"""

from __future__ import annotations

import platform
import struct
import sys
from typing import NamedTuple

EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_OFFSET, MACHINE_OFFSET, FIRST_ARGUMENT_OFFSET, SECOND_ARGUMENT_OFFSET, FOURTH_ARGUMENT_OFFSET = 0, 4, 16, 24, 40
"""Offsets in ``struct seccomp_data``. An argument has eight bytes; its offset is that of its lower half, since all
``MACHINES`` are little-endian."""
MAP_SHARED, MAP_ANONYMOUS = 0x01, 0x20
SOCKET_FAMILIES = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK."""
FCNTL_COMMANDS = (*range(5), *range(8, 12), 15, 16, *range(1030, 1035))
"""Allowed commands of ``fcntl``: on descriptors, flags, signals, pipes and seals, not on locks, leases, watches and
hints."""
NEW_NAMESPACES = 0x7E020080
"""Flags of ``clone`` that make namespaces: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, NEWTIME."""
X32_CALLS = 0x40000000
"""Number of the first x32 call on x86-64. All calls from this number on are refused."""


class Machine(NamedTuple):
    """A kind of processor."""

    code: int
    """The machine's AUDIT_ARCH."""
    clone: int
    mmap: int
    fcntl: int
    sockets: tuple[int, int]
    """Numbers of ``socket`` and ``socketpair``."""
    missing: tuple[int, ...]
    """Numbers of the refused calls that fail as if they did not exist."""
    forbidden: tuple[int, ...]


MACHINES = {
    "x86_64": Machine(
        code=0xC000003E,
        clone=56,
        mmap=9,
        fcntl=72,
        sockets=(41, 53),
        # clone3, io_uring_setup to register, memfd_create, memfd_secret, userfaultfd, process_madvise, shmget, msgget,
        # semget, mq_open, inotify_init, add_watch and init1, fanotify_init and mark, flock, io_setup, cachestat
        missing=(
            *(435, 425, 426, 427, 319, 447, 323, 440, 29, 68, 64, 240),
            *(253, 254, 294, 300, 301, 73, 206, 451),
        ),
        # ptrace, process_vm_readv and writev, kcmp, mount, umount2, pivot_root, chroot, unshare, setns, the new mounts,
        # keys, bpf, perf_event_open, modules, kexec, handles of files, swap, reboot, names of the host, quotas, ports,
        # vmsplice
        forbidden=(
            *(101, 310, 311, 312, 165, 166, 155, 161, 272, 308, 428, 429, 430, 431, 432, 433, 442, 248, 249, 250),
            *(321, 298, 175, 313, 176, 246, 320, 303, 304, 167, 168, 169, 170, 171, 179, 172, 173, 163, 103, 212, 278),
        ),
    ),
    "aarch64": Machine(
        code=0xC00000B7,
        clone=220,
        mmap=222,
        fcntl=25,
        sockets=(198, 199),
        missing=(
            *(435, 425, 426, 427, 279, 447, 282, 440, 194, 186, 190, 180),
            *(26, 27, 262, 263, 32, 0, 451),
        ),
        forbidden=(
            *(117, 270, 271, 272, 40, 39, 41, 51, 97, 268, 428, 429, 430, 431, 432, 433, 442, 217, 218, 219),
            *(280, 241, 105, 273, 106, 104, 294, 264, 265, 224, 225, 142, 161, 162, 60, 89, 116, 18, 75),
        ),
    ),
}


def make_seccomp_filter() -> bytes | None:
    """Return the filter for this machine, as bubblewrap reads it; None if the machine is not in ``MACHINES``."""
    machine = MACHINES.get(platform.machine()) if sys.maxsize > 2**32 else None  # 32-bit systems have other calls
    return None if machine is None else b"".join(_make_program(machine))


def _make_program(machine: Machine) -> list[bytes]:
    """Return the instructions. A call of another machine kills the process, a refused call fails, all others pass."""
    missing, forbidden, allowed = (_encode_step(RETURN, answer) for answer in (ERRNO | ENOSYS, ERRNO | EPERM, ALLOW))
    steps = [
        _encode_step(LOAD, MACHINE_OFFSET),
        _encode_step(JUMP_EQUAL, machine.code, then=1),
        _encode_step(RETURN, KILL),
        _encode_step(LOAD, NUMBER_OFFSET),
        _encode_step(JUMP_AT_LEAST, X32_CALLS, otherwise=1),
        missing,
    ]
    for numbers, answer in ((machine.missing, missing), (machine.forbidden, forbidden)):
        for number in numbers:
            steps += [_encode_step(JUMP_EQUAL, number, otherwise=1), answer]
    of_clone = [
        _encode_step(LOAD, FIRST_ARGUMENT_OFFSET),
        _encode_step(JUMP_ANY_BIT, NEW_NAMESPACES, otherwise=1),
        forbidden,
        allowed,
    ]
    of_mmap = [
        _encode_step(LOAD, FOURTH_ARGUMENT_OFFSET),
        _encode_step(JUMP_ANY_BIT, MAP_ANONYMOUS, otherwise=2),
        _encode_step(JUMP_ANY_BIT, MAP_SHARED, otherwise=1),
        forbidden,
        allowed,
    ]
    of_sockets = [_encode_step(LOAD, FIRST_ARGUMENT_OFFSET)]
    for family in SOCKET_FAMILIES:
        of_sockets += [_encode_step(JUMP_EQUAL, family, otherwise=1), allowed]
    of_sockets.append(_encode_step(RETURN, ERRNO | EAFNOSUPPORT))
    of_fcntl = [_encode_step(LOAD, SECOND_ARGUMENT_OFFSET)]
    for command in FCNTL_COMMANDS:
        of_fcntl += [_encode_step(JUMP_EQUAL, command, otherwise=1), allowed]
    of_fcntl.append(missing)
    looked_into = {machine.clone: of_clone, machine.mmap: of_mmap, machine.fcntl: of_fcntl}
    looked_into |= dict.fromkeys(machine.sockets, of_sockets)
    for number, rest in looked_into.items():
        steps += [_encode_step(JUMP_EQUAL, number, otherwise=len(rest)), *rest]
    return [*steps, allowed]


def _encode_step(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    """Return one ``struct sock_filter``.

    ``then``, ``otherwise``: how many instructions a jump skips if its test holds, and if not.
    """
    return struct.pack("=HBBI", code, then, otherwise, value)
