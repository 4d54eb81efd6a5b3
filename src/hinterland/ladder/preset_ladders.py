"""The list of ladders: one for each game and preset."""

from __future__ import annotations

from functools import cache

import msgspec

from hinterland import catalog
from hinterland.contract import Game


class PresetLadder(msgspec.Struct, frozen=True):
    """What a ladder is for: one game and one of its presets."""

    game: str
    preset: str
    """The name of the preset. If several presets share the ladder, the name of the first."""
    titles: tuple[str, ...]
    """The titles of all presets that share the ladder."""
    rules: str
    """The words that describe the rules in lists of games. Presets with the same words share a ladder; so do all boards
    that are drawn at random by the same options."""

    @property
    def url(self) -> str:
        """The page that shows it."""
        return f"/ladder/{self.game}?preset={self.preset}"


@cache
def list_ladders(game: str) -> tuple[PresetLadder, ...]:
    """Return the ladders of a game, in the order of its presets. Raises UnknownName."""
    kind = catalog.game(game)
    presets: dict[str, list[int]] = {}
    for number, preset in enumerate(kind.presets):
        presets.setdefault(_words(kind, preset.options), []).append(number)
    return tuple(
        PresetLadder(
            game, kind.presets[numbers[0]].name, tuple(kind.presets[number].title for number in numbers), words
        )
        for words, numbers in presets.items()
    )


def list_all_ladders() -> tuple[PresetLadder, ...]:
    """Return all ladders, game by game."""
    return tuple(ladder for game in catalog.GAMES for ladder in list_ladders(game))


def _words(game: Game, options: dict[str, object]) -> str:
    return game.page.words(game.rules.from_options(options))
