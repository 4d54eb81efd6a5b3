"""The network of gravity/guide/network.py in torch, for training, with the same weights in the same order."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from hinterland.gravity.guide.guide_file import TRUST
from hinterland.gravity.guide.network import Guide


class Block(nn.Module):
    """Two convolutions, with the mean and the maximum of all channels added between them."""

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
    """Planes in, logits of moves and ownership of cells out, on boards of any size."""

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
        """Map float32 (batch, planes, size, size) to logits and ownership, each (batch, size, size)."""
        x = torch.relu(self.stem(planes))
        for block in self.blocks:
            x = block(x)
        heads = self.heads(x)
        return heads[:, 0], torch.tanh(heads[:, 1])

    def guide(self) -> Guide:
        """Return the network as a search uses it."""
        parameters = [one.detach().cpu().numpy().ravel() for one in self.parameters()]
        return Guide(*self.shape, TRUST, np.concatenate(parameters).astype(np.float32))
