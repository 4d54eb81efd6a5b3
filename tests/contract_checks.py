"""What the contract asks of every game, as checks that can be pointed at any game, a faulty one included."""

from __future__ import annotations

import importlib
from itertools import pairwise

from hinterland.errors import HinterlandError, IllegalMove


def playout(position, rng):
    """Yield the positions of a random game, the first and the last included."""
    yield position
    while position.to_move is not None:
        position = position.play(position.legal_moves.sample(rng))
        yield position


def refuses(position, move):
    """Return the code with which a move is refused, None where it is accepted."""
    try:
        position.play(move)
    except IllegalMove as error:
        assert error.code, "a refusal has a code"
        assert error.detail, "and says why"
        assert "\n" not in str(error), "in one line"
        return error.code
    return None


def check_legality(game, rules, illegal, rng):
    """A move is in the view of legal moves if and only if ``play`` accepts it; len, bool and iteration agree."""
    for position in playout(rules.start(), rng):
        listed = list(position.legal_moves)
        assert len(listed) == len(set(listed)) == len(position.legal_moves)
        assert bool(listed) == bool(position.legal_moves) == (position.to_move is not None)
        for move in listed[:: max(1, len(listed) // 25)]:
            assert move in position.legal_moves
            assert refuses(position, move) is None
        for _, move in position.moves:
            assert move not in position.legal_moves
            assert refuses(position, move)
    for move, code in illegal.items():
        assert move not in rules.start().legal_moves
        assert refuses(rules.start(), move) == code


def check_values(game, rules, illegal, rng):
    """Positions are immutable values: playing changes nothing, equal ones hash alike, fields cannot be set."""
    for position in playout(rules.start(), rng):
        text, known = repr(position), position.moves
        if position.to_move is not None:
            after = position.play(position.legal_moves.sample(rng))
            assert after != position
            assert len(after.moves) == len(known) + 1
            assert after.moves[-1][0] == position.to_move
        assert repr(position) == text
        twin = type(position)(position.rules, position.moves, position.withdrawn)
        assert twin == position
        assert hash(twin) == hash(position)
        try:
            position.moves = ()
        except AttributeError:
            continue
        raise AssertionError("a position could be changed")


def check_round_trips(game, rules, illegal, rng):
    """Text, repr and JSON read back to equal values, withdrawn seats included."""
    kind = game.position
    names = vars(importlib.import_module(type(rules).__module__.rpartition(".")[0]))
    for position in playout(rules.start(), rng):
        with_gap = position.withdraw(len(position.moves) % rules.players)
        for value in (position, with_gap):
            assert "\n" not in str(value)
            assert kind.parse(str(value)) == value, str(value)
            assert kind.from_json(value.to_json()) == value
            assert eval(repr(value), dict(names)) == value
        assert type(rules).parse(str(rules)) == rules
        for _, move in position.moves:
            assert game.move.from_numbers(list(move.numbers)) == move


def check_end(game, rules, illegal, rng):
    """A game ends; its outcome names the best scores; nothing follows it; withdrawn seats are passed over."""
    for position in playout(rules.start(), rng):
        assert len(position.scores) == rules.players
        assert (position.outcome is None) == (position.to_move is not None)
        if position.to_move is not None:
            gone = position.withdraw(position.to_move)
            assert gone.to_move != position.to_move
            assert gone.scores == position.scores
    outcome = position.outcome
    assert outcome.scores == position.scores
    assert [seat for seat in range(rules.players) if position.scores[seat] == max(position.scores)] == list(
        outcome.winners
    )
    for _, move in position.moves:
        assert refuses(position, move) == "game_over"


def check_scratch(game, rules, illegal, rng):
    """The scratch board follows the position move by move, and undo restores every value exactly."""
    scratch = rules.start().scratch()
    seen = []
    positions = list(playout(rules.start(), rng))
    for before, after in pairwise(positions):
        seen.append((scratch.to_move, scratch.scores))
        assert scratch.to_move == before.to_move
        scratch.play(after.moves[-1][1])
        assert scratch.scores == after.scores
        assert scratch.to_move == after.to_move
    for state in reversed(seen):
        scratch.undo()
        assert (scratch.to_move, scratch.scores) == state


def check_replay(game, rules, illegal, rng):
    """Replaying checks every move: a game played with one move repeated or out of turn is refused, with its number."""
    *_, last = playout(rules.start(), rng)
    assert game.position.replay(rules, last.moves) == last
    seat, move = last.moves[0]
    for spoiled in (((seat + 1) % rules.players, move), (seat, next(iter(illegal)))):
        try:
            game.position.replay(rules, (spoiled, *last.moves[1:]))
        except HinterlandError as error:
            assert "move 1" in str(error)
            continue
        raise AssertionError("a spoiled game was replayed")


CHECKS = [check_legality, check_values, check_round_trips, check_end, check_scratch, check_replay]
