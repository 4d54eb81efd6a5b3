"""Reads requests, from bodies and from the query of a URL; reports every fault in one clear line."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from litestar import Request
from litestar.exceptions import HTTPException

from hinterland.contract import read_json
from hinterland.errors import BadText, quote
from hinterland.web.app_context import context_of

Body = TypeVar("Body")
WHOLE = re.compile(r"-?[0-9]{1,9}")


def read_number(query: Mapping[str, str], name: str) -> int | None:
    """Return the whole number in the parameter ``name``; None if the parameter is missing or empty. Raises BadText."""
    text = query.get(name, "")
    if not text:
        return None
    if not WHOLE.fullmatch(text):
        raise BadText(f"{name} must be a whole number, not {quote(text)}")
    return int(text)


async def read_form(request: Request[Any, Any, Any], kind: type[Body], form: str) -> Body:
    """Read the body of a request. Raises BadText, whose message begins with ``form``, the expected form."""
    read: Body = read_json(await read_body(request), kind, form)
    return read


async def read_body(request: Request[Any, Any, Any]) -> bytes:
    """Return the whole body; answer 408 if it takes too long to arrive."""
    limit_s = context_of(request).settings.limits.body_s
    try:
        async with asyncio.timeout(limit_s):
            return await request.body()
    except TimeoutError:
        raise HTTPException(f"the body of the request took longer than {limit_s:g} s", status_code=408) from None
