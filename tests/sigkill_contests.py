"""Contests killed at random moments and gone on with: nothing lost, nothing twice, the same standings.

``PYTHONPATH=tests python tests/sigkill_contests.py 200 7``: so many kills, and the seed of their moments.
"""

import contextlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

PLAYERS = ("ann=random", "bob=closer", "cas=careful", "dan=random", "eve=closer")
PLAN = (*PLAYERS, "--dots", "7", "--seed", "3")
ASIDE = ("times", "crc")
"""Of a record: what another run of the same game may change."""


def hinterland(*words, **options):
    return subprocess.Popen([sys.executable, "-m", "hinterland", "contest", *map(str, words)], **options)


def finished(*words):
    """Run a command to its end; return what it printed."""
    with hinterland(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out


def games_of(folder):
    """Return the whole lines of a contest's records by (round, match, number), each without its times."""
    if not (folder / "records.jsonl").exists():  # killed before the first game
        return {}
    found, text = {}, (folder / "records.jsonl").read_bytes()
    for line in text[: text.rfind(b"\n") + 1].splitlines():
        game = json.loads(line)
        place = (game["contest"]["round"], game["contest"]["task"], game["number"])
        assert place not in found, f"{place} is there twice"
        found[place] = {name: value for name, value in game.items() if name not in ASIDE}
    return found


def killed(folder, whom, seconds, jobs):
    """Begin to play, and kill after so many seconds; say whether the contest went on without having to be resumed."""
    process = hinterland("run", folder, "--jobs", jobs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    own = psutil.Process(process.pid)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        workers = workers_of(own)
        for victim in {"parent": [own], "worker": workers[:1], "both": [*workers, own]}[whom]:
            with contextlib.suppress(psutil.NoSuchProcess):
                victim.send_signal(signal.SIGKILL)
        if whom == "worker":
            time.sleep(0.2)
            with contextlib.suppress(psutil.NoSuchProcess):
                own.kill()
        process.wait(60)
        psutil.wait_procs(workers, 60)
    return process.returncode == 0


def workers_of(process):
    """Return those of its children that play; one that has just ended is none."""
    found = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for one in process.children():
            with contextlib.suppress(psutil.NoSuchProcess):
                found += [one] * ("spawn_main" in " ".join(one.cmdline()))
    return found


def torture(kills, seed, pairings=12, form="round-robin"):
    """Kill so often at random moments; return who was killed how often, over how many contests."""
    chance, count, contests = random.Random(seed), Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        quiet, folder = Path(name) / "quiet", Path(name) / "killed"
        for made in (quiet, folder):
            finished("new", made, "dots", *PLAN, "--pairings", pairings, "--format", form)
        began = time.monotonic()
        told = finished("run", quiet, "--jobs", 2)
        whole_s = time.monotonic() - began
        expected = games_of(quiet)
        while sum(count.values()) < kills:
            whom = chance.choice(("parent", "worker", "both"))
            over = killed(folder, whom, chance.uniform(0.3, 1) * whole_s * 0.9, jobs=2)
            before = games_of(folder)
            assert before.items() <= expected.items()
            count[whom] += 1
            if over or len(before) == len(expected):
                contests += 1
                check(folder, expected, told)
                (folder / "records.jsonl").unlink(missing_ok=True)
        check(folder, expected, told)
    return count, contests + 1


def check(folder, expected, told):
    standings = finished("run", folder, "--jobs", 2)
    assert games_of(folder) == expected
    assert standings == told, f"not the standings of a contest that was never killed:\n{standings}{told}"


if __name__ == "__main__":
    form = sys.argv[3] if len(sys.argv) > 3 else "round-robin"
    counted, folders = torture(int(sys.argv[1]), int(sys.argv[2]), form=form)
    print(f"{sum(counted.values())} kills {dict(counted)} in {folders} contests: nothing lost, nothing twice")
