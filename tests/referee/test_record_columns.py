"""Records as others read them: against the published schema, and as tables in tools that were not written for them."""

import duckdb
import msgspec
import polars
import pytest

import judged_games as games
from hinterland.referee import record
from hinterland.referee.protocol.schema import json_schema
from hinterland.storage.records import RecordFile

CHOICES = [
    [],
    [("illegal", 1), ("legal", 5), ("illegal", 1), ("resign", 0), ("illegal", 1), ("legal", 9), ("lag", 3)],
    [("legal", 4), ("illegal", 2), ("legal", 9), ("fault", 1)],
]


@pytest.fixture(scope="module")
def kept():
    """Games in which all is well, turns are lost, and seats leave."""
    rough = (games.play_choices(rules, choices) for rules in games.SMALL.values() for choices in CHOICES)
    return [games.make_record(table.game) for table in rough]


@pytest.fixture(scope="module")
def file(kept, tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    with RecordFile(path) as opened:
        for one in kept:
            opened.add(one)
    return path


def validator():
    import jsonschema

    schema = json_schema()
    return jsonschema.Draft202012Validator({"$ref": "#/$defs/Record", "$defs": schema["$defs"]})


def test_records_keep_to_the_schema(kept):
    valid = validator()
    assert any(one.between for one in kept)
    for one in kept:
        valid.validate(msgspec.json.decode(record.to_line(one)))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: line.pop("movers"),
        lambda line: line.update(colour="blue"),
        lambda line: line["moves"].append("a1"),
        lambda line: line["between"].append({"plies": 1, "seat": 0, "event": "slept"}),
        lambda line: line["times"].update(ms=[0.5]),
    ],
)
def test_the_schema_refuses_what_is_no_record(kept, spoil):
    line = msgspec.json.decode(record.to_line(kept[0]))
    spoil(line)
    assert not validator().is_valid(line)


def test_polars_reads_a_file_of_records(kept, file):
    table = polars.read_ndjson(file)
    assert table["movers"].to_list() == [list(one.movers) for one in kept]
    assert table["moves"].to_list() == [[list(move) for move in one.moves] for one in kept]
    assert table["scores"].to_list() == [list(one.scores) for one in kept]
    lost = table.select(polars.col("between").explode()).unnest("between").filter(polars.col("event") == "lost")
    assert len(lost) == sum(what.event == "lost" for one in kept for what in one.between) > 0
    assert table["times"].struct.field("ms").list.len().to_list() == [len(one.moves) for one in kept]


def test_duckdb_reads_a_file_of_records(kept, file):
    rows = duckdb.sql(f"select sum(len(moves)), sum(list_sum(scores)), count(*) from '{file}'").fetchall()
    assert rows == [(sum(len(one.moves) for one in kept), sum(sum(one.scores) for one in kept), len(kept))]
    left = duckdb.sql(
        f"select gone.reason from (select unnest(between) as gone from '{file}') where gone.event = 'left' order by 1"
    ).fetchall()
    assert left == sorted((str(gone.reason),) for one in kept for gone in one.departures) != []
