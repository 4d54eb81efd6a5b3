"""Times that a learner waits: for the mask of a large board, and for a step of a turn-based environment.

    python -m benchmarks.environments
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from hinterland import envs, gravity


def median_ms(act: Callable[[], object], times: int = 200) -> float:
    """Return the median time of calls, in milliseconds."""
    act()
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        act()
        taken.append(time.perf_counter() - begun)
    return 1000 * statistics.median(taken)


def step_ms(size: int, games: int = 20) -> float:
    """Return the median time of a step with the next observation, over whole random games of ten stones."""
    env = envs.aec("gravity", size=size, stones=10, spacing=max(1, size * 66 // 1000))
    rng = np.random.default_rng(0)
    taken = []
    for _ in range(games):
        env.reset()
        while env.position.to_move is not None:
            action = rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))
            begun = time.perf_counter()
            env.step(action)
            env.last()
            taken.append(time.perf_counter() - begun)
    return 1000 * statistics.median(taken)


def main() -> None:
    rng = np.random.default_rng(0)
    position = gravity.Rules().start()
    while len(position.moves) < 19:
        position = position.play(position.legal_moves.sample(rng))
    print(f"mask of 1000 x 1000 after 19 stones: {median_ms(position.legal_moves.mask):.3f} ms")
    for size in (10, 100):
        print(f"step and observation of {size} x {size}: {step_ms(size):.3f} ms")


if __name__ == "__main__":
    main()
