"""Replays a record: yields its positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hinterland import catalog
from hinterland.contract import Game, Move, Position
from hinterland.errors import RecordError

if TYPE_CHECKING:
    from hinterland.referee.record import Record


def unfold(record: Record) -> Iterator[Position[Any, Any]]:
    """Replay a record: yield the position at the start and after every event. Raises HinterlandError."""
    game = catalog.game(record.game)
    rules = game.rules.from_json(record.rules)
    yield from game.position.unfold(rules, _history(game, record))


def positions(record: Record) -> Iterator[Position[Any, Any]]:
    """Replay a record: yield the position at the start and after each move. Raises HinterlandError."""
    for position in unfold(record):
        if not position.history or not isinstance(position.history[-1][1], str):
            yield position


def final(record: Record) -> Position[Any, Any]:
    """Return the last position of a record. Raises HinterlandError."""
    *_, last = unfold(record)
    return last


def _history(game: Game, record: Record) -> Iterator[tuple[int, Move | str]]:
    """Yield the events in order. Raises RecordError if the columns do not fit together."""
    if len(record.movers) != len(record.moves):
        raise RecordError(f"it has {len(record.movers)} movers for {len(record.moves)} moves")
    moves = list(zip(record.movers, record.moves, strict=True))
    plies = 0
    for what in record.between:
        if not plies <= what.plies <= len(moves):
            raise RecordError(
                f"its lost turns and departures are not in the order in which they came: seat {what.seat} after"
                f" {what.plies} moves of {len(moves)}, {plies} were made before"
            )
        yield from _read(game, moves[plies : what.plies])
        yield what.seat, what.event
        plies = what.plies
    yield from _read(game, moves[plies:])


def _read(game: Game, played: Iterable[tuple[int, tuple[int, ...]]]) -> Iterator[tuple[int, Move]]:
    for seat, numbers in played:
        yield seat, game.move.from_numbers(list(numbers))
