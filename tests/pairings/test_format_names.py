"""Formats by name: each can be made and played to its end; wrong options are refused in one line."""

import subprocess
import sys

import pytest

from drawn_contests import play
from hinterland.contest.pairings.format_names import FORMATS, can_grow, default_options, make
from hinterland.errors import HinterlandError

NAMES = list(FORMATS)
GROWING = [name for name in NAMES if can_grow(name)]


def players_of(name):
    return 2 if name == "sprt" else 7


def options_of(name):
    return {"sprt": {"rounds": 9}, "tables": {"given": [[0, 1, 2], [3, 4], [5, 6]]}}.get(name, {})


@pytest.mark.parametrize("name", NAMES)
def test_each_comes_to_an_end_and_names_players_that_there_are(name, rng):
    players = players_of(name)
    finished = play(make(name, players, seed=3, pairings=2, options=options_of(name)), rng, matches=2, most=200)
    assert 0 < len(finished) < 200
    seen = {player for played in finished for result in played for player in result.table}
    assert seen == set(range(players))
    for played in finished:
        for result in played:
            assert list(result.table) == sorted(set(result.table))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_rounds_give_the_same_tables(name, rng):
    players = players_of(name)
    finished = play(make(name, players, seed=8, options=options_of(name)), rng, most=20)
    again = make(name, players, seed=8, options=options_of(name))
    for number, played in enumerate(finished):
        assert again.tables(finished[:number]) == tuple(result.table for result in played)


@pytest.mark.parametrize("name", GROWING)
def test_additions_leave_earlier_rounds_as_they_were(name, rng):
    before = play(make(name, 5, seed=4), rng)
    grown = make(name, 8, seed=4, added=[5, 6])
    for number, played in enumerate(before):
        assert grown.tables(before[:number]) == tuple(result.table for result in played)
    assert any(5 in table for table in grown.tables(before))


@pytest.mark.parametrize("name", [name for name in NAMES if "rounds" in default_options(name)])
def test_rounds_are_counted(name, rng):
    assert len(play(make(name, players_of(name), options={"rounds": 3}), rng)) == 3


@pytest.mark.parametrize(
    ("name", "players", "more", "told"),
    [
        ("round", 4, {}, "unknown format 'round'; known: round-robin, "),
        ("swiss", 1, {}, "swiss needs 2 players or more, not 1"),
        ("swiss", 4, {"options": {"round": 3}}, "unknown option of format swiss 'round'; known: rounds"),
        ("swiss", 4, {"options": {"players": 3}}, "unknown option of format swiss 'players'; known: rounds"),
        ("gauntlet", 4, {"options": {"rounds": 3}}, "unknown option of format gauntlet 'rounds'; known: none"),
        ("swiss", 4, {"added": [3]}, "nobody can be added to swiss; players can be added to round-robin, gauntlet"),
        ("gauntlet", 4, {"added": [4]}, "added must rise from 2 or more to fewer than the 4 players there are, not 4"),
        ("swiss", 4, {"options": {"rounds": "3"}}, "rounds must be a whole number from 1 on, not '3'"),
        ("sprt", 1, {}, "sprt needs 2 players or more, not 1"),
        ("sprt", 3, {}, "players must be a whole number from 2 to 2, not 3"),
        ("melee", 4, {"options": {"table": 5}}, "table must be a whole number from 2 to 4, not 5"),
        ("knockout", 4, {"options": {"third_place": 1}}, "third_place must be true or false, not 1"),
        ("swiss", 4, {"seed": -1}, r"seed must be a whole number from 0 to 2\*\*64 - 1, not -1"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(name, players, more, told):
    with pytest.raises(HinterlandError, match=told) as refused:
        make(name, players, **more)
    assert "\n" not in str(refused.value)


def test_a_test_can_be_plugged_in():
    assert make("sprt", 2, has_decided=lambda _: True).tables([]) is None
    assert make("swiss", 4, has_decided=lambda _: True).tables([]) is not None
    assert default_options("sprt") == {"rounds": 1000}


def test_formats_load_nothing_that_swiss_alone_needs():
    code = "import sys, hinterland.contest.pairings.format_names; print('rustworkx' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout.strip() == "False"
