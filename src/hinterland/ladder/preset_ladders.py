"""Which ladders there are: one for each game and preset."""

from __future__ import annotations

from functools import cache

import msgspec

from hinterland import catalog
from hinterland.contract import Game


class PresetLadder(msgspec.Struct, frozen=True):
    """One ladder, before anybody has played."""

    game: str
    preset: str
    """The name of its preset, of the first where boards of several are called alike in lists."""
    titles: tuple[str, ...]
    """Of the preset, or of each of them."""
    rules: str
    """In the words by which lists of games tell rules apart: a board that is drawn anew has the same."""

    @property
    def url(self) -> str:
        """Where it is shown."""
        return f"/ladder/{self.game}?preset={self.preset}"


@cache
def ladders_of(game: str) -> tuple[PresetLadder, ...]:
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


def all_ladders() -> tuple[PresetLadder, ...]:
    """Return all ladders, game by game."""
    return tuple(ladder for game in catalog.GAMES for ladder in ladders_of(game))


def _words(game: Game, options: dict[str, object]) -> str:
    return game.page.words(game.rules.from_options(options))
