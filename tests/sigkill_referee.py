"""Kills the referee at random moments and compares its record with the results that were announced.

``python tests/sigkill_referee.py [ROUNDS] [SEED]``. All rounds add to one file of records.
"""

import asyncio
import random
import re
import sys
import tempfile
from pathlib import Path

from hinterland.referee import record, verification
from referee_clients import SMALL, RefereeProcess, Wire, play_json

MATCHES = 8
ROUND_S = 0.3
"""A round without a kill takes about this long."""


def kill_once(file, number, after_s):
    """Let a referee play, kill it after a while, and return the games that any player heard of: (players, number)."""
    with RefereeProcess("--protocol", "json", "--matches", MATCHES, "--record", file) as referee:
        told = asyncio.run(_play_and_kill(referee, number, after_s))
        referee.code()
        said = re.compile(r"^game (\d) is over: (r\S+) [\d,]+ · (r\S+) [\d,]+ ")
        for line in referee.err:
            if over := said.match(line):
                starts, follows = (over[2], over[3]) if over[1] == "1" else (over[3], over[2])
                told.add(((starts, follows), int(over[1])))
    return told


async def _play_and_kill(referee, number, after_s):
    wires = [await Wire.to(referee.port) for _ in range(2 * MATCHES)]
    for place, wire in enumerate(wires):
        await wire.until("hello")
        await wire.send_json(type="join", name=f"r{number}p{place}")
    asyncio.get_running_loop().call_later(after_s, referee.process.kill)
    heard = await asyncio.gather(*(play_json(wire, SMALL) for wire in wires))
    for wire in wires:
        wire.close()
    return {game for messages in heard for game in _games_told(messages)}


def _games_told(messages):
    games = {message["game_id"]: message for message in messages if message["type"] == "game"}
    for message in messages:
        if message["type"] == "over":
            game = games[message["game_id"]]
            yield tuple(game["players"]), game["number"]


def check(file, told):
    """Compare a file of records with all announced games; return how many it holds."""
    *lines, torn = file.read_bytes().split(b"\n")
    assert b"\n" not in torn
    kept = [record.read_line(line) for line in lines]
    for one in kept:
        verification.verify(one)
    names = [(one.players, one.number) for one in kept]
    assert len(names) == len(set(names)), "a game stands twice in the record"
    assert told <= set(names), f"told of, and not in the record: {told - set(names)}"
    return len(names)


def rounds(file, count, seed):
    """Kill ``count`` referees; return how many games were announced and how many recorded."""
    rng = random.Random(seed)
    told = set()
    kept = 0
    for number in range(count):
        told |= kill_once(file, number, rng.uniform(0, ROUND_S))
        kept = check(file, told)
    return len(told), kept


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    with tempfile.TemporaryDirectory() as folder:
        told, kept = rounds(Path(folder) / "games.jsonl", count, seed)
    print(f"killed {count} times (seed {seed}): {told} games told of, {kept} recorded, none lost, none twice")


if __name__ == "__main__":
    main()
