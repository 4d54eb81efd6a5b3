"""The samples of past games, and batches drawn from them. A batch has one size of board, turned or mirrored."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

import numpy as np
import torch

from hinterland.learning.self_play import Sample

Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


class Lessons:
    """The newest samples, at most ``most`` of each size of board."""

    def __init__(self, most: int) -> None:
        self._by_size: dict[int, deque[Sample]] = defaultdict(lambda: deque(maxlen=most))

    def __len__(self) -> int:
        return sum(map(len, self._by_size.values()))

    def add(self, samples: Iterable[Sample]) -> None:
        for sample in samples:
            self._by_size[sample.policy.shape[0]].append(sample)

    def draw(self, count: int, rng: np.random.Generator) -> Batch:
        """Return planes (count, planes, size, size), policies and ownership (count, size, size), all float32."""
        sizes = sorted(self._by_size)
        counts = [len(self._by_size[size]) for size in sizes]
        samples = self._by_size[sizes[rng.choice(len(sizes), p=np.array(counts) / sum(counts))]]
        drawn = [samples[i] for i in rng.integers(len(samples), size=count)]
        turns, mirrored = int(rng.integers(4)), bool(rng.integers(2))
        planes, policies, ownership = (
            torch.from_numpy(np.ascontiguousarray(_turn(np.stack(part), turns, mirrored)))
            for part in zip(*drawn, strict=True)
        )
        return planes, policies, ownership


def _turn(planes: np.ndarray, turns: int, mirrored: bool) -> np.ndarray:
    """Turn boards by quarter turns, and mirror them. Rows and columns are the last two axes."""
    turned = np.rot90(planes, turns, axes=(-2, -1))
    return turned[..., ::-1] if mirrored else turned
