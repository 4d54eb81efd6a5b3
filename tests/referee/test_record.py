"""Records: what is written reads back, agrees with its moves, and shows any changed digit."""

import re

import msgspec
import numpy as np
import pytest

from hinterland import catalog
from hinterland.errors import RecordError
from hinterland.gravity import Rules
from hinterland.referee import judge, record
from hinterland.referee.clock import NS_PER_MS, TimeControl
from hinterland.referee.shell import local

GRAVITY = catalog.game("gravity")
RULES = Rules(size=15, players=2, stones=3, spacing=3)


@pytest.fixture(scope="module")
def played():
    players = [catalog.player(GRAVITY, spec) for spec in ("random", "reply")]
    return local.play_match(GRAVITY, RULES, players, ("random", "reply"), TimeControl(), 7)


@pytest.fixture(scope="module")
def departed():
    """A melee in which one seat resigned and one ran out of time."""
    rules = Rules(size=15, players=4, stones=2, spacing=3)
    rng = np.random.default_rng(3)
    game, _ = judge.step(judge.begin(rules.start(), TimeControl(budget_ms=1000)), judge.Begin(), 0)
    now = 0
    while game.ending is None:
        now += 1
        if len(game.position.moves) == 2 and 0 not in game.position.withdrawn:
            event = judge.Resign(0)
        elif len(game.position.moves) == 3 and game.position.to_move not in game.position.withdrawn and now < 10**9:
            now += 2000 * NS_PER_MS
            event = judge.Tick()
        else:
            event = judge.Answer(game.position.to_move, game.turn, game.position.legal_moves.sample(rng))
        game, _ = judge.step(game, event, now)
    return record.of_game(GRAVITY, game, ("a", "b", "c", "d"), seed=None, number=1, started="2026-01-01T00:00:00+00:00")


def test_records_read_back_and_agree(played, departed, tmp_path):
    file = tmp_path / "games.jsonl"
    for kept in (*played, departed):
        record.append(file, kept)
    assert [kept for _, kept in record.read(file)] == [*played, departed]
    for kept in (*played, departed):
        record.verify(kept)
    assert len(departed.departures) >= 2
    assert file.read_bytes().count(b"\n") == 3


def test_a_seed_repeats_all_but_the_times(played):
    players = [catalog.player(GRAVITY, spec) for spec in ("random", "reply")]
    again = local.play_match(GRAVITY, RULES, players, ("random", "reply"), TimeControl(), 7)
    for one, other in zip(played, again, strict=True):
        assert msgspec.structs.replace(one, times=other.times) == other


def test_every_changed_digit_is_found(played, departed):
    for kept in (played[0], departed):
        line = record.to_line(kept)
        missed = []
        for place in (match.start() for match in re.finditer(rb"\d", line)):
            digit = b"1234567890"[line[place] - 48 : line[place] - 47]
            changed = line[:place] + digit + line[place + 1 :]
            try:
                record.verify(record.read_line(changed))
                missed.append(line[place - 20 : place + 5])
            except RecordError as error:
                assert "\n" not in str(error)
        assert missed == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"", "not a whole line of JSON"),
        (b'{"format":"hinterland-record/1"', "not a whole line of JSON"),
        (b"[1,2,3]", "not a record of this program"),
        (b'{"format":"chess/2"}', "its format should be 'hinterland-record/1', not 'chess/2'"),
        (b'{"format":"hinterland-record/1"}', "not a record: Object missing required field"),
        (b"\xff\xfe", "not a whole line of JSON"),
        (b"[" * 100_000, "not a whole line of JSON"),
    ],
)
def test_foreign_and_broken_lines_are_named(line, complaint):
    with pytest.raises(RecordError, match=re.escape(complaint)):
        record.read_line(line)


def changed(kept, **fields):
    return msgspec.structs.replace(kept, **fields)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda r: changed(r, game="chess"), "unknown game 'chess'"),
        (lambda r: changed(r, rules={**r.rules, "size": 0}), "size must be a whole number"),
        (lambda r: changed(r, rules={**r.rules, "colour": 1}), "unknown rule of gravity 'colour'"),
        (lambda r: changed(r, scores=(*r.scores, 1)), "it has 3 scores for 2 seats"),
        (lambda r: changed(r, scores=(r.scores[0] + 1, r.scores[1])), "the moves give"),
        (lambda r: changed(r, players=("a",)), "it names 1 players, its rules have 2"),
        (lambda r: changed(r, moves=r.moves[:-1]), "the moves give"),
        (lambda r: changed(r, moves=(*r.moves, r.moves[0])), "cannot have been played"),
        (lambda r: changed(r, moves=r.moves[1:]), "move 1 of 5 cannot have been played: seat 0 is to move"),
        (lambda r: changed(r, moves=((0, (1, 2, 3, 4)), *r.moves[1:])), "cannot have been played: a move is an array"),
        (lambda r: changed(r, winners=()), "the record says the winners are []"),
        (lambda r: changed(r, reason="time"), "the moves say complete"),
        (lambda r: changed(r, crc="0" * 8), "its checksum is '00000000'"),
        (lambda r: changed(r, times=changed(r.times, ms=(1,))), "the checksum of its times"),
    ],
)
def test_the_first_difference_is_named(played, spoil, complaint):
    with pytest.raises(RecordError, match=re.escape(complaint)):
        record.verify(spoil(played[0]))


def test_a_game_that_stops_early_without_a_reason_is_found(played):
    position = list(record.positions(played[0]))[-2]
    short = changed(played[0], moves=played[0].moves[:-1], scores=position.scores)
    with pytest.raises(RecordError, match="after its last move the game is not over"):
        record.verify(short)


def test_void_games_verify():
    game, _ = judge.step(judge.begin(RULES.start(), TimeControl()), judge.Begin(), 0)
    game, _ = judge.step(game, judge.Void("stopped"), 1)
    kept = record.of_game(GRAVITY, game, ("a", "b"), seed=1, number=1, started="")
    record.verify(kept)
    assert kept.winners == ()


def test_a_running_game_has_no_record():
    with pytest.raises(RecordError, match="only a game that has ended"):
        record.of_game(GRAVITY, judge.begin(RULES.start(), TimeControl()), (), seed=1, number=1, started="")


def test_files_that_cannot_be_read_or_written(tmp_path, played):
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        list(record.read(tmp_path / "none"))
    with pytest.raises(RecordError, match="cannot be written"):
        record.append(tmp_path / "no" / "such", played[0])
    (tmp_path / "empty").touch()
    with pytest.raises(RecordError, match="holds no record"):
        list(record.read(tmp_path / "empty"))
    (tmp_path / "cut").write_bytes(record.to_line(played[0])[:-1])
    with pytest.raises(RecordError, match="line 1: cut short"):
        list(record.read(tmp_path / "cut"))
