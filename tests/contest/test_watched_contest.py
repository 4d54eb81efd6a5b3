"""``contest run --watch``: pages stay when the contest is over, and never outlive the process that plays it."""

import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.error import URLError
from urllib.request import urlopen

import pytest

PATIENCE_S = 120


def contest(*words):
    call = [sys.executable, "-m", "hinterland", "contest", *map(str, words)]
    return subprocess.run(call, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


@pytest.fixture
def folder(tmp_path):
    made = contest("new", tmp_path / "final", "dots", "closer", "careful", "--dots", 6, "--pairings", 5)
    assert made.returncode == 0, made.stderr
    return tmp_path / "final"


@contextmanager
def watched(folder, *options):
    call = [sys.executable, "-m", "hinterland", "contest", "run", str(folder), "--watch", *map(str, options)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            yield running, next(found[1] for line in running.stderr if (found := re.search("watch it at (.+)", line)))
        finally:
            running.kill()


def text_of(url):
    with urlopen(url, timeout=10) as answer:
        return answer.read().decode()


def is_closed(url):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            text_of(url)
        except (URLError, ConnectionError):
            return True
        time.sleep(0.2)
    return False


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_pages_stay_after_the_last_game_until_they_are_ended(folder, number):
    with watched(folder) as (running, url):
        over = next(line for line in running.stderr if "the contest is over" in line)
        assert over == f"the contest is over; its pages stay at {url} until Ctrl-C\n"
        time.sleep(1)  # all that ends with the last game has ended by then
        assert re.search(r"<td[^>]*>10</td>", text_of(url))
        running.send_signal(number)
        assert "closer" in running.communicate(timeout=PATIENCE_S)[0]
        assert running.returncode == 0
    assert is_closed(url)


@pytest.mark.thorough
def test_pages_end_with_the_process_that_plays_even_where_it_is_killed(folder):
    with watched(folder) as (running, url):
        assert "final" in text_of(url)
        running.kill()
        running.wait(PATIENCE_S)
        assert is_closed(url)
        port = url.split(":")[2].split("/")[0]
    with watched(folder, "--watch-port", port) as (_, again):
        assert again == url


@pytest.mark.thorough
def test_a_port_that_is_taken_is_refused_by_the_name_of_its_option(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = contest("run", folder, "--watch", "--watch-port", port)
    assert refused.returncode == 2
    assert re.fullmatch(rf"hinterland: .*{port}.* --watch-port.*\n", refused.stderr.splitlines(keepends=True)[-1])
    assert "--port" not in refused.stderr.replace("--watch-port", "")
