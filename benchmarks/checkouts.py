"""Players of any checkout of this project, each in a process of its own, so that two versions of one can meet.

``name:options@DIR`` is a player of the checkout at DIR, ``name:options`` one of this checkout. Rules and moves are
exchanged as lines of JSON. A player may read processor time instead of wall time, so that other work on the machine
does not matter: the processor time of its process, divided by its number of threads.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from hinterland import catalog
from hinterland.contract import Clock, Move, Position

try:
    from hinterland import search_clock
except ImportError:  # another checkout, from before the module had this name
    from hinterland import stopwatch as search_clock  # type: ignore[no-redef]

HERE = Path(__file__).parent.parent


class Request(msgspec.Struct):
    """A request for a move: the rules, the moves so far, and the seed of the player's generator."""

    rules: msgspec.Raw
    moves: list[tuple[int, ...]]
    seed: int


class CheckoutPlayer:
    """A player in a process of its own. ``threads``: the divisor of its processor time, or None for wall time."""

    def __init__(self, game: str, word: str, threads: int | None) -> None:
        spec, _, checkout = word.partition("@")
        self._move = catalog.game(game).move
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.checkouts", game, spec, str(threads or 0)],
            cwd=HERE, env={**os.environ, "PYTHONPATH": str(Path(checkout or HERE).resolve() / "src")},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def choose(self, position: Position[Any, Any], seed: int) -> Move:
        """Ask for a move."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        rules = msgspec.Raw(msgspec.json.encode(position.rules))
        moves = [move.numbers for _, move in position.moves]
        self._process.stdin.write(msgspec.json.encode(Request(rules, moves, seed)) + b"\n")
        self._process.stdin.flush()
        return self._move.from_numbers(msgspec.json.decode(self._process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.communicate()


def answer_requests(name: str, spec: str, threads: int) -> None:
    """Answer the requests on standard input until it ends."""
    if threads:
        search_clock.now_s = lambda: time.process_time() / threads
    game = catalog.game(name)
    player = catalog.player(game, spec)
    known, rules = b"", None
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line, type=Request)
        if rules is None or known != bytes(request.rules):
            known, rules = bytes(request.rules), msgspec.json.decode(request.rules, type=game.rules)
        position = rules.start()
        for numbers in request.moves:
            position = position.play(game.move.from_numbers(numbers))
        move = player.choose(position, Clock(), np.random.default_rng(request.seed))
        print(msgspec.json.encode(move.numbers).decode(), flush=True)


if __name__ == "__main__":
    answer_requests(sys.argv[1], sys.argv[2], int(sys.argv[3]))
