"""``hinterland match --watch``: the page is opened, the same match is played, and the result stays until Ctrl-C."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
MAIN = "import sys; from hinterland.cli import main; main(sys.argv[1:])"
MATCH = ("match", "dots", "random", "closer", "--dots", "4", "--seed", "1", "--json")
END_S = 120


@contextlib.contextmanager
def hinterland(*words, **variables):
    surroundings = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    surroundings |= {"NUMBA_DISABLE_JIT": "1", **variables}
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=surroundings,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def read_until(stream, pattern):
    """Return the first line of a stream that matches a pattern."""
    for line in stream:
        if re.search(pattern, line):
            return line
    raise AssertionError(f"no line matches {pattern}")


def test_the_page_is_opened_and_stays_until_ctrl_c(tmp_path):
    opened, browser = tmp_path / "opened", tmp_path / "browser.sh"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new\nmv {opened}.new {opened}\n')
    browser.chmod(0o755)
    with hinterland(*MATCH, "--watch", "--record", str(tmp_path / "a.jsonl"), BROWSER=f"{browser} %s") as process:
        url = re.search(r"http://127\.0\.0\.1:\d+", read_until(process.stderr, "watch it at"))[0]
        read_until(process.stderr, "until you press Enter or Ctrl-C")
        end = time.monotonic() + END_S
        while not opened.exists() and time.monotonic() < end:
            time.sleep(0.05)
        assert opened.read_text().strip() == url
        with urllib.request.urlopen(url, timeout=END_S) as page:
            assert b"<html" in page.read()
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate(timeout=END_S)
    assert (process.returncode, rest) == (0, "")
    with hinterland(*MATCH) as process:
        plain, _ = process.communicate(timeout=END_S)
    assert {**json.loads(out), "record": None} == json.loads(plain)
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize("browser", ["", "/no/such/browser %s", "false"])
def test_a_browser_that_fails_changes_nothing(browser):
    with hinterland(*MATCH, "--watch", BROWSER=browser) as process:
        read_until(process.stderr, "watch it at")
        read_until(process.stderr, "until you press Enter or Ctrl-C")
        process.send_signal(signal.SIGTERM)
        out, rest = process.communicate(timeout=END_S)
    assert (process.returncode, rest) == (0, "")
    assert json.loads(out)["seed"] == 1


def test_a_port_in_use_is_one_line():
    taken = socket.create_server(("127.0.0.1", 0))
    with taken, hinterland(*MATCH, "--watch", "--watch-port", str(taken.getsockname()[1])) as process:
        out, told = process.communicate(timeout=END_S)
    assert (process.returncode, out, told.count("\n")) == (2, "", 1)
    assert "--watch-port" in told
