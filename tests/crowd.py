"""Measures how long many people wait for moves when all of them play programs at the same time.

``PYTHONPATH=tests:tests/web python tests/crowd.py 200 60`` runs 200 people for 60 seconds, each against ``careful``,
``mcts`` or ``perfect``. It prints the median, the 99th percentile and the maximum of the seconds from a move to the
answer, and how often the page said that programs think for less time.
"""

import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np
from web_play import PERSON, Server
from websockets.asyncio.client import connect

from hinterland import catalog

PLAYERS = ("careful", "mcts", "perfect")
STATED_S = {"careful": 1.0, "mcts": 1.0, "perfect": 2.0}
"""Seconds that each player says it thinks; ``careful``, which needs no time, must answer within one."""
RULES = {"dots": 8}


class Someone:
    """A person who plays random moves, game after game."""

    def __init__(self, number, server, client, waited, remarks):
        self.player, self.chance = PLAYERS[number % len(PLAYERS)], random.Random(number)
        self.server, self.client, self.waited, self.remarks = server, client, waited, remarks
        self.dots = catalog.game("dots")

    async def play(self, until_s):
        while time.monotonic() < until_s:
            seats = [PERSON, {"kind": "program", "player": self.player}]
            wanted = {"game": "dots", "rules": RULES, "seats": seats}
            begun = (await self.client.post("/api/games", json=wanted)).json()
            async with connect(self.server.address(begun["id"]), proxy=None) as socket:
                await socket.send(json.dumps({"type": "hello", "key": begun["key"]}))
                await self.game(socket, self.start_of(begun["id"]), until_s)

    def start_of(self, game):
        with (self.server.data / "games" / f"{game}.jsonl").open() as journal:
            return self.dots.rules.from_json(json.loads(journal.readline())["rules"]).start()

    async def game(self, socket, start, until_s):
        sent_s = None
        while time.monotonic() < until_s:
            seen = json.loads(await socket.recv())
            if seen["type"] != "snapshot":
                continue
            self.remarks.append(seen["remark"] is not None)
            if seen["outcome"] is not None:
                return
            if seen["can_move"]:
                if sent_s is not None:
                    self.waited[self.player].append(time.monotonic() - sent_s)
                sent_s = time.monotonic()
                await socket.send(json.dumps(self.some_move(start, seen["moves"])))

    def some_move(self, position, moves):
        for move in moves:
            position = position.play(self.dots.move.from_numbers(move["move"]))
        move = self.chance.choice(list(position.legal_moves))
        return {"type": "move", "ply": len(moves), "move": list(move.numbers)}


async def play(server, people, seconds):
    waited, remarks = {player: [] for player in PLAYERS}, []
    async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
        until_s = time.monotonic() + seconds
        await asyncio.gather(
            *(Someone(number, server, client, waited, remarks).play(until_s) for number in range(people))
        )
    return waited, remarks


def main(people, seconds):
    catalog.game("dots").warm_up()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), games_per_minute=1e9, requests_per_second=1e9, connections_per_second=1e9).ready()
        try:
            waited, remarks = asyncio.run(play(server, people, seconds))
        finally:
            server.close()
    is_good = True
    for player, seconds_s in waited.items():
        middle, high = np.percentile(seconds_s, [50, 99])
        is_good &= high <= 2 * STATED_S[player]
        most = max(seconds_s)
        print(f"{player:<8} {len(seconds_s):>6,} moves: median {middle:.2f} s, p99 {high:.2f} s, most {most:.2f} s")
    print(f"said that programs think for less time: {np.mean(remarks):.0%} of what was shown")
    return is_good


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]), float(sys.argv[2])))
