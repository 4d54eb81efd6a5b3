"""Measures how soon many viewers of one game see a move, and whether they slow down the players.

``PYTHONPATH=tests:tests/web python tests/spectators.py 1000 300 40``: 1,000 viewers, 300 of whom never read, and 40
moves. A fourth number is the number of relays among which the viewers are spread; without it, the arena serves all. The
viewers run in a process of their own. It prints the median, the 99th percentile and the maximum of the milliseconds
from a move to a viewer, and from a move to its mover's own answer, with and without viewers.
"""

import asyncio
import contextlib
import json
import multiprocessing
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import numpy as np
import psutil
from web_play import Relay, Server
from websockets.asyncio.client import connect

import real_redis

BETWEEN_S = 0.4
"""Seconds between two moves, as in a lively game."""
LIMIT_MS, LIMIT_MORE_MS = 250, 10
BACKLOG_BYTES = 4096
PEOPLE = [{"kind": "person", "name": name} for name in ("Ann", "Bob")]


async def watch(address, heard):
    """Note the time at which each number of moves is first seen."""
    async with connect(address, proxy=None, compression=None, max_queue=None) as socket:
        await socket.send(json.dumps({"type": "hello", "key": None}))
        async for text in socket:
            now_s = time.monotonic()
            if '"type":"snapshot"' in text[:200] or '"moves"' in text:
                heard.append((len(json.loads(text)["moves"]), now_s))


async def stare(address):
    """Connect, and never read again."""
    host, port, path = urlsplit(address).hostname, urlsplit(address).port, urlsplit(address).path
    reader, writer = await asyncio.open_connection(host, port, limit=BACKLOG_BYTES)
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    head = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    writer.write(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    await writer.drain()
    await reader.readuntil(b"\r\n\r\n")
    hello = b'{"type":"hello","key":null}'
    writer.write(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    await writer.drain()
    writer.transport.pause_reading()
    return writer


async def crowd(addresses, viewers, idle, ready, stop, said):
    """Watch with many viewers until told to stop; send the times of all that they saw."""
    heard = [[] for _ in range(viewers - idle)]
    places = cycle(addresses)
    staring = [await stare(address) for address in islice(places, idle)]
    watching = []
    for mine, address in zip(heard, places, strict=False):
        watching.append(asyncio.create_task(watch(address, mine)))
        await asyncio.sleep(0.002)
    while not all(heard):
        await asyncio.sleep(0.05)
    ready.set()
    while not stop.is_set():
        await asyncio.sleep(0.1)
    for task in watching:
        task.cancel()
    for writer in staring:
        writer.close()
    said.put([list(dict(reversed(mine)).items()) for mine in heard])


def run_crowd(*what):
    asyncio.run(crowd(*what))


async def play(server, moves, gather=None):
    """Play a game of two people in one browser; return when each move was sent and when its mover saw it."""
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        wanted = {"game": "gravity", "rules": {"size": 200, "stones": moves, "spacing": 2}, "seats": PEOPLE}
        game = (await client.post("/api/games", json=wanted)).json()
    if gather:
        await gather(game["id"])
    sent, seen = {}, {}
    async with connect(server.address(game["id"]), proxy=None) as socket:
        await socket.send(json.dumps({"type": "hello", "key": game["key"]}))
        for ply in range(moves):
            await asyncio.sleep(BETWEEN_S)
            sent[ply + 1] = time.monotonic()
            move = [2 + 7 * (ply % 28), 2 + 7 * (ply // 28)]
            await socket.send(json.dumps({"type": "move", "ply": ply, "move": move}))
            while ply + 1 not in seen:
                message = json.loads(await socket.recv())
                if message["type"] == "snapshot" and len(message["moves"]) == ply + 1:
                    seen[ply + 1] = time.monotonic()
    return sent, seen


def processor_s(server):
    times = psutil.Process(server.process.pid).cpu_times()
    return times.user + times.system


def told(words, waited_ms):
    middle, high = np.percentile(waited_ms, [50, 99])
    print(f"{words:<32} {len(waited_ms):>7,}: median {middle:.1f} ms, p99 {high:.1f} ms, most {max(waited_ms):.1f} ms")
    return high


@contextlib.contextmanager
def served(viewers, relays):
    """Start an arena and relays; yield the arena, and the addresses for viewers."""
    limits = {"viewers": viewers + 50, "viewers_per_game": viewers + 10, "requests_per_second": 1e9}
    limits["connections_per_second"] = 1e9
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if not relays:
            server = stack.enter_context(contextlib.closing(Server(folder, **limits))).ready()
            yield server, [server]
            return
        url = stack.enter_context(real_redis.started()).url()
        server = stack.enter_context(contextlib.closing(Server(folder, redis=url, **limits))).ready()
        started = [stack.enter_context(contextlib.closing(Relay(url, **limits))).ready() for _ in range(relays)]
        while any(httpx.get(f"{relay.url}/healthz").is_error for relay in started):
            time.sleep(0.05)
        yield server, started


def main(viewers, idle, moves, relays=0):
    with served(viewers, relays) as (server, places):
        ready, stop, said = multiprocessing.Event(), multiprocessing.Event(), multiprocessing.Queue()

        async def gather(game):
            what = ([place.address(game) for place in places], viewers, idle, ready, stop, said)
            multiprocessing.Process(target=run_crowd, args=what, daemon=True).start()
            await asyncio.to_thread(ready.wait)

        sent, seen = asyncio.run(play(server, moves))
        alone = told("mover, alone", [1000 * (seen[ply] - sent[ply]) for ply in sent])
        before_s = processor_s(server)
        sent, seen = asyncio.run(play(server, moves, gather))
        spent_s = processor_s(server) - before_s
        time.sleep(1)
        stop.set()
        heard = [dict(mine) for mine in said.get()]
    crowded = told("mover, with the crowd", [1000 * (seen[ply] - sent[ply]) for ply in sent])
    missed = sum(ply not in mine for mine in heard for ply in sent)
    high = told("viewers", [1000 * (mine[ply] - sent[ply]) for mine in heard for ply in sent if ply in mine])
    print(f"processor time of the arena with the crowd: {spent_s:.1f} s")
    print(f"moves that were not seen before the next: {missed} of {len(heard) * len(sent):,}")
    return high <= LIMIT_MS and crowded <= alone + LIMIT_MORE_MS


if __name__ == "__main__":
    sys.exit(not main(*map(int, sys.argv[1:5])))
