"""What a program may use of the machine.

The limits are set by a one-line shell script that then becomes the program: the script costs a millisecond, and
nothing of the referee's own process has to run between fork and exec, which would not be safe beside threads.

The kernel counts the processes of a user, not of a program, and does not count root's at all. So the limit is what
the user has now plus what the program may have; and the supervisor counts too (see ``supervisor.py``).

Memory is counted by the kernel where the referee may make control groups (``control_group``), and by the supervisor
everywhere: other limits of the kernel's know what is reserved, and Java and others reserve far more than they use.
Should all memory go before the supervisor looks, the kernel is asked to end the program and not the referee.
"""

from __future__ import annotations

import msgspec

from hinterland.contract.numbers import as_int
from hinterland.errors import RulesError, quote
from hinterland.host.processes.machine_memory import PROGRAM_KILL_PRIORITY
from hinterland.host.processes.memory_usage import MIB, measure_machine_mib

SHELL = "/bin/sh"
MAX_USUAL_MIB = 8192
"""Unless more is asked for."""
EXTRA_MAPPED_MIB = 2048
"""What a program may have mapped beside: stacks and tables that it never fills."""
MAX_MAPPINGS = 2**16
"""Of all processes of a program, as many as the kernel lets one have: each holds memory of the kernel's own."""


def usual_memory_mib() -> int:
    """Return what a program may use unless told otherwise: half of this machine, 8 GiB at most."""
    return max(min(measure_machine_mib() // 2, MAX_USUAL_MIB), 1)


class ProcessLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on one program and all the processes it starts. Raises RulesError unless they are positive."""

    memory_mib: int = msgspec.field(default_factory=usual_memory_mib)
    """Memory in use by all its processes together; what they only reserve is not counted."""
    threads: int = 256
    """Processes and threads at a time."""
    file_mib: int = 64
    """The largest file it may write; in the sandbox also the room in its /tmp."""
    open_files: int = 256
    """Files, pipes and sockets open at a time, in each process."""
    by_kernel: bool = False
    """Whether nothing starts unless the kernel holds it to its memory and its number of processes."""

    def __post_init__(self) -> None:
        for name in ("memory_mib", "threads", "file_mib", "open_files"):
            value = as_int(getattr(self, name))
            if type(value) is not int or not 1 <= value <= 2**30:
                raise RulesError(f"{name} of a program must be a whole number from 1 to {2**30}, not {quote(value)}")
            msgspec.structs.force_setattr(self, name, value)

    @classmethod
    def of_memory(cls, mib: int | None, *, by_kernel: bool = False) -> ProcessLimits:
        """Return the usual limits but for ``--memory`` and ``--by-kernel``.

        Raises RulesError for memory that this machine does not have.
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
        """What each process may map for itself, used or not: wide, and only in case the supervisor comes late."""
        return max(2 * self.memory_mib, measure_machine_mib() // 4) + EXTRA_MAPPED_MIB

    @property
    def too_much_memory(self) -> str:
        """What is said of a program that takes more memory than it may."""
        return f"it uses more than {self.memory_mib} MiB of memory (--memory sets how much it may)"

    def script(self) -> str:
        """Return the shell's commands that set what holds for each process. A lower limit that stands already stays."""
        return (
            f"ulimit -c 0; ulimit -n {self.open_files}; ulimit -f {self.file_mib * MIB // 512};"
            f" ulimit -d {self.data_mib * 1024}; echo {PROGRAM_KILL_PRIORITY} > /proc/self/oom_score_adj;"
        )


def thread_limit_script(threads: int) -> str:
    """Return the shell's command that bounds the processes and threads of the user. Shells disagree on its letter."""
    return f"ulimit -u {threads} || ulimit -p {threads};"


def tag_script(tag: int) -> str:
    """Return the shell's command that puts a tag on a process which its children inherit and cannot take off.

    The tag is the limit on file locks, which Linux has not heeded since version 2.4, but keeps and shows.
    """
    return f"ulimit -w {tag} || ulimit -x {tag};"


def wrap_in_shell(commands: str, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command line that runs the shell's commands and then becomes a program. What fails is not said."""
    return (SHELL, "-c", f'{{ {commands} }} 2>/dev/null; exec "$@"', SHELL, *argv)
