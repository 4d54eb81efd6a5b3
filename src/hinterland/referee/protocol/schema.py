"""The JSON Schema of protocol ``hinterland-json/1`` and of records, made from the types that the referee uses."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from hinterland.referee.protocol.messages import PROTOCOL, FromPlayer, ToPlayer
from hinterland.referee.record import FORMAT, Record


def json_schema() -> dict[str, Any]:
    """Return the schema of one message in either direction, as plain JSON values.

    ``$defs`` holds ``FromPlayer``, ``ToPlayer`` and every message by name, and beside them ``Record``, a line of a file
    of records.
    """
    kinds = {"FromPlayer": get_args(FromPlayer), "ToPlayer": get_args(ToPlayer)}
    every = [*(kind for group in kinds.values() for kind in group), Record]
    _, components = msgspec.json.schema_components(every, ref_template="#/$defs/{name}")
    groups = {name: {"anyOf": [_reference(kind.__name__) for kind in group]} for name, group in kinds.items()}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": PROTOCOL,
        "description": f"One message is one JSON object on one line; so is a record, $defs/Record ({FORMAT}).",
        "anyOf": [_reference(name) for name in kinds],
        "$defs": {**groups, **components},
    }
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(schema))
    return plain


def _reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}
