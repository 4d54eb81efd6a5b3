"""Records as tables: they come back byte for byte; a damaged table is refused in one line and leaves no file behind."""

import csv
import json
import resource
import sys
from pathlib import Path

import msgspec
import polars
import pytest

import judged_games as games
from hinterland.cli import run
from hinterland.errors import ArenaError, RecordError
from hinterland.referee import record
from hinterland.referee.game_study import Comment, GameStudy, Mark
from hinterland.storage import records

FIRST = Path(__file__).parents[1] / "referee" / "first_format" / "games.jsonl"
PLACE = record.ContestPlace("abc", 1, 2)
ROUGH = [("illegal", 1), ("legal", 5), ("resign", 0), ("legal", 9), ("lag", 3)]
COLUMNAR = (".parquet", ".arrow")


@pytest.fixture(scope="module")
def second(tmp_path_factory):
    """A file of the second format with lost turns, departures, a contest, a study and unusual letters."""
    kept = [games.make_record(games.play_choices(rules, ROUGH).game) for rules in games.SMALL.values()]
    study = GameStudy((), (Comment(0, 'ö "\n'),), (Mark(0, (0.1, 1 / 3)),))
    kept += [record.placed(kept[0], PLACE), record.studied(kept[1], study), record.studied(kept[1], GameStudy())]
    file = tmp_path_factory.mktemp("tables") / "second.jsonl"
    file.write_bytes(b"".join(map(record.to_line, kept)))
    return file


@pytest.fixture
def lines(second):
    return second.read_bytes() + FIRST.read_bytes()


def told_wrong(capsys, *arguments):
    assert run(["export", *map(str, arguments)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("hinterland: ")
    return said.err


@pytest.mark.parametrize("ending", COLUMNAR)
def test_records_come_back_byte_for_byte(second, lines, ending, tmp_path):
    table, again, back = tmp_path / f"all{ending}", tmp_path / f"again{ending}", tmp_path / "back.jsonl"
    assert records.export([second, FIRST], table) == len(lines.splitlines())
    records.export([table], back)
    assert back.read_bytes() == lines
    records.export([table, FIRST], again)  # tables and lines together
    assert b"".join(record.to_line(one) for _, one in records.read(again)) == lines + FIRST.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([table.name, again.name, back.name])


def test_a_table_is_judged_again_like_the_file_it_was_made_of(tmp_path, capsys):
    table = tmp_path / "first.parquet"
    records.export([FIRST], table)
    assert run(["verify", str(table)]) == 0
    assert "64 games judged again, all agree" in capsys.readouterr().out


def test_a_table_is_not_salvaged(tmp_path, capsys):
    table, new = tmp_path / "first.parquet", tmp_path / "new.jsonl"
    records.export([FIRST], table)
    assert run(["verify", str(table), "--salvage", str(new)]) == 2
    assert capsys.readouterr().err.endswith("is a table; salvage the file of records that it was made of\n")
    assert not new.exists()


def test_rows_of_moves_and_seats_say_what_the_records_say(second, tmp_path):
    kept = [one for file in (second, FIRST) for _, one in records.read(file)]
    moves, seats = (records.frame([second, str(FIRST)], by=by) for by in ("move", "seat"))
    assert moves["move"].to_list() == [list(move) for one in kept for move in one.moves]
    assert moves["ms"].to_list() == [ms for one in kept for ms in one.times.ms]
    assert moves["player"].to_list() == [one.players[seat] for one in kept for seat in one.movers]
    assert seats["score"].to_list() == [score for one in kept for score in one.scores]
    assert seats["won"].to_list() == [seat in one.winners for one in kept for seat in range(len(one.players))]
    assert seats["ms"].sum() == sum(sum(one.times.ms) for one in kept)
    assert seats["left"].drop_nulls().len() == sum(len(one.departures) for one in kept) > 0
    assert seats["lost_turns"].sum() == sum(what.event == "lost" for one in kept for what in one.between) > 0
    assert seats["contest"].struct.field("task").drop_nulls().to_list() == [2, 2]
    games_of = records.frame([second, FIRST])
    assert moves.to_pandas()["ms"].tolist() == moves["ms"].to_list()
    assert games_of.to_pandas()["players"].map(tuple).tolist() == [one.players for one in kept]
    joined = moves.join(games_of, on=["file", "line"]).group_by("file", "line").len()
    assert joined["len"].sum() == len(moves)
    for by, frame in (("move", moves), ("seat", seats)):
        records.export([second, FIRST], tmp_path / f"{by}.parquet", by)
        assert polars.read_parquet(tmp_path / f"{by}.parquet").equals(frame)
        records.export([second, FIRST], tmp_path / f"{by}.jsonl", by)
        assert list(map(json.loads, (tmp_path / f"{by}.jsonl").read_text().splitlines())) == frame.to_dicts()
        records.export([second, FIRST], tmp_path / f"{by}.csv", by)
        rows = list(csv.DictReader((tmp_path / f"{by}.csv").read_text().splitlines()))
        assert by == "move" or {row["won"] for row in rows} == {"true", "false"}
        assert [(row["file"], int(row["line"]), int(row["seat"])) for row in rows] == frame.select(
            "file", "line", "seat"
        ).rows()


@pytest.mark.parametrize("by", ["game", "move", "seat"])
@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".csv", ".jsonl"])
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda lines: lines[:-9], "line 6: cut short"),
        (lambda lines: lines.replace(b'"ms":[', b'"ms":[7', 1), "record 1: the checksum of its times is"),
        (lambda lines: lines.replace(b'"players":["a"', b'"players":["z"', 1), "record 1: its checksum is"),
        (lambda lines: lines.replace(b'"budget_ms":', b'"budget_ms":-', 1), "not a record: budget_ms of a clock"),
        (lambda lines: lines[:200] + b"\0" * 50 + lines[250:], "line 1: not a whole line of JSON"),
        (lambda _: b"", "holds no record"),
        (lambda _: b"PAR1", "cannot be read"),
    ],
)
def test_nothing_is_made_of_a_damaged_file(second, tmp_path, capsys, ending, by, spoil, words):
    bad, out = tmp_path / "bad.jsonl", tmp_path / f"out{ending}"
    bad.write_bytes(spoil(second.read_bytes()))
    assert words in told_wrong(capsys, FIRST, bad, out, "--by", by)
    assert list(tmp_path.iterdir()) == [bad]


