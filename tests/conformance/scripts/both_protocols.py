"""Speaks both protocols of the referee as a player does, and knows a legal move for every turn.

Scripts of the suite must start in a few milliseconds: nothing but the standard library is imported.
"""

from __future__ import annotations

import json

__all__ = ["GRID", "Speaker", "cell"]

GRID = 2
"""Legal moves lie on every second row and column, so that the cells between them are too near."""


def cell(ply: int, size: int) -> tuple[int, int]:
    """Return the cell of the move that everybody makes as number ``ply`` of a game: no two are the same."""
    a_row = (size + GRID - 1) // GRID
    return GRID * (ply // a_row), GRID * (ply % a_row)


class Speaker:
    """One side of a conversation. It reads and writes nothing itself."""

    def __init__(self, protocol: str, size: int) -> None:
        """Begin. ``protocol``: hps or json; ``size``: cells a side, which protocol hps does not tell."""
        self.is_json = protocol == "json"
        self.size = size
        self.ply = 0
        """How many moves the running game has."""
        self.game_id = ""
        self.turn = 0
        self._rest = b""
        self._players = 0

    def hear(self, data: bytes) -> list[str]:
        """Take bytes; return what they say: ``hello``, ``ask``, ``over`` or ``other`` for each line."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [self._hear_json(line) if self.is_json else self._hear_words(line.split()) for line in lines]

    def join(self, name: str, token: str = "") -> bytes:
        """Introduce oneself."""
        if not self.is_json:
            return f"{name}\n".encode()
        return json.dumps({"type": "join", "name": name, **({"token": token} if token else {})}).encode() + b"\n"

    def answer(self, move: str = "", turn: int | None = None) -> bytes:
        """Answer the last question, legally unless a move is given as text, such as ``1, 2``."""
        row, col = cell(self.ply, self.size)
        move = move or f"{row}, {col}"
        if not self.is_json:
            self.ply += 1
            return move.replace(",", "").encode() + b"\n"
        asked = self.turn if turn is None else turn
        return f'{{"type":"move","game_id":"{self.game_id}","turn":{asked},"move":[{move}]}}\n'.encode()

    def _hear_json(self, line: bytes) -> str:
        told = json.loads(line)
        kind = str(told["type"])
        if kind in ("game", "turn"):
            self.game_id = told["game_id"]
        if kind == "turn":
            self.turn, self.ply = told["turn"], len(told["moves"])
        return {"hello": "hello", "turn": "ask", "over": "over"}.get(kind, "other")

    def _hear_words(self, words: list[bytes]) -> str:
        if not self._players:
            if not words or not words[0].isdigit():
                return "other"
            self._players = int(words[0])
            return "hello"
        if words[:1] == [b"0"]:
            self.ply += (len(words) - 1 - self._players) // 3
            return "ask"
        if words[:1] == [b"1"]:
            self.ply = 0
            return "over"
        return "other"
