"""Kills an arena at random moments of a hosted match, and compares its records with all that players were sent.

``python tests/sigkill_tables.py [KILLS] [SEED]`` with tests and tests/web on PYTHONPATH. Two people, a bot over TCP
with its token, and a program of the arena play a match of four games. The arena starts again after each kill, and all
of them come back.
"""

import asyncio
import contextlib
import json
import random
import shlex
import socket
import sys
import tempfile
import time
from pathlib import Path

import httpx
from web_play import Server  # in tests/web, which must be on the path as this folder is
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from hinterland.gravity import Rules, Stone
from hinterland.referee import verification
from hinterland.storage import records
from programs import FIRST_FREE
from referee_clients import find_first_free

RULES = {"size": 40, "stones": 12, "spacing": 3}
SEATS = 4
RECONNECT_S = 0.05
THINKS_S = 0.03
"""Seconds of thought for each move, so that a match is long enough for many kills."""


class Told:
    """The longest list of moves of each game that any player was sent."""

    def __init__(self):
        self.moves = {}
        self.over = asyncio.Event()

    def hear(self, game, moves):
        known = self.moves.get(game, [])
        longer, shorter = (moves, known) if len(moves) > len(known) else (known, moves)
        assert longer[: len(shorter)] == shorter, f"game {game}: {shorter} was told, and then {longer}"
        self.moves[game] = longer


class Keeper:
    """An arena that is killed and restarted, with the same data and, once it is known, on the same port."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        script = folder / "carl.py"
        script.write_text(FIRST_FREE)
        self.programs = {"program:carl": f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(script))}"}
        self.server = None
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.server = Server(self.folder / "data", port=self.port, programs=self.programs).ready()

    def kill(self):
        self.server.process.kill()
        self.server.process.communicate()
        self.start()


async def person(keeper, table, key, told):
    """Play in a match through its page's connection, and come back whenever it breaks."""
    rules = Rules(**RULES, players=SEATS)
    while not told.over.is_set():
        try:
            async with connect(f"ws://127.0.0.1:{keeper.port}/tables/{table}/live", proxy=None) as page:
                await page.send(json.dumps({"type": "hello", "key": key}))
                async for text in page:
                    await _look(page, json.loads(text), rules, told)
        except (OSError, WebSocketException, InvalidHandshake, EOFError):
            await asyncio.sleep(RECONNECT_S)


async def _look(page, seen, rules, told):
    if seen["type"] != "snapshot" or seen["match"] is None:
        return
    if seen["match"]["key"]:
        told.hear(seen["match"]["key"], [move["move"] for move in seen["moves"]])
    if seen["match"]["state"] in ("over", "closed"):
        told.over.set()
        await page.close()
    elif seen["can_move"]:
        await asyncio.sleep(THINKS_S)
        move = find_first_free([move["move"][:2] for move in seen["moves"]], rules)
        await page.send(json.dumps({"type": "move", "ply": len(seen["moves"]), "move": list(move)}))


async def bot(address, name, token, told):
    """Play over TCP, in protocol json, and come back with the token whenever the connection breaks."""
    rules = Rules(**RULES, players=SEATS)
    host, _, port = address.rpartition(":")
    while not told.over.is_set():
        with contextlib.suppress(OSError, ValueError):
            reader, writer = await asyncio.open_connection(host, int(port))
            try:
                while line := await reader.readline():
                    message = json.loads(line)
                    if message["type"] == "hello":
                        writer.write(json.dumps({"type": "join", "name": name, "token": token}).encode() + b"\n")
                    elif message["type"] == "turn":
                        moves = [move for _, move in message["moves"]]
                        told.hear(message["game_id"], moves)
                        echoed = {"type": "move", "game_id": message["game_id"], "turn": message["turn"]}
                        move = find_first_free([move[:2] for move in moves], rules)
                        writer.write(json.dumps({**echoed, "move": move}).encode() + b"\n")
            finally:
                writer.close()
        await asyncio.sleep(RECONNECT_S)


async def play(keeper, kills, rng):
    """Play a match while the arena is killed; return what was sent, and the number of kills during the match."""
    told = Told()
    async with httpx.AsyncClient(base_url=keeper.url, timeout=30) as client:
        asked = {
            "game": "gravity", "players": SEATS, "rules": RULES, "house": ["program:carl"], "protocol": "json",
            "clock": {"budget": 3600}, "tokens": ["bert"],
        }  # fmt: skip
        answer = await client.post("/api/tables", json=asked)
        assert answer.status_code == 201, answer.text
        table = answer.json()
        keys = []
        for name in ("Ann", "Eve"):
            seat = await client.post(f"/api/tables/{table['id']}/seat", json={"name": name})
            assert seat.status_code == 201, seat.text
            keys.append(seat.json()["key"])
    players = [
        *(person(keeper, table["id"], key, told) for key in keys),
        bot(table["address"], "bert", table["tokens"]["bert"], told),
    ]
    playing = asyncio.gather(*players)
    hits = 0
    for _ in range(kills):
        await asyncio.sleep(rng.uniform(0.0, 1.0))
        if told.over.is_set():
            break
        await asyncio.to_thread(keeper.kill)
        hits += 1
    async with asyncio.timeout(240):
        await told.over.wait()
        await playing
    return told, hits


def check(keeper, told):
    """Compare the records with all that was sent: every game once, whole, and as all players saw it."""
    deadline = time.monotonic() + 10
    path = keeper.folder / "data" / "records.jsonl"
    while path.read_bytes().count(b"\n") < SEATS and time.monotonic() < deadline:
        time.sleep(0.05)
    kept = [one for _, one in records.read(path)]
    assert [one.number for one in kept[-SEATS:]] == list(range(1, SEATS + 1)), [one.number for one in kept]
    for one in kept:
        verification.verify(one)
        assert len(one.moves) == SEATS * RULES["stones"], (one.number, one.reason, one.detail)
        assert one.reason == "complete"
    finals = [tuple(Stone.from_numbers(list(move)).numbers for move in one.moves) for one in kept]
    for game, moves in told.moves.items():
        whole = tuple(Stone.from_numbers(list(move)).numbers for move in moves)
        assert any(final[: len(whole)] == whole for final in finals), f"game {game} was told and is not in the record"
    return len(kept)


def rounds(kills, seed):
    """Play matches until ``kills`` kills have hit one; return (kills, matches)."""
    rng = random.Random(seed)
    hits = matches = 0
    with tempfile.TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder))
        try:
            while hits < kills:
                told, hit = asyncio.run(play(keeper, kills - hits, rng))
                hits += hit
                matches += 1
                assert check(keeper, told) == matches * SEATS
        finally:
            keeper.server.close()
    return hits, matches


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    hits, matches = rounds(kills, seed)
    sys.stdout.write(f"seed {seed}: killed {hits} times in {matches} matches; nothing lost, nothing twice\n")


if __name__ == "__main__":
    main()
