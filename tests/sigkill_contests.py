"""Kills contests at random moments and resumes them: no game is lost or doubled, and the standings are the same.

``PYTHONPATH=tests python tests/sigkill_contests.py 200 7`` kills 200 times, at moments drawn by seed 7. With
``cluster`` as third word, it kills one of three workers of a Dask cluster every five seconds, 200 times, while commands
play contests there; it kills these commands, too.
"""

import contextlib
import json
import logging
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import psutil

PLAYERS = ("ann=random", "bob=closer", "cas=careful", "dan=random", "eve=closer")
PLAN = (*PLAYERS, "--dots", "7", "--seed", "3")
ASIDE = ("times", "crc")
"""Fields of a record that may differ between two runs of the same game."""


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


def killed(folder, whom, seconds, *workers):
    """Begin to play, and kill after some seconds; say whether the contest went on without being resumed."""
    process = hinterland("run", folder, *workers, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    own = psutil.Process(process.pid)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        hired = workers_of(own)
        for victim in {"parent": [own], "worker": hired[:1], "both": [*hired, own]}[whom]:
            with contextlib.suppress(psutil.NoSuchProcess):
                victim.send_signal(signal.SIGKILL)
        if whom == "worker":
            time.sleep(0.2)
            with contextlib.suppress(psutil.NoSuchProcess):
                own.kill()
        process.wait(60)
        psutil.wait_procs(hired, 60)
    return process.returncode == 0


def workers_of(process):
    """Return the child processes that play; one that has just ended does not count."""
    found = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for one in process.children():
            with contextlib.suppress(psutil.NoSuchProcess):
                found += [one] * ("spawn_main" in " ".join(one.cmdline()))
    return found


def torture(kills, seed, pairings=12, form="round-robin"):
    """Kill at random moments; return the number of kills by kind of process, and the number of contests."""
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
            over = killed(folder, whom, chance.uniform(0.3, 1) * whole_s * 0.9, "--jobs", 2)
            before = games_of(folder)
            assert before.items() <= expected.items()
            count[whom] += 1
            if over or len(before) == len(expected):
                contests += 1
                check(folder, expected, told)
                (folder / "records.jsonl").unlink(missing_ok=True)
        check(folder, expected, told)
    return count, contests + 1


def on_a_cluster(kills, seed, every=5.0, pairings=150):
    """Kill a worker of a cluster every ``every`` seconds, and now and then the command that waits for them."""
    chance, count = random.Random(seed), Counter()
    with tempfile.TemporaryDirectory() as name, cluster_of(3) as cluster:
        quiet, folder = Path(name) / "quiet", Path(name) / "killed"
        for made in (quiet, folder):
            finished("new", made, "dots", *PLAN, "--pairings", pairings)
        told = finished("run", quiet, "--jobs", 2)
        expected = games_of(quiet)
        there = ("--cluster", cluster.scheduler_address)
        with killing_its_workers(cluster, chance, every) as workers:
            while len(workers) < kills:
                if killed(folder, "parent", chance.uniform(every, 6 * every), *there):
                    count["contest"] += 1
                    check(folder, expected, told, *there)
                    (folder / "records.jsonl").unlink()
                else:
                    count["parent"] += 1
                    assert games_of(folder).items() <= expected.items()
            check(folder, expected, told, *there)
    return count + Counter(worker=len(workers)), count["contest"] + 1


@contextlib.contextmanager
def cluster_of(workers):
    """Yield a cluster that replaces workers that were killed before they began, on which their supervisor gave up."""
    import distributed

    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
    ) as cluster:
        cluster.adapt(minimum=workers, maximum=workers)
        yield cluster


@contextlib.contextmanager
def killing_its_workers(cluster, chance, every):
    """Kill workers during the context; yield the list of those killed so far."""
    over, victims = threading.Event(), []

    def kill():
        while not over.wait(every):
            pids = [worker.pid for worker in cluster.workers.values() if worker.pid is not None]
            if pids:
                victims.append(chance.choice(pids))
                os.kill(victims[-1], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield victims
    finally:
        over.set()
        killer.join()


def check(folder, expected, told, *workers):
    standings = finished("run", folder, *(workers or ("--jobs", 2)))
    assert games_of(folder) == expected
    assert standings == told, f"not the standings of a contest that was never killed:\n{standings}{told}"


if __name__ == "__main__":
    often, seed, form = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "round-robin"
    counted, folders = on_a_cluster(often, seed) if form == "cluster" else torture(often, seed, form=form)
    print(f"{sum(counted.values())} kills {dict(counted)} in {folders} contests: nothing lost, nothing twice")
