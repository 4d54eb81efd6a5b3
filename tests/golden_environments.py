"""Games in an environment as text, whose difference is the review: ``python tests/golden_environments.py`` writes them.

A file in ``tests/golden/environments`` is rules and steps: an agent, its action, the move, how many actions of each
factor it could have chosen from, and below it what the next to move sees, a plane a line. Of a new game only the rules
and the actions, a word a step, need be written.
"""

from pathlib import Path

import numpy as np

from hinterland import catalog, envs

FOLDER = Path(__file__).parent / "golden" / "environments"


def files():
    """Return the files, in order of their names."""
    return sorted(FOLDER.glob("*.txt"))


def told(text):
    """Return the text that a file should hold, from its rules and its actions."""
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
    """Play what a line says; return the lines that stand for it."""
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
    """Return what the next to move sees, a plane a line."""
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
