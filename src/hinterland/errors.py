"""Every error that Hinterland raises on purpose, in one tree.

::

    HinterlandError
    ├── RulesError      rules that cannot be played
    ├── IllegalMove     a move that the rules refuse, with a code and the reason in words
    │   └── GameOver    a move after the end of the game
    ├── UnknownName     a game, player, option or law that does not exist; lists the known ones
    ├── BadText         text or JSON that does not have the expected form
    ├── RecordError     a record that is cut short, edited, of another game, or contradicts itself
    └── ArenaError      something outside the games: a port in use, a directory that cannot be written

The text of each error is one line: what was wrong, where, and what was expected. Programs show it unchanged.
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

    ``code`` is a short fixed word for programs, such as ``outside`` or ``too_near``. ``detail`` is a text for people.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return self.detail


class GameOver(IllegalMove):
    """A move after the end of the game. The code is ``game_over``."""

    def __init__(self) -> None:
        super().__init__("game_over", "the game is over, no move is left to make")

    def __reduce__(self) -> tuple[Any, ...]:
        return GameOver, ()


class UnknownName(HinterlandError):  # noqa: N818
    """A name that does not exist. The message lists the known names."""

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
    """A fault outside the games: of the network, the disk or the machine."""


def quote(value: object, limit: int = 60) -> str:
    """Quote a value from outside so that it cannot hide terminal codes or flood the line."""
    text = ascii(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
