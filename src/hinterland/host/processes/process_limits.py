"""Limits on what a program may use of the machine.

A one-line shell script sets the limits and then becomes the program. This costs a millisecond. Without such a script,
code of the referee would have to run between fork and exec, which is not safe in a process with threads.

The kernel counts the processes of a user, not of a program, and does not limit root at all. So the limit given to the
kernel is the number of the user's present processes plus the program's limit. The supervisor counts each program's
processes, too (``supervisor.py``).

The kernel counts memory if the referee may make control groups (``control_group``); the supervisor always counts it.
The kernel's other limits count reserved memory, and Java and others reserve far more than they use. If the machine has
no memory left before the supervisor looks, the kernel ends the program first, not the referee.
"""

from __future__ import annotations

import msgspec

from hinterland.contract.numbers import as_int
from hinterland.errors import RulesError, quote
from hinterland.host.processes.memory_usage import MIB, PROGRAM_KILL_PRIORITY, measure_machine_mib

SHELL = "/bin/sh"
MAX_USUAL_MIB = 8192
"""Most memory of a program, in MiB, unless the operator allows more."""
EXTRA_MAPPED_MIB = 2048
"""Memory, in MiB, that a process may map beyond its limit, for stacks and tables that it never fills."""
MAX_MAPPINGS = 2**16
"""Most mappings of all processes of a program together; the kernel allows each process this many. A mapping costs the
kernel memory."""


def usual_memory_mib() -> int:
    """Return the usual limit in MiB: half of this machine's memory, but at most 8 GiB."""
    return max(min(measure_machine_mib() // 2, MAX_USUAL_MIB), 1)


class ProcessLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on one program and all the processes it starts. Raises RulesError unless all limits are positive."""

    memory_mib: int = msgspec.field(default_factory=usual_memory_mib)
    """Memory in use by all its processes together; reserved memory is not counted."""
    threads: int = 256
    """Most processes and threads at a time."""
    file_mib: int = 64
    """Size of the largest file that the program may write; in the sandbox also the size of /tmp."""
    open_files: int = 256
    """Most files, pipes and sockets that each process may have open at a time."""
    by_kernel: bool = False
    """Whether the program starts only if the kernel enforces its limits of memory and processes."""

    def __post_init__(self) -> None:
        for name in ("memory_mib", "threads", "file_mib", "open_files"):
            value = as_int(getattr(self, name))
            if type(value) is not int or not 1 <= value <= 2**30:
                raise RulesError(f"{name} of a program must be a whole number from 1 to {2**30}, not {quote(value)}")
            msgspec.structs.force_setattr(self, name, value)

    @classmethod
    def of_memory(cls, mib: int | None, *, by_kernel: bool = False) -> ProcessLimits:
        """Return the usual limits, changed by ``--memory`` and ``--by-kernel``.

        Raises RulesError if ``mib`` is more memory than this machine has.
        """
        if mib is None:
            return cls(by_kernel=by_kernel)
        if not 1 <= mib <= measure_machine_mib():
            raise RulesError(
                f"--memory is in MiB, from 1 to the {measure_machine_mib()} that this machine has, not {mib}"
            )
        return cls(memory_mib=mib, by_kernel=by_kernel)

    @property
    def data_mib(self) -> int:
        """Memory, in MiB, that each process may map.

        The limit is generous, and matters only if the supervisor comes late.
        """
        return max(2 * self.memory_mib, measure_machine_mib() // 4) + EXTRA_MAPPED_MIB

    @property
    def too_much_memory(self) -> str:
        return f"it uses more than {self.memory_mib} MiB of memory (--memory sets how much it may)"

    def script(self) -> str:
        """Return shell commands that set the limits of each process. A limit that is lower already stays."""
        return (
            f"ulimit -c 0; ulimit -n {self.open_files}; ulimit -f {self.file_mib * MIB // 512};"
            f" ulimit -d {self.data_mib * 1024}; echo {PROGRAM_KILL_PRIORITY} > /proc/self/oom_score_adj;"
        )


def thread_limit_script(threads: int) -> str:
    """Return the shell command that limits the user's threads.

    The command tries two options, since shells differ.
    """
    return f"ulimit -u {threads} || ulimit -p {threads};"


def tag_script(tag: int) -> str:
    """Return the shell command that tags a process; its children inherit the tag and cannot take it off.

    The tag is the limit on file locks. Linux has ignored the limit on file locks since version 2.4, but keeps and shows
    it.
    """
    return f"ulimit -w {tag} || ulimit -x {tag};"


def wrap_in_shell(commands: str, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command line that runs shell commands and then becomes a program. Commands that fail are ignored."""
    return (SHELL, "-c", f'{{ {commands} }} 2>/dev/null; exec "$@"', SHELL, *argv)
