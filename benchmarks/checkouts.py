"""Players of any checkout of this project, each in a process of its own, so that two versions of one can meet.

``name:options@DIR`` is a player of the checkout at DIR, ``name:options`` one of this. Moves and rules go there and
back as JSON, a line each. Time can be that of the processor instead of the clock on the wall, so that it does not
matter what else the machine does: all that a player's process spent, over the threads that it would think on.
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

from hinterland import catalog, stopwatch
from hinterland.contract import Clock, Move, Position

HERE = Path(__file__).parent.parent


class Question(msgspec.Struct):
    """Where a player is to move: the rules, the moves so far, and the seed of its generator."""

    rules: msgspec.Raw
    moves: list[tuple[int, ...]]
    seed: int


class Guest:
    """A player in a process of its own."""

    def __init__(self, game: str, word: str, threads: int | None) -> None:
        """Start it; ``threads``: on so many it thinks by the processor's time, None: by the clock on the wall."""
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
        self._process.stdin.write(msgspec.json.encode(Question(rules, moves, seed)) + b"\n")
        self._process.stdin.flush()
        return self._move.from_numbers(msgspec.json.decode(self._process.stdout.readline()))

    def leave(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.communicate()


def answer(name: str, spec: str, threads: int) -> None:
    """Answer the questions on standard input until there are no more."""
    if threads:
        stopwatch.now_s = lambda: time.process_time() / threads
    game = catalog.game(name)
    player = catalog.player(game, spec)
    known, rules = b"", None
    for line in sys.stdin.buffer:
        question = msgspec.json.decode(line, type=Question)
        if rules is None or known != bytes(question.rules):
            known, rules = bytes(question.rules), msgspec.json.decode(question.rules, type=game.rules)
        position = rules.start()
        for numbers in question.moves:
            position = position.play(game.move.from_numbers(numbers))
        move = player.choose(position, Clock(), np.random.default_rng(question.seed))
        print(msgspec.json.encode(move.numbers).decode(), flush=True)


if __name__ == "__main__":
    answer(sys.argv[1], sys.argv[2], int(sys.argv[3]))
