"""Trains a guide in generations: games of the search against itself, then steps of learning from them.

The first generations are played by the search alone, which is strong enough to learn from. Later generations are guided
by the newest network.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Annotated, Any

import msgspec
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from hinterland.errors import BadText
from hinterland.gravity.guide import guide_file
from hinterland.gravity.guide.guide_file import TRUST
from hinterland.gravity.guide.network import NO_GUIDE, Guide
from hinterland.gravity.rules import Rules
from hinterland.gravity.search.guide_planes import PLANES
from hinterland.learning.self_play import Sample, play_game

Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
Positive = Annotated[int, msgspec.Meta(ge=1)]


class Block(nn.Module):
    """A residual block of two convolutions.

    Between them, a linear function of all channels' means and maxima over the board is added to each channel.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.pooled = nn.Linear(2 * channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map (batch, channels, size, size) to the same shape."""
        y = torch.relu(self.first(x))
        pooled = torch.cat([y.mean(dim=(2, 3)), y.amax(dim=(2, 3))], dim=1)
        return torch.relu(x + self.second(y + self.pooled(pooled)[:, :, None, None]))


class ResidualNetwork(nn.Module):
    """Maps planes to logits of moves and to the expected ownership of cells, on boards of any size.

    ``gravity/guide/network.py`` computes the same network without torch, with the same weights in the same order.
    """

    def __init__(self, planes: int, channels: int, blocks: int) -> None:
        super().__init__()
        self.shape = (planes, channels, blocks)
        self.stem = nn.Conv2d(planes, channels, 3, padding=1)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))
        self.heads = nn.Conv2d(channels, 2, 1)
        with torch.no_grad():
            for block in self.blocks:
                block.second.weight.mul_(0.1)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Map float32 (batch, planes, size, size) to logits and ownership (from -1 to 1), each (batch, size, size)."""
        x = torch.relu(self.stem(planes))
        for block in self.blocks:
            x = block(x)
        heads = self.heads(x)
        return heads[:, 0], torch.tanh(heads[:, 1])

    def guide(self) -> Guide:
        """Return the network's weights as a ``Guide``, which a search uses."""
        parameters = [one.detach().cpu().numpy().ravel() for one in self.parameters()]
        return Guide(*self.shape, TRUST, np.concatenate(parameters).astype(np.float32))


class Lessons:
    """The newest samples, at most ``most`` for each size of board."""

    def __init__(self, most: int) -> None:
        self._by_size: dict[int, deque[Sample]] = defaultdict(lambda: deque(maxlen=most))

    def __len__(self) -> int:
        return sum(map(len, self._by_size.values()))

    def add(self, samples: Iterable[Sample]) -> None:
        for sample in samples:
            self._by_size[sample.policy.shape[0]].append(sample)

    def draw(self, count: int, rng: np.random.Generator) -> Batch:
        """Draw a batch of samples of one board size, all turned or mirrored alike.

        Return planes (count, planes, size, size), policies and ownership (count, size, size), all float32.
        """
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
    """Turn boards by ``turns`` quarter turns, and mirror them. Rows and columns are the last two axes."""
    turned = np.rot90(planes, turns, axes=(-2, -1))
    return turned[..., ::-1] if mirrored else turned


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that training depends on. With the same version of torch, the same recipe gives the same weights."""

    rules: tuple[Rules, ...]
    """Rules of the games, used in turn; all are for two players and stones without weight."""
    channels: Positive = 24
    """Planes of each hidden layer."""
    blocks: Positive = 2
    """Residual blocks."""
    generations: Positive = 10
    """Number of generations; each consists of games and steps of learning."""
    unguided: int = 3
    """Number of generations, at the beginning, that are played without a guide."""
    games: Positive = 1500
    """Number of games of an unguided generation. A guided generation has a third as many, because guided games take
    longer."""
    playouts: Annotated[int, msgspec.Meta(ge=2)] = 160
    """Playouts of a move in self-play."""
    steps: Positive = 300
    """Steps of learning after each generation."""
    batch: Positive = 256
    """Samples of a step."""
    rate: float = 2e-3
    """The learning rate at the beginning; it falls to 0 at the end."""
    kept: Positive = 40_000
    """Most samples that are kept for each size of board; the oldest are dropped."""
    seed: int = 0
    threads: Positive = 2
    """Number of games that are played at once; also the number of torch's threads."""


