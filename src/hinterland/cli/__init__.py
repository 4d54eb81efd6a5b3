"""The ``hinterland`` command. Each subcommand is a function; large modules are imported when they are needed."""

from __future__ import annotations

import re
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import App, CycloptsError

__all__ = ["in_one_line", "main", "run"]

DONE, WRONG_USE, FAULT, INTERRUPTED, SIGNALLED = 0, 2, 70, 130, 128
"""Exit codes. ``WRONG_USE`` is for every expected error, such as a wrong option; ``FAULT`` for an unexpected one.

``INTERRUPTED`` means Ctrl-C. After another signal the code is ``SIGNALLED`` plus the signal's number. Code 1 only means
that a command's answer is no, for example that a record is wrong.
"""
INTERRUPT_AGAIN_S = 0.05
HELP = """An arena for games of territory: play, referee, replay and watch them.

Begin with `hinterland serve`, and open the address that it prints, or with `hinterland match gravity random reply`."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and always end the process with an exit code, also after an error or a signal."""
    ended_by: list[int] = []
    try:
        _end_as_by_ctrl_c(ended_by)
        from hinterland.cli import outputs  # noqa: PLC0415

        outputs.prepare()
        code = _run_to_the_end(list(sys.argv[1:] if arguments is None else arguments))
        if (jit := sys.modules.get("hinterland.jit")) is not None and (words := jit.explain_missing_cache()):
            sys.stderr.write(f"hinterland: {words}\n")
        if fault := outputs.finish():
            code = _complain(fault, WRONG_USE)
    except KeyboardInterrupt:
        code = _complain("interrupted", INTERRUPTED)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # all is cleaned up: another signal may end the process
        if callable(signal.getsignal(number := getattr(signal, name, signal.SIGINT))):
            signal.signal(number, signal.SIG_DFL)
    sys.exit(SIGNALLED + ended_by[0] if ended_by and code == INTERRUPTED else code)


def _run_to_the_end(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code; print the traceback of an unexpected error."""
    sys.unraisablehook = _interrupt_again
    try:
        return run(arguments)
    except Exception as error:
        if _is_interrupted(error):
            return _complain("interrupted", INTERRUPTED)
        import traceback  # noqa: PLC0415

        traceback.print_exc()
        return FAULT


def _is_interrupted(error: BaseException | None) -> bool:
    """Say whether Ctrl-C caused an error: an import that is interrupted may raise an exception of another type."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _interrupt_again(lost: sys.UnraisableHookArgs) -> None:
    """If Ctrl-C came where Python ignores exceptions, send SIGINT again a moment later."""
    if not issubclass(lost.exc_type, KeyboardInterrupt) or sys.platform == "win32":
        sys.__unraisablehook__(lost)
        return
    import threading  # noqa: PLC0415

    main = threading.main_thread().ident
    again = threading.Timer(INTERRUPT_AGAIN_S, signal.pthread_kill, [main, signal.SIGINT])
    again.daemon = True
    again.start()


def _end_as_by_ctrl_c(came: list[int]) -> None:
    """Let SIGTERM and SIGHUP end a command as Ctrl-C does, together with all programs that it has started.

    A signal that is ignored at the start of the command stays ignored. The number of a signal that comes is appended to
    ``came``.
    """

    def end(number: int, _: object) -> None:
        came.append(number)
        if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, signal.SIG_DFL, None):
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)  # whatever Ctrl-C means now

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code. Print an expected error as one line on stderr."""
    from cyclopts import CycloptsError  # noqa: PLC0415

    from hinterland.errors import HinterlandError  # noqa: PLC0415

    try:
        code = _make_app()(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return _complain(in_one_line(error), WRONG_USE)
    except HinterlandError as error:
        return _complain(str(error), WRONG_USE)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        return INTERRUPTED
    except OSError as error:
        return _complain(_describe_os_error(error), WRONG_USE)
    return code if isinstance(code, int) else DONE


def _make_app() -> App:
    from cyclopts import App, Group, Parameter  # noqa: PLC0415

    import hinterland  # noqa: PLC0415
    from hinterland.cli import (  # noqa: PLC0415
        analyse,
        check_bot,
        games,
        learn,
        match,
        rate,
        record_files,
        referee,
        replay,
    )
    from hinterland.cli.contests import arena_test, contest, experiment  # noqa: PLC0415
    from hinterland.cli.serving import serve, upkeep  # noqa: PLC0415
    from hinterland.cli.solving import atlas, make_puzzles, solve  # noqa: PLC0415

    app = App(
        name="hinterland",
        help=HELP,
        version=hinterland.__version__,
        help_format="plaintext",  # only for the list of commands: loading a Markdown parser would slow it down
        default_parameter=Parameter(negative=""),
        suppress_keyboard_interrupt=False,
    )
    by_reader = {
        "Play": (serve.serve, match.match, games.games, games.players, replay.replay, analyse.analyse),
        "Write a bot": (check_bot.check_bot, arena_test.arena_test, games.protocol),
        "Run a contest": (referee.referee, contest.contest, rate.rate, record_files.verify, record_files.export),
        "Research": (
            *(solve.solve, atlas.atlas, solve.count_dots),
            *(make_puzzles.puzzles, experiment.experiment, learn.learn),
        ),
        "Operate": (upkeep.prepare, serve.relay, upkeep.backup, upkeep.restore, upkeep.reindex),
    }
    for place, (reader, commands) in enumerate(by_reader.items()):
        group = Group(reader, sort_key=place)
        for command in commands:
            if isinstance(command, App):
                command.group = group
                app.command(command)
            else:
                app.command(command, group=group)
    options = Group("Options", sort_key=len(by_reader))
    for flag in ("--help", "--version"):
        app[flag].group = options
    for subapp in app.subapps:
        subapp.help_format = "markdown"
    return app


def in_one_line(error: CycloptsError) -> str:
    """Return the message of an error in the command line, as one line: the parser breaks it into several."""
    return re.sub(r"\s+", " ", str(error)).strip()


def _describe_os_error(error: OSError) -> str:
    """Say what the system refused, and why."""
    what = "standard output or a file" if error.filename is None else str(error.filename)
    return f"{what} cannot be used: {error.strerror or error}"


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"hinterland: {text}\n")
    return code
