"""Outputs, interruptions and exit codes of commands."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from hinterland.cli.terminal import MAX_NOTES, ConnectionNotes, Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors and sends signals")
MAIN = "import sys; from hinterland.cli import main; main(sys.argv[1:])"


def hinterland(*words, code=MAIN, redirect="", **variables):
    command = f'exec "$0" "$@" {redirect}'
    surroundings = {**os.environ, "NUMBA_DISABLE_JIT": "1", **variables}
    return subprocess.run(
        ["sh", "-c", command, sys.executable, "-c", code, *words], capture_output=True, env=surroundings, timeout=240,
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize("encoding", ["ascii", "cp932", "cp437", "utf-16"])
def test_letters_that_an_output_does_not_have_are_replaced(encoding):
    told = hinterland("match", "dots", "random", "random", "--dots", "4", "--seed", "1", PYTHONIOENCODING=encoding)
    assert (told.returncode, told.stderr) == (0, b"")
    assert "seed 1" in told.stdout.decode(encoding)


def test_help_is_there_in_any_encoding():
    told = hinterland("match", "--help", PYTHONIOENCODING="ascii")
    assert (told.returncode, told.stderr) == (0, b"")
    assert b"match" in told.stdout


PRINTS = "import hinterland.cli as c; c._make_app = lambda: lambda *_, **__: print({}) or 0; c.main([])"


def test_c_locale_without_utf_8():
    told = hinterland(code=PRINTS.format(r"'\u017b\xf3\u0142w'"), LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (told.returncode, told.stdout, told.stderr) == (0, b"???w\n", b"")


@pytest.mark.parametrize(
    ("redirect", "words"),
    [(">/dev/full", b"No space left on device"), (">&-", b"Bad file descriptor")],
)
@pytest.mark.parametrize("many", [1, 100_000])
def test_an_output_that_takes_nothing_is_one_line_and_no_answer(redirect, words, many):
    told = hinterland(code=PRINTS.format(f"'x' * {many}"), redirect=redirect)
    assert (told.returncode, told.stderr.count(b"\n"), words in told.stderr) == (2, 1, True)


def test_in_a_real_command_as_well():
    told = hinterland("players", "dots", redirect=">/dev/full")
    assert (told.returncode, told.stderr.count(b"\n")) == (2, 1)
    assert b"No space left on device" in told.stderr


COMPLAINS = "import sys, hinterland.cli as c; c.run = lambda _: (print('x' * 9000, file=sys.stderr), 0)[1]; c.main([])"


@pytest.mark.parametrize("redirect", ["2>&-", "2>/dev/full", "<&-", "<&- 2>&-"])
def test_standard_error_and_input_change_nothing(redirect):
    assert hinterland(code=COMPLAINS, redirect=redirect).returncode == 0
    assert hinterland("players", "nothing", redirect=redirect).returncode == 2


@pytest.mark.parametrize("redirect", ["2>&-", "2>/dev/full"])
def test_a_file_that_is_opened_does_not_get_what_was_for_a_closed_output(tmp_path, redirect):
    opens = (
        "import sys, hinterland.cli as c\n"
        "def run(_):\n    with open(sys.argv[1], 'w') as file:\n"
        "        sys.stderr.write('no')\n        sys.stderr.flush()\n        file.write('yes')\n"
        "c.run = run\nc.main([])"
    )
    hinterland(str(tmp_path / "file"), code=opens, redirect=redirect)
    assert (tmp_path / "file").read_text() == "yes"


@pytest.mark.parametrize(
    ("what", "code", "last"),
    [
        ("ZeroDivisionError()", 70, b"ZeroDivisionError"),
        ("KeyboardInterrupt()", 130, b"hinterland: interrupted"),
        (
            "OSError(28, 'No space left on device')",
            2,
            b"hinterland: standard output or a file cannot be used: No space",
        ),
        ("OSError(5, 'Input/output error', 'games')", 2, b"hinterland: games cannot be used: Input/output error"),
        ("ImportError('numpy failed') from KeyboardInterrupt()", 130, b"hinterland: interrupted"),
    ],
)
def test_what_was_not_foreseen_has_a_code_of_its_own(what, code, last):
    """1 is the answer no."""
    fails = f"import hinterland.cli as c\ndef app():\n    raise {what}\nc._make_app = app\nc.main([])"
    told = hinterland(code=fails)
    assert told.returncode == code
    assert told.stderr.strip().splitlines()[-1].startswith(last)
    assert code == 70 or told.stderr.count(b"\n") == 1


COMPILES = """
import sys, time
from types import SimpleNamespace
import hinterland.cli as c
from hinterland.host.readiness import get_ready

def warm_up():
    print("go", flush=True)
    while True:
        try:
            time.sleep(60)
        except BaseException as error:  # as a compiler does
            print(repr(error), flush=True)

c.run = lambda _: get_ready(SimpleNamespace(warm_up=warm_up))
c.main([])
"""
CALLED_BACK = """
import time
from types import SimpleNamespace
import hinterland.cli as c

class Gone:
    def __del__(self):
        print("go", flush=True)
        time.sleep(60)

def run(_):
    gone = Gone()
    del gone
    time.sleep(60)
    return 0

c._make_app = lambda: lambda *_, **__: run(0)
c.main([])
"""


@pytest.mark.parametrize("code", [COMPILES, CALLED_BACK])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_is_one_line_where_others_would_swallow_it(code, number):
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        assert process.stdout.readline() == b"go\n"
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (128 + number, b"hinterland: interrupted\n")


BEGINS = "import sys\nfrom hinterland.cli import main\nprint('go', flush=True)\nmain(sys.argv[1:])"


@pytest.mark.parametrize("after_s", [0.0, 0.02, 0.1, 0.3, 1.0])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_is_one_line_at_any_moment_of_loading(tmp_path, after_s, number):
    """And nothing is left to be told when it is over."""
    command = [sys.executable, "-c", BEGINS, "match", "gravity", "random", "reply", "--size", "30", "--spacing", "3"]
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings)
    with process:
        assert process.stdout.readline() == b"go\n"
        time.sleep(after_s)
        process.send_signal(number)
        _, told = process.communicate(timeout=100)
    if process.returncode != -number:  # before anything could hear it
        assert (process.returncode, told) == (128 + number, b"hinterland: interrupted\n")
    assert b"Traceback" not in told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_referee_whose_standard_error_nobody_reads_any_more_ends_by_the_first_signal(number):
    command = [sys.executable, "-c", MAIN, "referee", "dots", "--dots", "4", "--port", "0"]
    surroundings = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=surroundings)
    try:
        while b"listening on" not in process.stderr.readline():
            assert process.poll() is None
        process.stderr.close()
        process.send_signal(number)
        assert process.wait(60) == 130
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("is_contest", [True, False])
def test_a_port_scanner_cannot_fill_the_screen(capsys, is_contest):
    terminal = ConnectionNotes() if is_contest else Terminal(SimpleNamespace(matches=1), as_json=False)
    for number in range(3 * MAX_NOTES):
        terminal.on_note(f"connection {number} was refused")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == MAX_NOTES
    assert lines[0] == "connection 0 was refused"
    assert "last" in lines[-1]
