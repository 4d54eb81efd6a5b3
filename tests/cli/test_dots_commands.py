"""``solve``, ``atlas`` and ``count-dots`` as a user types them."""

import json
import re
import sys

import msgspec
import pytest

from dots.some_boards import entries_in
from hinterland.cli import run
from hinterland.contest import workers
from hinterland.dots.atlas import atlas_file
from hinterland.storage.tables import table_files

AROUND_ONE = [[0, 0], [8, 1], [3, 9], [4, 4]]


@pytest.fixture
def hinterland(capsys):
    def call(*arguments, code=0):
        assert run([str(argument) for argument in arguments]) == code
        told = capsys.readouterr()
        if code:
            assert told.out == ""
            assert re.fullmatch(r"hinterland: [^\n]+\n", told.err)
        return told

    return call


@pytest.fixture
def around_one(tmp_path):
    file = tmp_path / "four.json"
    file.write_text(json.dumps(AROUND_ONE))
    return file


# solve


def test_a_board_from_either_kind_of_file_is_solved(hinterland, around_one, tmp_path):
    csv = tmp_path / "four.csv"
    csv.write_text("".join(f"{x},{y}\n" for x, y in AROUND_ONE))
    for file in (around_one, csv):
        told = json.loads(hinterland("solve", "dots", file, "--json").out)
        assert set(told) == {"value", "best", "line", "exact", "nodes", "seconds"}
        assert told["value"] == -4
        assert told["exact"] is True
        assert told["best"] == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]


def test_best_play_ends_the_game_with_the_value(hinterland):
    from hinterland.dots import Line, boards

    told = json.loads(hinterland("solve", "dots", "--random", 6, "--seed", 4, "--json").out)
    position = boards.random(6, seed=4).start()
    assert told["line"][0] in told["best"]
    for a, b in told["line"]:
        position = position.play(Line(a, b))
    assert position.to_move is None
    assert position.scores[0] - position.scores[1] == told["value"]


def test_every_first_move(hinterland):
    told = json.loads(hinterland("solve", "dots", "--circle", 5, "--all-moves", "--json").out)
    assert told["value"] == -3
    assert len(told["moves"]) == 10
    assert [move["move"] for move in told["moves"] if move["value"] == -3] == told["best"]
    out = hinterland("solve", "dots", "--circle", 5, "--all-moves").out
    assert "5 dots; value for the first player: -3\n" in out
    assert len(re.findall(r"^ *\d-\d +-3 *$", out, re.MULTILINE)) == 10


@pytest.mark.jit
def test_when_time_is_over_there_are_bounds(hinterland):
    told = json.loads(hinterland("solve", "dots", "--circle", 13, "--seconds", 0, "--json").out)
    assert (told["value"], told["exact"]) == (None, False)
    assert -13 <= told["low"] <= told["high"] <= 13
    assert "as far as the time allowed" in hinterland("solve", "dots", "--circle", 13, "--seconds", 0).out


# atlas


def test_an_atlas_is_counted_and_kept(hinterland, tmp_path):
    file = tmp_path / "six.csv"
    told = json.loads(hinterland("atlas", 6, "--jobs", 1, "--out", file, "--json").out)
    assert told == {"n": 6, "types": 16, "values": {"0": 16}}
    assert entries_in(file) == list(atlas_file.entries(6))
    written = file.stat().st_mtime_ns
    out = hinterland("atlas", 6, "--out", file).out
    assert "16 order types of 6 dots" in out
    assert file.stat().st_mtime_ns == written
    assert json.loads(hinterland("atlas", 4, "--json").out)["values"] == {"3": 1, "-4": 1}


@pytest.mark.jit
def test_an_atlas_of_seven_dots_is_the_one_that_is_shipped(hinterland, tmp_path):
    file = tmp_path / "seven.csv"
    assert json.loads(hinterland("atlas", 7, "--out", file, "--json").out)["types"] == 135
    assert entries_in(file) == list(atlas_file.entries(7))


