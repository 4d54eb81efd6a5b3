"""The JSON Schema of protocol ``hinterland-json/1``, of records and of reviews, made from their types."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from hinterland.referee.first_format import FORMAT as FIRST_FORMAT
from hinterland.referee.first_format import FirstRecord
from hinterland.referee.protocol.messages import PROTOCOL, FromPlayer, ToPlayer
from hinterland.referee.record import FORMAT, Record
from hinterland.review import Review


def json_schema() -> dict[str, Any]:
    """Return the schema of one message in either direction, as plain JSON values.

    ``$defs`` holds ``FromPlayer``, ``ToPlayer`` and every message by name. It also holds ``Record`` and
    ``FirstRecord``, which describe a line of a file of records in the second and the first format, and ``Review``, the
    output of ``analyse --json``.
    """
    kinds = {"FromPlayer": get_args(FromPlayer), "ToPlayer": get_args(ToPlayer)}
    every = [*(kind for group in kinds.values() for kind in group), Record, FirstRecord, Review]
    _, components = msgspec.json.schema_components(every, ref_template="#/$defs/{name}")
    groups = {name: {"anyOf": [_make_reference(kind.__name__) for kind in group]} for name, group in kinds.items()}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": PROTOCOL,
        "description": (
            f"One message is one JSON object on one line; so is a record, $defs/Record ({FORMAT}) or "
            f"$defs/FirstRecord ({FIRST_FORMAT}). $defs/Review is what `hinterland analyse --json` prints."
        ),
        "anyOf": [_make_reference(name) for name in kinds],
        "$defs": {**groups, **components},
    }
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(schema))
    return plain


def _make_reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}
