"""Reads whole numbers from the query of an address; every fault is one clear line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hinterland.errors import BadText, quote

WHOLE = re.compile(r"-?[0-9]{1,9}")


def read_number(query: Mapping[str, str], name: str) -> int | None:
    """Return an optional number; an empty one counts as missing. Raises BadText."""
    text = query.get(name, "")
    if not text:
        return None
    if not WHOLE.fullmatch(text):
        raise BadText(f"{name} must be a whole number, not {quote(text)}")
    return int(text)
