"""``hinterland protocol``: prints the JSON Schema of protocol json, of records and of reviews."""

from __future__ import annotations

from hinterland.cli.console import print_json


def protocol() -> None:
    """Print the JSON Schema of protocol hinterland-json/1, of records and of `analyse --json`."""
    from hinterland.referee.protocol.schema import json_schema  # noqa: PLC0415

    print_json(json_schema())
