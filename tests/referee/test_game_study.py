"""Studies in records: a record with one stays what it was; a study that does not fit its game is refused in a line."""

import json

import msgspec
import pytest

import judged_games as games
from hinterland.errors import RecordError
from hinterland.referee import record, verification
from hinterland.referee.game_study import Branch, Comment, GameStudy, Mark, check_study
from hinterland.referee.protocol.schema import json_schema


@pytest.fixture(scope="module")
def kept():
    return {name: games.make_record(games.play_choices(rules, []).game) for name, rules in games.SMALL.items()}


def study_of(kept):
    """Return a study with a line of two moves: what was played at the second move, and after that at the first."""
    last = verification.final(kept)
    first = list(last.before(1).legal_moves)[-1]
    second = next(iter(last.before(1).play(first).legal_moves))
    moves = (Branch(1, first.numbers), Branch(len(kept.moves) + 1, second.numbers))
    marks = (Mark(0, (0.5, 0.5)), Mark(1, (0.0, 0.25, 1.0, 1.0)), Mark(1, (0.1, 0.2), -0.5))
    return GameStudy(moves, (Comment(len(kept.moves) + 2, "so"),), marks)


def test_a_record_with_a_study_is_verified_and_replayed_like_any_other(kept):
    import jsonschema

    for one in kept.values():
        whole = record.studied(one, study_of(one))
        line = record.to_line(whole)
        again = record.read_line(line)
        assert again == whole
        verification.verify(again)
        assert verification.final(again) == verification.final(one)
        assert again.crc == one.crc  # the game is the same
        assert record.studied(again, None) == one
        schema = json_schema()
        jsonschema.validate(json.loads(line), {"$ref": "#/$defs/Record", "$defs": schema["$defs"]})


def test_a_record_without_a_study_says_nothing_of_one(kept):
    assert b"study" not in record.to_line(next(iter(kept.values())))


def test_a_changed_study_is_noticed(kept):
    one = kept[2]
    line = record.to_line(record.studied(one, study_of(one)))
    with pytest.raises(RecordError, match="the checksum of its study is"):
        verification.verify(record.read_line(line.replace(b'"so"', b'"no"')))


@pytest.mark.parametrize(
    ("study", "words"),
    [
        (GameStudy(moves=(Branch(99, (1, 1)),)), "its study: move 1 follows node 99, which is not before it"),
        (GameStudy(moves=(Branch(-1, (1, 1)),)), "its study: move 1 follows node -1"),
        (GameStudy(moves=(Branch(0, (1, 1, 1, 1)),)), "its study: move 1 cannot be played after node 0"),
        (GameStudy(moves=(Branch(1, (10**30, 0)),)), "its study: move 1 cannot be played after node 1"),
        (GameStudy(comments=(Comment(99, ""),)), "its study speaks of node 99, there are nodes 0 to"),
        (GameStudy(marks=(Mark(-1, (0, 0)),)), "its study speaks of node -1"),
        (GameStudy(marks=(Mark(0, (0, 0, 0)),)), "a circle has 2 numbers, an arrow 4"),
        (GameStudy(comments=(Comment(0, "x" * 10**6),)), "has 1,000,000 characters, 2,000 at most"),
        (GameStudy(moves=(Branch(0, (1, 1)),) * 10**6), "its study has 1,000,000 moves, 2,000 at most"),
    ],
)
def test_a_study_that_does_not_fit_is_refused_in_one_line(kept, study, words):
    with pytest.raises(RecordError) as refused:
        check_study(study, verification.final(kept[2]))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "mark", ['{"node":0,"points":[0.5,2]}', '{"node":0,"points":[null,0]}', '{"node":0.5,"points":[0,0]}']
)
def test_marks_lie_on_the_board(kept, mark):
    text = msgspec.json.encode(msgspec.to_builtins(kept[2]) | {"study": {"marks": [json.loads(mark)]}})
    with pytest.raises(RecordError, match="not a record"):
        record.read_line(text)
