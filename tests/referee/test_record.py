"""Records: what is written reads back, agrees with its moves, and shows any changed digit."""

import re

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import judged_games as games
from hinterland import catalog
from hinterland.errors import RecordError
from hinterland.gravity import Rules
from hinterland.host import synchronous
from hinterland.referee import judge, record, verification
from hinterland.referee.clock import NS_PER_MS, TimeControl
from hinterland.referee.game_terms import GameTerms
from hinterland.storage import records as record_files

GRAVITY = catalog.game("gravity")
RULES = Rules(size=15, players=2, stones=3, spacing=3)


@pytest.fixture(scope="module")
def played():
    players = [catalog.player(GRAVITY, spec) for spec in ("random", "reply")]
    return synchronous.play_match(GameTerms(rules=RULES, names=("random", "reply"), seed=7), players)


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
    return record.of_game(games.make_terms(game, ("a", "b", "c", "d")), game, "2026-01-01T00:00:00+00:00")


def test_records_read_back_and_agree(played, departed, tmp_path):
    file = tmp_path / "games.jsonl"
    with record_files.RecordFile(file) as opened:
        for kept in (*played, departed):
            opened.add(kept)
    assert [kept for _, kept in record_files.read(file)] == [*played, departed]
    for kept in (*played, departed):
        verification.verify(kept)
    assert len(departed.departures) >= 2
    assert file.read_bytes().count(b"\n") == 3


def test_a_seed_repeats_all_but_the_times(played):
    players = [catalog.player(GRAVITY, spec) for spec in ("random", "reply")]
    again = synchronous.play_match(GameTerms(rules=RULES, names=("random", "reply"), seed=7), players)
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
                verification.verify(record.read_line(changed))
                missed.append(line[place - 20 : place + 5])
            except RecordError as error:
                assert "\n" not in str(error)
        assert missed == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"", "not a whole line of JSON"),
        (b'{"format":"hinterland-record/2"', "not a whole line of JSON"),
        (b"[1,2,3]", "not a record of this program"),
        (b'{"format":"chess/2"}', "its format should be 'hinterland-record/2', not 'chess/2'"),
        (b'{"format":"hinterland-record/1"}', "not a record: Object missing required field"),
        (b'{"format":"hinterland-record/2"}', "not a record: Object missing required field"),
        (b'{"format":"hinterland-record/3"}', "be 'hinterland-record/2', not 'hinterland-record/3'"),
        (b"\xff\xfe", "not a whole line of JSON"),
        (b"[" * 100_000, "not a whole line of JSON"),
    ],
)
def test_foreign_and_broken_lines_are_named(line, complaint):
    with pytest.raises(RecordError, match=re.escape(complaint)):
        record.read_line(line)


def changed(kept, **fields):
    return msgspec.structs.replace(kept, **fields)


def cut(kept, part, **fields):
    """Return the record with a part of its moves."""
    return changed(kept, moves=kept.moves[part], movers=kept.movers[part], **fields)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda r: changed(r, game="chess"), "unknown game 'chess'"),
        (lambda r: changed(r, rules={**r.rules, "size": 0}), "size must be a whole number"),
        (lambda r: changed(r, rules={**r.rules, "colour": 1}), "unknown rule of gravity 'colour'"),
        (lambda r: changed(r, scores=(*r.scores, 1)), "it has 3 scores for 2 seats"),
        (lambda r: changed(r, scores=(r.scores[0] + 1, r.scores[1])), "the moves give"),
        (lambda r: changed(r, players=("a",)), "it names 1 players, its rules have 2"),
        (lambda r: changed(r, moves=r.moves[:-1]), "it has 6 movers for 5 moves"),
        (lambda r: cut(r, slice(-1)), "the moves give"),
        (lambda r: changed(r, moves=(*r.moves, r.moves[0]), movers=(*r.movers, 0)), "move 7: the game is over"),
        (lambda r: cut(r, slice(1, None)), "one cannot have been played: move 1: seat 0 is to move"),
        (lambda r: changed(r, moves=((1, 2, 3, 4), *r.moves[1:])), "cannot have been played: a move is an array"),
        (lambda r: changed(r, winners=()), "the record says the winners are []"),
        (lambda r: changed(r, reason="time"), "the moves say complete"),
        (lambda r: changed(r, crc="0" * 8), "its checksum is '00000000'"),
        (lambda r: changed(r, times=changed(r.times, ms=(1,))), "the checksum of its times"),
    ],
)
def test_the_first_difference_is_named(played, spoil, complaint):
    with pytest.raises(RecordError, match=re.escape(complaint)):
        verification.verify(spoil(played[0]))


def test_a_game_that_stops_early_without_a_reason_is_found(played):
    position = list(verification.positions(played[0]))[-2]
    short = cut(played[0], slice(-1), scores=position.scores)
    with pytest.raises(RecordError, match="after its last move the game is not over"):
        verification.verify(short)


