"""What the moves of a finished game were worth, for its page.

A game that goes on is not reviewed: a hint tells what the next move could gain, and no more than that is given away.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Request, Response, get

from hinterland.review import Played, Turn, review
from hinterland.web.api import find_table
from hinterland.web.arena import arena_of
from hinterland.web.guards import client_of
from hinterland.web.refusals import conflict, too_often

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.contract import Game
    from hinterland.web.table import Table

__all__ = ["HANDLERS", "review_game"]


@get("/games/{game_id:str}/review")
async def get_review(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Tell what each move of a finished game gained, what the best would have, and which moves lost it."""
    table = await find_table(request, request.path_params["game_id"])
    played = played_at(table)
    arena = arena_of(request)
    if wait_s := arena.reviewing.take(client_of(request)):
        raise too_often("too many games to analyse; try again in a moment", wait_s)
    content = await arena.reviews.show(
        (table.id,), review_game, table.setup.game, played, arena.settings.limits.review_s
    )
    return Response(content, media_type="application/json")


def played_at(table: Table) -> Played:
    """Return the game at a table, or answer 409 while it goes on."""
    game = table.game
    if game.ending is None:
        raise conflict("the game is not over; it is analysed when it has ended")
    names = tuple(seat.name for seat in table.seats)
    return Played(game.position, names, game.ending.scores, game.ending.winners)


def review_game(game: Game, played: Played, limit_s: float) -> bytes:
    """Review a game for so long; the moves that are not weighed by then remain unknown."""
    until = time.monotonic() + limit_s

    def track(made: Sequence[Turn]) -> Iterator[Turn]:
        for turn in made:
            if time.monotonic() > until:
                return
            yield turn

    return msgspec.json.encode(review(game, played, track))


HANDLERS = [get_review]
