"""Checks of the contract, which can run on any game, also on a faulty one."""

from __future__ import annotations

import importlib
from itertools import pairwise, product

from hinterland.errors import HinterlandError, IllegalMove


def playout(position, rng):
    """Yield all positions of a random game."""
    yield position
    while position.to_move is not None:
        position = position.play(position.legal_moves.sample(rng))
        yield position


def rough_playout(position, rng):
    """Yield the positions of a random game in which turns are lost and seats leave."""
    yield position
    while position.to_move is not None:
        chance = rng.random()
        staying = [seat for seat in range(position.rules.players) if seat not in position.withdrawn]
        if chance < 0.15 and len(staying) > 1:
            position = position.withdraw(int(rng.choice(staying)))
        elif chance < 0.4:
            position = position.skip()
        else:
            position = position.play(position.legal_moves.sample(rng))
        yield position


def refuses(position, move):
    """Return the code with which a move is refused; None if it is accepted."""
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
        twin = type(position)(position.rules, position.history)
        assert twin == position
        assert hash(twin) == hash(position)
        try:
            position.moves = ()
        except AttributeError:
            continue
        raise AssertionError("a position could be changed")


def check_round_trips(game, rules, illegal, rng):
    """Text, repr and JSON read back to equal values, withdrawn seats and lost turns included."""
    kind = game.position
    public = vars(importlib.import_module(game.move.__module__.rpartition(".")[0]))
    names = {**public, kind.__name__: kind, type(rules).__name__: type(rules)}
    for position in (*playout(rules.start(), rng), *rough_playout(rules.start(), rng)):
        seat = len(position.moves) % rules.players
        with_gap = position if seat in position.withdrawn else position.withdraw(seat)
        with_loss = with_gap if with_gap.to_move is None else with_gap.skip()
        for value in (position, with_gap, with_loss):
            assert "\n" not in str(value)
            assert kind.parse(str(value)) == value, str(value)
            assert kind.from_json(value.to_json()) == value
            assert eval(repr(value), dict(names)) == value
            assert (":lost" in str(value)) == (b'"lost"' in value.to_json()) == bool(value.skipped)
            assert (":left" in str(value)) == (b'"left"' in value.to_json()) == bool(value.withdrawn)
        assert type(rules).parse(str(rules)) == rules
        for _, move in position.moves:
            assert game.move.from_numbers(list(move.numbers)) == move


def check_end(game, rules, illegal, rng):
    """A game ends; its outcome names the best scores; no move follows; withdrawn seats have no turn."""
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
    stood = list(rough_playout(rules.start(), rng))
    assert list(game.position.unfold(rules, stood[-1].history)) == stood
    for position in stood:
        again = game.position.replay(rules, position.history)
        assert again == position
        assert again.to_move == position.to_move
        for event in impossible_events(position):
            try:
                game.position.replay(rules, (*position.history, event))
            except HinterlandError as error:
                assert f"after {len(position.moves)} moves" in str(error)
                assert "\n" not in str(error)
                continue
            raise AssertionError(f"what cannot have happened was replayed: {event}")


def impossible_events(position):
    """List impossible next events: a turn lost by a seat not to move, a seat that leaves twice, one turn too many."""
    players = position.rules.players
    yield from ((seat, what) for seat in (-1, players) for what in ("lost", "left"))
    yield from ((seat, "lost") for seat in range(players) if seat != position.to_move)
    yield from ((seat, "left") for seat in position.withdrawn)


def check_skips(game, rules, illegal, rng):
    """A lost turn counts as used and changes nothing else; a game ends when all are lost; no seat gains a turn."""
    rights = check_all_lost(rules)
    positions = list(rough_playout(rules.start(), rng))
    for before, after in pairwise(positions):
        turns = [after.turns_of(seat) - before.turns_of(seat) for seat in range(rules.players)]
        if after.withdrawn == before.withdrawn:
            assert turns == [int(seat == before.to_move) for seat in range(rules.players)]
            assert after.last_turn == before.to_move
        else:
            assert not any(turns)
            assert after.last_turn == before.last_turn
        if after.moves == before.moves:
            assert after.scores == before.scores
    assert all(positions[-1].turns_of(seat) <= rights for seat in range(rules.players))
    try:
        positions[-1].skip()
    except IllegalMove as error:
        assert error.code == "game_over"
    else:
        raise AssertionError("a turn was lost after the end")


def check_all_lost(rules):
    """Lose every turn; return each seat's number of turns."""
    position = rules.start()
    assert position.last_turn is None
    while position.to_move is not None:
        seat = position.to_move
        assert len(position.skipped) < MAX_TURNS, "a game ends when all turns are lost"
        position = position.skip()
        assert position.to_move != seat, "a lost turn is the next one's turn"
    assert position.moves == ()
    assert position.outcome is not None
    turns = {position.turns_of(seat) for seat in range(rules.players)}
    assert len(turns) == 1, "each seat lost as many turns as any other"
    return turns.pop()


def check_after(game, rules, illegal, rng):
    """``after`` returns the position after a number of moves, ``before`` the one in which a move was made."""
    *stood, position = rough_playout(rules.start(), rng)
    stood.append(position)
    made = {}
    for then in stood:
        made.setdefault(len(then.moves), []).append(then)
    for plies, known in made.items():
        for found, then in ((position.after(plies), known[0]), (position.before(plies), known[-1])):
            assert found == then
            assert (found.to_move, found.moves) == (then.to_move, then.moves)


def check_actions(game, rules, illegal, rng):
    """Every move has a number of its own; the mask, in the caller's array, has those that ``play`` accepts."""
    shape = rules.actions
    numbers = [tuple(int(rng.integers(count)) for count in shape) for _ in range(20)]
    for factors in (*numbers, tuple(0 for _ in shape), tuple(count - 1 for count in shape)):
        action = factors if len(shape) > 1 else factors[0]
        move = rules.move_of(action)
        assert isinstance(move, game.move)
        assert rules.number_of(move) == action
    for move in illegal:
        if refuses(rules.start(), move) in ("outside", "not_whole", "too_light"):
            assert complaint(rules.number_of, move) == "no_such_action"
    assert complaint(rules.number_of, "a word") == "not_an_action"
    for position in playout(rules.start(), rng):
        assert len(position.moves) <= rules.most_moves
        if position.to_move is None:
            assert complaint(position.legal_moves.mask) == "game_over"
            return
        mask = position.legal_moves.mask()
        factors = mask if isinstance(mask, tuple) else (mask,)
        assert [(factor.shape, factor.dtype) for factor in factors] == [((count,), bool) for count in shape]
        allowed = {tuple(map(int, action)) for action in product(*(factor.nonzero()[0] for factor in factors))}
        listed = {rules.number_of(move) for move in position.legal_moves}
        assert listed == (allowed if len(shape) > 1 else {action for (action,) in allowed})
        factors[0][:] = False
        assert position.legal_moves, "the array is the caller's"


def complaint(function, *arguments):
    """Return the code with which an action is refused; check that the reason is one line."""
    try:
        function(*arguments)
    except IllegalMove as error:
        assert error.detail
        assert "\n" not in str(error)
        return error.code
    return None


MAX_TURNS = 200
CHECKS = [
    check_legality,
    check_values,
    check_round_trips,
    check_end,
    check_scratch,
    check_replay,
    check_skips,
    check_after,
    check_actions,
]
