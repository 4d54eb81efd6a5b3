"""The referee's speed with many games at once: ``python -m benchmarks.referee --at-once 32 --games 2000``.

The referee runs in a process of its own, with rules, clocks and records on the disk; players that answer at once run in
another. The board is small, so that the rules cost little. Any loss on time is the referee's failure, and is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from hinterland.storage import records as files

SIZE = 10
BOARDS = {
    "gravity": f"--size {SIZE} --spacing 1 --stones",
    "graph": f"--board grid --rows {SIZE} --cols {SIZE} --tokens",
}
"""The options of a small board of each game, up to the number of moves of a player."""


class Player(asyncio.Protocol):
    """Takes the next free place, as soon as it is asked."""

    def __init__(self, gone: asyncio.Future[int]) -> None:
        self.buffer = b""
        self.gone = gone
        self.plies = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        for line in lines:
            message = msgspec.json.decode(line)
            match message["type"]:
                case "hello":
                    self.game = message["game"]
                    self.transport.write(b'{"type":"join","name":"instant"}\n')
                case "turn":
                    self.plies += 1
                    place = len(message["moves"])
                    move = divmod(place, SIZE) if self.game == "gravity" else [place]
                    answer = {k: message[k] for k in ("game_id", "turn")}
                    self.transport.write(msgspec.json.encode({"type": "move", **answer, "move": move}) + b"\n")

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.gone.set_result(self.plies)


async def pair(port: int) -> int:
    """Let two players connect and play a match; return the number of their moves."""
    loop = asyncio.get_running_loop()
    futures: list[asyncio.Future[int]] = [loop.create_future() for _ in range(2)]
    for future in futures:
        await loop.create_connection(functools.partial(Player, future), "127.0.0.1", port)
    return sum([await future for future in futures])


async def play(port: int, at_once: int, matches: int) -> int:
    """Play matches, ``at_once`` at a time; return the number of moves."""
    left = iter(range(matches))
    plies = 0

    async def one_after_another() -> None:
        nonlocal plies
        for _ in left:
            given = await pair(port)
            plies += given

    await asyncio.gather(*(one_after_another() for _ in range(at_once)))
    return plies


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--at-once", type=int, default=32)
    options.add_argument("--games", type=int, default=2000)
    options.add_argument("--game", choices=BOARDS, default="gravity")
    options.add_argument("--moves", type=int, default=10)
    options.add_argument("--clock", type=float, default=0.2)
    options.add_argument("--increment", type=float, default=0.002)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.jsonl"
        command = (
            f"{sys.executable} -m hinterland referee {chosen.game} --protocol json --port 0 "
            f"{BOARDS[chosen.game]} {chosen.moves} --clock {chosen.clock} --increment {chosen.increment} "
            f"--matches {chosen.games // 2} --record {file}"
        )
        with subprocess.Popen(command.split(), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as referee:
            assert referee.stderr is not None
            for line in referee.stderr:
                if found := re.search(r"listening on [^ ]+:(\d+)", line):
                    break
            else:
                sys.exit(f"the referee did not start: exit status {referee.wait()}")
            drain = subprocess.Popen(["cat"], stdin=referee.stderr, stdout=subprocess.DEVNULL)
            began = time.perf_counter()
            plies = asyncio.run(play(int(found[1]), chosen.at_once, chosen.games // 2))
            seconds = time.perf_counter() - began
            referee.wait(60)
            drain.wait(60)
        records = [kept for _, kept in files.read(file)]
    lost = [departure for kept in records for departure in kept.departures]
    slowest = max(ms for kept in records for ms in kept.times.ms)
    lag = max(kept.times.lag_ms for kept in records)
    print(f"{len(records)} games, {chosen.at_once} matches at once: {plies / seconds:,.0f} plies/s, {seconds:.1f} s")
    print(f"lost on time or otherwise: {len(lost)} {[departure.detail for departure in lost[:3]]}")
    print(f"slowest move {slowest} ms; most lag of the referee in a game, charged to nobody: {lag} ms")


if __name__ == "__main__":
    main()
