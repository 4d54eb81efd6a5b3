"""Every error that Hinterland raises on purpose, in one tree.

::

    HinterlandError
    ├── RulesError      rules that cannot be played
    ├── IllegalMove     a move the rules refuse, with a code and the reason in words
    │   └── GameOver    any move, since nobody is to move
    ├── UnknownName     a game, player, option or law that does not exist; lists those that do
    ├── BadText         text or JSON that is not the form of what it should be
    ├── RecordError     a record that is cut short, edited, foreign or contradicts itself
    └── ArenaError      the surroundings: a port in use, a directory that cannot be written

The text of each error is one line that says what was wrong, where, and what would have been right. Programs show it
unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class HinterlandError(Exception):
    """The root of the tree."""


class RulesError(HinterlandError):
    """Rules that cannot be played: a parameter out of its range, or a board without room."""


class IllegalMove(HinterlandError):  # noqa: N818  (the name is part of the public contract)
    """A move that the rules refuse.

    ``code`` is a short fixed word for programs (``outside``, ``too_near`` …); ``detail`` says it to people.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return self.detail


class GameOver(IllegalMove):
    """Any move once nobody is to move; its code is ``game_over``."""

    def __init__(self) -> None:
        super().__init__("game_over", "the game is over, no move is left to make")

    def __reduce__(self) -> tuple[Any, ...]:
        return GameOver, ()


class UnknownName(HinterlandError):  # noqa: N818
    """A name that is not on the list it should be on."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(kind, name, tuple(known))

    def __str__(self) -> str:
        kind, name, known = self.args
        return f"unknown {kind} {quote(name)}; known: {', '.join(known) or 'none'}"


class BadText(HinterlandError):  # noqa: N818
    """Text or JSON that does not have the expected form."""


class RecordError(HinterlandError):
    """A record that cannot be read, or that does not agree with its own moves."""


class ArenaError(HinterlandError):
    """Something outside the games: the network, the disk, the machine."""


def quote(value: object, limit: int = 60) -> str:
    """Quote a value from outside so that it cannot hide terminal codes or flood the line."""
    text = ascii(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
