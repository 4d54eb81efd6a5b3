"""Standings by kind of board: the parts add up to the whole, and agree with the games."""

import json
from collections import Counter

import pytest

from hinterland.cli import run
from hinterland.cli.contests import show

WORDS = ("board random", "board circle")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("contests") / "both"
    rules = ["--dots", "6", "--vary", "board=random,circle", "--pairings", "2"]
    assert run(["contest", "new", str(made), "dots", "random", "closer", "mean=closer", *rules]) == 0
    assert run(["contest", "run", str(made)]) == 0
    return made


def test_the_parts_make_up_the_whole(folder):
    _, whole = show.read_contest(folder)
    _, by_board = show.read_by_board(folder)
    assert tuple(words for words, _ in by_board.parts) == WORDS
    for field in ("matches", "won", "drawn", "lost", "share_parts", "games"):
        for player, one in enumerate(whole.players):
            parts = [getattr(part.players[player], field) for _, part in by_board.parts]
            assert sum(parts) == getattr(one, field)
            assert field != "matches" or parts == [4, 4]


def test_they_are_printed_and_exported(folder, tmp_path, capsys):
    capsys.readouterr()
    assert run(["contest", "status", str(folder), "--by-board"]) == 0
    said = capsys.readouterr().out
    assert said.index(WORDS[0]) < said.index(WORDS[1])
    assert run(["contest", "export", str(folder), str(tmp_path / "x.json"), "--by-board"]) == 0
    rows = json.loads((tmp_path / "x.json").read_text())
    assert Counter(row["board"] for row in rows) == dict.fromkeys(WORDS, 3)
    for words in WORDS:
        mine = [row for row in rows if row["board"] == words]
        assert [row["place"] for row in mine] == [1, 2, 3]
        assert sum(row["points"] for row in mine) == sum(row["matches"] for row in mine) / 2
        assert all(row["of"] == row["matches"] == 4 for row in mine)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["status", "{}", "--by-board", "--json"], "--by-board prints tables"),
        (["export", "{}", "x.csv", "--by-board", "--games"], "choose one"),
        (["export", "{}", "x.txt", "--by-board"], "--by-board is written as"),
    ],
)
def test_what_does_not_go_together_is_refused(folder, words, said, capsys):
    assert run(["contest", *(word.format(folder) for word in words)]) == 2
    assert said in capsys.readouterr().err
