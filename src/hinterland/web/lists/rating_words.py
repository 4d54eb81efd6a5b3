"""Descriptions of players and ratings in the reader's language."""

from __future__ import annotations

from hinterland import catalog
from hinterland.ladder.preset_ladders import PresetLadder
from hinterland.ladder.standing import LadderPlayer
from hinterland.storage.identities import Identity, PlayerKind
from hinterland.web.languages import reader
from hinterland.web.languages.reader import gettext as _
from hinterland.web.languages.seat_names import levels_of


def elo(value: float) -> str:
    """Format a rating."""
    return reader.number(round(value)).replace("-", "−")


def between(player: LadderPlayer) -> str:
    """Format the interval of a rating."""
    return _("%(first)s to %(last)s") % {"first": elo(player.low), "last": elo(player.high)}


def tick(words: str) -> str:
    """Format a label of a plot."""
    return elo(float(words.replace(",", "").replace("−", "-")))


def titles(ladder: PresetLadder) -> str:
    """Return the titles of a ladder's presets."""
    return ", ".join(_(title) for title in ladder.titles)


def kind_words(who: Identity, game: str) -> str:
    """Describe the kind of a player of a ladder."""
    match who.kind:
        case PlayerKind.ENTRANT:
            return who.contest
        case PlayerKind.GUEST:
            return _("Guest")
        case PlayerKind.BOT:
            return _("Bot")
    number, _level = levels_of(game).get(who.slug, (0, None))
    return _("Level {level}").format(level=number) if number else _("Built-in player")


def about(who: Identity) -> str:
    """Describe a player across all games."""
    if who.kind != PlayerKind.HOUSE:
        return kind_words(who, next(iter(catalog.GAMES)))
    kinds = [catalog.game(name) for name in catalog.GAMES]
    levels = [
        f"{_(kind.title)}: {_('Level {level}').format(level=_(level.title))}"
        for kind in kinds for level in kind.levels if level.spec == who.name
    ]  # fmt: skip
    return " · ".join([_("Built-in player"), *levels])
