"""Training: generations of games by self-play, and of steps by which the network learns from them.

The first games are played by the search alone, whose playouts know much already; from then on the newest network
guides it.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Annotated, Any

import msgspec
import numpy as np
import torch
from torch.nn import functional

from hinterland.errors import BadText
from hinterland.gravity.guide import guide_file
from hinterland.gravity.guide.network import NO_GUIDE, Guide
from hinterland.gravity.rules import Rules
from hinterland.gravity.search.guide_planes import PLANES
from hinterland.learning.lessons import Lessons
from hinterland.learning.residual_network import ResidualNetwork
from hinterland.learning.self_play import Sample, play_game

Positive = Annotated[int, msgspec.Meta(ge=1)]


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that training depends on; with the same torch and number of threads, it gives the same weights."""

    rules: tuple[Rules, ...]
    """Games are played by these rules in turn: two players, stones without weight."""
    channels: Positive = 24
    """Planes of each hidden layer."""
    blocks: Positive = 2
    """Residual blocks."""
    generations: Positive = 10
    """How often the network that guides the games is replaced."""
    unguided: int = 3
    """So many generations are played without a guide."""
    games: Positive = 1500
    """Games of an unguided generation; of a guided one a third, which take longer."""
    playouts: Annotated[int, msgspec.Meta(ge=2)] = 160
    """Playouts of a move in self-play."""
    steps: Positive = 300
    """Steps of learning after each generation."""
    batch: Positive = 256
    """Samples of a step."""
    rate: float = 2e-3
    """The rate of learning at the beginning; it falls to nothing in the end."""
    kept: Positive = 40_000
    """The newest samples of each size of board are kept, so many."""
    seed: int = 0
    threads: Positive = 2
    """Games played at once; torch takes as many."""


def recipe_of(**options: Any) -> Recipe:
    """Return a recipe. Raises BadText for an option out of its bounds, RulesError for rules that no guide knows."""
    try:
        recipe = msgspec.convert(options, Recipe)
    except msgspec.ValidationError as error:
        raise BadText(f"recipe of a guide: {error}") from None
    for rules in recipe.rules:
        guide_file.check_rules(rules)
    return recipe


def written(recipe: Recipe, guide: Guide) -> bytes:
    """Return the bytes of the file of a guide that was trained by a recipe, which stands in its header."""
    told = msgspec.json.encode(recipe).decode()
    header = guide_file.Header(planes=PLANES, channels=guide.channels, blocks=guide.blocks, recipe=told)
    return guide_file.written(header, guide.weights)


class Progress(msgspec.Struct, frozen=True):
    """How far training has come after a generation."""

    generation: int
    samples: int
    policy_loss: float
    """Mean cross entropy of the last steps, in nats."""
    ownership_loss: float
    """Mean squared error of who owns a cell, from 0 to 4."""


def train(recipe: Recipe) -> Iterator[tuple[Progress, Guide]]:
    """Train a guide, and yield it after each generation."""
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
        lessons.add(_games(recipe, generation, guide if generation >= recipe.unguided else NO_GUIDE))
        losses = [_step(network, optimiser, schedule, lessons, recipe.batch, rng) for _ in range(recipe.steps)]
        policy_loss, ownership_loss = np.mean(losses[-100:], axis=0)
        guide = network.guide()
        yield Progress(generation + 1, len(lessons), float(policy_loss), float(ownership_loss)), guide


def _games(recipe: Recipe, generation: int, guide: Guide) -> list[Sample]:
    """Play the games of a generation, in order; each has chances of its own, whichever thread plays it."""
    count = recipe.games if guide is NO_GUIDE else -(-recipe.games // 3)

    def play(number: int) -> list[Sample]:
        rules = recipe.rules[number % len(recipe.rules)]
        return play_game(rules, guide, recipe.playouts, np.random.default_rng((recipe.seed, 2, generation, number)))

    with ThreadPoolExecutor(recipe.threads) as pool:
        return list(chain.from_iterable(pool.map(play, range(count))))


def _step(
    network: ResidualNetwork,
    optimiser: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    lessons: Lessons,
    batch: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Learn from a batch; return both losses."""
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
