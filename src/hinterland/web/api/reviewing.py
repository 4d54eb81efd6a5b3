"""Reviews a finished game for its page.

A live game is not reviewed: while it is played, only hints about the next move are allowed.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import takewhile
from typing import Any

import msgspec
from litestar import MediaType, Request, get

from hinterland.contract import Game
from hinterland.review import Played, review
from hinterland.web.api.game_api import find_requested_game
from hinterland.web.arena import arena_of
from hinterland.web.disconnects import cancel_on_disconnect
from hinterland.web.guards import asker_of, limit_rate
from hinterland.web.http_errors import conflict


@get("/games/{game_id:str}/review", media_type=MediaType.JSON)
async def get_review(request: Request[Any, Any, Any]) -> bytes:
    """Return, for each move of a game, its gain and the best gain possible; also the moves that lost the game."""
    live_game = await find_requested_game(request)
    game, ending, arena = live_game.setup.game, live_game.game.ending, arena_of(request)
    if ending is None:
        raise conflict("the game is not over; it is analysed when it has ended")
    limit_rate(request, arena.reviewing, "too many games to analyse; try again in a moment")
    names = tuple(seat.name for seat in live_game.seats)
    played = Played(live_game.game.position, names, ending.scores, ending.winners)
    asker, limit_s = asker_of(request), arena.settings.limits.review_s
    reviewing = arena.reviews.show(asker, (live_game.id,), review_game, game, played, limit_s)
    review: bytes = await cancel_on_disconnect(request, reviewing)
    return review


def review_game(game: Game, played: Played, limit_s: float) -> bytes:
    """Review a game for at most ``limit_s`` seconds; moves that are not analysed by then remain unknown."""
    until = time.monotonic() + limit_s
    in_time = partial(takewhile, lambda _: time.monotonic() <= until)
    return msgspec.json.encode(review(game, played, in_time))