def recipe_of(**options: Any) -> Recipe:
    """Make a recipe.

    Raises BadText for an option out of its bounds, RulesError for rules for which there can be no guide.
    """
    try:
        recipe = msgspec.convert(options, Recipe)
    except msgspec.ValidationError as error:
        raise BadText(f"recipe of a guide: {error}") from None
    for rules in recipe.rules:
        guide_file.check_rules(rules)
    return recipe


def encode_guide(recipe: Recipe, guide: Guide) -> bytes:
    """Return the bytes of a guide's file, with the recipe in its header."""
    text = msgspec.json.encode(recipe).decode()
    header = guide_file.Header(planes=PLANES, channels=guide.channels, blocks=guide.blocks, recipe=text)
    return guide_file.encode_guide(header, guide.weights)


class Progress(msgspec.Struct, frozen=True):
    """The state of training after a generation."""

    generation: int
    samples: int
    policy_loss: float
    """Mean cross entropy between the search's policy and the network's, over the last 100 steps, in nats."""
    ownership_loss: float
    """Mean squared error of the network's ownership of cells, over the last 100 steps, from 0 to 4."""


def train(recipe: Recipe) -> Iterator[tuple[Progress, Guide]]:
    """Train a guide; after each generation yield the state of training and the guide."""
    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng((recipe.seed, 1))
    network = ResidualNetwork(len(PLANES), recipe.channels, recipe.blocks)
    network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, recipe.generations * recipe.steps)
    lessons = Lessons(recipe.kept)
    guide = NO_GUIDE
    for generation in range(recipe.generations):
        lessons.add(_play_games(recipe, generation, guide if generation >= recipe.unguided else NO_GUIDE))
        losses = [_learn(network, optimiser, schedule, lessons, recipe.batch, rng) for _ in range(recipe.steps)]
        policy_loss, ownership_loss = np.mean(losses[-100:], axis=0)
        guide = network.guide()
        yield Progress(generation + 1, len(lessons), float(policy_loss), float(ownership_loss)), guide


def _play_games(recipe: Recipe, generation: int, guide: Guide) -> list[Sample]:
    """Play the games of a generation, each with its own random generator; return their samples in order."""
    count = recipe.games if guide is NO_GUIDE else -(-recipe.games // 3)

    def play(number: int) -> list[Sample]:
        rules = recipe.rules[number % len(recipe.rules)]
        return play_game(rules, guide, recipe.playouts, np.random.default_rng((recipe.seed, 2, generation, number)))

    with ThreadPoolExecutor(recipe.threads) as pool:
        return list(chain.from_iterable(pool.map(play, range(count))))


def _learn(
    network: ResidualNetwork,
    optimiser: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    lessons: Lessons,
    batch: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Learn from one batch; return the losses of policy and ownership."""
    planes, policies, ownership = lessons.draw(batch, rng)
    logits, foreseen = network(planes.contiguous(memory_format=torch.channels_last))
    free = planes[:, PLANES.index("free")] > 0
    chances = functional.log_softmax(logits.masked_fill(~free, -1e9).flatten(1), dim=1)
    policy_loss = -(policies.flatten(1) * chances).sum(dim=1).mean()
    ownership_loss = functional.mse_loss(foreseen, ownership)
    optimiser.zero_grad()
    (policy_loss + ownership_loss).backward()
    optimiser.step()
    schedule.step()
    return policy_loss.item(), ownership_loss.item()
