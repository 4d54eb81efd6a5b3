"""How puzzles are made: by a seed alone, each with a margin, rated by a formula; and the command that does it."""

import gzip
import json
import re

import pytest

from hinterland import catalog
from hinterland.cli import run
from hinterland.contract import is_timed
from hinterland.puzzles.making import OVERSAMPLING, choose_evenly, make, untimed_levels
from hinterland.puzzles.puzzle import Puzzle
from puzzles.independent_check import check

SMALL = {"options": {}, "history": (), "goal": "keep", "best": (0, 1), "worth": 4, "needed": 4, "elsewhere": 1}


def rated(found=0, asked=4, near_misses=0, moves=15):
    return Puzzle(**SMALL, found=found, asked=asked, near_misses=near_misses, moves=moves)


@pytest.mark.parametrize(
    ("name", "count"),
    [("graph", 2), ("dots", 1), pytest.param("gravity", 1, marks=[pytest.mark.jit, pytest.mark.thorough])],
)
def test_a_seed_makes_the_same_puzzles_again(name, count, tmp_path):
    game, told = catalog.game(name), []
    made = make(game, count, 5, lambda: told.append(1))
    assert len(made) == count
    assert len(told) == OVERSAMPLING * count
    for puzzle in made:
        check(name, json.loads(json.dumps(puzzle.__struct_fields__ and as_json(puzzle))))
    assert make(game, count, 5) == made
    assert make(game, count, 6) != made


def as_json(puzzle):
    return {name: getattr(puzzle, name) for name in puzzle.__struct_fields__}


def test_a_rating_counts_levels_that_miss_and_near_misses():
    assert rated(found=4).rating == 600
    assert rated(found=0).rating == 1600
    assert rated(found=3).rating == 850
    assert rated(found=4, near_misses=3).rating == 1000  # the logarithm of 4 is half of that of 16
    assert rated(found=0, near_misses=15).rating == 2400


def test_ratings_lie_evenly():
    pool = [rated(found=4)] * 6 + [rated(found=found) for found in (0, 1, 2, 3)]
    assert [puzzle.rating for puzzle in choose_evenly(pool, 5)] == [600, 850, 1100, 1350, 1600]
    assert choose_evenly([], 0) == []
    assert len(choose_evenly(pool, 10)) == 10


@pytest.mark.parametrize("name", catalog.GAMES)
def test_levels_that_read_a_clock_try_no_puzzles(name):
    game = catalog.game(name)
    asked = untimed_levels(game)
    assert len(asked) >= 4
    assert not any(map(is_timed, asked))


def test_the_command_writes_a_file(tmp_path, capsys):
    file = tmp_path / "some.jsonl.gz"
    assert run(["puzzles", "graph", str(file), "--count", "4", "--seed", "2"]) == 0
    assert "4 puzzles of Voronoi on graphs" in capsys.readouterr().out
    lines = gzip.decompress(file.read_bytes()).splitlines()
    assert [json.loads(line)["goal"] for line in lines].count("win") == 2


BAD = [
    (["chess"], "known: gravity, graph, dots"),
    (["dots", "--count", "0"], "--count is a whole number from 1 to 5000, not 0"),
    (["dots", "--count", "5001"], "--count is a whole number from 1 to 5000, not 5001"),
    (["dots", "--seed", "-1"], "--seed is a whole number from 0 to"),
    (["dots", "some.txt"], "puzzles are written to a file named .jsonl.gz, not some.txt"),
    (["dots", "nowhere/some.jsonl.gz"], "cannot be written: No such file or directory"),
    (["dots", "--count", "many"], "many"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_bad_options_are_refused_in_one_line(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["puzzles", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(r"hinterland: [^\n]+\n", told.err)
    assert words in told.err
    assert list(tmp_path.iterdir()) == []


def test_no_puzzle_is_chosen_twice():
    rates = [*((near, 4) for near in range(9)), (0, 0)]
    pool = [Puzzle({}, (), "g", (0,), 9, 9, 1, 15, near, found, 4) for near, found in rates]
    assert sorted(one.rating for one in choose_evenly(pool, len(pool))) == sorted(one.rating for one in pool)