def test_an_address_at_which_nobody_answers(hinterland, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "CONNECT_S", 0.2)
    assert "no Dask cluster answers at 'no\\nwhere'" in hinterland("atlas", 5, "--cluster", "no\nwhere", code=2).err
    assert "no Dask cluster answers" in hinterland("atlas", 5, "--cluster", "tcp://127.0.0.1:1", code=2).err


def without(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)


def test_what_is_not_installed_is_named(hinterland, monkeypatch, tmp_path):
    without(monkeypatch, "distributed")
    without(monkeypatch, "pyarrow")
    assert "the package distributed" in hinterland("atlas", 5, "--cluster", "tcp://here:1", code=2).err
    assert "needs pyarrow" in hinterland("atlas", 5, "--out", tmp_path / "five.parquet", code=2).err
    assert list(tmp_path.iterdir()) == []


def test_a_parquet_file_appears_whole_at_the_end(hinterland, monkeypatch, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")

    def written(*whole):
        assert [path.name for path in tmp_path.iterdir()] == ["five.parquet.unfinished.csv"]
        write_rows(*whole)

    write_rows = table_files.write_rows
    monkeypatch.setattr(table_files, "write_rows", written)
    file = tmp_path / "five.parquet"
    hinterland("atlas", 5, "--out", file)
    assert list(tmp_path.iterdir()) == [file]
    rows = parquet.read_table(file).to_pylist()
    assert [msgspec.convert(row, atlas_file.Entry) for row in rows] == list(atlas_file.entries(5))
    assert "is there already" in hinterland("atlas", 5, "--out", file, code=2).err


# count-dots


@pytest.mark.jit
def test_order_types_are_counted(hinterland):
    assert hinterland("count-dots", 8).out == "3,315 order types of 8 dots, up to reflection\n"
    assert json.loads(hinterland("count-dots", 9, "--json").out) == {"n": 9, "types": 158830, "realisable": 158817}


def test_positions_are_counted(hinterland, around_one):
    told = json.loads(hinterland("count-dots", "--circle", 6, "--json").out)
    assert told == {
        "dots": 6,
        "symmetries": 12,
        "whole": 1083,
        "whole_classes": 112,
        "positions": 1251,
        "classes": 133,
    }
    out = hinterland("count-dots", "--circle", 6).out
    assert "6 dots with 12 symmetries" in out
    assert re.search(r"that play can reach +1,251 +133 *\n", out)
    assert json.loads(hinterland("count-dots", around_one, "--json").out)["symmetries"] == 6
    assert json.loads(hinterland("count-dots", "--random", 5, "--seed", 2, "--json").out)["dots"] == 5


# What is typed wrongly


WRONG = [
    (["solve", "chess", "--circle", "5"], "unknown game that can be solved 'chess'; known: dots"),
    (["solve", "dots"], "name one board"),
    (["solve", "dots", "--circle", "5", "--random", "5"], "name one board"),
    (["solve", "dots", "--circle", "2"], "dots must be a whole number from 3 to"),
    (["solve", "dots", "--circle", "25"], "the solver takes up to 24 dots"),
    (["solve", "dots", "--random", "5", "--seed", "-1"], "seed"),
    (["solve", "dots", "--circle", "5", "--seconds", "-1"], "seconds must be a number from 0 on"),
    (["solve", "dots", "--circle", "5", "--memory", "0"], "a whole number from 1 on, not 0"),
    (["solve", "dots", "--circle", "5", "--threads", "-1"], "--threads is a whole number from 0 to 64, not -1"),
    (["solve", "dots", "--circle", "5", "--memory", "999999999"], "too large for this machine"),
    (["solve", "dots", "/no/such.csv"], "cannot be read"),
    (["solve", "dots", "/no/such.json"], "cannot be read"),
    (["solve", "dots", "/no/such.txt"], "ends in .csv or .json"),
    (["atlas", "2"], "atlases of 3 to 9 dots, not of 2"),
    (["atlas", "10"], "atlases of 3 to 9 dots, not of 10"),
    (["atlas", "many"], "many"),
    (["atlas", "5", "--jobs", "-1"], "--jobs is a whole number from 0 to 256"),
    (["atlas", "5", "--out", "atlas.txt"], "named .csv or .parquet, not atlas.txt"),
    (["atlas", "5", "--out", "/no/such/five.csv"], "cannot be written: No such file"),
    (["count-dots"], "name one board"),
    (["count-dots", "2"], "counted for 3 to 10 dots, not '2'"),
    (["count-dots", "11"], "counted for 3 to 10 dots, not '11'"),
    (["count-dots", "9" * 5000], "counted for 3 to 10 dots"),
    (["count-dots", "5", "--circle", "5"], "or one number of dots"),
    (["count-dots", "--circle", "12"], "at most 11 dots, not of 12"),
    (["count-dots", "/no/such.csv"], "cannot be read"),
]


@pytest.mark.parametrize(
    ("arguments", "complaint"), WRONG, ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else ""
)
def test_one_clear_line(arguments, complaint, hinterland):
    assert complaint in hinterland(*arguments, code=2).err


@pytest.mark.parametrize(
    "content",
    ["0,0\n1,1\n2,2\n", "0,0\n1,1\n1,1\n", "0,0\n1,nan\n2,3\n", "0,0\n1,1\n", "0,0\n1\n2,2\n", "hello\n", ""],
)
def test_a_board_that_cannot_be(content, hinterland, tmp_path):
    file = tmp_path / "board.csv"
    file.write_text(content)
    hinterland("solve", "dots", file, code=2)
    hinterland("count-dots", file, code=2)


def test_an_atlas_of_other_dots_is_left_as_it_is(hinterland, tmp_path):
    file = tmp_path / "atlas.csv"
    hinterland("atlas", 4, "--out", file)
    before = file.read_bytes()
    assert "is an atlas of 4 dots, not of 5" in hinterland("atlas", 5, "--out", file, code=2).err
    file.write_bytes(before[:-1].replace(b"4,0,3", b"4,0,9"))
    assert "line 2: no line of an atlas" in hinterland("atlas", 4, "--out", file, code=2).err
    assert b"4,0,9" in file.read_bytes()


# solve --lines


def test_a_position_is_solved_as_it_stands(hinterland):
    from hinterland import dots
    from hinterland.dots import Line, boards

    drawn = [(3, 4), (5, 7), (0, 6), (1, 2)]
    position = boards.random(8, seed=1).start()
    for line in drawn:
        position = position.play(Line(*line))
    words = ", ".join(f"{a}-{b}" for a, b in drawn)
    told = json.loads(hinterland("solve", "dots", "--random", 8, "--seed", 1, "--lines", words, "--json").out)
    assert told["value"] == dots.solve(position).value == 0
    said = hinterland("solve", "dots", "--random", 8, "--seed", 1, "--lines", words, "--all-moves").out
    assert said.startswith("8 dots, 4 lines, 0 to 0; value for the player to move: 0\nbest moves: ")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("", "dots joined by hyphens, such as 0-1,2-5, not ''"),
        ("0-1,", "not ''"),
        ("0 1", "not '0 1'"),
        ("0-1,1-0", "1-0 cannot be drawn: dots 0 and 1 are joined already"),
        ("0-6", "0-6 cannot be drawn: dot 6 is not on the board"),
        ("0-2,1-3", "1-3 cannot be drawn"),
        ("0-0", "0-0 cannot be drawn"),
    ],
)
def test_lines_that_cannot_be_drawn_are_named(hinterland, lines, words):
    said = hinterland("solve", "dots", "--circle", 6, "--lines", lines, code=2).err
    assert words in said
