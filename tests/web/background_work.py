"""Work for processes in the background: they find it by its name."""

import os

import numpy as np

from hinterland.contract.rules import decode_rules


def spin():
    """Use the processor without end."""
    while True:
        pass


def die():
    os._exit(7)


def take(mib):
    return len(np.ones(mib << 20, dtype=np.uint8))


def refuse(error):
    raise error


def kept():
    """Return how many boards that a process was sent it knew, and how many not."""
    return decode_rules.cache_info()[:2]


def edges(rules):
    return len(rules.network.values)
