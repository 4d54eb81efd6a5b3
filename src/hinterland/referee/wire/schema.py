"""The JSON Schema of protocol ``hinterland-json/1``, made from the types that the referee itself reads and writes."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from hinterland.referee.wire.messages import PROTOCOL, FromPlayer, ToPlayer

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Return the schema of one message in either direction, as plain JSON values.

    ``$defs`` holds ``FromPlayer``, ``ToPlayer`` and every message by name.
    """
    kinds = {"FromPlayer": get_args(FromPlayer), "ToPlayer": get_args(ToPlayer)}
    every = [kind for group in kinds.values() for kind in group]
    _, components = msgspec.json.schema_components(every, ref_template="#/$defs/{name}")
    groups = {name: {"anyOf": [_reference(kind.__name__) for kind in group]} for name, group in kinds.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": PROTOCOL,
        "description": "One message is one JSON object on one line.",
        "anyOf": [_reference(name) for name in kinds],
        "$defs": {**groups, **components},
    }


def _reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}
