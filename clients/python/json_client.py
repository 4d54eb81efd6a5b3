"""A sample player of gravity in the protocol hinterland-json/1; copy it and change ``choose``.

Over TCP:   python json_client.py HOST PORT [NAME] [--token TOKEN]
Over pipes: python json_client.py, started by the referee: ``cmd:python json_client.py``
Needs Python 3.10 or later and nothing else. Over pipes standard output belongs to the referee: print to standard error.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import socket
import sys
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

CANDIDATES = 30  # cells compared for one move
PROBES = 20  # the board is sampled at about PROBES x PROBES of its cells


class Board:
    """One game: where a stone may still go, and how hard each seat pulls at the probes."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.size: int = rules["size"]
        self.free = [bytearray(b"\1") * self.size for _ in range(self.size)]  # 1 where a stone may go
        middles = range(max(1, self.size // PROBES) // 2, self.size, max(1, self.size // PROBES))
        self.probes = [(row, col) for row in middles for col in middles]
        self.pulls = [[0.0] * len(self.probes) for _ in range(rules["players"])]
        self.moves: list[Any] = []  # [seat, [row, col]] or [seat, [row, col, weight]], in order of play

    def with_stone(self, seat: int, row: int, col: int, weight: int) -> list[float]:
        """Return how hard a seat would pull at each probe with one more stone, under the game's law."""
        pull = [weight / ((r - row) ** 2 + (c - col) ** 2 or 1e-9) for r, c in self.probes]
        combine: Callable[..., float] = max if self.rules["law"] == "nearest" else lambda old, new: old + new
        return list(map(combine, self.pulls[seat], pull))

    def place(self, seat: int, row: int, col: int, weight: int = 1) -> None:
        """Put a stone on the board."""
        self.pulls[seat] = self.with_stone(seat, row, col, weight)
        spacing = self.rules["spacing"]
        for r in range(max(0, row - spacing + 1), min(self.size, row + spacing)):
            half = math.isqrt(spacing**2 - 1 - (r - row) ** 2)
            left, right = max(0, col - half), min(self.size, col + half + 1)
            self.free[r][left:right] = bytes(right - left)

    def update(self, moves: list[Any]) -> None:
        """Take the moves of a turn, which are all moves of the game, and place those that are new."""
        for seat, stone in moves[len(self.moves) :]:
            self.place(seat, *stone)
        self.moves = moves

    def candidates(self) -> list[tuple[int, int]]:
        """Draw some free cells at random; on a nearly full board, search for one."""
        drawn = [(random.randrange(self.size), random.randrange(self.size)) for _ in range(10 * CANDIDATES)]
        free = [(row, col) for row, col in drawn if self.free[row][col]]
        return free[:CANDIDATES] or [(row, line.find(1)) for row, line in enumerate(self.free) if 1 in line][:1]

    def choose(self, me: int, weight: int) -> tuple[int, int]:
        """Return the candidate that would win the most probes. THIS IS THE PART TO IMPROVE."""
        rivals = [max(pulls) for pulls in zip(*(self.pulls[:me] + self.pulls[me + 1 :]), strict=True)]

        def probes_won(cell: tuple[int, int]) -> int:
            mine = self.with_stone(me, *cell, weight)
            return sum(pull > rival for pull, rival in zip(mine, rivals, strict=True))

        return max(self.candidates(), key=probes_won)


def answer(board: Board, turn: dict[str, Any]) -> dict[str, Any]:
    """Answer a turn with a move; game_id and turn say which request it answers."""
    board.update(turn["moves"])
    me = turn["seat"]
    weight = 1
    if board.rules["weight"] is not None:  # an even share; all the rest on the last stone
        stones_left = board.rules["stones"] - sum(seat == me for seat, _ in board.moves)
        weight = max(1, turn["weight_left"] // stones_left)
    row, col = board.choose(me, weight)
    move = [row, col] if board.rules["weight"] is None else [row, col, weight]
    return {"type": "move", "game_id": turn["game_id"], "turn": turn["turn"], "move": move}


def play(lines: IO[bytes], write: Callable[[bytes], object], name: str, token: str | None) -> None:
    """Play all games of the match, until the referee closes the connection."""

    def say(message: dict[str, Any]) -> None:
        write(json.dumps(message).encode() + b"\n")

    say({"type": "join", "name": name} | ({"token": token} if token else {}))
    for line in lines:  # one message a line, however the packets were cut
        if not line.endswith(b"\n"):
            return  # the connection was cut within a line
        if not line.startswith(b"{"):
            sys.exit(f"this is not the protocol hinterland-json/1: {line.decode(errors='replace').strip()}")
        message = json.loads(line)
        match message["type"]:
            case "game":
                if message["game"] != "gravity":
                    sys.exit(f"this sample plays gravity, not {message['game']}")
                board = Board(message["rules"])
            case "turn":
                turn = message
                say(answer(board, turn))
            case "refused":  # the same turn stands, the clock runs on; other candidates are drawn
                sys.stderr.write(f"refused: {message['detail']}\n")
                say(answer(board, turn))
            case "over":
                sys.stderr.write(f"the scores are {message['scores']}\n")
            case "bye":
                sys.stderr.write(f"{message['detail']}\n")
            case _:  # hello, welcome, ignored, and messages of later versions
                pass


def main() -> None:
    """Read the command line, connect if there is an address, and play."""
    parser = argparse.ArgumentParser(description="A sample player of gravity in the protocol hinterland-json/1.")
    parser.add_argument("host", nargs="?", help="none: play over standard input and output")
    parser.add_argument("port", nargs="?", type=int)
    parser.add_argument("name", nargs="?", default="sample")
    parser.add_argument("--token", help="the token of this player, if the referee requires one")
    options = parser.parse_args()
    if options.host and options.port is None:
        parser.error("give HOST PORT, or neither to play over pipes")
    try:
        if not options.host:
            # os.write does not buffer
            play(sys.stdin.buffer, lambda data: os.write(1, data), options.name, options.token)
            return
        with socket.create_connection((options.host, options.port)) as connection:
            play(connection.makefile("rb"), connection.sendall, options.name, options.token)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the referee is gone: end quietly
    except OSError as error:
        sys.exit(f"no referee at {options.host}:{options.port}: {error}")


if __name__ == "__main__":
    main()
