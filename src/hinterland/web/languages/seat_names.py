"""Names of seats on pages: a level is shown by its title."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from hinterland import catalog
from hinterland.contract.game import Level
from hinterland.referee import match
from hinterland.storage.game_setup import Seat
from hinterland.storage.identities import Identity, PlayerKind, slug_of_seat
from hinterland.web.languages.reader import gettext as _


@cache
def levels_of(game: str) -> dict[str, tuple[int, Level]]:
    """Return the levels of a game with their numbers; none for an unknown game.

    A key is the slug of the level's player: the last part of the address of the player's page.
    """
    levels = catalog.game(game).levels if game in catalog.GAMES else ()
    return {Identity(PlayerKind.HOUSE, level.spec).slug: (k, level) for k, level in enumerate(levels, start=1)}


def display_name(game: str, name: str, slug: str | None) -> str:
    """Return the displayed name of a player. ``slug``: last part of the address of the player's page, if known."""
    spec, sign, number = name.partition("#")
    _number, level = levels_of(game).get(slug or "", (0, None))
    return name if level is None or level.spec != spec else level_name(level) + sign + number


def display_names(game: str, seats: Iterable[Seat]) -> tuple[str, ...]:
    """Return the displayed names of a game's seats; the second seat of one name gets #2 after it, and so on."""
    return match.distinct([display_name(game, seat.name, slug_of_seat(seat)) for seat in seats])


def level_name(level: Level) -> str:
    """Return the title of a level in the reader's language, with a capital first letter."""
    title = _(level.title)
    return title[:1].upper() + title[1:]


def name_of_spec(name: str) -> str:
    """Return the title of the level whose spec is ``name``, in any game; if no level has it, ``name``."""
    return next((level_name(level) for level in _all_levels() if level.spec == name), name)


def level_called(text: str) -> str:
    """Return the English title of the level whose translated title is ``text``; if no level has it, ``text``."""
    titles = {level_name(level).casefold(): level.title for level in _all_levels()}
    return titles.get(text.strip().casefold(), text)


def _all_levels() -> Iterable[Level]:
    return (level for game in catalog.GAMES for level in catalog.game(game).levels)
