"""What every game keeps, so that the arena can stand on it without knowing any game by name.

A game is a folder with a subclass of each of the four bases below (``Rules``, ``Move``, ``Position``,
``LegalMoves``), its players, its pictures, and one ``Game`` that names them. Rules, moves and positions are
immutable values; everything about a position is derived from its rules and moves.
"""

from __future__ import annotations

from hinterland.contract.atlas import Atlas, AtlasBoard
from hinterland.contract.game import Clock, Game, Level, Page, Pictures, Player, Preset, TellingPlayer, is_timed
from hinterland.contract.moves import LegalMoves, Move
from hinterland.contract.position import LEFT, LOST, EndReason, Outcome, Position, leaders
from hinterland.contract.rules import Rules, StoneRules, silent
from hinterland.contract.scratch import Scratch
from hinterland.contract.text import read_json, read_value

__all__ = [
    "LEFT", "LOST", "Atlas", "AtlasBoard", "Clock", "EndReason", "Game", "LegalMoves", "Level", "Move", "Outcome",
    "Page", "Pictures", "Player", "Position", "Preset", "Rules", "Scratch", "StoneRules", "TellingPlayer", "is_timed",
    "leaders", "read_json", "read_value", "silent",
]  # fmt: skip