def test_void_games_verify():
    game, _ = judge.step(judge.begin(RULES.start(), TimeControl()), judge.Begin(), 0)
    game, _ = judge.step(game, judge.Void("stopped"), 1)
    kept = record.of_game(games.make_terms(game, ("a", "b"), seed=1), game, "")
    verification.verify(kept)
    assert kept.winners == ()


def test_a_running_game_has_no_record():
    with pytest.raises(RecordError, match="only a game that has ended"):
        record.of_game(GameTerms(rules=RULES, names=(), seed=1), judge.begin(RULES.start(), TimeControl()), "")


def test_files_that_cannot_be_read_or_written(tmp_path, played):
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        list(record_files.read(tmp_path / "none"))
    with pytest.raises(RecordError, match="cannot be written"):
        record_files.RecordFile(tmp_path / "no" / "such")
    (tmp_path / "empty").touch()
    with pytest.raises(RecordError, match="holds no record"):
        list(record_files.read(tmp_path / "empty"))
    (tmp_path / "cut").write_bytes(record.to_line(played[0])[:-1])
    with pytest.raises(RecordError, match="line 1: cut short"):
        list(record_files.read(tmp_path / "cut"))


GOLDEN = (
    b'{"format":"hinterland-record/1","game":"gravity","rules":{"players":2,"size":9,"stones":2,"spacing":3,'
    b'"weight":null,"law":"gravity"},"players":["random","reply"],"seed":1,"number":1,"clock":{"budget_ms":120000,'
    b'"increment_ms":0,"move_ms":null},"moves":[[0,[4,4]],[1,[7,4]],[0,[6,8]],[1,[1,4]]],"departures":[],'
    b'"scores":[34,47],"winners":[1],"reason":"complete","detail":"every seat has made all its moves",'
    b'"crc":"d527040b","times":{"started":"2026-11-21T05:10:28+00:00","ms":[0,0,0,0],"crc":"196ba00d"}}\n'
)


def test_a_line_of_the_first_format_is_read_verified_and_written_byte_for_byte():
    kept = record.read_line(GOLDEN)
    verification.verify(kept)
    assert record.to_line(kept) == GOLDEN
    assert record.sealed(kept) == kept
    for place in (found.start() for found in re.finditer(rb"\d", GOLDEN)):
        digit = b"1234567890"[GOLDEN[place] - 48 : GOLDEN[place] - 47]
        with pytest.raises(RecordError):
            verification.verify(record.read_line(GOLDEN[:place] + digit + GOLDEN[place + 1 :]))


@pytest.fixture(scope="module")
def rough():
    """A melee with turns lost before, between and after departures."""
    choices = [("illegal", 1), ("legal", 5), ("illegal", 1), ("resign", 0), ("illegal", 1), ("legal", 9), ("lag", 3)]
    choices += [("legal", 4), ("illegal", 2)]
    kept = games.make_record(games.play_choices(games.SMALL[4], choices).game)
    between = [(0, 0, "lost"), (1, 2, "lost"), (1, 0, "left"), (1, 3, "lost"), (3, 3, "lost")]
    assert [(what.plies, what.seat, what.event) for what in kept.between] == between
    return kept


def test_lost_turns_and_delays_stand_in_the_record(rough):
    line = record.to_line(rough)
    assert b'"between":[{"plies":0,"seat":0,"event":"lost","reason":"","detail":""},{"plies":1,"seat":2,' in line
    assert b'{"plies":1,"seat":0,"event":"left","reason":"resigned","detail":"seat 0 resigned"},' in line
    assert b'"lag_ms":15,"notes":[],"crc":' in line
    verification.verify(record.read_line(line))


def test_every_column_holds_one_kind_of_value(played, rough):
    """Tools that read lines of JSON want a list of numbers, or of lists of numbers, or of objects."""

    def kinds(value):
        if isinstance(value, dict):
            return {name: kinds(inner) for name, inner in value.items()}
        if isinstance(value, list):
            inner = [kinds(one) for one in value]
            assert all(one == inner[0] for one in inner), value
            return inner[:1]
        return "number" if type(value) in (int, float) else type(value).__name__

    for kept in (*played, rough):
        kinds(msgspec.json.decode(record.to_line(kept)))


def test_delays_under_a_millisecond_are_none():
    table = games.Table(RULES)
    for event in (judge.Begin(), judge.Lagged(NS_PER_MS - 1), judge.Void("x")):
        table.send(event)
    assert games.make_record(table.game).times.lag_ms == 0


def test_every_changed_digit_of_a_rough_game_is_found(rough):
    test_every_changed_digit_is_found((rough,), rough)


LOST = [(0, 0), (1, 2), (1, 3), (3, 3)]
LEFT = (1, 0)


