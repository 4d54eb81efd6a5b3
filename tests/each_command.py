"""Runs every ``hinterland`` command once, on small boards: ``python tests/each_command.py``.

`.ci/run` does this in an environment with the lowest versions that pyproject.toml allows, without test tools. Without
Redis it leaves out ``relay``; without torch, ``learn``.
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from importlib.util import find_spec
from pathlib import Path

CLIENTS = Path(__file__).parents[1] / "clients"
BOT = (sys.executable, str(CLIENTS / "python" / "json_client.py"))
COMMAND_S, START_S = 300, 120
PAGE, LISTENING = r"http://\S+:\d+", r"127\.0\.0\.1:\d+"
BOARD = ("--size", "8", "--stones", "2", "--spacing", "2")
GRAVITY = ("gravity", *BOARD)
LINES = """\
prepare
players gravity
games
protocol
match gravity random reply {board} --seed 1 --record games.jsonl
match gravity random random random {board} --seed 1 --json
match graph random greedy --board road --vertices 24 --seed 1 --record graph.jsonl
match dots random closer --dots 6 --seed 1 --record dots.jsonl
match gravity cmd:{bot} random {board} --seed 1
replay games.jsonl
replay games.jsonl --svg game.svg
replay games.jsonl --html game.html
replay graph.jsonl --png game.png
replay dots.jsonl --gif game.gif
replay games.jsonl --mp4 game.mp4
replay games.jsonl --poster poster.png --paper a5
verify games.jsonl
verify graph.jsonl --json
analyse games.jsonl --png losses.png
export games.jsonl --by seat seats.csv
export games.jsonl graph.jsonl dots.jsonl games.parquet
export games.parquet --by move moves.arrow
rate games.jsonl --csv ratings.csv --svg ratings.svg
check-bot cmd:{bot} {board}
arena-test gravity reply --against random {board} --pairings 2 --csv strength.csv
contest new autumn dots random closer --dots 6 --pairings 2
contest run autumn --jobs 2
contest status autumn
contest report autumn
contest export autumn standings.csv
experiment voronoi-on-graphs --games 2 --jobs 1 --without montecarlo --without neighbour2 --csv e.csv --plot e.svg
solve dots --circle 5
atlas 4
count-dots 4
puzzles dots puzzles.jsonl.gz --count 1
"""
"""All commands but servers, one on each line; each comes after the commands that make its files."""


def call(*words, timeout_s=COMMAND_S):
    """Run a command to its end; raise RuntimeError with its output if it fails."""
    began = time.monotonic()
    command = [sys.executable, "-m", "hinterland", *words]
    done = subprocess.run(
        command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout_s
    )
    if done.returncode != 0:
        raise RuntimeError(f"hinterland {' '.join(words)} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    print(f"{time.monotonic() - began:5.1f} s  hinterland {' '.join(words)}", flush=True)


@contextlib.contextmanager
def serving(*words, ready=PAGE):
    """Start a server; yield its output that matches ``ready``, and stop the server by SIGINT at the end."""
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen([sys.executable, "-m", "hinterland", *words], stdout=told, stderr=subprocess.STDOUT)
        try:
            yield wait_for(process, told, ready, words)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(START_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
    print(f"{time.monotonic() - began:5.1f} s  hinterland {' '.join(words)}", flush=True)


def wait_for(process, told, pattern, words):
    """Wait for a pattern in a process's output; return the match. Raises RuntimeError if it ends or takes too long."""
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        is_over = process.poll() is not None
        told.seek(0)
        if found := re.search(pattern, text := told.read()):
            return found[0].rstrip(".,")
        if is_over:
            break
        time.sleep(0.2)
    raise RuntimeError(f"hinterland {' '.join(words)} was not ready:\n{text[-3000:]}")


def try_page(address):
    with urllib.request.urlopen(address, timeout=60) as page:
        assert b"<html" in page.read().lower(), f"{address} is no page"


def try_servers():
    """Serve an arena, back it up, restore it; host a match with a built-in player; relay, if there is a Redis."""
    with serving("serve", "--port", "0", "--data", "arena") as address:
        try_page(address)
        call("backup", "arena", "arena.tar.gz")
    call("restore", "arena.tar.gz", "restored")
    call("reindex", "restored")
    with serving("referee", *GRAVITY, "--port", "0", "--seat", "random", "--protocol", "json", ready=LISTENING) as told:
        subprocess.run([*BOT, "127.0.0.1", told.split(":")[1], "ann"], check=True, timeout=COMMAND_S)
    if shutil.which("redis-server"):
        with redis() as url:
            arena = serving("serve", "--port", "0", "--data", "relayed", "--redis", url)
            with arena, serving("relay", "--redis", url, "--port", "0"):
                pass


@contextlib.contextmanager
def redis():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["redis-server", "--port", str(port), "--save", "", "--appendonly", "no"]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(START_S)


def known_commands():
    """Return the commands that ``--help`` lists."""
    told = subprocess.run([sys.executable, "-m", "hinterland", "--help"], check=True, capture_output=True, text=True)
    return set(re.findall(r"^│ ([a-z][a-z-]+) {2,}", told.stdout, re.MULTILINE))


def main():
    """Run each command in an empty folder; fail if ``--help`` lists another one."""
    served = {"serve", "backup", "restore", "reindex", "referee", "relay"}
    left = known_commands() - {line.split()[0] for line in LINES.splitlines()} - served - {"learn"}
    assert not left, f"add to LINES: {left}"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for line in LINES.splitlines():
            words = [word.format(bot=" ".join(BOT)) for word in line.replace(" {board}", "").split()]
            call(*words, *(BOARD if "{board}" in line else ()))
        try_servers()
        if find_spec("torch"):
            small = ("--generations", "1", "--games", "2", "--playouts", "8", "--steps", "2", "--channels", "4")
            call("learn", *GRAVITY, "guide.npz", *small)
        os.chdir("/")
    print("every command ran")


if __name__ == "__main__":
    main()
