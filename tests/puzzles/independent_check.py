"""Checks puzzles without a line of what made them: by the oracles, and for gravity in whole numbers of any size.

``python tests/puzzles/independent_check.py [GAME …]`` checks all that the package ships, in about ten minutes; the
tests beside it check some. Read by ``json``; only boards that have a name and a seed are drawn by the package.
"""

import gzip
import json
import math
import sys
from collections import Counter
from importlib import resources
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from dots import oracle_dots
from graph import oracle_graph

GAMES = ("gravity", "graph", "dots")
NEAR_SHARE = 0.1


def shipped(name):
    """Read the puzzles of a game, a dict each."""
    packed = resources.files("hinterland.puzzles").joinpath(f"collections/{name}.jsonl.gz").read_bytes()
    return [json.loads(line) for line in gzip.decompress(packed).splitlines()]


def check(name, puzzle):
    """Raise AssertionError unless a puzzle is what it says."""
    {"gravity": check_gravity, "graph": check_graph, "dots": check_dots}[name](puzzle)


def check_answer(puzzle, worths, near, margin):
    """Hold what is said of the moves. ``worths``: of each legal move; ``near``: the moves that are near the best."""
    best, most = tuple(puzzle["best"]), max(worths.values())
    others = [worth for move, worth in worths.items() if move not in near]
    assert worths[best] == most == puzzle["worth"]
    assert puzzle["moves"] == len(worths)
    assert max(others) <= most - margin, "another answer comes within the margin"
    assert puzzle["elsewhere"] == max(others)
    assert puzzle["near_misses"] == sum(worth >= most - 2 * margin for worth in others)
    assert most - margin < puzzle["needed"] <= most, "what is near the best answers it, and nothing else"
    assert 0 <= puzzle["found"] <= puzzle["asked"]


