"""The catalogue as the pages show it."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from hinterland import catalog

__all__ = ["catalogue"]


class PlayerCard(msgspec.Struct, frozen=True):
    """A player of the house."""

    name: str
    summary: str


class PresetCard(msgspec.Struct, frozen=True):
    """Rules under a name."""

    name: str
    title: str
    summary: str
    rules: dict[str, Any]
    """What differs from the usual."""


class GameEntry(msgspec.Struct, frozen=True):
    """A game, its players and its presets."""

    name: str
    title: str
    summary: str
    players: list[PlayerCard]
    presets: list[PresetCard]
    max_players: int


@cache
def catalogue() -> dict[str, Any]:
    """Return all games as plain JSON values."""
    return {"games": [msgspec.to_builtins(_entry(name)) for name in catalog.GAMES]}


def _entry(name: str) -> GameEntry:
    game = catalog.game(name)
    players = [PlayerCard(spec, catalog.summary_of(kind)) for spec, kind in game.players.items()]
    presets = [PresetCard(preset.name, preset.title, preset.summary, preset.options) for preset in game.presets]
    return GameEntry(game.name, game.title, game.summary, players, presets, game.max_players)
