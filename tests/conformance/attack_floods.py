"""The attacks: what one address can do over raw sockets, as often and as long as it likes.

``python -m conformance.attack_floods NAME SECONDS TARGET`` runs one, in a process of its own.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import os
import struct
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

__all__ = ["ATTACKS", "Attack", "Target", "flood", "main"]

SOURCE = "127.0.0.2"
AGAIN_S = 0.02
"""Seconds until a connection that was cut off is opened again."""
PING, PONG, TEXT, WHOLE_TEXT, PART = 0x89, 0x8A, 0x01, 0x81, 0x00
PIPELINED = 20
NUMBERS = itertools.count()
MCTS = {"kind": "program", "player": "mcts:playouts=300"}


class Target(msgspec.Struct, frozen=True):
    """The target of an attack, with its known games."""

    port: int
    watched: str = ""
    """A game that goes on."""
    finished: tuple[str, ...] = ()


Once = Callable[[Target], Awaitable[None]]


class Attack(msgspec.Struct, frozen=True):
    """What a number of connections do at a time, each again when it is cut off."""

    once: Once
    connections: int
    games: int = 8
    """Number of finished games that the attack needs."""


def frame(first: int, payload: bytes = b"") -> bytes:
    """Return a frame as clients send it, masked with zeros."""
    return struct.pack("!BBI", first, 0x80 | len(payload), 0) + payload


@asynccontextmanager
async def connected(target: Target) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a connection; it is dropped without a farewell."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port, local_addr=(SOURCE, 0))
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


def asked(target: Target, path: str, method: str = "GET", body: bytes = b"", more: str = "") -> bytes:
    """Return a request."""
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\n{length}{more}\r\n".encode() + body


async def greet(target: Target, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Turn a connection into a WebSocket that watches."""
    key = base64.b64encode(os.urandom(16)).decode()
    more = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
    writer.write(asked(target, path, more=more))
    if b" 101 " not in await reader.readuntil(b"\r\n\r\n"):
        raise ConnectionAbortedError
    writer.write(frame(WHOLE_TEXT, b'{"type":"hello","key":null}'))


def frames(first: bytes, then: bytes) -> Once:
    """Watch a game, and send frames without end."""

    async def once(target: Target) -> None:
        async with connected(target) as (reader, writer):
            await greet(target, f"/games/{target.watched}/live", reader, writer)
            writer.write(first)
            while True:
                writer.write(then * 500)
                await writer.drain()
                await asyncio.sleep(0)

    return once


def drips(head: bytes = b"") -> Once:
    """Begin a request and send it byte by byte; without a head, send nothing."""

    async def drip(writer: asyncio.StreamWriter) -> None:
        while head:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(1)

    async def once(target: Target) -> None:
        async with connected(target) as (reader, writer):
            writer.write(head.replace(b"PORT", str(target.port).encode()))
            dripping = asyncio.ensure_future(drip(writer))
            try:
                while await reader.read(65536):
                    pass
            finally:
                dripping.cancel()
                await asyncio.gather(dripping, return_exceptions=True)

    return once


async def churn(target: Target) -> None:
    """Connect and leave."""
    async with connected(target):
        pass


def pages(path: Callable[[Target], str]) -> Once:
    """Ask for pages without end, many before the first answer."""

    async def once(target: Target) -> None:
        async with connected(target) as (reader, writer):
            while True:
                writer.write(b"".join(asked(target, path(target)) for _ in range(PIPELINED)))
                await _answers(reader, PIPELINED)

    return once


async def _answers(reader: asyncio.StreamReader, count: int) -> None:
    """Read ``count`` answers. Raises ConnectionResetError if fewer come."""
    for _ in range(count):
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
        await reader.readexactly(int(length or 0))


def requests(make: Callable[[Target], bytes]) -> Once:
    """Send costly requests again and again, and wait for each answer."""

    async def once(target: Target) -> None:
        async with connected(target) as (reader, writer):
            while True:
                writer.write(make(target))
                await _answers(reader, 1)

    return once