def check_gravity(puzzle):
    """Count the gain of every cell in whole numbers."""
    size, spacing, law = (puzzle["options"][name] for name in ("size", "spacing", "law"))
    stones = puzzle["history"]
    assert len(stones) == 2 * puzzle["options"]["stones"] - 1
    for number, (row, col) in enumerate(stones):
        assert 0 <= min(row, col) <= max(row, col) < size
        assert all((row - r) ** 2 + (col - c) ** 2 >= spacing**2 for r, c in stones[:number])
    own, gains = gravity_gains(stones[1::2], stones[::2], size, law)
    rows, cols = np.indices((size, size))
    is_legal = np.ones((size, size), dtype=bool)
    for row, col in stones:
        is_legal &= (rows - row) ** 2 + (cols - col) ** 2 >= spacing**2
    places = np.argwhere(is_legal).tolist()
    worths = {(row, col): int(gains[row, col]) for row, col in places}
    top, left = puzzle["best"]
    near = {(row, col) for row, col in worths if (row - top) ** 2 + (col - left) ** 2 <= (NEAR_SHARE * size) ** 2}
    check_answer(puzzle, worths, near, -(-puzzle["worth"] // 10))
    check_share(puzzle, own, size * size, math.ceil(puzzle["worth"] * 19 / 20))


def check_share(puzzle, own, total, enough):
    """Hold what is asked for: more than half of everything, or about the most there is."""
    needed = {"win": total // 2 + 1 - own, "most": enough}
    assert puzzle["needed"] == needed[puzzle["goal"]]


def gravity_gains(mine, theirs, size, law):
    """Return how many cells the mover owns, and what a stone on each cell would gain: int64 (size, size)."""
    squares = [[distances_squared(stone, size) for stone in stones] for stones in (mine, theirs)]
    (own, own_parts), (other, other_parts) = (pull(parts, law) for parts in squares)
    lead = own * other_parts - other * own_parts  # over own_parts * other_parts
    lacking, parts = (other, other_parts) if law == "nearest" else (-lead, own_parts * other_parts)
    is_mine, is_theirs = (stands(stones, size) for stones in (mine, theirs))
    owned = ((lead > 0) & ~is_theirs) | is_mine
    open_cells = ~owned & ~is_theirs
    is_tied = open_cells & (lacking == 0)
    rows, cols = np.nonzero(open_cells & ~is_tied)
    far = np.minimum((parts[rows, cols] - 1) // lacking[rows, cols], 2 * size * size).astype(np.int64)
    table = np.zeros(size * (size + 1), dtype=np.int64)
    for down in range(-size + 1, size):
        there = np.flatnonzero((far >= down * down) & (rows + down >= 0) & (rows + down < size))
        half = np.sqrt((far[there] - down * down).astype(np.float64)).astype(np.int64)
        begin = (rows[there] + down) * (size + 1)
        table += np.bincount(begin + np.maximum(cols[there] - half, 0), minlength=table.size)
        table -= np.bincount(begin + np.minimum(cols[there] + half + 1, size), minlength=table.size)
    sums = table.reshape(size, size + 1).cumsum(axis=1)[:, :size]
    return int(owned.sum()), sums + int(is_tied.sum())


def stands(stones, size):
    """Say on which cells stones stand."""
    found = np.zeros((size, size), dtype=bool)
    for row, col in stones:
        found[row, col] = True
    return found


def distances_squared(stone, size):
    """Return the squared distance of every cell from a stone, as Python's whole numbers; 1 on the stone itself."""
    away = np.arange(size)
    squares = (away[:, None] - stone[0]) ** 2 + (away[None, :] - stone[1]) ** 2
    return np.maximum(squares, 1).astype(object)


def pull(squares, law):
    """Return a colour's pull on every cell as a numerator and a denominator."""
    if law == "nearest":
        nearest = squares[0]
        for square in squares[1:]:
            nearest = np.minimum(nearest, square)
        return np.ones_like(nearest), nearest
    top, bottom = np.zeros_like(squares[0]), np.ones_like(squares[0])
    for square in squares:
        top, bottom = top * square + bottom, bottom * square
    return top, bottom


def check_graph(puzzle):
    """Try every vertex with the oracle."""
    from hinterland.graph import Rules

    rules = Rules.from_options(puzzle["options"])
    tokens = [(vertex, number % 2) for number, (vertex,) in enumerate(puzzle["history"])]
    assert len({vertex for vertex, _ in tokens}) == len(tokens) == 2 * rules.tokens - 1
    tables = oracle_graph.all_distances(rules.edges, rules.vertices)
    gains, _ = oracle_graph.gains(tables, rules.values, tokens, 2, 1)
    worths = {(vertex,): gain for vertex, gain in enumerate(gains) if gain >= 0}
    check_answer(puzzle, worths, {tuple(puzzle["best"])}, -(-puzzle["worth"] // 10))
    own = oracle_graph.scores(tables, rules.values, tokens, 2)[1]
    check_share(puzzle, own, sum(rules.values), puzzle["worth"])


def check_dots(puzzle):
    """Play every line to the end with the oracle."""
    from hinterland.dots import Rules

    points = Rules.from_options(puzzle["options"]).points
    solver = oracle_dots.Solver(points)
    dots, lines = frozenset(range(len(points))), frozenset()
    for a, b in puzzle["history"]:
        assert (a, b) in solver.moves(dots, lines)
        dots, lines, _ = oracle_dots.after(dots, lines, (a, b))
    check_answer(puzzle, solver.values(dots, lines), {tuple(puzzle["best"])}, 2)
    assert puzzle["goal"] == "keep"
    assert puzzle["needed"] == puzzle["worth"]


if __name__ == "__main__":
    for game in sys.argv[1:] or GAMES:
        puzzles = shipped(game)
        for puzzle_number, one in enumerate(puzzles, start=1):
            try:
                check(game, one)
            except AssertionError as error:
                sys.exit(f"puzzle {puzzle_number} of {game}: {error or 'it is not what it says'}\n{one}")
        goals = dict(Counter(one["goal"] for one in puzzles))
        print(f"{game}: {len(puzzles)} puzzles, each with one best answer: {goals}")
