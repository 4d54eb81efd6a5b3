"""The eight levels of each game rise in strength, can be played on pages, and are those of the published contests."""

import re
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from hinterland import catalog
from hinterland.contest import engine, workers
from hinterland.contest.folder import UnsavedContest
from hinterland.contest.plan_file import read
from hinterland.web.api.game_request import check_player

PUBLISHED = Path(__file__).parents[1] / "docs" / "levels"
SECOND = {"gravity": "gravity-small", "graph": "graph-random", "dots": "dots-random"}
"""Each game's published contest on boards other than its first preset."""
MATCHES = {"gravity": 4, "graph": 12, "dots": 12}
"""Matches of each step: so few that a step may show no difference; all steps together show one."""


def published():
    """Return (title, player, Elo) of each level in the documentation, by the title of its game."""
    text = PUBLISHED.with_suffix(".md").read_text()
    found = {}
    for part in text.split("\n## ")[1:]:
        rows = re.findall(r"^\| \d (\w+) \| (\S+) \| (-?\d+) \|", part, re.MULTILINE)
        found[part.partition("\n")[0]] = [(title, spec, int(elo)) for title, spec, elo in reversed(rows)]
    return found


@pytest.mark.parametrize("name", catalog.GAMES)
def test_levels_are_those_of_the_published_contests(name):
    game = catalog.game(name)
    levels = [(level.title, level.spec, level.elo) for level in game.levels]
    assert levels == published()[game.title]
    assert len(levels) == 8
    assert all(above[2] - below[2] >= 108 for below, above in pairwise(levels)), "65 % of matches are 108 Elo"
    first, second = read(PUBLISHED / name)[0], read(PUBLISHED / SECOND[name])[0]
    assert game.rules.from_options(first.rules) == game.rules.from_options(game.presets[0].options)
    assert game.rules.from_options(second.rules) != game.rules.from_options(first.rules)
    for plan in (first, second):
        assert [player.spec for player in plan.players] == ["random", *(spec for _, spec, _ in levels)]
        assert plan.options["given"] == [[below, below + 1] for below in range(8)]
        assert plan.pairings == 200


@pytest.mark.parametrize("name", catalog.GAMES)
def test_all_players_were_measured(name):
    plan = read(PUBLISHED / f"{name}-players")[0]
    assert {player.spec.partition(":")[0] for player in plan.players} == set(catalog.game(name).players)


@pytest.mark.parametrize("name", catalog.GAMES)
def test_people_choose_levels_by_title_and_line(name):
    game = catalog.game(name)
    for level in game.levels:
        check_player(game, level.spec)
        assert level.summary.endswith(".")
        assert len(level.summary) <= 72
    assert len({level.title for level in game.levels}) == len({level.summary for level in game.levels}) == 8


@pytest.mark.jit
@pytest.mark.thorough
@pytest.mark.once
@pytest.mark.parametrize("name", catalog.GAMES)
def test_each_level_beats_the_one_below(name):
    plan = msgspec.structs.replace(read(PUBLISHED / SECOND[name])[0], pairings=MATCHES[name])
    contest = UnsavedContest(plan, None, lambda _: None)
    with workers.open_executor(1, None) as (executor, ahead):
        for _ in engine.play(contest, executor, ahead):
            pass
    (tables,) = contest.played.rounds
    points = {plan.names[table.table[1]]: table.half_points for table in tables}
    assert all(above >= below for below, above in points.values()), points
    assert sum(above for _, above in points.values()) >= 0.65 * 2 * MATCHES[name] * len(points), points
