"""Boards for the tests of the graph game, ties and loose parts among them, and its cases of the contract."""

from hinterland import graph
from hinterland.graph import boards

PIECES = dict(edges=((0, 1, 1.0), (1, 2, 1.0), (3, 4, 2.5)), values=(1, 2, 3, 4, 5, 6))
"""A path of three, a pair, and a vertex alone."""


def drawn(rng):
    """Draw small rules of any kind, many with ties."""
    seed = int(rng.integers(2**31))
    players = int(rng.choice([2, 2, 3]))
    options = dict(seed=seed, players=players, tokens=int(rng.integers(1, 4)))
    size = int(rng.integers(9, 31))
    kind = rng.choice(["grid", "grid", "grid", "random", "sparse", "tree", "geometric", "road", "small_world"])
    if kind == "grid":
        return boards.grid(int(rng.integers(3, 6)), int(rng.integers(3, 6)), **options)
    if kind in ("random", "sparse"):
        return boards.make(kind, vertices=size, density=float(rng.choice([0.0, 0.05, 0.1, 0.3, 1.0])), **options)
    if kind == "geometric":
        return boards.geometric(size, radius=float(rng.choice([0.1, 0.2, 0.4])), **options)
    return boards.make(kind, vertices=size, **options)


def random_tokens(rules, rng):
    """Draw (vertex, seat) for up to all tokens of a game, seats in turn."""
    count = int(rng.integers(0, rules.players * rules.tokens + 1))
    vertices = rng.permutation(rules.vertices)[:count].tolist()
    return [(vertex, number % rules.players) for number, vertex in enumerate(vertices)]


def cases():
    """Return (game, rules, moves that are illegal at the start with their codes), as tests/contract_cases.py does."""
    token = graph.Token
    illegal = {token(-1): "outside", token(10**6): "outside", token(0.5): "not_whole", token(True): "not_whole"}
    grid = [
        boards.make(name, players=players, tokens=tokens, seed=players, **options)
        for name, options in (
            ("random", {"vertices": 12, "density": 0.1}),
            ("sparse", {"vertices": 13, "density": 0.1}),
            ("grid", {"rows": 4, "cols": 5}),
            ("road", {"vertices": 14}),
            ("tree", {"vertices": 12}),
        )
        for players, tokens in ((2, 1), (2, 3), (3, 2), (12, 1))
    ]
    loose = [graph.Rules(**PIECES, players=players, tokens=6 // players) for players in (2, 3, 6)]
    bare = graph.Rules(edges=(), values=(3, 4), tokens=1)
    return [("graph", rules, illegal) for rules in (*grid, *loose, bare)]