def changed(table, path, **columns):
    polars.read_parquet(table).with_columns(**columns).write_parquet(path)


def test_a_damaged_table_is_refused(second, tmp_path, capsys):
    good, bad, out = (tmp_path / name for name in ("good.parquet", "bad.parquet", "out.csv"))
    records.export([second], good)
    whole = good.read_bytes()
    for spoilt in (whole[:-20], whole[:4], whole[: len(whole) // 2] + whole[len(whole) // 2 + 1 :]):
        bad.write_bytes(spoilt)
        assert "bad.parquet cannot be read: " in told_wrong(capsys, bad, out)
    changed(good, bad, crc=polars.lit("00000000"))
    assert "record 1: its checksum is '00000000'" in told_wrong(capsys, bad, out)
    bad.write_bytes(whole.replace(b"detail", b"d\xfftail"))
    assert "bad.parquet cannot be read" in told_wrong(capsys, bad, out)
    bad.write_bytes(whole.replace(b"detail", b"scores"))
    assert "bad.parquet" in told_wrong(capsys, bad, out)
    changed(good, bad, clock=polars.col("clock").struct.with_fields(budget_ms=polars.lit(0)))
    assert "row 1: not a record: budget_ms of a clock" in told_wrong(capsys, bad, out)
    changed(good, bad, rules=polars.lit("{"))
    assert "row 1: not a record" in told_wrong(capsys, bad, out)
    changed(good, bad, moves=polars.lit("e4"))
    assert "bad.parquet cannot be read" in told_wrong(capsys, bad, out)
    polars.DataFrame({"a": [1]}).write_parquet(bad)
    assert "has no column 'format'" in told_wrong(capsys, bad, out)
    polars.read_parquet(good).head(0).write_parquet(bad)
    assert "holds no record" in told_wrong(capsys, bad, out)
    assert not out.exists()


def test_a_number_that_no_column_holds(second, tmp_path, capsys):
    one = next(one for _, one in records.read(second))
    large = record.sealed(msgspec.structs.replace(one, seed=2**64))
    (tmp_path / "large.jsonl").write_bytes(record.to_line(large))
    assert "too large for a column of 64 bits" in told_wrong(capsys, tmp_path / "large.jsonl", tmp_path / "o.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["large.jsonl"]


def test_where_a_table_cannot_be_written(second, tmp_path, capsys):
    assert "there is no folder" in told_wrong(capsys, second, tmp_path / "no" / "a.csv")
    endings = ".parquet, .arrow, .csv, .jsonl, .json"
    assert f"should end in one of {endings}" in told_wrong(capsys, second, tmp_path / "a.xls")
    assert "FILE… OUT.parquet" in told_wrong(capsys, second)
    assert "No such file" in told_wrong(capsys, tmp_path / "none.jsonl", tmp_path / "a.csv")
    assert '"year"' in told_wrong(capsys, second, tmp_path / "a.csv", "--by", "year")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "a.csv").write_text("mine")
    assert "a.csv is there already" in told_wrong(capsys, second, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "mine"


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".csv", ".jsonl"])
def test_a_disk_that_is_full_leaves_nothing_behind(second, tmp_path, capsys, ending):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        said = told_wrong(capsys, second, FIRST, tmp_path / f"a{ending}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert f"a{ending} cannot be written: " in said
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_says_which_extra_has_it(second, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    for ending in COLUMNAR:
        assert "pip install 'hinterland[data]'" in told_wrong(capsys, second, tmp_path / f"a{ending}")
    with pytest.raises(ArenaError, match=r"pip install 'hinterland\[data\]'"):
        records.frame(second)
    for ending in (".csv", ".jsonl"):
        assert run(["export", str(second), str(tmp_path / f"a{ending}")]) == 0
    assert (tmp_path / "a.jsonl").read_bytes() == second.read_bytes()


def test_a_frame_of_a_damaged_file(tmp_path):
    (tmp_path / "bad.jsonl").write_bytes(b"{}\n")
    with pytest.raises(RecordError, match="line 1: not a record"):
        records.frame(tmp_path / "bad.jsonl")
