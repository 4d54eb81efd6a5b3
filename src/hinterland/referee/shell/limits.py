"""What a program may use of the machine.

The limits are set by a one-line shell script that then becomes the program: the script costs a millisecond, and
nothing of the referee's own process has to run between fork and exec, which would not be safe beside threads.

The kernel counts the processes of a user, not of a program, and does not count root's at all. So the limit is what
the user has now plus what the program may have; and the keeper counts too (see ``keeper.py``).
"""

from __future__ import annotations

import msgspec

from hinterland.errors import RulesError, shown

__all__ = ["ProcessLimits"]

MIB = 1024 * 1024
SHELL = "/bin/sh"


class ProcessLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on one program and all the processes it starts. Raises RulesError unless they are positive."""

    address_mib: int = 4096
    """Address space of each process."""
    resident_mib: int = 8192
    """Memory in use by all its processes together."""
    threads: int = 256
    """Processes and threads at a time."""
    file_mib: int = 64
    """The largest file it may write; in the sandbox also the room in its /tmp."""
    open_files: int = 256
    """Files, pipes and sockets open at a time, in each process."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= 2**30:
                raise RulesError(f"{name} of a program must be a whole number from 1 to {2**30}, not {shown(value)}")

    def script(self) -> str:
        """Return the shell's commands that set what holds for each process. A lower limit that stands already stays."""
        return (
            f"ulimit -c 0; ulimit -n {self.open_files}; ulimit -f {self.file_mib * MIB // 512};"
            f" ulimit -v {self.address_mib * 1024};"
        )


def counted(threads: int) -> str:
    """Return the shell's command that bounds the processes and threads of the user. Shells disagree on its letter."""
    return f"ulimit -u {threads} || ulimit -p {threads};"


def marked(mark: int) -> str:
    """Return the shell's command that puts a mark on a process which its children inherit and cannot take off.

    The mark is the limit on file locks, which Linux has not heeded since version 2.4, but keeps and shows.
    """
    return f"ulimit -w {mark} || ulimit -x {mark};"


def become(commands: str, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command line that runs the shell's commands and then becomes a program. What fails is not said."""
    return (SHELL, "-c", f'{{ {commands} }} 2>/dev/null; exec "$@"', SHELL, *argv)
