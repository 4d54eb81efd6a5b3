"""Levels rise, can be played, and are those of the published contests."""

import re
from pathlib import Path

import pytest

from hinterland import catalog
from hinterland.contest.plan_file import read

PUBLISHED = Path(__file__).parents[1] / "docs" / "levels"


def published():
    """Return (player, Elo) of each level that the page of the documentation lists, by the title of its game."""
    text = PUBLISHED.with_suffix(".md").read_text()
    found = {}
    for part in text.split("\n## ")[1:]:
        rows = re.findall(r"^\| (\w+) \| (\S+) \| (-?\d+) \|", part, re.MULTILINE)
        found[part.partition("\n")[0]] = [(title, spec, int(elo)) for title, spec, elo in reversed(rows)]
    return found


@pytest.mark.parametrize("name", catalog.GAMES)
def test_levels_are_those_of_the_published_contest(name):
    game = catalog.game(name)
    levels = [(level.title, level.spec, level.elo) for level in game.levels]
    assert levels == published()[game.title]
    assert levels == sorted(levels, key=lambda level: level[2])
    assert len({title for title, _, _ in levels}) == len(levels) >= 6
    for level in game.levels:
        catalog.player(game, level.spec)
    plan, _ = read(PUBLISHED / name)
    assert {spec for _, spec, _ in levels} <= {player.spec for player in plan.players}
    assert {player.spec.partition(":")[0] for player in plan.players} == set(game.players), "all players were measured"
