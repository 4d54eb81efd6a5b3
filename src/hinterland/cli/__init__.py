"""The ``hinterland`` command: one short file a subcommand, nothing heavy imported before it is needed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

DONE, NO, WRONG_USE = 0, 1, 2
"""Exit codes: done; the answer is no; used wrongly or cannot be done here."""
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(list(sys.argv[1:] if arguments is None else arguments)))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; everything that goes wrong on purpose is one line on stderr."""
    from cyclopts import CycloptsError  # noqa: PLC0415

    from hinterland.cli.app import build, in_one_line  # noqa: PLC0415
    from hinterland.errors import HinterlandError  # noqa: PLC0415

    try:
        code = build()(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return _complain(in_one_line(error), WRONG_USE)
    except HinterlandError as error:
        return _complain(str(error), WRONG_USE)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        return INTERRUPTED
    return code if isinstance(code, int) else DONE


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"hinterland: {text}\n")
    return code