def _picture(target: Target) -> bytes:
    number = next(NUMBERS)
    one, kind = target.finished[number % len(target.finished)], ("png", "gif")[number // 2 % 2]
    return asked(target, f"/games/{one}.{kind}?ply={20 - number // 4 % 10}")


def _list(target: Target) -> bytes:
    return asked(target, f"/api/games?count=200&player=ann&from=2026-01-{1 + next(NUMBERS) % 28:02d}")


def _thumbnail(target: Target) -> bytes:
    return asked(target, f"/games/{target.finished[next(NUMBERS) % len(target.finished)]}/thumbnail.webp")


def _review(target: Target) -> bytes:
    return asked(target, f"/games/{target.finished[next(NUMBERS) % len(target.finished)]}/review")


def _board(target: Target) -> bytes:
    rules = {"board": "random", "vertices": 300, "density": 0.1, "tokens": 10, "board_seed": next(NUMBERS)}
    return asked(target, "/api/boards", "POST", json.dumps({"game": "graph", "rules": rules}).encode())


async def large_games(target: Target) -> None:
    """Begin a game on a large board, and ask for the data to draw it."""
    rules = {"board": "sparse", "vertices": 1000, "density": 0.08, "tokens": 10, "board_seed": next(NUMBERS)}
    wish: dict[str, Any] = {"game": "graph", "rules": rules, "seats": [{"kind": "person", "name": "x"}] * 2}
    url = await _begun(target, wish)
    if url is not None:
        async with connected(target) as (reader, writer):
            writer.write(asked(target, f"{url}/drawing-data"))
            await _answers(reader, 1)


async def _begun(target: Target, wish: dict[str, Any]) -> str | None:
    """Begin a game; return its address, or None if it is refused."""
    async with connected(target) as (reader, writer):
        writer.write(asked(target, "/api/games", "POST", json.dumps(wish).encode()))
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 201 " not in head:
            await asyncio.sleep(1)
            return None
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        return str(json.loads(await reader.readexactly(length))["url"])


async def programs(target: Target) -> None:
    """Begin a game of programs, and watch it."""
    wish: dict[str, Any] = {"game": "dots", "rules": {"board": "jittered", "dots": 24}, "seats": [MCTS, MCTS]}
    url = await _begun(target, wish)
    if url is None:
        return
    async with connected(target) as (reader, writer):
        await greet(target, f"{url}/live", reader, writer)
        while await reader.read(65536):
            pass


HEAD = b" HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"
ATTACKS = {
    "nothing": Attack(drips(), 0),
    "pings": Attack(frames(b"", frame(PING)), 15),
    "pongs": Attack(frames(b"", frame(PONG)), 15),
    "fragments": Attack(frames(frame(TEXT), frame(PART)), 15),
    "utf8": Attack(frames(b"", frame(WHOLE_TEXT, b"\xff\xfe")), 15),
    "idle": Attack(drips(), 2600),
    "headers": Attack(drips(b"GET /" + HEAD + b"X: "), 600),
    "bodies": Attack(drips(b"POST /api/games" + HEAD + b"Content-Length: 50000\r\n\r\n"), 600),
    "churn": Attack(churn, 20),
    "front": Attack(pages(lambda _: "/"), 20),
    "games": Attack(pages(lambda _: "/games"), 20, games=2000),
    "lists": Attack(requests(_list), 20, games=2000),
    "thumbnails": Attack(requests(_thumbnail), 62, games=500),
    "static": Attack(pages(lambda _: "/static/css/base.css"), 20),
    "pictures": Attack(requests(_picture), 62),
    "reviews": Attack(requests(_review), 6),
    "programs": Attack(programs, 30),
    "boards": Attack(requests(_board), 20),
    "large_games": Attack(large_games, 20),
    "descriptors": Attack(drips(), 1200),
}


async def flood(attack: Attack, target: Target, seconds: float) -> int:
    """Attack for some time; return how often a connection was cut off."""
    ends = time.monotonic() + seconds
    cut_off = 0

    async def again() -> None:
        nonlocal cut_off
        while time.monotonic() < ends:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await attack.once(target)
            cut_off += 1
            await asyncio.sleep(AGAIN_S)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(again() for _ in range(attack.connections)), asyncio.sleep(seconds))
    return cut_off


def main(name: str, seconds: str, target: str) -> None:
    """Run one attack, with a low priority: attackers' machines take nothing from the server's processors."""
    if hasattr(os, "nice"):
        os.nice(10)
    print(asyncio.run(flood(ATTACKS[name], msgspec.json.decode(target, type=Target), float(seconds))))


if __name__ == "__main__":
    main(*sys.argv[1:])
