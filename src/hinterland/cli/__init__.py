"""The ``hinterland`` command: one short file a subcommand, nothing heavy imported before it is needed."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import App, CycloptsError

__all__ = ["in_one_line", "main", "run"]

DONE, WRONG_USE, INTERRUPTED = 0, 2, 130
"""Exit codes: done; used wrongly, or cannot be done here; Ctrl-C. A command whose answer is no returns 1."""
HELP = """An arena for games of territory: play, referee, replay and watch them.

Begin with `hinterland serve` and open the page it names, or with `hinterland match gravity random reply`."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(list(sys.argv[1:] if arguments is None else arguments)))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; everything that goes wrong on purpose is one line on stderr."""
    from cyclopts import CycloptsError  # noqa: PLC0415

    from hinterland.errors import HinterlandError  # noqa: PLC0415

    try:
        code = _app()(arguments, exit_on_error=False, print_error=False, result_action="return_value")
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


def _app() -> App:
    """Put the command line together."""
    from cyclopts import App, Parameter  # noqa: PLC0415

    import hinterland  # noqa: PLC0415
    from hinterland.cli import (  # noqa: PLC0415
        analyse,
        atlas,
        check_bot,
        count_dots,
        games,
        match,
        protocol,
        rate,
        referee,
        replay,
        serve,
        solve,
        verify,
    )
    from hinterland.cli.contests import arena_test, contest, experiment  # noqa: PLC0415

    app = App(
        name="hinterland",
        help=HELP,
        version=hinterland.__version__,
        help_format="markdown",
        default_parameter=Parameter(negative=""),
        suppress_keyboard_interrupt=False,
    )
    for command in (
        *(serve.serve, match.match, referee.referee, replay.replay, analyse.analyse, verify.verify),
        *(games.games, games.players, protocol.protocol, check_bot.check_bot, arena_test.arena_test),
        *(contest.contest, rate.rate, experiment.experiment, solve.solve, atlas.atlas, count_dots.count_dots),
    ):
        app.command(command)
    return app


def in_one_line(error: CycloptsError) -> str:
    """Say what a parser's complaint says, without its frame and line breaks."""
    return re.sub(r"\s+", " ", str(error)).strip()


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"hinterland: {text}\n")
    return code
