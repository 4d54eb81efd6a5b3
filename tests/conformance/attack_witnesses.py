"""Honest people beside an attack: the delay of their moves, pages and clocks, measured from other addresses."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from websockets.asyncio.client import ClientConnection, connect

from conformance.attack_targets import Arena, cells

__all__ = ["Seen", "quantile", "witness"]

PLAYERS, READERS, CLOCKS = ("127.0.0.3", "127.0.0.4"), "127.0.0.5", "127.0.0.6"
MOVE_EVERY_S, PAGE_EVERY_S, CLOCK_EVERY_S = 0.08, 0.1, 0.5
PATHS = ("/", "/games", "/static/css/base.css", "/api/catalogue", "/play/gravity")
CLOCK_S = 1.0
CELLS = cells(200, 4)


@dataclass
class Seen:
    """The waiting times of honest people, in ms."""

    moves: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    deadlines: list[float] = field(default_factory=list)
    """How late a clock was seen to run out."""
    refused: int = 0
    """Pages and connections that failed."""


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lies; NaN if there are none."""
    return sorted(values)[min(int(share * len(values)), len(values) - 1)] if values else float("nan")


async def witness(arena: Arena, seconds: float) -> Seen:
    """Play, read pages and let clocks run out for some time."""
    seen = Seen()
    games = [[await asyncio.to_thread(arena.start) for _ in range(1 + int(seconds / 6))] for _ in PLAYERS]
    await asyncio.sleep(0.2)
    ends = time.monotonic() + seconds
    playing = [_play(arena, address, own, seen, ends) for address, own in zip(PLAYERS, games, strict=True)]
    await asyncio.gather(*playing, _read(arena, seen, ends), _let_clocks_run(arena, seen, ends))
    return seen


def _socket(arena: Arena, address: str, game: str) -> connect:
    return connect(
        f"ws://127.0.0.1:{arena.port}/games/{game}/live", proxy=None, local_addr=(address, 0), ping_interval=None,
        compression=None, open_timeout=30,
    )  # fmt: skip


async def _snapshot(socket: ClientConnection, plies: int) -> dict[str, object]:
    """Return the first snapshot with this many moves."""
    while True:
        message: dict[str, object] = json.loads(await socket.recv())
        assert message["type"] != "error", message
        moves = message.get("moves", ())
        if message["type"] == "snapshot" and isinstance(moves, list) and len(moves) >= plies:
            return message


async def _play(arena: Arena, address: str, games: list[tuple[str, str]], seen: Seen, ends: float) -> None:
    """Play games of two people, each with a connection; all of them end when it is time."""
    for game, key in games:
        async with _socket(arena, address, game) as ann, _socket(arena, address, game) as bob:
            for socket in (ann, bob):
                await socket.send(json.dumps({"type": "hello", "key": key}))
                await _snapshot(socket, 0)
            for ply in range(80):
                if time.monotonic() >= ends:
                    return
                sockets = (ann, bob)[:: -1 if ply % 2 else 1]
                began = time.monotonic()
                await sockets[0].send(json.dumps({"type": "move", "ply": ply, "move": CELLS[ply]}))
                await _snapshot(sockets[0], ply + 1)
                seen.moves.append((time.monotonic() - began) * 1000)
                await _snapshot(sockets[1], ply + 1)
                await asyncio.sleep(MOVE_EVERY_S)


async def _read(arena: Arena, seen: Seen, ends: float) -> None:
    """Load one page after another, each over a new connection, whether or not the last has come."""
    loads = []
    for path in itertools.cycle(PATHS):
        if time.monotonic() >= ends:
            break
        loads.append(asyncio.ensure_future(_load(arena, path, seen)))
        await asyncio.sleep(PAGE_EVERY_S)
    await asyncio.wait(loads, timeout=10)


async def _load(arena: Arena, path: str, seen: Seen) -> None:
    began = time.monotonic()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", arena.port, local_addr=(READERS, 0))
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{arena.port}\r\nConnection: close\r\n\r\n"
        writer.write(request.encode())
        answer = await reader.read(-1)
        writer.close()
    except OSError:
        answer = b""
    seen.pages.append((time.monotonic() - began) * 1000)
    seen.refused += not answer.startswith(b"HTTP/1.1 200")


async def _let_clocks_run(arena: Arena, seen: Seen, ends: float) -> None:
    running = []
    made = [await asyncio.to_thread(arena.start, clock_s=CLOCK_S) for _ in range(3)]
    while time.monotonic() + CLOCK_S < ends:
        game = made.pop() if made else await asyncio.to_thread(arena.start, clock_s=CLOCK_S)
        running.append(asyncio.ensure_future(_run_out(arena, game, seen)))
        await asyncio.sleep(CLOCK_EVERY_S)
    await asyncio.gather(*running)


async def _run_out(arena: Arena, game: tuple[str, str], seen: Seen) -> None:
    """Begin a game and make no move."""
    async with _socket(arena, CLOCKS, game[0]) as socket:
        await socket.send(json.dumps({"type": "hello", "key": game[1]}))
        snapshot = await _snapshot(socket, 0)
        left = snapshot["left_ms"]
        assert isinstance(left, list)
        due = time.monotonic() + left[0] / 1000
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(10):
                while snapshot["outcome"] is None:
                    snapshot = await _snapshot(socket, 0)
        seen.deadlines.append((time.monotonic() - due) * 1000)
