"""Parameters for the contract's tests of every game. A new game adds its rules here."""

from dots.dots_cases import cases as dots_cases
from graph.graph_cases import cases as graph_cases
from hinterland import gravity
from hinterland.jit import JIT_ON, config

REPEATABLE = {
    "search": f"search:playouts={40 if JIT_ON else 2}",
    "montecarlo": "montecarlo:playouts=2",
    "mcts": "mcts:playouts=40",
    "perfect": "perfect:seconds=600,memory_mb=1,traps=false",
}
"""Specs of players with a fixed number of playouts, or time enough to finish, so that their moves repeat."""


STEP = 1 if JIT_ON and not config.BOUNDSCHECK else 3
"""All cases run compiled; otherwise every third one, which still combines each value with each other."""


def cases():
    """Return (game, rules, moves that are illegal at the start with their codes) for every game."""
    return [*gravity_cases()[::STEP], *graph_cases(), *dots_cases()]


def gravity_cases():
    """Return (game, rules, moves that are illegal at the start with their codes)."""
    stone = gravity.Stone
    outside = {
        stone(-1, 0): "outside",
        stone(0, 99): "outside",
        stone(0, 0, 0): "too_light",
        stone(0.5, 1): "not_whole",
    }
    grid = [
        dict(size=size, players=players, stones=stones, spacing=spacing, weight=weight, law=law)
        for size, spacing in ((2, 1), (5, 2), (9, 4), (13, 3))
        for players, stones in ((2, 1), (2, 3), (3, 2), (5, 1), (12, 1))
        for weight in (None, 4)
        for law in gravity.rules.LAWS
    ]
    return [("gravity", gravity.Rules(**values), outside) for values in grid]
