"""Rules, common and odd, on which environments must pass the tests of their libraries."""

from hinterland import dots, graph, gravity

RULES = {
    "gravity": gravity.Rules(size=10, stones=3, spacing=2),
    "weights": gravity.Rules(size=5, stones=2, spacing=2, weight=4),
    "melee": gravity.Rules(size=6, stones=2, spacing=2, weight=3, players=3),
    "many": gravity.Rules(size=9, stones=1, spacing=2, players=7, law="nearest"),
    "crowded": gravity.Rules(size=2, stones=5, spacing=1, law="nearest"),
    "no room": gravity.Rules(size=5, stones=3, spacing=5),
    "graph": graph.Rules.from_options({"vertices": 25}),
    "two vertices": graph.Rules(edges=[], values=(1, 2), tokens=1),
    "worthless": graph.Rules(edges=[(0, 1, 1)], values=(0, 0, 0), tokens=1, players=3),
    "dots": dots.Rules.from_options({"dots": 6}),
    "triangle": dots.Rules(points=[(0, 0), (1, 0), (0, 1)]),
}
"""By a name for the test's title."""
