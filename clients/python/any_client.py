"""A sample player of all three games in the protocol hinterland-json/1, at random; copy it and change ``choose``.

Over TCP:   python any_client.py HOST PORT [NAME]
Over pipes: python any_client.py, started by the referee: ``cmd:python any_client.py``
Needs Python 3.10 or later and nothing else. Over pipes standard output belongs to the referee: print to standard error.
"""

from __future__ import annotations

import json
import os
import random
import socket
import sys
from fractions import Fraction
from itertools import combinations
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Gravity:
    """A board of gravity: the stones on it."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.stones: list[list[int]] = []

    def place(self, seat: int, move: list[int]) -> None:  # noqa: ARG002
        """Put a stone on the board."""
        self.stones.append(move)

    def choose(self, turn: dict[str, Any]) -> list[int]:
        """Return a free cell, and the weight of the stone where stones have one."""
        size, spacing = self.rules["size"], self.rules["spacing"]

        def is_free(row: int, col: int) -> bool:
            return all((row - r) ** 2 + (col - c) ** 2 >= spacing**2 for r, c, *_ in self.stones)

        drawn = ((random.randrange(size), random.randrange(size)) for _ in range(1000))
        every = ((row, col) for row in range(size) for col in range(size))
        cell = next((cell for cells in (drawn, every) for cell in cells if is_free(*cell)), (0, 0))
        if self.rules["weight"] is None:
            return [*cell]
        left = self.rules["stones"] - sum(seat == turn["seat"] for seat, _ in turn["moves"])
        return [*cell, max(1, turn["weight_left"] // left)]  # an even share; all the rest on the last stone


class Graph:
    """A board of the game on graphs: the vertices that are free."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.free = set(range(len(rules["values"])))

    def place(self, seat: int, move: list[int]) -> None:  # noqa: ARG002
        """Put a token on the board."""
        self.free -= set(move)

    def choose(self, turn: dict[str, Any]) -> list[int]:  # noqa: ARG002
        """Return a free vertex."""
        return [random.choice(sorted(self.free))]


class Dots:
    """A board of dots: the dots that are left, and the lines between them."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.left = self.signs(rules)
        self.dots = {dot for three in self.left for dot in three}
        self.lines: set[tuple[int, int]] = set()  # each with its smaller dot first

    @staticmethod
    def signs(rules: dict[str, Any]) -> dict[tuple[int, ...], bool]:
        """Return for every three dots i < j < k whether the way from i over j to k turns left."""
        if rules["orientations"] is not None:
            count = next(n for n in range(3, 61) if n * (n - 1) * (n - 2) == 6 * len(rules["orientations"]))
            return {
                three: sign == "+"
                for three, sign in zip(combinations(range(count), 3), rules["orientations"], strict=True)
            }
        points = [(Fraction(x), Fraction(y)) for x, y in rules["points"]]  # exact, as the referee is
        found: dict[tuple[int, ...], bool] = {}
        for i, j, k in combinations(range(len(points)), 3):
            (ax, ay), (bx, by), (cx, cy) = points[i], points[j], points[k]
            found[i, j, k] = (bx - ax) * (cy - ay) > (cx - ax) * (by - ay)
        return found

    def turns_left(self, i: int, j: int, k: int) -> bool:
        """Say whether the way from i over j to k turns left: swapping two dots reverses it."""
        return self.left[tuple(sorted((i, j, k)))] ^ (i > j) ^ (i > k) ^ (j > k)

    def cross(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Say whether two lines cross; lines that meet in a dot do not."""
        (a, b), (c, d) = one, other
        if {a, b} & {c, d}:
            return False
        is_apart = self.turns_left(a, b, c) != self.turns_left(a, b, d)
        return is_apart and self.turns_left(c, d, a) != self.turns_left(c, d, b)

    def moves(self) -> list[tuple[int, int]]:
        """Return the lines that may be drawn."""
        free = (line for line in combinations(sorted(self.dots), 2) if line not in self.lines)
        return [line for line in free if not any(self.cross(line, drawn) for drawn in self.lines)]

    def cycle(self, line: tuple[int, int]) -> list[int]:
        """Return the dots of the cycle that a line closes; empty if it closes none."""
        near: dict[int, list[int]] = {dot: [] for dot in self.dots}
        for one, other in self.lines:
            near[one].append(other)
            near[other].append(one)
        ways = [[line[0]]]
        while ways:
            way = ways.pop()
            if way[-1] == line[1]:
                return way
            ways += [[*way, dot] for dot in near[way[-1]] if dot not in way]
        return []

    def draw(self, one: int, other: int) -> None:
        """Draw a line; the dots of a cycle go, with all lines that end on them."""
        line = (min(one, other), max(one, other))
        gone = set(self.cycle(line))
        self.dots = self.dots - gone
        self.lines = {drawn for drawn in self.lines | {line} if not gone & set(drawn)}

    def place(self, seat: int, move: list[int]) -> None:  # noqa: ARG002
        """Draw a line."""
        self.draw(*move)

    def choose(self, turn: dict[str, Any]) -> list[int]:  # noqa: ARG002
        """Return a line that may be drawn."""
        return [*random.choice(self.moves())]


BOARDS = {"gravity": Gravity, "graph": Graph, "dots": Dots}


def answer(board: Any, turn: dict[str, Any], known: int) -> dict[str, Any]:
    """Answer a turn with a move; game_id and turn say which request it answers."""
    for seat, move in turn["moves"][known:]:  # all moves of the game; some are new
        board.place(seat, move)
    return {"type": "move", "game_id": turn["game_id"], "turn": turn["turn"], "move": board.choose(turn)}


def play(lines: IO[bytes], write: Callable[[bytes], object], name: str) -> None:
    """Play all games of the match, until the referee closes the connection."""

    def say(message: dict[str, Any]) -> None:
        write(json.dumps(message).encode() + b"\n")

    say({"type": "join", "name": name})
    for line in lines:
        message = json.loads(line)
        match message["type"]:
            case "game":
                board, known = BOARDS[message["game"]](message["rules"]), 0
            case "turn":
                turn = message
                say(answer(board, turn, known))
                known = len(turn["moves"])
            case "refused":  # the same turn stands, the clock runs on
                sys.stderr.write(f"refused: {message['detail']}\n")
                say(answer(board, turn, known))
            case "over":
                sys.stderr.write(f"the scores are {message['scores']}\n")
            case "bye":
                sys.stderr.write(f"{message['detail']}\n")


def main() -> None:
    """Connect if there is an address, and play."""
    try:
        match sys.argv[1:]:
            case []:  # os.write does not buffer
                play(sys.stdin.buffer, lambda data: os.write(1, data), "sample")
            case [host, port, *name]:
                with socket.create_connection((host, int(port))) as connection:
                    play(connection.makefile("rb"), connection.sendall, *(name or ["sample"]))
            case _:
                sys.exit("give HOST PORT [NAME], or nothing to play over pipes")
    except (BrokenPipeError, ConnectionResetError):
        pass  # the referee is gone: end quietly
    except (OSError, ValueError) as error:
        sys.exit(f"no referee at {' '.join(sys.argv[1:3])}: {error}")


if __name__ == "__main__":
    main()
