"""The contract that every game keeps, so that the arena needs to know no game by name.

A game is a folder with a subclass of each of the four bases below (``Rules``, ``Move``, ``Position``,
``LegalMoves``), its players, its pictures, and one ``Game`` that names them. Rules, moves and positions are
immutable values; everything about a position is derived from its rules and moves.
"""

from __future__ import annotations

from hinterland.contract.game import (
    Atlas,
    AtlasBoard,
    Clock,
    Expectation,
    Game,
    Level,
    Page,
    Pictures,
    Planes,
    Player,
    Preset,
    Slips,
    TellingPlayer,
    WarmablePlayer,
    is_timed,
    rehearse,
    slip,
)
from hinterland.contract.moves import Action, LegalMoves, Mask, Move
from hinterland.contract.position import LEFT, LOST, EndReason, Outcome, Position, Scratch, leaders
from hinterland.contract.puzzle import Goal, PuzzleDraft, PuzzleKind, Reckoning
from hinterland.contract.rules import Rules, StoneRules, silent
from hinterland.contract.text import in_words, read_json, read_value, several

__all__ = [
    "LEFT", "LOST", "Action", "Atlas", "AtlasBoard", "Clock", "EndReason", "Expectation", "Game", "Goal", "LegalMoves",
    "Level", "Mask", "Move", "Outcome", "Page", "Pictures", "Planes", "Player", "Position", "Preset", "PuzzleDraft",
    "PuzzleKind", "Reckoning", "Rules", "Scratch", "Slips", "StoneRules", "TellingPlayer", "WarmablePlayer", "in_words",
    "is_timed", "leaders", "read_json", "read_value", "rehearse", "several", "silent", "slip",
]  # fmt: skip
