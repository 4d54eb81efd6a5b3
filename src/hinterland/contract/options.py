"""Boards that people choose by name and options, instead of listing everything on them.

A game has a dict of such boards by name. Each is a function that returns rules, and its parameters are the board's
options. The parameter ``seed`` becomes the option ``board_seed``, because players have a seed, too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from hinterland.errors import RulesError, UnknownName, quote

P = ParamSpec("P")
S = TypeVar("S")
R = TypeVar("R")


def split_board_name(options: Mapping[str, object], given: Iterable[str], default: str) -> tuple[str, dict[str, Any]]:
    """Return the name of the chosen board and the other options; an option that is None counts as left out.

    ``given``: names of options that describe a board directly, without the name of a board. Raises RulesError if one of
    them is among the options.
    """
    chosen = {name: value for name, value in options.items() if value is not None}
    board = chosen.pop("board", default)
    for name in given:
        if name in chosen:
            raise RulesError(f"a board is given by its name or by {name}, not by both; leave out board or {name}")
    if not isinstance(board, str):
        raise RulesError(f"board is a name such as {default}, not {quote(board)}")
    return board, chosen


def default_options(boards: Mapping[str, Callable[..., object]], board: str) -> dict[str, Any]:
    """List the options of a board with their defaults, without the number of players."""
    parameters = inspect.signature(boards[board]).parameters.values()
    return {"board": board, **{_option_name(one.name): one.default for one in parameters if one.name != "players"}}


def make_chosen(boards: Mapping[str, Callable[..., R]], board: str, chosen: Mapping[str, Any]) -> R:
    """Make a board by name.

    Raises UnknownName for an option that the board lacks, and what the board's function raises.
    """
    known = {_option_name(name): name for name in inspect.signature(boards[board]).parameters}
    check_names(f"option of board {board}", chosen, known)
    return boards[board](**{known[name]: value for name, value in chosen.items()})


def compose(source: Callable[P, S], finish: Callable[[S], R]) -> Callable[P, R]:
    """Return a function with the parameters of ``source`` that passes its result to ``finish``."""

    @wraps(source)
    def board(*args: P.args, **kwargs: P.kwargs) -> R:
        return finish(source(*args, **kwargs))

    return board


def make(boards: Mapping[str, Callable[..., R]], name: str, options: Mapping[str, Any]) -> R:
    """Make a board by name; ``options`` are arguments of its function.

    Raises UnknownName, and what the function raises.
    """
    if name not in boards:
        raise UnknownName("board", name, boards)
    check_names(f"option of board {name}", options, inspect.signature(boards[name]).parameters)
    return boards[name](**options)


def check_names(what: str, chosen: Iterable[str], known: Iterable[str]) -> None:
    """Raise UnknownName for the first name of ``chosen`` that is not in ``known``."""
    listed = tuple(known)
    for name in chosen:
        if name not in listed:
            raise UnknownName(what, name, listed)


def _option_name(name: str) -> str:
    return "board_seed" if name == "seed" else name
