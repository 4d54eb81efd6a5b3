"""A board in a notebook: the board element of the arena's pages, driven by this process instead of a server.

The widget sends the pages' JavaScript modules and style sheets as text, and ``board.js`` lets the browser load that
text. So neither a network nor a build step is needed, and a saved notebook can be opened anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from hinterland import catalog
from hinterland.contract import Clock, Position, Rules
from hinterland.contract.numbers import as_int
from hinterland.errors import HinterlandError, RulesError, quote
from hinterland.web.script_sources import (
    ANY_IMPORT,
    STATIC,
    WORKER,
    find_game_files,
    find_needed_modules,
    strip_comments,
)

SHEETS = ("base", "players", "controls", "board")
"""The style sheets of all boards; a game may have one more."""
DARK = "@media (prefers-color-scheme: dark)"
NAMES = ("Blue", "Vermilion", "Green", "Purple", "Orange", "Sky", "Yellow", "Brown", "Pink", "Grey", "Teal", "Olive")


class Board(anywidget.AnyWidget):
    """A game to play, preview and step through in Jupyter, VS Code and marimo.

    ``game``: rules, or a position to continue. ``opponent``: a built-in player, such as ``reply`` or
    ``search:playouts=50``, that plays all seats except ``seat``; without an opponent you play every seat. ``seed``:
    seed of the opponent. ``position`` is the current position; ``observe(…, "moves")`` reports every move. Raises
    RulesError, UnknownName or BadText.
    """

    _esm = Path(__file__).parent / "board.js"

    kind = traitlets.Unicode().tag(sync=True)
    rules = traitlets.Dict().tag(sync=True)
    drawing = traitlets.Any(allow_none=True).tag(sync=True)
    names: traitlets.List[str] = traitlets.List().tag(sync=True)
    moves: traitlets.List[Any] = traitlets.List().tag(sync=True)
    to_move = traitlets.Int(allow_none=True).tag(sync=True)
    placing = traitlets.Bool().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    ply = traitlets.Int().tag(sync=True)
    files = traitlets.Dict().tag(sync=True)
    sheets = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        game: Rules | Position[Any, Any],
        *,
        opponent: str | None = None,
        seat: int = 0,
        seed: int = 0,
        names: tuple[str, ...] | None = None,
    ) -> None:
        position = game.start() if isinstance(game, Rules) else game
        if not isinstance(position, Position):
            raise RulesError(f"a board shows rules or a position, not {quote(game)}")
        rules = position.rules
        seat = as_int(seat)
        if type(seat) is not int or not 0 <= seat < rules.players:
            raise RulesError(f"seat must be from 0 to {rules.players - 1}, not {quote(seat)}")
        found = catalog.game(rules.game)
        self._pictures = found.pictures
        self._position: Position[Any, Any] = position
        self._opponent = None if opponent is None else catalog.player(found, opponent)
        self._seat = seat
        self._rng = np.random.default_rng(seed)
        drawing = found.page.drawing_data
        super().__init__(
            kind=rules.game,
            rules=found.page.rules(rules),
            drawing=None if drawing is None else drawing(rules),
            names=list(names or self._default_names(rules.players, opponent)),
            files=page_modules(rules.game),
            sheets=page_sheets(),
        )
        self.show(position)
        self.on_msg(self._carry_out)
        self._answer()

    @property
    def position(self) -> Position[Any, Any]:
        """The current position; if a user has stepped back, the board shows an earlier one, after ``ply`` moves."""
        return self._position

    def show(self, position: Position[Any, Any]) -> None:
        """Show another position with the same rules; the board goes to its last move.

        Raises RulesError for other rules.
        """
        if self.moves and position.rules != self._position.rules:
            raise RulesError("this board shows a game with other rules; make another Board for them")
        self._position = position
        seat = position.to_move
        with self.hold_sync():
            self.moves = [[who, list(move.numbers)] for who, move in position.moves]
            self.to_move = seat
            self.placing = seat is not None and (self._opponent is None or seat == self._seat)
            self.status = self._describe_state()
            self.ply = len(position.moves)

    def play(self, move: Any) -> None:
        """Play a move, and let the opponent answer. Raises IllegalMove."""
        self.show(self._position.play(move))
        self._answer()

    def back(self) -> None:
        """Take back the last move; against an opponent, your last move and all that followed it."""
        plies = len(self._position.moves)
        while plies > 0:
            plies -= 1
            before = self._position.after(plies)
            if self._opponent is None or before.to_move == self._seat:
                self.show(before)
                return

    def _answer(self) -> None:
        while self._opponent is not None and self._position.to_move not in (None, self._seat):
            move = self._opponent.choose(self._position, Clock(), self._rng)
            self.show(self._position.play(move))

    def _carry_out(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Carry out what a user asked for on the board: a move, a step back or a hint.

        If that fails, the board shows why.
        """
        try:
            match content.get("act"):
                case "play":
                    self.play(self._position.move_type.from_numbers(content.get("move")))
                case "back":
                    self.back()
                case "hint" if self._position.to_move is not None:
                    move, gain = self._pictures.best(self._position, {})
                    self.send({"hint": {"best": list(move.numbers), "gain": gain}})
        except HinterlandError as error:
            self.send({"refused": str(error)})

    def _default_names(self, players: int, opponent: str | None) -> tuple[str, ...]:
        if opponent is None:
            return NAMES[:players]
        return tuple("You" if seat == self._seat else opponent for seat in range(players))

    def _describe_state(self) -> str:
        """Describe scores, the seat to move or the result in a line."""
        scores, total = self._position.scores, self._position.rules.total_score
        shares = " · ".join(f"{name} {score / total:.1%}" for name, score in zip(self.names, scores, strict=True))
        outcome = self._position.outcome
        if outcome is None:
            name = self.names[self._position.to_move or 0]
            return f"{shares} · {'You are' if name == 'You' else f'{name} is'} to move"
        if len(outcome.winners) > 1:
            return f"{shares} · A tie"
        name = self.names[outcome.winners[0]]
        return f"{shares} · {'You win' if name == 'You' else f'{name} wins'}"


@cache
def page_modules(game: str) -> dict[str, str]:
    """Return the source texts of all JavaScript modules that a game's board needs, by path."""
    names = find_needed_modules([f"js/{game}/{game}-view.js"], _source, ANY_IMPORT, WORKER)
    return {name: _source(name) for name in sorted(names)}


@cache
def page_sheets() -> dict[str, str]:
    """Return the board's styles for ``light`` and ``dark`` themes; they apply only within the widget."""
    sheets = (f"css/{name}.css" for name in (*SHEETS, *catalog.GAMES))
    text = "\n".join(_source(sheet) for sheet in sheets if _path(sheet).exists())
    text = re.sub(r"(?m)^(\s*)(?::root|html)(?=[ ,{])", r"\1:host", text)
    return {"light": text.replace(DARK, "@media not all"), "dark": text.replace(DARK, "@media all")}


def _path(name: str) -> Path:
    """Return the path of a page's file, which may lie in a game's folder."""
    return find_game_files().get(name, STATIC / name)


def _source(name: str) -> str:
    return strip_comments(_path(name).read_bytes()).decode()
