"""The rules of gravity: what is legal, whose turn it is, when the game ends, and how values read and write."""

import numpy as np
import pytest

from hinterland.contract import EndReason
from hinterland.contract import Rules as AnyRules
from hinterland.errors import BadText, IllegalMove, RulesError, UnknownName
from hinterland.gravity import Position, Rules, Stone
from hinterland.jit import JIT_ON

SMALL = Rules(size=9, spacing=3, stones=2)
HEAVY = Rules(size=9, spacing=3, stones=3, weight=5)


def refusal(position, stone):
    with pytest.raises(IllegalMove) as refused:
        position.play(stone)
    return refused.value.code, refused.value.detail


@pytest.mark.parametrize(
    ("stone", "code", "detail"),
    [
        (Stone(-1, 0), "outside", "-1,0 is outside the board, rows and columns go from 0 to 8"),
        (Stone(0, 9), "outside", "0,9 is outside the board, rows and columns go from 0 to 8"),
        (Stone(4, 4), "occupied", "stone 1 stands on 4,4 already"),
        (Stone(4, 6), "too_near", "4,6 is too close to stone 1: 2.0 away, 3 needed"),
        (Stone(6, 6), "too_near", "6,6 is too close to stone 1: 2.8 away, 3 needed"),
        (Stone(0, 0, 2), "too_heavy", "every stone weighs 1 in this game, not 2"),
        (Stone(0, 0, 0), "too_light", "a stone weighs at least 1, not 0"),
        (Stone(0.5, 0), "not_whole", "row must be a whole number, not 0.5"),
        (Stone(0, "1"), "not_whole", "col must be a whole number, not '1'"),
        (Stone(0, True), "not_whole", "col must be a whole number, not True"),
        ((0, 0), "not_a_stone", "a move of gravity is Stone(row, col, weight), not (0, 0)"),
    ],
)
def test_refusals_say_what_was_wrong_and_what_is_right(stone, code, detail):
    assert refusal(SMALL.start().play(Stone(4, 4)), stone) == (code, detail)


def test_spacing_is_compared_in_whole_numbers():
    position = Rules(size=30, spacing=5, stones=3).start().play(Stone(10, 10))
    assert Stone(13, 14) in position.legal_moves
    assert Stone(13, 13) not in position.legal_moves


def test_weight_is_spread_over_the_stones_and_who_has_none_left_is_skipped():
    position = HEAVY.start().play(Stone(0, 0, 5))
    assert (position.weight_left(0), position.stones_left(0)) == (0, 2)
    position = position.play(Stone(8, 8, 2))
    assert position.to_move == 1, "seat 0 has stones but no weight"
    assert refusal(position, Stone(0, 8, 4)) == ("too_heavy", "seat 1 has only 3 weight left, not 4")
    position = position.play(Stone(0, 8, 1)).play(Stone(8, 0, 2))
    assert position.to_move is None
    assert position.end_reason is EndReason.COMPLETE
    assert refusal(position, Stone(4, 4)) == ("game_over", "the game is over, no move is left to make")


def test_a_board_without_room_ends_the_game():
    position = Rules(size=3, spacing=2, stones=9).start().play(Stone(1, 1))
    assert position.to_move is None
    assert position.end_reason is EndReason.STUCK
    assert len(position.legal_moves) == 0
    assert list(position.legal_moves) == []
    with pytest.raises(IllegalMove, match="game is over"):
        position.legal_moves.sample(np.random.default_rng(1))


def test_a_last_free_cell_is_found_by_sampling():
    size = 60 if JIT_ON else 24
    rules = Rules(size=size, spacing=2, stones=1000)
    cells = [(row, col) for row in range(0, size, 2) for col in range(0, size, 2)]
    moves = tuple((i % 2, Stone(*cell)) for i, cell in enumerate(cells[:-1]))
    position = Position(rules, moves)
    free = list(position.legal_moves)
    drawn = {position.legal_moves.sample(np.random.default_rng(seed)) for seed in range(25 * len(free))}
    assert drawn == set(free)
    assert repr(position.legal_moves) == f"<{len(free)} legal stones>"


@pytest.mark.parametrize("name", ["size", "players", "stones", "spacing", "weight"])
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "3", 10**30, float("nan")])
def test_rules_that_cannot_be_are_refused(name, value):
    with pytest.raises(RulesError, match=f"{name} must be a whole number from"):
        Rules(**{name: value})
    with pytest.raises(RulesError, match=f"{name} must be a whole number from"):
        Rules.from_json({name: value})


def test_rules_that_leave_no_room_say_what_would():
    with pytest.raises(RulesError, match=r"spacing 13 leaves no room .* 10 x 10; it can be at most 12 there"):
        Rules(size=10, spacing=13)
    assert Rules(size=10, spacing=12).spacing == 12


def test_unknown_laws_and_rules():
    with pytest.raises(UnknownName, match="unknown law 'love'; known: gravity, nearest"):
        Rules(law="love")
    with pytest.raises(UnknownName, match="unknown rule of gravity 'colour'"):
        Rules.from_json({"colour": 1})


def test_numbers_of_several_digits_are_read_back():
    position = Rules(size=10_000, spacing=3, weight=1_000_000, stones=10).start().play(Stone(9876, 5432, 123_456))
    assert Position.parse(str(position)) == position
    assert position.read_move("9876, 1234, 123456") == Stone(9876, 1234, 123_456)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("chess size=9", "rules begin with the word 'gravity', not 'chess'"),
        ("gravity size", "a rule is written name=value, not 'size'"),
        ("gravity size=9 spacing=3 ; 0", "a move is written seat:number,number…, not '0'"),
        ("gravity size=9 spacing=3 ; 0:a,b", "a whole number was expected, not 'a'"),
        ("gravity size=9 spacing=3 ; 0:1", "a move is an array of whole numbers"),
        ("gravity size=9 spacing=3 ; 0:1,2,3,4", "a move is an array of whole numbers"),
        ("gravity size=9 spacing=3 ; 1:1,2", "move 1: seat 0 is to move, not seat 1"),
        ("gravity size=9 spacing=3 ; 0:1,2 1:1,2", "move 2: stone 1 stands on 1,2 already"),
    ],
)
def test_text_that_is_not_a_position(text, complaint):
    with pytest.raises((BadText, IllegalMove), match=complaint):
        Position.parse(text)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"rules":{},"moves":[[0]]}', b"[" * 50_000, b"\xff"])
def test_json_that_is_not_a_position(text):
    with pytest.raises(BadText, match="not the JSON of a position"):
        Position.from_json(text)


def test_withdrawing_twice_or_nobody():
    position = SMALL.start().withdraw(1)
    assert position.to_move == 0
    for seat in (1, 2, -1):
        with pytest.raises(RulesError, match=f"seat {seat} cannot withdraw: seats still in are \\[0\\]"):
            position.withdraw(seat)


def test_a_position_draws_itself():
    assert SMALL.start().play(Stone(4, 4))._repr_svg_().startswith("<svg")


def test_bare_rules_are_no_game():
    with pytest.raises(NotImplementedError):
        AnyRules(players=2).start()
