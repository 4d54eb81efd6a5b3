"""Lists of games in JSON, and their records as one file."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from litestar import MediaType, Request, get
from litestar.response import Stream

from hinterland.storage.index.listing import GameCard
from hinterland.storage.index.tables import State
from hinterland.web.arena import arena_of
from hinterland.web.http_errors import conflict
from hinterland.web.lists.game_list import STATES, games_of, player_url, read_query, readers_of, records_of

NAMES = {state: name for name, state in STATES.items()}


@get("/api/games", media_type=MediaType.JSON)
async def list_games(request: Request[Any, Any, Any]) -> bytes:
    """List games, a page at a time."""
    query = read_query(request)
    found = await readers_of(request).run(games_of, arena_of(request), query)
    games = [_game_fields(card) for card in found.games]
    return msgspec.json.encode({"games": games, "next": found.next, "count": found.count, "left": found.left})


def _game_fields(card: GameCard) -> dict[str, Any]:
    """Return the fields of a game in JSON."""
    fields: dict[str, Any] = msgspec.to_builtins(card)
    started = datetime.fromtimestamp(fields.pop("started"), UTC).isoformat()
    del fields["touched"], fields["version"]
    fields["pages"] = [player_url(slug) if slug else None for slug in card.pages]
    return {**fields, "state": NAMES[card.state], "started": started}


@get("/games.jsonl")
async def get_records(request: Request[Any, Any, Any]) -> Stream:
    """Send the records of all games of a list as one file."""
    wanted = read_query(request).wanted
    if wanted.state != State.FINISHED:
        raise conflict("only games that are finished have records")
    records = records_of(request, wanted)
    headers = {"Content-Disposition": 'attachment; filename="games.jsonl"'}
    first = await anext(records, b"")  # errors must come before the file begins

    async def whole() -> Any:
        yield first
        async for lines in records:
            yield lines

    return Stream(whole(), media_type="application/x-ndjson", headers=headers)