@pytest.mark.parametrize(
    ("between", "complaint"),
    [
        (((0, 1), (1, 2), LEFT, (1, 3), (3, 3)), "a turn lost after 0 moves: seat 0 is to move, not seat 1"),
        (((0, 0), (1, 3), (1, 2), LEFT, (3, 3)), "a turn lost after 1 moves: seat 2 is to move, not seat 3"),
        (((0, 0), (1, 2), LEFT, (1, 3), (4, 3)), "in which they came: seat 3 after 4 moves of 3, 1 were made before"),
        (((-1, 0), (0, 0), (1, 2), LEFT, (1, 3), (3, 3)), "they came: seat 0 after -1 moves of 3, 0 were made before"),
        (((0, 0), (1, 2), LEFT, (1, 3), (3, 3), (3, 2)), "a turn lost after 3 moves: the game is over"),
        (((0, 0), (1, 2), LEFT, (1, 3), (3, 9)), "a turn lost after 3 moves: seat 3 is to move, not seat 9"),
        (((3, 3), (0, 0), (1, 2), LEFT, (1, 3)), "one cannot have been played: move 1: seat 0 is to move, not seat 1"),
        (((0, 0), (1, 2), LEFT, (1, 3)), "after its last move the game is not over: seat 3 is to move"),
        (((1, 2), LEFT, (1, 3), (3, 3)), "move 1: seat 0 is to move, not seat 1"),
        (((0, 0), (1, 2), LEFT, LEFT, (1, 3), (3, 3)), "after 1 moves: seat 0 cannot withdraw: seats still in are [1"),
        (((0, 0), (1, 2), (1, 7), (1, 3), (3, 3)), "a turn lost after 1 moves: seat 3 is to move, not seat 7"),
    ],
)
def test_what_cannot_have_been_between_moves_is_named_though_the_checksum_agrees(rough, between, complaint):
    gone = next(what for what in rough.between if what.event == "left")
    told = tuple(gone if what == LEFT else record.Between(*what, "lost") for what in between)
    with pytest.raises(RecordError, match=re.escape(complaint)) as caught:
        verification.verify(record.sealed(changed(rough, between=told)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("event", "reason"), [("left", "boredom"), ("left", ""), ("lost", "time"), ("slept", "")])
def test_what_is_no_event_between_moves_is_no_record(rough, event, reason):
    line = msgspec.json.decode(record.to_line(rough))
    line["between"][2] |= {"event": event, "reason": reason}
    with pytest.raises(RecordError, match=r"not a record: .* - at `\$\.between\[2\]|not a record: .*between"):
        record.read_line(msgspec.json.encode(line))


def test_a_wrong_reason_is_found_though_the_checksum_agrees():
    table = games.Table(RULES)
    for event in (judge.Begin(), judge.Fault(1, judge.Verdict.CRASH, "x")):
        table.send(event)
    kept = games.make_record(table.game)
    with pytest.raises(RecordError, match="ended by 'time', seat 1 left last by crash"):
        verification.verify(record.sealed(changed(kept, reason="time")))


KINDS = [
    "legal",
    "legal",
    "legal",
    "illegal",
    "illegal",
    "unreadable",
    "late",
    "resign",
    "fault",
    "lag",
    "sent",
    "void",
]
CHOICES = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 60)), max_size=14)


@given(players=st.sampled_from(sorted(games.SMALL)), choices=CHOICES)
def test_whatever_happened_the_record_reads_back_and_verifies(players, choices):
    game = games.play_choices(games.SMALL[players], choices).game
    kept = games.make_record(game)
    assert record.read_line(record.to_line(kept)) == kept
    verification.verify(kept)
    assert verification.final(kept) == game.position
    *_, last = verification.positions(kept)
    assert last.moves == game.position.moves


@given(players=st.sampled_from(sorted(games.SMALL)), choices=CHOICES, place=st.integers(0, 99), digit=st.integers(1, 9))
def test_a_changed_digit_of_any_rough_game_is_found(players, choices, place, digit):
    line = record.to_line(games.make_record(games.play_choices(games.SMALL[players], [("illegal", 1), *choices]).game))
    start = line.index(b'"movers"')
    digits = [spot.start() for spot in re.finditer(rb"\d", line) if start < spot.start() < line.index(b'"crc"')]
    spot = digits[place % len(digits)]
    spoiled = line[:spot] + str((line[spot] - 48 + digit) % 10).encode() + line[spot + 1 :]
    with pytest.raises(RecordError):
        verification.verify(record.read_line(spoiled))


def test_a_replay_that_does_not_look_at_lost_turns_would_be_found(rough, monkeypatch):
    history = record._history
    monkeypatch.setattr(
        record, "_history", lambda *known: [one for one in history(*known) if one[1] not in ("lost", "left")]
    )
    with pytest.raises(RecordError):
        verification.verify(rough)
