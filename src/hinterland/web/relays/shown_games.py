"""Finds the games that relays request from an arena."""

from __future__ import annotations

from hinterland.errors import ArenaError
from hinterland.web.api.contest_games import find_game
from hinterland.web.arena import Arena
from hinterland.web.live.game_view import GameView
from hinterland.web.relays.messages import GAMES, SHOWCASE, TABLES

ASKER = "relays"
"""Share of the threads that load games for relays."""


async def find_shown(arena: Arena, address: str) -> GameView | None:
    """Return the game of an address, or None. Raises HinterlandError if it cannot be shown."""
    if not arena.health.is_ready:
        raise ArenaError("the arena is stopping")
    if address == SHOWCASE:
        return await arena.showcase.current_game()
    room, _, name = address.partition("/")
    if room == TABLES:
        return arena.find_match_show(name)
    return await find_game(arena, name, ASKER) if room == GAMES else None
