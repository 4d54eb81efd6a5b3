"""Game files that people open: read and judged again in the background, within bounds."""

from __future__ import annotations

import time

from hinterland import catalog
from hinterland.errors import BadText, HinterlandError, RecordError, quote
from hinterland.referee import verification
from hinterland.referee.record import Record, read_line, studied
from hinterland.web.api.game_request import check_board
from hinterland.web.live.opened_records import POSITION_SIZE_FACTOR, Upload, record_id, replay

MAX_NAME_CHARACTERS = 100


def open_record(text: bytes, limit_s: float) -> Upload:
    """Judge a record again, within a time limit. Raises BadText in one clear line if it is invalid."""
    try:
        record = read_line(_one_line(text))
        check_board(catalog.game(record.game), record.rules)
        _check_names(record)
        verification.verify(record)
        last, scores = replay(record, time.monotonic() + limit_s)
    except HinterlandError as error:
        raise BadText(f"this game cannot be opened: {error}") from None
    bare = studied(record, None)
    return Upload(record_id(bare), bare, record.study or None, last, scores, len(text) * POSITION_SIZE_FACTOR)


def _one_line(text: bytes) -> bytes:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        raise RecordError(f"paste one game, a single line of JSON, not {len(lines)} lines")
    return lines[0]


def _check_names(record: Record) -> None:
    for name in record.players:
        if len(name) > MAX_NAME_CHARACTERS or not name.isprintable():
            raise RecordError(
                f"the name of a player has at most {MAX_NAME_CHARACTERS} printable letters, not {quote(name)}"
            )
