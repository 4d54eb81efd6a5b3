"""``python -m conformance.roles.match_starter``: runs commands in copies of itself, in which everything is loaded.

Each line of its input is an order in JSON; when the command has ended, its number and exit status are printed.
"""

from __future__ import annotations

import json
import os
import sys
import threading

from hinterland import catalog
from hinterland.cli import run
from hinterland.cli.terminal import Asides  # noqa: F401  (what `match` loads when it begins)
from hinterland.contest.matches import play_match  # noqa: F401
from hinterland.referee import verification  # noqa: F401
from hinterland.storage.records import RecordFile  # noqa: F401

__all__ = ["main"]


def main() -> None:
    """Run the ordered commands until the input ends."""
    catalog.game("gravity").warm_up()
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if not child:
            _obey(order)
        threading.Thread(target=_await, args=(child, order["number"])).start()


def _await(child: int, number: int) -> None:
    _, status = os.waitpid(child, 0)
    sys.stdout.write(f"{number} {os.waitstatus_to_exitcode(status)}\n")
    sys.stdout.flush()


def _obey(order: dict[str, object]) -> None:
    """Become the ordered command; its output goes to a file."""
    try:
        out = os.open(str(order["out"]), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for standard, descriptor in enumerate((nothing, out, out)):
            os.dup2(descriptor, standard)
        if (most := int(str(order["file_bytes"]))):
            import resource

            # What Python compiles on the way would be cut off there, and break whatever imports it from then on.
            sys.dont_write_bytecode = True
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        code = run(list(order["argv"]))  # type: ignore[call-overload]
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException as error:  # a copy must never go on as its original
        os.write(2, f"{error!r}\n".encode())
        code = 99
    os._exit(code)


if __name__ == "__main__":
    main()
