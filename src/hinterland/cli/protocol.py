"""``hinterland protocol``: the JSON Schema of protocol json and of records."""

from __future__ import annotations

from hinterland.cli.console import print_json


def protocol() -> None:
    """Print the JSON Schema of hinterland-json/1 and of records, made from the types the referee itself uses."""
    from hinterland.referee.protocol.schema import json_schema  # noqa: PLC0415

    print_json(json_schema())
