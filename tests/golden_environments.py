"""Golden files of games in an environment; ``python tests/golden_environments.py`` rewrites them, to review the diff.

A file in ``tests/golden/environments`` has rules and steps. A step is an agent, its action, the move, and the number of
actions in each factor; below it are the planes that the next agent sees, one on each line. To add a game, write only
the rules and one action on each line.
"""

from pathlib import Path

import numpy as np

from hinterland import catalog, envs

FOLDER = Path(__file__).parent / "golden" / "environments"


def files():
    """Return the golden files, sorted by name."""
    return sorted(FOLDER.glob("*.txt"))


def told(text):
    """Return the text that a file should have, from its rules and actions."""
    head, *rest = text.splitlines()
    game = catalog.game(head.split()[0])
    env = envs.aec(game.rules.parse(head))
    env.reset()
    lines = [head, *seen(env)]
    for line in rest:
        if line and not line.startswith(" "):
            lines += step(env, line)
    return "\n".join([*lines, ""])


def step(env, line):
    """Play the action of a line; return the lines of this step."""
    words = line.split()
    numbers = [int(number) for number in words[words.index("plays") + 1 if "plays" in words else 0].split(",")]
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    choices = " x ".join(str(int(factor.sum())) for factor in (mask if isinstance(mask, tuple) else (mask,)))
    env.step(np.array(numbers) if len(numbers) > 1 else numbers[0])
    move = env.position.moves[-1][1]
    first = f"{agent} plays {','.join(map(str, numbers))} of {choices}: {move}"
    if env.position.to_move is not None:
        return [first, *seen(env)]
    paid = " ".join(f"{env.rewards[agent]:+.3f}" for agent in env.possible_agents)
    return [first, f"  over: scores {' '.join(map(str, env.position.scores))}, rewards {paid}", *seen(env)]


def seen(env):
    """Return the planes that the next agent sees, one on each line."""
    planes = env.position.planes()
    width = max(map(len, env.rules.planes))
    return [
        f"  {name:<{width}}  {' '.join(map(number, plane.ravel()))}"
        for name, plane in zip(env.rules.planes, planes, strict=True)
    ]


def number(value):
    return "." if value == 0 else f"{value:.2g}"


if __name__ == "__main__":
    for file in files():
        file.write_text(told(file.read_text()))
