"""Actions and observations as Gymnasium's spaces, for the environments of Gymnasium and PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from hinterland.contract.position import Position
from hinterland.contract.rules import Rules

Observation = dict[str, Any]
"""``observation``: float32 planes, see ``Position.planes``. ``action_mask``: int8[n], 1 for each legal action; a tuple
of such masks if an action consists of several numbers (factors)."""


def action_space(rules: Rules) -> spaces.Space[Any]:
    """Return the space of actions: Discrete, or MultiDiscrete if an action has several factors."""
    shape = rules.actions
    return spaces.Discrete(shape[0]) if len(shape) == 1 else spaces.MultiDiscrete(list(shape))


def observation_space(rules: Rules) -> spaces.Dict:
    """Return the space of observations: planes from 0 to 1, and masks of legal actions."""
    planes = spaces.Box(0.0, 1.0, rules.start().planes().shape, np.float32)
    masks = [spaces.MultiBinary(count) for count in rules.actions]
    return spaces.Dict({"observation": planes, "action_mask": masks[0] if len(masks) == 1 else spaces.Tuple(masks)})


def observe(position: Position[Any, Any], seat: int) -> Observation:
    """Return what a seat observes; while another seat is to move, its mask is 0 everywhere."""
    return {"observation": position.planes(seat), "action_mask": action_mask(position, seat)}


def action_mask(position: Position[Any, Any], seat: int) -> Any:
    """Return the mask of a seat's legal actions: int8[n], or a tuple of one int8[n] for each factor."""
    if position.to_move != seat:
        masks = tuple(np.zeros(count, dtype=np.int8) for count in position.rules.actions)
        return masks[0] if len(masks) == 1 else masks
    found = position.legal_moves.mask()
    return tuple(mask.view(np.int8) for mask in found) if isinstance(found, tuple) else found.view(np.int8)
