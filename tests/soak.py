"""Many games through one arena: memory, descriptors, threads and processes stay as they were.

``PYTHONPATH=tests:tests/web python tests/soak.py 20000`` plays 20,000 games: a fifth between two people over WebSockets
with a spectator, the others between programs. It prints a line for each twentieth, and the slope of the second half.
"""

import asyncio
import json
import statistics
import sys
import tempfile
from pathlib import Path

import httpx
import psutil
from web_play import PERSON, Server
from websockets.asyncio.client import connect

DOTS = {"dots": 4}
SMALL = {"size": 12, "stones": 1, "spacing": 2}
RANDOM = {"kind": "program", "player": "random"}
AT_ONCE = 8
MAX_SLOPE_KIB = 0.2


async def game_of_programs(client, server):
    """Begin a game of programs, and poll until it is over."""
    wanted = {"game": "dots", "rules": DOTS, "seats": [RANDOM, RANDOM]}
    begun = (await client.post("/api/games", json=wanted)).json()
    async with connect(server.address(begun["id"]), proxy=None) as eve:
        await eve.send('{"type":"hello","key":null}')
        while (json.loads(await eve.recv())).get("outcome") is None:
            pass


async def game_of_people(client, server):
    """Play a game of two people with a spectator."""
    wanted = {"game": "gravity", "rules": SMALL, "seats": [PERSON, {**PERSON, "name": "Ben"}]}
    begun = (await client.post("/api/games", json=wanted)).json()
    address = server.address(begun["id"])
    async with connect(address, proxy=None) as ann, connect(address, proxy=None) as eve:
        await eve.send('{"type":"hello","key":null}')
        await ann.send(json.dumps({"type": "hello", "key": begun["key"]}))
        for ply, place in enumerate(((3, 3), (8, 8))):
            await ann.send(json.dumps({"type": "move", "ply": ply, "move": place}))
        while (json.loads(await ann.recv())).get("outcome") is None:
            pass
        await client.get(f"/games/{begun['id']}")


async def play(server, games):
    """Play games, some at a time; return the resident KiB after each twentieth."""
    numbers, kib, step = iter(range(games)), [], max(games // 20, 1)
    process = psutil.Process(server.process.pid)

    async def one_after_another(client):
        for number in numbers:
            await (game_of_people if number % 5 == 0 else game_of_programs)(client, server)
            if number % step == step - 1:
                kib.append(process.memory_info().rss // 1024)
                state = f"{process.num_fds()} descriptors, {process.num_threads()} threads"
                state += f", {len(process.children())} children"
                print(f"{number + 1:>7,} games: {kib[-1]:,} KiB, {state}", flush=True)

    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        await asyncio.gather(*(one_after_another(client) for _ in range(AT_ONCE)))
    return kib, step


def main(games):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(
            Path(folder), games_per_minute=1e9, requests_per_second=1e9, connections_per_second=1e9, live_games=400,
            idle_s=5.0,
        ).ready()  # fmt: skip
        process = psutil.Process(server.process.pid)
        before = process.num_fds(), process.num_threads()
        try:
            kib, step = asyncio.run(play(server, games))
            half = kib[len(kib) // 2 :]
            slope = statistics.linear_regression([step * number for number in range(len(half))], half).slope
            print(f"slope of the second half: {slope:.3f} KiB a game; descriptors and threads before {before}")
        finally:
            server.close()
    return slope


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])) > MAX_SLOPE_KIB)
