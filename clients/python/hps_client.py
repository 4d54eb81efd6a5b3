"""A sample player of gravity in the protocol hps; copy it and change ``choose``.

Run: python hps_client.py HOST PORT [NAME] [--size 1000] [--spacing 66]
Needs Python 3.10 or later and nothing else.
"""

from __future__ import annotations

import argparse
import math
import random
import socket
import sys

SIZE = 1000  # cells a side; hps does not send it
SPACING = 66  # least distance of two stones; hps does not send it
CANDIDATES = 30  # cells compared for one move
PROBES = 20  # the board is sampled at about PROBES x PROBES of its cells


class Board:
    """One game: where a stone may still go, and how hard each player pulls at the probes."""

    def __init__(self, size: int, spacing: int, players: int) -> None:
        self.size = size
        self.spacing = spacing
        self.free = [bytearray(b"\1") * size for _ in range(size)]  # 1 where a stone may go
        middles = range(max(1, size // PROBES) // 2, size, max(1, size // PROBES))
        self.probes = [(row, col) for row in middles for col in middles]
        self.pulls = [[0.0] * len(self.probes) for _ in range(players)]
        self.stones: dict[tuple[int, int], int] = {}  # (row, col) -> player

    def pull(self, row: int, col: int, weight: int) -> list[float]:
        """Return how hard a stone pulls at each probe: weight / distance^2."""
        return [weight / ((r - row) ** 2 + (c - col) ** 2 or 1e-9) for r, c in self.probes]

    def place(self, row: int, col: int, weight: int, player: int) -> None:
        """Put a stone on the board, unless it is there already."""
        if (row, col) in self.stones:
            return
        self.stones[row, col] = player
        pull = self.pull(row, col, weight)
        self.pulls[player] = [old + new for old, new in zip(self.pulls[player], pull, strict=True)]
        for r in range(max(0, row - self.spacing + 1), min(self.size, row + self.spacing)):
            half = math.isqrt(self.spacing**2 - 1 - (r - row) ** 2)
            left, right = max(0, col - half), min(self.size, col + half + 1)
            self.free[r][left:right] = bytes(right - left)

    def candidates(self) -> list[tuple[int, int]]:
        """Draw some free cells at random; on a nearly full board, search for one."""
        drawn = [(random.randrange(self.size), random.randrange(self.size)) for _ in range(10 * CANDIDATES)]
        free = [(row, col) for row, col in drawn if self.free[row][col]]
        return free[:CANDIDATES] or [(row, line.find(1)) for row, line in enumerate(self.free) if 1 in line][:1]

    def choose(self, me: int, weight: int) -> tuple[int, int]:
        """Return the candidate that would win the most probes. THIS IS THE PART TO IMPROVE."""
        mine = self.pulls[me]
        others = [pulls for player, pulls in enumerate(self.pulls) if player != me]
        rivals = [max(pulls) for pulls in zip(*others, strict=True)]

        def probes_won(cell: tuple[int, int]) -> int:
            pull = self.pull(*cell, weight)
            return sum(old + new > rival for old, new, rival in zip(mine, pull, rivals, strict=True))

        return max(self.candidates(), key=probes_won)


def play(connection: socket.socket, name: str, size: int, spacing: int) -> None:
    """Play all games of the match, until the referee closes the connection."""
    # A line may come in several packets, and several lines in one: reading lines from a file handles both.
    lines = connection.makefile("r", encoding="utf-8", newline="\n")
    greeting = numbers(lines.readline())  # players, stones, [weight,] order
    if len(greeting) < 3:
        return
    players, stones, order = greeting[0], greeting[1], greeting[-1]
    is_weighted = len(greeting) == 4
    me = order - 1
    connection.sendall(f"{name}\n".encode())  # the line end is optional in hps, but faster
    board = Board(size, spacing, players)
    for line in lines:
        if not line.endswith("\n"):
            return  # the connection was cut within a line
        flag, *rest = numbers(line)
        weight_left = rest.pop(0) if is_weighted else 0
        scores, news = rest[:players], rest[players:]
        if flag == 1:  # the game is over; the next line belongs to a new one
            sys.stderr.write(f"{name} was player {order}, the scores are {scores}\n")
            board = Board(size, spacing, players)
            continue
        width = 4 if is_weighted else 3
        for at in range(0, len(news), width):  # row, col, [weight,] player, in order of play
            board.place(news[at], news[at + 1], news[at + 2] if is_weighted else 1, news[at + width - 1] - 1)
        stones_left = max(1, stones - list(board.stones.values()).count(me))
        weight = max(1, weight_left // stones_left)  # an even share; all the rest on the last stone
        row, col = board.choose(me, weight)
        connection.sendall((f"{row} {col} {weight}\n" if is_weighted else f"{row} {col}\n").encode())
        board.place(row, col, weight, me)


def numbers(line: str) -> list[int]:
    """Return the numbers of a line; a line of words is the referee's reason for closing."""
    try:
        return [int(word) for word in line.split()]
    except ValueError:
        sys.exit(line.strip())


def main() -> None:
    """Read the command line, connect and play."""
    parser = argparse.ArgumentParser(description="A sample player of gravity in the protocol hps.")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("name", nargs="?", default="sample")
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--spacing", type=int, default=SPACING)
    options = parser.parse_args()
    try:
        connection = socket.create_connection((options.host, options.port))
    except OSError as error:
        sys.exit(f"no referee at {options.host}:{options.port}: {error}")
    try:
        with connection:
            play(connection, options.name, options.size, options.spacing)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the referee is gone: end quietly


if __name__ == "__main__":
    main()
