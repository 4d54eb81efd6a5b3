"""Whether the referee reports a standstill of the machine if there was one, and only then. Run on an idle machine:

    python -m benchmarks.standstill
    python -m benchmarks.standstill --matches 5 tcp match

Matches of ten stones on 1000 x 1000 are played in four ways: between programs over TCP, between a program and a
built-in player in the referee, between programs of `hinterland match`, and between players of one process. No match may
report a standstill. Then a match of each way is stopped for half a second within a game: that must be reported once,
and charged to no player. It exits with 1 otherwise.
"""

from __future__ import annotations

import argparse
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hinterland.referee.record import Record
from hinterland.storage import records as record_files

ROOT_SLOT = Path(__file__).parents[1]
HINTERLAND = [sys.executable, "-m", "hinterland"]
CLIENTS = ROOT_SLOT / "clients" / "python"
PROGRAM = f"cmd:{sys.executable} {CLIENTS / 'json_client.py'}"
STOP_S = 0.5
REPORT = re.compile(r"this machine stood still for ([0-9.]+) s")
WAYS = {
    "tcp": (2, ["referee", "gravity", "--port", "0"]),
    "house": (1, ["referee", "gravity", "--port", "0", "--seat", "reply"]),
    "match": (0, ["match", "gravity", PROGRAM, PROGRAM]),
    "local": (0, ["match", "gravity", "reply", "search:seconds=0.2"]),
}
"""By name: the number of clients that connect over TCP, and the command."""


def play(way: str, folder: Path, *, stop: bool) -> tuple[list[float], list[Record]]:
    """Play a match; return the seconds of each reported standstill, and the records."""
    guests, words = WAYS[way]
    file = folder / f"{time.monotonic_ns()}.jsonl"
    running = subprocess.Popen([*HINTERLAND, *words, "--record", str(file)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    assert running.stderr is not None
    output = ""
    clients: list[subprocess.Popen[bytes]] = []
    if guests:
        while "listening" not in output and (line := running.stderr.readline()):
            output += line
        port = output.rpartition("listening on 127.0.0.1:")[2].partition(",")[0]
        words = [sys.executable, str(CLIENTS / "hps_client.py"), "127.0.0.1", port]
        clients = [subprocess.Popen([*words, f"bot{n}"], stderr=subprocess.DEVNULL) for n in range(guests)]
    if stop:
        if guests:
            while "game 2 of 2" not in output or output.rpartition("game 2 of 2")[2].count(" s: ") < 5:
                output += running.stderr.readline()
        else:
            while running.poll() is None and not (file.exists() and file.stat().st_size):
                time.sleep(0.01)
            time.sleep(0.2)  # by now the second game goes on
        running.send_signal(signal.SIGSTOP)
        time.sleep(STOP_S)
        running.send_signal(signal.SIGCONT)
    output += running.stderr.read()
    running.wait()
    for client in clients:
        client.wait(60)
    return [float(seconds) for seconds in REPORT.findall(output)], [kept for _, kept in record_files.read(file)]


def faults(played: tuple[list[float], list[Record]], *, stop: bool) -> list[str]:
    """List the faults of a match."""
    reported, records = played
    found = [f"game {one.number} ended by {one.reason}" for one in records if one.reason != "complete"]
    if len(records) != 2:
        found.append(f"{len(records)} games instead of 2")
    if not stop:
        return found + [f"said to have stood still for {seconds} s" for seconds in reported]
    if len(reported) != 1 or not STOP_S - 0.05 <= reported[0] <= STOP_S + 0.1:
        found.append(f"stopped for {STOP_S} s, and said {reported}")
    late = [one.times.lag_ms or 0 for one in records]
    if max(late, default=0) < 1000 * STOP_S - 50:
        found.append(f"{late} ms were charged to nobody")
    return found


def main() -> None:
    """Play all matches and print a line for each way."""
    parser = argparse.ArgumentParser(description="Say when the machine stood still, and only then.")
    parser.add_argument("ways", nargs="*", default=list(WAYS), help=f"of {', '.join(WAYS)}; all when left out")
    parser.add_argument("--matches", type=int, default=20, help="of each way, without a stop")
    wish = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for way in wish.ways:
            for stop in (False, True):
                matches = [play(way, Path(folder), stop=stop) for _ in range(1 if stop else wish.matches)]
                wrong = [words for match in matches for words in faults(match, stop=stop)]
                games = [one for _, records in matches for one in records]
                late = [one.times.lag_ms or 0 for one in games]
                spent = sum(sum(one.times.ms) for one in games) / 1000
                state = "stopped" if stop else "idle"
                print(f"{way:6} {state:8} {len(matches):3} matches, {spent:6.1f} s of clocks, late in a game: "
                      f"{sum(late) // max(len(late), 1)} ms in the mean, {max(late, default=0)} ms at most; "
                      f"{'; '.join(wrong) or 'as it should be'}", flush=True)  # fmt: skip
                failed = failed or bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
