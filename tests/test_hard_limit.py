"""Tests that hang in ways that pytest's own time limit does not end."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIMITS = ("-o", "timeout=2", "-o", "hard_limit_grace=1", "-o", "hard_limit_exit=2")
HANGS = {
    "a lock is taken again": """
        import threading

        def test_planted():
            lock = threading.Lock()
            with lock:
                try:
                    lock.acquire()
                finally:
                    lock.acquire()
    """,
    "signals do not come": """
        import signal, threading

        def test_planted():
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            threading.Event().wait()
    """,
    "a fixture hangs": """
        import threading, pytest

        @pytest.fixture
        def stuck():
            yield
            try:
                threading.Event().wait()
            finally:
                threading.Event().wait()

        def test_planted(stuck):
            pass
    """,
    "a thread is joined at the exit": """
        import threading

        def test_planted():
            threading.Thread(target=threading.Event().wait).start()
    """,
    "an executor is joined at the exit": """
        import threading
        from concurrent.futures import ThreadPoolExecutor

        def test_planted():
            ThreadPoolExecutor(1).submit(threading.Event().wait)
    """,
}


def run_planted(folder, text, *options, limits=LIMITS):
    indent = re.match(r"\n( *)", text)[1]
    (folder / "test_planted.py").write_text(text.replace(f"\n{indent}", "\n"))
    command = [sys.executable, "-m", "pytest", "-p", "hard_limit", "-c", os.devnull, "--rootdir", folder]
    words = [*command, "-p", "no:cacheprovider", *limits, *options, folder]
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    return subprocess.run(words, capture_output=True, text=True, timeout=120, env=environment, check=False)


@pytest.mark.thorough
@pytest.mark.parametrize("text", HANGS.values(), ids=HANGS)
def test_a_test_that_hangs_is_ended_and_says_where(text, tmp_path):
    done = run_planted(tmp_path, text, "-n", "0")
    assert done.returncode == 1
    assert re.search(r"Timeout \(0:00:0\d\)!", done.stderr)
    assert "most recent call first" in done.stderr


@pytest.mark.thorough
def test_a_worker_that_hangs_is_replaced_and_its_test_fails(tmp_path):
    text = HANGS["a lock is taken again"] + "\n        def test_another():\n            pass\n"
    done = run_planted(tmp_path, text, "-n", "1")
    assert done.returncode == 1
    assert re.search(r"1 failed, 1 passed", done.stdout)
    assert "crashed while running 'test_planted.py::test_planted'" in done.stdout


def test_what_ends_in_time_is_left_alone(tmp_path):
    done = run_planted(
        tmp_path, "\n        def test_planted():\n            pass\n", "-n", "0", limits=("-o", "timeout=60")
    )
    assert done.returncode == 0
    assert "Timeout" not in done.stderr
