"""The targets of attacks, as real processes: an arena with finished games in its folder, and a waiting referee."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.request
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any, Self

import psutil
from websockets.sync.client import connect

from hinterland.storage.index import database, listing

__all__ = ["Arena", "Referee", "TargetProcess", "cells"]

READY_S = 240.0
BOARD = {"size": 200, "stones": 40, "spacing": 3}
LONG_GAME = {"size": 1000, "stones": 10, "spacing": 20}
ID = "attack{:010d}"
PERSONS = [{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Bob"}]


def cells(size: int, step: int) -> list[tuple[int, int]]:
    """Return cells of a board on which stones may go in any order."""
    return [(x, y) for y in range(step, size - step, step) for x in range(step, size - step, step)]


class TargetProcess:
    """A command of ``hinterland`` with its output; all of it is read, so that the command never waits for a reader."""

    def __init__(self, *words: object, is_ready: str, descriptors: int | None = None) -> None:
        """Start it and wait until it is ready. ``descriptors``: most that it may have."""
        command = [sys.executable, "-m", "hinterland", *map(str, words)]
        self.said: list[tuple[float, str]] = []
        self._changed = threading.Condition()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if descriptors is not None and sys.platform == "linux":
            import resource

            resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (descriptors, descriptors))
        assert self.process.stdout is not None
        threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()
        self.port = int(self.until(is_ready, READY_S)[1][1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def _read(self, pipe: IO[str]) -> None:
        for line in pipe:
            with self._changed:
                self.said.append((time.monotonic(), line))
                self._changed.notify_all()

    def until(self, pattern: str, patience_s: float) -> tuple[float, re.Match[str]]:
        """Wait for a line of its output; return the moment, and the match."""
        deadline = time.monotonic() + patience_s
        with self._changed:
            while True:
                for moment, line in self.said:
                    if found := re.search(pattern, line):
                        return moment, found
                if not self._changed.wait(deadline - time.monotonic()):
                    raise TimeoutError(f"{pattern!r} was not said in {patience_s:g} s: {self.said[-5:]}")

    def said_bytes(self) -> int:
        """Return the size of its output so far."""
        return sum(len(line.encode()) for _, line in self.said)

    def memory_mib(self) -> float:
        """Return the memory of its processes; shared memory counts once."""
        this = psutil.Process(self.process.pid)
        total = 0
        for one in (this, *this.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += one.memory_full_info().pss
        return total / 2**20

    def busy_s(self) -> float:
        """Return the processor time it has used."""
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return 0.0

    def waited_s(self) -> float:
        """Return how long its event loop has waited for a processor."""
        with contextlib.suppress(OSError):
            return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[1]) / 1e9
        return 0.0


class Arena(TargetProcess):
    """``hinterland serve`` on a folder of its own."""

    def __init__(self, data: Path, descriptors: int | None = None) -> None:
        self.data = data
        self._makers = itertools.count()
        """Each game is made from the next address: none makes more than it may."""
        words = ("serve", "--port", 0, "--data", data)
        super().__init__(*words, is_ready=r" is ready at http://\S+?:(\d+)", descriptors=descriptors)

    def start(self, rules: dict[str, Any] = BOARD, clock_s: float | None = None) -> tuple[str, str]:
        """Begin a game of two persons; return its id and key."""
        clock = {} if clock_s is None else {"clock": {"budget": clock_s}}
        wish = json.dumps({"game": "gravity", "rules": rules, "seats": PERSONS, **clock})
        source = (f"127.0.1.{next(self._makers) % 100 + 1}", 0)
        with contextlib.closing(HTTPConnection("127.0.0.1", self.port, source_address=source)) as connection:
            connection.request("POST", "/api/games", wish)
            made = json.load(connection.getresponse())
        return made["id"], made["key"]

    def finished(self, count: int) -> list[str]:
        """Put finished games into the folder, all alike; return their ids."""
        played, key = self.start(LONG_GAME)
        with connect(f"ws://127.0.0.1:{self.port}/games/{played}/live", proxy=None) as socket:
            socket.send(json.dumps({"type": "hello", "key": key}))
            for ply, cell in enumerate(cells(LONG_GAME["size"], 200) + cells(LONG_GAME["size"] - 80, 180)):
                socket.send(json.dumps({"type": "move", "ply": ply, "move": cell}))
                while len((seen := json.loads(socket.recv())).get("moves", ())) <= ply:
                    assert seen["type"] != "error", seen
                time.sleep(0.05)
                if seen["outcome"] is not None:
                    break
        journal = (self.data / "games" / f"{played}.jsonl").read_text()
        ids = [ID.format(number) for number in range(count)]
        for one in ids:
            (self.data / "games" / f"{one}.jsonl").write_text(journal.replace(played, one))
        self._list(count)
        return ids

    def _list(self, count: int) -> None:
        """Rebuild the index, since these games came into the folder without the arena."""
        engine = database.make_engine(database.default_url(self.data))
        database.request_rebuild(engine)
        engine.dispose()
        listed = 0
        while listed < min(count, listing.MAX_COUNTED):
            time.sleep(0.2)
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/games") as answer:
                listed = json.loads(answer.read())["count"]


class Referee(TargetProcess):
    """``hinterland referee`` for a match of two."""

    def __init__(self) -> None:
        board = ("--size", 12, "--spacing", 3, "--stones", 2, "--players", 2)
        super().__init__("referee", "gravity", "--port", 0, *board, is_ready=r"listening on 127\.0\.0\.1:(\d+), ")
