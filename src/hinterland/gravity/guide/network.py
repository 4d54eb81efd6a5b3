"""Evaluates a residual network of 3 x 3 convolutions, on one position at a time.

No layer's size depends on the size of the board, so that one network plays on boards of any size. Distant cells
influence a cell through the mean and the maximum of each channel over the board (global pooling, Wu 2019). The network
has two heads, which are planes as well. The first has a logit for each cell: how much a move there is worth trying. The
second says who will own each cell in the end, from -1 (the rival) to 1 (the mover); its mean is the value of the
position.

Weights lie one after the other in one array of float32, in the order in which they are used. A convolution has weights
(out, in, 3, 3), then its biases. A block has the weights of its first convolution, then those of the pooling (channels,
2 * channels) with biases, then those of its second convolution. The heads have weights (2, channels), then two biases.

A plane is stored as one run of numbers, with a rim of zeros around the cells, so that a convolution is a sum of nine
shifted runs.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hinterland.jit import inlined

TAPS = 9
"""Weights of a 3 x 3 kernel."""


class Guide(NamedTuple):
    """A network. NO_GUIDE, with 0 ``channels``, stands for none."""

    planes: int
    """Number of input planes."""
    channels: int
    """Planes of each hidden layer."""
    blocks: int
    """Residual blocks of two convolutions."""
    trust: float
    """Share of a leaf's value that a search takes from the guide; the rest comes from a playout."""
    weights: np.ndarray
    """float32[count_weights(planes, channels, blocks)]"""


class Activations(NamedTuple):
    """Room for the planes of one position on grid x grid cells. Kernels overwrite it."""

    grid: int
    planes: np.ndarray
    """float32 (planes, room): the input planes. ``room`` is (grid + 2)^2 + 2: the cells, the rim and two more zeros."""
    hidden: np.ndarray
    """float32 (2, channels, room)"""
    pooled: np.ndarray
    """float32[2 * channels]: the mean of each channel, then the maximum of each."""
    logits: np.ndarray
    """float32 (grid, grid): how much a move on each cell is worth trying, as a logit."""
    ownership: np.ndarray
    """float32 (grid, grid): who will own each cell, from -1 (the rival) to 1 (the mover)."""


NO_GUIDE = Guide(0, 0, 0, 0.0, np.zeros(1, dtype=np.float32))


def count_weights(planes: int, channels: int, blocks: int) -> int:
    """Return the number of weights of a network."""
    block = 2 * (channels * TAPS + 1) * channels + (2 * channels + 1) * channels
    return (planes * TAPS + 1) * channels + blocks * block + 2 * (channels + 1)


@inlined(allocates=True)
def new_activations(guide: Guide, grid: int) -> Activations:
    """Return room for the planes of a network; ``NO_GUIDE`` needs hardly any."""
    room = (grid + 2) * (grid + 2) + 2
    return Activations(
        grid,
        np.zeros((guide.planes, room), dtype=np.float32),
        np.zeros((2, guide.channels, room), dtype=np.float32),
        np.zeros(2 * guide.channels, dtype=np.float32),
        np.zeros((grid, grid), dtype=np.float32),
        np.zeros((grid, grid), dtype=np.float32),
    )


@inlined
def cell_index(grid: int, row: int, col: int) -> int:
    """Return the index of a cell in a plane with a rim."""
    return (row + 1) * (grid + 2) + col + 1


@inlined
def evaluate(guide: Guide, room: Activations) -> float:
    """Set ``room.logits`` and ``room.ownership`` from ``room.planes``; return the mean of ``room.ownership``."""
    first, second = room.hidden[0], room.hidden[1]
    first[:] = np.float32(0)
    used = _convolve(guide.weights, 0, room.planes, first, room.grid)
    _rectify(first, room.grid)
    for _ in range(guide.blocks):
        second[:] = np.float32(0)
        used = _convolve(guide.weights, used, first, second, room.grid)
        _rectify(second, room.grid)
        used = _pool(guide.weights, used, second, room)
        used = _convolve(guide.weights, used, second, first, room.grid)
        _rectify(first, room.grid)
    return _apply_heads(guide.weights, used, room)


@inlined
def _convolve(weights: np.ndarray, used: int, source: np.ndarray, target: np.ndarray, grid: int) -> int:
    """Add a convolution of ``source`` to ``target``, whose rims become meaningless; return the next weight's index."""
    outs, ins = target.shape[0], source.shape[0]
    width = grid + 2
    length = grid * width
    biases = used + outs * ins * TAPS
    for out in range(outs):
        to = target[out, width + 1 : width + 1 + length]
        to += weights[biases + out]
        for plane in range(ins):
            at = used + (out * ins + plane) * TAPS
            w0, w1, w2 = weights[at], weights[at + 1], weights[at + 2]
            w3, w4, w5 = weights[at + 3], weights[at + 4], weights[at + 5]
            w6, w7, w8 = weights[at + 6], weights[at + 7], weights[at + 8]
            above = source[plane, 0 : length + 2]
            here = source[plane, width : width + length + 2]
            below = source[plane, 2 * width : 2 * width + length + 2]
            for i in range(length):
                to[i] += (
                    (w0 * above[i] + w1 * above[i + 1] + w2 * above[i + 2])
                    + (w3 * here[i] + w4 * here[i + 1] + w5 * here[i + 2])
                    + (w6 * below[i] + w7 * below[i + 1] + w8 * below[i + 2])
                )
    return int(biases + outs)


@inlined
def _rectify(planes: np.ndarray, grid: int) -> None:
    """Set negative values and the rim to zero."""
    width = grid + 2
    for channel in range(planes.shape[0]):
        plane = planes[channel]
        for i in range(plane.size):
            plane[i] = max(plane[i], np.float32(0))
        for row in range(width):
            plane[row * width] = np.float32(0)
            plane[row * width + width - 1] = np.float32(0)


@inlined
def _pool(weights: np.ndarray, used: int, planes: np.ndarray, room: Activations) -> int:
    """Add to each plane a linear function of the means and maxima of all planes; return the next weight's index."""
    channels, grid = planes.shape[0], room.grid
    for channel in range(channels):
        total = most = np.float32(0)
        for value in planes[channel]:
            total += value
            most = max(most, value)
        room.pooled[channel] = total / np.float32(grid * grid)
        room.pooled[channels + channel] = most
    biases = used + channels * 2 * channels
    for channel in range(channels):
        more = weights[biases + channel]
        for i in range(2 * channels):
            more += weights[used + channel * 2 * channels + i] * room.pooled[i]
        for row in range(grid):
            begin = cell_index(grid, row, 0)
            for col in range(grid):
                planes[channel, begin + col] += more
    return int(biases + channels)


@inlined
def _apply_heads(weights: np.ndarray, used: int, room: Activations) -> float:
    channels, grid = room.hidden.shape[1], room.grid
    biases = used + 2 * channels
    room.logits[:] = weights[biases]
    room.ownership[:] = weights[biases + 1]
    total = 0.0
    for channel in range(channels):
        logit, owner = weights[used + channel], weights[used + channels + channel]
        for row in range(grid):
            begin = cell_index(grid, row, 0)
            for col in range(grid):
                room.logits[row, col] += logit * room.hidden[0, channel, begin + col]
                room.ownership[row, col] += owner * room.hidden[0, channel, begin + col]
    for row in range(grid):
        for col in range(grid):
            room.ownership[row, col] = math.tanh(room.ownership[row, col])
            total += room.ownership[row, col]
    return total / (grid * grid)
