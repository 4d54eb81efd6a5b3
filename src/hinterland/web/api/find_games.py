"""Finds games: those of the arena, those of contests (replayed on demand), and those that relays show."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hinterland.errors import ArenaError
from hinterland.referee.record import Record, read_line
from hinterland.storage.identities import Identity
from hinterland.storage.index import listing
from hinterland.storage.index.record_source import read_line_at
from hinterland.web.arena import Arena
from hinterland.web.live.arena_game import ArenaGame
from hinterland.web.live.game_view import GameView
from hinterland.web.live.opened_records import replay_game
from hinterland.web.relays.messages import GAMES, SHOWCASE, TABLES

RECORD_GAME_ID = re.compile(r"[0-9a-f]{24}")
"""Form of the ids that the index gives to the games of contests."""
RELAYS_SHARE = "relays"
"""Stands for the client (``asker``) when a game is loaded for a relay.

Threads are shared fairly among clients; all relays together count as one.
"""


async def find_game(arena: Arena, game_id: str, asker: str) -> ArenaGame | None:
    """Return a game of the arena or of a contest, or None.

    Raises HinterlandError if the file with the game is damaged.
    """
    game = await arena.registry.find(game_id, asker)
    if game is not None or not RECORD_GAME_ID.fullmatch(game_id):
        return game
    found = await arena.readers.share_for(asker).run(_record_of, arena, game_id)
    return None if found is None else await replay_record(arena, game_id, asker, *found)


async def find_shown(arena: Arena, address: str) -> GameView | None:
    """Return the game at an address that a relay asks for, or None.

    Raises HinterlandError if the game cannot be shown.
    """
    if not arena.health.is_ready:
        raise ArenaError("the arena is stopping")
    if address == SHOWCASE:
        return await arena.showcase.current_game()
    room, _, name = address.partition("/")
    if room == TABLES:
        return arena.find_match_show(name)
    return await find_game(arena, name, RELAYS_SHARE) if room == GAMES else None


async def replay_record(
    arena: Arena, game_id: str, asker: str, record: Record, known: Mapping[str, Identity]
) -> ArenaGame:
    """Replay a contest's game for pages. ``known``: identities of its players, by name.

    Raises HinterlandError if this fails.
    """
    return await arena.registry.replay(*await arena.readers.share_for(asker).run(replay_game, game_id, record, known))


def _record_of(arena: Arena, game_id: str) -> tuple[Record, dict[str, Identity]] | None:
    """Return the record of a contest's game, and its players' identities by name; None if the game is not found."""
    try:
        place = arena.index.query(listing.find_record, game_id)
    except ArenaError:  # without the index, only the arena's own games are found
        return None
    contest = None if place is None else arena.contests.find(place.source)
    if place is None or contest is None or not (line := read_line_at(arena.records_of(place.source), place)):
        return None
    return read_line(line), contest.identities()
