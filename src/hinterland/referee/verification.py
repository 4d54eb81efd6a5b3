"""Judges a record again from its moves."""

from __future__ import annotations

from typing import Any

from hinterland.contract import Position
from hinterland.errors import HinterlandError, RecordError, quote
from hinterland.referee.game_study import check_study
from hinterland.referee.record import Record, final, positions, sealed, unfold
from hinterland.referee.verdicts import Verdict, departed_scores

__all__ = ["check_sums", "final", "positions", "unfold", "verify"]


def verify(record: Record) -> None:
    """Judge a game again from its moves. Raises RecordError that names the first difference."""
    try:
        last = final(record)
    except RecordError:
        raise
    except HinterlandError as error:
        raise RecordError(f"of its {len(record.moves)} moves, one cannot have been played: {error}") from None
    _verify_result(record, last)
    if record.study:
        check_study(record.study, last)
    check_sums(record)


def check_sums(record: Record) -> None:
    """Raise RecordError if a record's checksums are wrong."""
    whole = sealed(record)
    if record.crc != whole.crc:
        raise RecordError(
            f"its checksum is {quote(record.crc)}, its contents give '{whole.crc}': something was changed"
        )
    if record.times.crc != whole.times.crc:
        raise RecordError(f"the checksum of its times is {quote(record.times.crc)}, they give '{whole.times.crc}'")
    if record.study and whole.study and record.study.crc != whole.study.crc:
        raise RecordError(f"the checksum of its study is {quote(record.study.crc)}, it gives '{whole.study.crc}'")


def _verify_result(record: Record, position: Position[Any, Any]) -> None:
    """Compare seats, scores and winners with the result of the moves."""
    if len(record.players) != position.rules.players:
        raise RecordError(f"it names {len(record.players)} players, its rules have {position.rules.players}")
    scores = departed_scores(position.scores, frozenset(position.withdrawn))
    if len(record.scores) != len(scores):
        raise RecordError(f"it has {len(record.scores)} scores for {len(scores)} seats")
    for seat, (recorded, found) in enumerate(zip(record.scores, scores, strict=True)):
        if recorded != found:
            raise RecordError(
                f"seat {seat} ({quote(record.players[seat])}): the record says {recorded}, the moves give {found}"
            )
    _verify_ending(record, position, scores)


def _verify_ending(record: Record, position: Position[Any, Any], scores: tuple[int, ...]) -> None:
    staying = position.staying
    if record.reason == Verdict.VOID:
        expected: tuple[int, ...] = ()
    elif position.to_move is None and len(staying) > 1:
        most = max(scores[seat] for seat in staying)
        expected = tuple(seat for seat in staying if scores[seat] == most)
        if record.reason != position.end_reason:
            raise RecordError(
                f"the record says it ended by {quote(record.reason)}, the moves say {position.end_reason}"
            )
    elif len(staying) == 1:
        expected = staying
        last = record.departures[-1]
        if record.reason != last.reason:
            raise RecordError(
                f"the record says it ended by {quote(record.reason)}, seat {last.seat} left last by {last.reason}"
            )
    else:
        raise RecordError(f"after its last move the game is not over: seat {position.to_move} is to move")
    if record.winners != expected:
        raise RecordError(f"the record says the winners are {list(record.winners)}, the moves give {list(expected)}")
