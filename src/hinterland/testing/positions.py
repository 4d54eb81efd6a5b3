"""Makes a position from a game's options and moves, from text, or from a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hinterland import catalog
from hinterland.contract import LEFT, LOST, Move, Position
from hinterland.contract.numbers import as_int
from hinterland.errors import BadText, IllegalMove, RulesError, quote
from hinterland.referee import verification
from hinterland.referee.record import Record, read_line
from hinterland.storage import records

SEAT_AND_MOVE = re.compile(r"(\d{1,9}):(.+)", re.DOTALL)
"""A move as text, with the seat that makes it."""


def position(
    source: str | Path | Record,
    /,
    *,
    moves: str | Iterable[Any] | None = None,
    move: int | None = None,
    game: int | None = None,
    **options: Any,
) -> Position[Any, Any]:
    """Return the position after some moves; every move is checked.

    ``source`` is one of these:

    - The name of a game. ``options`` are options of its rules, with the names that the command line uses, and the
      number of ``players``; options that are left out have their defaults. ``moves`` are the moves from the start.
    - What ``str`` of a position writes: rules, a semicolon and moves, on one line or several.
    - A record, its line of JSON, or the path of a file of records, in which ``game`` is the number of the game, from 1
      (default: 1). ``move`` counts the moves made, from 0 (default: all).

    A move is written as its numbers, ``(3, 4)``, as a ``Move``, or as a text that a person would type, ``"3,4"``; a
    move of one number may be that number. The seats move in turn. To check who moves, write the seat before the move:
    ``(0, (3, 4))`` or ``"0:3,4"``. ``(0, "lost")`` is a lost turn, and ``(0, "left")`` a departure. One text may hold
    all moves, separated by spaces.

    Raises UnknownName for an option that does not exist, RulesError for a value that is not allowed, IllegalMove for a
    move that is not allowed, RecordError for a damaged record, and BadText for everything else that cannot be read.
    """
    if isinstance(source, str) and _is_name(source):
        _refuse("the name of a game", move=move, game=game)
        start = catalog.game(source).rules.from_options(options, may_read=True).start()
        return start if moves is None else _play(start, moves.split() if isinstance(moves, str) else moves)
    _refuse("a text or a record", moves=moves, **options)
    if isinstance(source, str) and (words := source.split()) and words[0] in catalog.GAMES:
        _refuse("a position as text", move=move, game=game)
        return catalog.game(words[0]).position.parse(source)
    last = verification.final(_find_record(source, game))
    made = len(last.moves)
    plies = made if move is None else as_int(move)
    if type(plies) is not int or not 0 <= plies <= made:
        raise BadText(f"move counts the moves made: it can be 0 to {made}, not {quote(move)}")
    return last.before(plies)


def _is_name(source: str) -> bool:
    """Say whether a text names a game, known or not."""
    return source in catalog.GAMES or (source.isidentifier() and not _is_file(Path(source)))


def _refuse(what: str, /, **given: object) -> None:
    """Raise BadText if an argument is given that belongs to another kind of source."""
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise BadText(f"{', '.join(names)} cannot be given with {what}; leave it out")


def _find_record(source: object, game: int | None) -> Record:
    if isinstance(source, Record) or (isinstance(source, str) and source.lstrip().startswith("{")):
        _refuse("a single record", game=game)
        return source if isinstance(source, Record) else read_line(source)
    if not isinstance(source, str | Path):
        raise BadText(f"a position is made from a game's name, a text, a record or a file, not from {quote(source)}")
    path, number, count = Path(source), 1 if game is None else as_int(game), 0
    if not _is_file(path):
        raise BadText(f"{quote(str(source))} is neither a game ({', '.join(catalog.GAMES)}) nor a file of records")
    for count, (_, record) in enumerate(records.read(path), start=1):
        if count == number:
            return record
    raise BadText(f"{quote(str(path))} holds games 1 to {count}, not game {quote(game)}")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long
        return False


def _play(start: Position[Any, Any], moves: Iterable[Any]) -> Position[Any, Any]:
    at = start
    for number, entry in enumerate(_list(moves), start=1):
        try:
            at = at.happen(*_read_entry(at, entry))
        except IllegalMove as error:
            raise IllegalMove(error.code, f"move {number}: {error.detail}") from None
        except (BadText, RulesError) as error:
            raise type(error)(f"move {number}: {error}") from None
    return at


def _list(moves: object) -> Iterator[Any]:
    if not isinstance(moves, Iterable):
        raise BadText(f"moves are a list such as [(3, 4), (10, 10)], or a text, not {quote(moves)}")
    return iter(moves)


def _read_entry(at: Position[Any, Any], entry: object) -> tuple[int, Any]:
    """Return the seat of an entry, which is the seat to move if none is given, and its move or word."""
    if isinstance(entry, str):
        written = SEAT_AND_MOVE.fullmatch(entry)
        if written is None:
            return at.mover, at.read_move(entry)
        seat, what = int(written[1]), written[2]
        return seat, what if what in (LOST, LEFT) else at.read_move(what)
    if isinstance(entry, list | tuple) and len(entry) == 2 and isinstance(entry[1], Move | str | list | tuple):
        seat, what = as_int(entry[0]), entry[1]
        return seat, what if isinstance(what, str) and what in (LOST, LEFT) else _read_move(at, what)
    return at.mover, _read_move(at, entry)


def _read_move(at: Position[Any, Any], given: object) -> Move:
    if isinstance(given, Move):
        return given
    if isinstance(given, str):
        read: Move = at.read_move(given)
        return read
    numbers = given if isinstance(given, Iterable) else [given]
    return at.move_type.from_numbers([as_int(number) for number in numbers])
