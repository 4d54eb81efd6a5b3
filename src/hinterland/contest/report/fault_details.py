"""What a report shows of games that players left: the last board, and the last lines of the log."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple

from hinterland import catalog
from hinterland.contest.folder import find_records
from hinterland.drawing.film import encode_webp
from hinterland.errors import HinterlandError
from hinterland.host.log_keeper import fault_of
from hinterland.referee.record import final
from hinterland.storage.log_folder import FOLDER, LogPart, read_log, shorten_log

if TYPE_CHECKING:
    from hinterland.contest.folder import ContestFolder
    from hinterland.contest.report.contest_view import ContestView
    from hinterland.contest.standings import GameLeft
    from hinterland.referee.record import Record

MAX_SHOWN = 16
"""Most games whose boards and logs a report shows: the first of each player, then the second ones, and so on."""
BOARD_PIXELS = 240


class FaultDetails(NamedTuple):
    """What is known of a game that a player left."""

    board: str
    """The last board as a data URL; empty if it cannot be drawn."""
    log: list[LogPart]
    """The last lines of each part of the log; empty if no log was kept."""


def read_faults(contest: ContestFolder, view: ContestView) -> dict[str, FaultDetails]:
    """Read the boards and logs of the first games that players left, by round, match and game."""
    turns = sorted((turn, row.player, left) for row in view.leavers for turn, left in enumerate(row.left))
    shown = {left.place: left for _, _, left in turns[:MAX_SHOWN]}
    records = find_records(contest.folder, contest.plan.lineage, shown, contest.versions)
    return {shown[place].address: _describe(contest, record, shown[place]) for place, record in records.items()}


def _describe(contest: ContestFolder, record: Record, left: GameLeft) -> FaultDetails:
    log = read_log(contest.folder / FOLDER, left.address, fault_of(record))
    return FaultDetails(_draw(record), shorten_log(log) if log else [])


def _draw(record: Record) -> str:
    try:
        image = catalog.game(record.game).pictures.image(final(record), BOARD_PIXELS)
    except HinterlandError:
        return ""
    return f"data:image/webp;base64,{b64encode(encode_webp(image)).decode()}"
