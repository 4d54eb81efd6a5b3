"""A sample player of the Voronoi game on graphs in the protocol hinterland-json/1; copy it and change ``choose``.

Over TCP:   python graph_client.py HOST PORT [NAME]
Over pipes: python graph_client.py, started by the referee: ``cmd:python graph_client.py``
Needs Python 3.10 or later and nothing else. Over pipes standard output belongs to the referee: print to standard error.
"""

from __future__ import annotations

import heapq
import json
import os
import socket
import sys
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Board:
    """One game: the neighbours of each vertex, and how near the nearest token is."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.values: list[int] = rules["values"]
        self.near: list[list[tuple[int, float]]] = [[] for _ in self.values]
        for one, other, length in rules["edges"]:
            self.near[one].append((other, length))
            self.near[other].append((one, length))
        self.distance = [float("inf")] * len(self.values)
        self.owner = [-1] * len(self.values)
        self.taken: list[int] = []

    def taken_by(self, vertex: int) -> dict[int, float]:
        """Return the vertices that a token on a vertex would be strictly nearest to, with their distances."""
        found: dict[int, float] = {}
        queue = [(0.0, vertex)]
        while queue:
            here, place = heapq.heappop(queue)
            if place in found or here >= self.distance[place]:
                continue  # at equal distance the token placed first keeps it
            found[place] = here
            for other, length in self.near[place]:
                heapq.heappush(queue, (here + length, other))
        return found

    def place(self, seat: int, vertex: int) -> None:
        """Put a token on the board."""
        self.taken.append(vertex)
        for place, here in self.taken_by(vertex).items():
            self.distance[place] = here
            self.owner[place] = seat

    def choose(self, me: int) -> int:
        """Return the vertex that improves the difference of scores the most. THIS IS THE PART TO IMPROVE."""

        def gain(vertex: int) -> int:
            counts = {-1: 1, me: 0}  # free vertices count once, others' twice: a gain for us and a loss for them
            return sum(self.values[place] * counts.get(self.owner[place], 2) for place in self.taken_by(vertex))

        return max((vertex for vertex in range(len(self.values)) if vertex not in self.taken), key=gain)


def answer(board: Board, turn: dict[str, Any]) -> dict[str, Any]:
    """Answer a turn with a move; game_id and turn say which request it answers."""
    for seat, [vertex] in turn["moves"][len(board.taken) :]:  # all moves of the game; some are new
        board.place(seat, vertex)
    return {"type": "move", "game_id": turn["game_id"], "turn": turn["turn"], "move": [board.choose(turn["seat"])]}


def play(lines: IO[bytes], write: Callable[[bytes], object], name: str) -> None:
    """Play all games of the match, until the referee closes the connection."""

    def say(message: dict[str, Any]) -> None:
        write(json.dumps(message).encode() + b"\n")

    say({"type": "join", "name": name})
    for line in lines:
        message = json.loads(line)
        match message["type"]:
            case "game":
                if message["game"] != "graph":
                    sys.exit(f"this sample plays graph, not {message['game']}")
                board = Board(message["rules"])
            case "turn":
                turn = message
                say(answer(board, turn))
            case "refused":  # the same turn stands, the clock runs on
                sys.stderr.write(f"refused: {message['detail']}\n")
                say(answer(board, turn))
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
