"""A contest as rows for other tools: its standings, or a row a game."""

from __future__ import annotations

import csv
import importlib
import io
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.contest.folder import ContestFolder
from hinterland.contest.scoring import credited
from hinterland.errors import BadText

if TYPE_CHECKING:
    from pathlib import Path

    from hinterland.contest.played import FinishedMatch
    from hinterland.contest.report.contest_view import ContestView
    from hinterland.referee.record import Record

Rows = list[dict[str, Any]]
NO_POLARS = "{} needs polars: pip install 'hinterland[data]'; .csv and .json need nothing more"


def standing_rows(view: ContestView) -> Rows:
    """Return the standings, the best first."""
    fields = ("name", "points", "of", "matches", "won", "drawn", "lost", "byes", "share", "games")
    return [
        {"place": place, **{name: getattr(row, name) for name in fields}}
        for place, row in enumerate(view.standings, start=1)
    ]


def game_rows(folder: Path) -> Rows:
    """Return the games of all finished matches in their order. Raises HinterlandError as ``ContestFolder`` does."""
    rows: Rows = []

    def hear(match: FinishedMatch) -> None:
        rows.extend(map(_game_row, match.records))

    ContestFolder(folder, hear)
    return sorted(rows, key=lambda row: (row["round"], row["match"], row["number"]))


def _game_row(record: Record) -> dict[str, Any]:
    place = record.contest
    assert not isinstance(place, msgspec.UnsetType)
    ms = [0] * len(record.players)
    for seat, spent in zip(record.movers, record.times.ms, strict=True):
        ms[seat] += spent
    return {
        "round": place.round + 1, "match": place.task + 1, "number": record.number, "players": list(record.players),
        "scores": list(credited(record)), "winners": [record.players[seat] for seat in record.winners],
        "reason": record.reason, "ms": ms, "started": record.times.started,
    }  # fmt: skip


def to_csv(rows: Rows) -> bytes:
    """Write rows as CSV with a heading; lists are written as JSON, what is not known is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _flat(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode()


def _flat(value: Any) -> Any:
    return msgspec.json.encode(value).decode() if isinstance(value, list) else value


def to_json(rows: Rows) -> bytes:
    """Write rows as a JSON array of objects, a line each."""
    return b"[\n" + b",\n".join(map(msgspec.json.encode, rows)) + b"\n]\n"


def to_parquet(rows: Rows, path: Path) -> bytes:
    """Write rows as a Parquet file. Raises BadText where polars is missing; ``path`` is for its words."""
    try:
        polars: Any = importlib.import_module("polars")
    except ImportError:
        raise BadText(NO_POLARS.format(path)) from None
    file = io.BytesIO()
    polars.DataFrame(rows, infer_schema_length=None).write_parquet(file)
    return file.getvalue()
