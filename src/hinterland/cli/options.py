"""Options of several commands. A single option is a type; a group is a frozen class with the options as fields."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.host.observer import Observer
    from hinterland.host.processes.command import ProgramOptions

RuleOptions = Annotated[
    str, Parameter(help="Rules of the game, such as --size 500 --stones 5; `hinterland games` lists them.")
]
FewRuleOptions = Annotated[
    str, Parameter(help="Rules of the game, such as --stones 5; `hinterland games` lists them.")
]
Clock = Annotated[float, Parameter(help="Seconds of each player for a whole game.")]
RecordOut = Annotated[Path | None, Parameter(help="Append each game to this file, one line of JSON a game.")]
LogsOut = Annotated[
    Path | None,
    Parameter(help="Write a log of each game to this folder: what programs wrote to standard error, and said."),
]
AsJson = Annotated[bool, Parameter(help="Print one JSON object.")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SandboxOptions:
    """How programs are started.

    Parameters
    ----------
    sandbox
        Start programs in bubblewrap: no network, nothing of this machine but what they need to run.
    memory
        MiB of memory for each program, with all its processes. Default: half of this machine's memory, 8192 at most.
    """

    sandbox: bool = False
    memory: int | None = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StartOptions(SandboxOptions):
    """How programs are started, and who enforces their limits.

    Parameters
    ----------
    by_kernel
        Let the kernel enforce the limits on memory and processes, by control groups (cgroup v2). Refused if no group
        can be made; without this option groups are used where they can be made.
    """

    by_kernel: bool = False

    def read(self) -> ProgramOptions:
        """Convert these options to the type that the host of a match expects. Raises RulesError."""
        from hinterland.host.processes.command import ProgramOptions  # noqa: PLC0415
        from hinterland.host.processes.process_limits import ProcessLimits  # noqa: PLC0415

        limits = ProcessLimits.of_memory(self.memory, by_kernel=self.by_kernel)
        return ProgramOptions(sandbox=self.sandbox, limits=limits)


@contextmanager
def open_logs(folder: Path | None) -> Iterator[Observer]:
    """Yield an observer that writes a log of each game into a folder; None: nowhere.

    Raises ArenaError if the folder cannot be made.
    """
    from hinterland.host.log_keeper import LogKeeper, name_by_start  # noqa: PLC0415
    from hinterland.host.observer import Observer  # noqa: PLC0415
    from hinterland.storage.log_folder import LogFolder  # noqa: PLC0415

    if folder is None:
        yield Observer()
        return
    logs = LogFolder(folder)
    logs.make()
    with LogKeeper(logs, name_by_start) as keeper:
        yield keeper
