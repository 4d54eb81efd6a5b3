"""Environments for learners, in the forms of the field: many boards at once, PettingZoo, Gymnasium, OpenSpiel.

It stands on the catalogue and is pure. What needs an extra is imported when it is asked for. Begin at ``batches``.
"""

from __future__ import annotations

from hinterland.envs.batches import BatchEnv, Saved, Step, batch

__all__ = ["BatchEnv", "Saved", "Step", "batch"]
