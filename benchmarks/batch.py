"""Steps a second of ``envs.batch`` in random games: alone, with masks and with observations.

    python -m benchmarks.batch [--size 10] [--stones 3] [--spacing 2] [--envs 1024]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from hinterland import envs
from hinterland.envs.batches import BatchEnv


def rate(env: BatchEnv, step: Callable[[], None], seconds: float = 1.0) -> float:
    """Return the median of five rates, in steps of one board a second."""
    step()
    rates = []
    for _ in range(5):
        count, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            step()
            count += env.envs
        rates.append(count / (time.perf_counter() - begun))
    return statistics.median(rates)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("size", 10), ("stones", 3), ("spacing", 2), ("envs", 1024)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    env = envs.batch("gravity", envs=options.envs, size=options.size, stones=options.stones, spacing=options.spacing)
    observations, masks = env.observations(), env.masks()

    def plain() -> None:
        env.step(env.sample())

    def masked() -> None:
        env.masks(masks)
        env.step(env.sample())

    def observed() -> None:
        env.observations(observations)
        env.step(env.sample())

    print(f"{env.rules}, {env.envs} boards")
    for what, step in (("steps", plain), ("with masks", masked), ("with observations", observed)):
        print(f"{what:>20}: {rate(env, step) / 1e6:.2f} million a second")


if __name__ == "__main__":
    main()
