"""``analyse --json`` keeps to the schema that ``hinterland protocol`` prints, and so do records of both formats."""

import json
from pathlib import Path

import pytest

from hinterland.cli import run
from hinterland.referee import record

FIRST = Path(__file__).parents[1] / "referee" / "first_format" / "games.jsonl"
LINES = FIRST.read_bytes().splitlines(keepends=True)


@pytest.fixture
def valid(capsys):
    """Return what tells whether a value is of a kind of the printed schema."""
    import jsonschema

    assert run(["protocol"]) == 0
    definitions = json.loads(capsys.readouterr().out)["$defs"]
    return lambda kind: jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": definitions})


def test_lines_of_the_first_format(valid):
    for line in LINES:
        valid("FirstRecord").validate(json.loads(line))
        assert not valid("Record").is_valid(json.loads(line))


@pytest.mark.thorough
@pytest.mark.jit
@pytest.mark.parametrize("game", ["gravity", "graph", "dots"])
def test_a_review(game, valid, tmp_path, capsys):
    file = tmp_path / "one.jsonl"
    file.write_bytes(next(line for line in LINES if record.read_line(line).game == game))
    assert run(["analyse", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    whole = valid("Review")
    whole.validate(told)
    definitions = whole.schema["$defs"]
    assert set(told) == set(definitions["Review"]["properties"])
    assert all(set(move) == set(definitions["MoveReview"]["properties"]) for move in told["moves"])
    assert not whole.is_valid(told | {"measure": "luck"})
    assert not whole.is_valid(told | {"moves": [told["moves"][0] | {"gain": "much"}]})
