"""Copies arrays within kernels."""

from __future__ import annotations

import numpy as np

from hinterland.jit import inlined


@inlined
def copy_values(source: np.ndarray, target: np.ndarray) -> None:
    """Copy all numbers to a contiguous array of the same shape.

    ``target[:] = source`` does the same, but takes a second longer to compile, because it checks that the shapes agree.
    """
    for i in range(source.size):
        target.flat[i] = source.flat[i]
