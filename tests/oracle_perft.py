"""Perft in plain Python: the number of sequences of 1, 2, 3 … moves of a game, and the sum of all their scores.

``python tests/oracle_perft.py`` rewrites the files in ``tests/perft/``. It imports nothing of the package.
"""

import json
from pathlib import Path

import oracle_gravity
from dots import oracle_dots
from graph import oracle_graph

FOLDER = Path(__file__).parent / "perft"


class Gravity:
    """A state is the stones in order: (seat, row, col, weight)."""

    def __init__(self, rules):
        self.rules, self.start, self._known = rules, (), {}

    def moves(self, stones):
        """List the stones that may be placed, as a move is written in JSON."""
        size, spacing = self.rules["size"], self.rules["spacing"]
        free = [
            (row, col)
            for row in range(size)
            for col in range(size)
            if all((row - r) ** 2 + (col - c) ** 2 >= spacing**2 for _, r, c, _ in stones)
        ]
        seat = self._to_move(stones)
        weights = range(1, self._weight_left(stones, seat) + 1) if seat is not None else ()
        return [cell if weight == 1 else (*cell, weight) for cell in free for weight in weights]

    def after(self, stones, move):
        return (*stones, (self._to_move(stones), *move, *(() if len(move) == 3 else (1,))))

    def scores(self, stones):
        known = frozenset(stones)
        if known not in self._known:
            by_seat = [[stone for owner, *stone in stones if owner == seat] for seat in range(self.rules["players"])]
            rows = oracle_gravity.owners(by_seat, self.rules["size"], self.rules["law"])
            self._known[known] = [sum(row.count(seat) for row in rows) for seat in range(len(by_seat))]
        return self._known[known]

    def _to_move(self, stones):
        players = self.rules["players"]
        first = (stones[-1][0] + 1) % players if stones else 0
        seats = [(first + turn) % players for turn in range(players)]
        return next((seat for seat in seats if self._weight_left(stones, seat) > 0), None)

    def _weight_left(self, stones, seat):
        own = [weight for owner, *_, weight in stones if owner == seat]
        if len(own) == self.rules["stones"]:
            return 0
        return 1 if self.rules["weight"] is None else self.rules["weight"] - sum(own)


class Graph:
    """A state is the tokens in order: (vertex, seat)."""

    def __init__(self, rules):
        self.rules, self.start = rules, ()
        self._tables = oracle_graph.all_distances(rules["edges"], len(rules["values"]))

    def moves(self, tokens):
        if len(tokens) == self.rules["players"] * self.rules["tokens"]:
            return []
        taken = {vertex for vertex, _ in tokens}
        return [(vertex,) for vertex in range(len(self.rules["values"])) if vertex not in taken]

    def after(self, tokens, move):
        return (*tokens, (*move, len(tokens) % self.rules["players"]))

    def scores(self, tokens):
        return oracle_graph.scores(self._tables, self.rules["values"], tokens, self.rules["players"])


class Dots:
    """A state is the remaining dots, the lines, and the scores of the player to move and of the other."""

    def __init__(self, rules):
        self._points = rules["points"]
        self.start = (frozenset(range(len(self._points))), frozenset(), (0, 0), 0)

    def moves(self, state):
        dots, lines, _, _ = state
        return oracle_dots.legal(self._points, dots, lines) if len(dots) >= 3 else []

    def after(self, state, move):
        dots, lines, scores, seat = state
        left, kept, closed = oracle_dots.after(dots, lines, move)
        return left, kept, tuple(score + closed * (seat == mover) for mover, score in enumerate(scores)), 1 - seat

    def scores(self, state):
        return state[2]


GAMES = {"gravity": Gravity, "graph": Graph, "dots": Dots}


def perft(moves, after, scores, state, depth):
    """Return [(number of sequences, sum of the scores after them)] for 1 … depth moves."""
    levels = [(0, (0,) * len(scores(state)))] * depth
    for move in moves(state) if depth else ():
        then = after(state, move)
        deeper = [(1, scores(then)), *perft(moves, after, scores, then, depth - 1)]
        levels = [
            (count + more, tuple(map(sum, zip(total, added, strict=True))))
            for (count, total), (more, added) in zip(levels, deeper, strict=True)
        ]
    return levels


def by_first_move(moves, after, scores, state, depth):
    """Return the perft below each first move, to find the move after which two programs differ."""
    return {move: perft(moves, after, scores, after(state, move), depth - 1) for move in moves(state)}


def rows(name):
    """Return the rows of a game's file: rules, sequences and scores by the number of moves."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def counted(name, rules, depth):
    """Compute a row by the oracle."""
    game = GAMES[name](rules)
    levels = perft(game.moves, game.after, game.scores, game.start, depth)
    return {"rules": rules, "sequences": [count for count, _ in levels], "scores": [list(total) for _, total in levels]}


if __name__ == "__main__":
    for name in GAMES:
        told = [counted(name, row["rules"], len(row["sequences"])) for row in rows(name)]
        (FOLDER / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in told))
