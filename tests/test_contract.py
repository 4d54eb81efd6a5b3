"""Every game keeps the contract, over a grid of parameters; and every check catches a fault planted for it."""

import pickle
import re
import subprocess
import sys

import msgspec
import numpy as np
import pytest

from contract_cases import REPEATABLE, cases
from contract_checks import (
    CHECKS,
    check_actions,
    check_after,
    check_end,
    check_legality,
    check_replay,
    check_round_trips,
    check_scratch,
    check_skips,
    check_values,
)
from hinterland import catalog, dots, graph, gravity
from hinterland.contract import Clock, Game, Outcome
from hinterland.errors import HinterlandError, IllegalMove


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("name", "rules", "illegal"), cases(), ids=lambda value: str(value)[:70])
def test_contract(check, name, rules, illegal, rng):
    check(catalog.game(name), rules, illegal, rng)


@pytest.mark.parametrize(("name", "rules", "illegal"), cases()[::5], ids=lambda value: str(value)[:70])
def test_players_play_legal_moves_to_the_end_and_repeat_with_a_seed(name, rules, illegal):
    game = catalog.game(name)
    for spec in game.players:
        player = catalog.player(game, REPEATABLE.get(spec, spec))
        ends = []
        for _ in range(2):
            position = rules.start()
            rng = np.random.default_rng(5)
            while position.to_move is not None:
                position = position.play(player.choose(position, Clock(), rng))
            ends.append(position)
        assert ends[0] == ends[1], f"{spec} does not repeat"


def test_games_describe_themselves():
    for name in catalog.GAMES:
        game = catalog.game(name)
        assert isinstance(game, Game)
        assert game.name == name == game.rules.game
        assert game.summary.endswith(".")
        assert {kind.name for kind in game.players.values()} == set(game.players)
        for kind in game.players.values():
            assert catalog.summary_of(kind).endswith(".")
        for preset in game.presets:
            rules = game.rules.from_options(preset.options)
            assert rules.players <= game.max_players
            assert type(rules).parse(str(rules)) == rules
            assert all(game.page.rules(rules).get(name, 0) <= most for name, most in game.page.limits.items())
        assert game.rules.from_options(game.rules.options()).players == 2


RULES = gravity.Rules(size=9, spacing=3, stones=2, weight=4)
ILLEGAL = {gravity.Stone(-1, 0): "outside"}


class Lenient(gravity.Position, frozen=True, dict=True):
    """Planted: accepts every stone."""

    def check(self, move):
        pass


class Shaky(gravity.Position, frozen=True, dict=True):
    """Planted: its text forgets the weights."""

    def __str__(self):
        return " ; ".join([str(self.rules), " ".join(f"{seat}:{s.row},{s.col}" for seat, s in self.moves)])


class Undying(gravity.Position, frozen=True, dict=True):
    """Planted: names the wrong winners."""

    @property
    def outcome(self):
        return None if self.to_move is not None else Outcome(self.scores, (0, 1), self.end_reason)


class Mutable(msgspec.Struct, dict=True):
    """Planted: a position whose fields can be set."""

    rules: object
    history: tuple = ()
    moves = ()
    to_move = None

    def __hash__(self):
        return 0


class Leaky(gravity.Position, frozen=True, dict=True):
    """Planted: its scratch board forgets to undo."""

    def scratch(self):
        board = super().scratch()
        board.undo = lambda: None
        return board


class Trusting(gravity.Position, frozen=True, dict=True):
    """Planted: replays without checking whose turn it is."""

    @classmethod
    def replay(cls, rules, history):
        return cls(rules, tuple(history))


class Generous(gravity.Position, frozen=True, dict=True):
    """Planted: replay checks moves, but accepts all lost turns."""

    @classmethod
    def replay(cls, rules, history):
        try:
            return super().replay(rules, history)
        except IllegalMove as error:
            if "lost" in str(error):
                return cls(rules, tuple(history))
            raise


class Silent(gravity.Position, frozen=True, dict=True):
    """Planted: its text leaves out lost turns."""

    def __str__(self):
        return re.sub(r" \d+:lost", "", super().__str__())


class Mute(gravity.Position, frozen=True, dict=True):
    """Planted: its JSON leaves out lost turns."""

    def to_json(self):
        kept = tuple(what for what in self.history if what[1] != "lost")
        return type(self)(self.rules, kept).to_json() if self.skipped else super().to_json()


class Endless(gravity.Position, frozen=True, dict=True):
    """Planted: a lost turn is not used up, so a seat that loses one gains the last move."""

    def turns_of(self, seat):
        return sum(mover == seat for mover, _ in self.moves)


class Stubborn(gravity.Position, frozen=True, dict=True):
    """Planted: the seat that lost a turn also has the next one."""

    @property
    def last_turn(self):
        return self.moves[-1][0] if self.moves else None


class Costly(gravity.Position, frozen=True, dict=True):
    """Planted: a lost turn costs points."""

    @property
    def scores(self):
        return tuple(score - len(self.skipped) for score in super().scores)


class Unbounded(gravity.Position, frozen=True, dict=True):
    """Planted: turns are lost even when none is left."""

    def skip(self):
        return self if self.to_move is None else super().skip()


class Hoarder(gravity.Position, frozen=True, dict=True):
    """Planted: a position in the past keeps all lost turns, those after it included."""

    def after(self, plies):
        lost = tuple(what for what in self.history if what[1] == "lost")
        return type(self)(self.rules, (*super().after(plies).history, *lost))


class Forgetter(gravity.Position, frozen=True, dict=True):
    """Planted: a position in the past forgets the turns lost before it."""

    def after(self, plies):
        return type(self)(self.rules, self.moves[:plies])


class Crowding(gravity.Position, frozen=True, dict=True):
    """Planted: its mask forgets that stones keep a distance."""

    @property
    def legal_moves(self):
        moves = super().legal_moves
        if self.to_move is not None and len(self.moves) == 1:
            mask = moves.mask()
            moves.mask = lambda: (np.ones_like(mask[0]), mask[1])
        return moves


class Honest(gravity.Position, frozen=True, dict=True):
    """Without a fault: shows that the checks find the others' planted faults, not the way of planting."""


def planted(kind):
    """Return the game and rules whose positions are of this kind."""

    class Rules(gravity.Rules, frozen=True, kw_only=True):
        def start(self):
            return kind(self)

    if issubclass(kind, gravity.Position):
        kind.rules_type = Rules
    return msgspec.structs.replace(catalog.game("gravity"), position=kind, rules=Rules), Rules(
        **msgspec.structs.asdict(RULES)
    )


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_checks_find_nothing_in_an_honest_game(check, rng):
    check(*planted(Honest), ILLEGAL, rng)


@pytest.mark.parametrize(
    ("check", "kind"),
    [
        (check_legality, Lenient),
        (check_values, Mutable),
        (check_round_trips, Shaky),
        (check_round_trips, Silent),
        (check_round_trips, Mute),
        (check_end, Undying),
        (check_scratch, Leaky),
        (check_replay, Trusting),
        (check_replay, Generous),
        (check_skips, Endless),
        (check_skips, Stubborn),
        (check_skips, Costly),
        (check_skips, Unbounded),
        (check_after, Hoarder),
        (check_after, Forgetter),
        (check_actions, Crowding),
    ],
)
def test_checks_catch_planted_faults(check, kind, rng):
    with pytest.raises((AssertionError, IllegalMove)):
        check(*planted(kind), ILLEGAL, rng)


PARSED = "gravity players=2 size=9 stones=2 spacing=3 law=gravity"


def test_another_process_draws_a_position_that_it_was_sent():
    position = gravity.Rules(size=9, stones=2, spacing=2).start().play(gravity.Stone(4, 4))
    draw = 'import pickle, sys; print(pickle.load(sys.stdin.buffer)._repr_svg_(), end="")'
    drawn = subprocess.check_output([sys.executable, "-c", draw], input=pickle.dumps(position))
    assert drawn.decode() == position._repr_svg_()
    assert pickle.loads(pickle.dumps(catalog.game("gravity"))) is catalog.game("gravity")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "rules begin with the word 'gravity', not ''"),
        (f"{PARSED} ; 0:4,4 ; 1:left", "a move is written seat:number,number…, not ';'; instead"),
        (f"{PARSED} ; 0:4,4 gone", "a move is written seat:number,number…, not 'gone'"),
        (f"{PARSED} ; 0:4,4 one:lost", "a whole number was expected, not 'one'"),
        (f"{PARSED} ; 0:4,4 1:Lost", "a whole number was expected, not 'Lost'"),
        (f"{PARSED} ; 0:4,4 0:lost", "a turn lost after 1 moves: seat 1 is to move, not seat 0"),
        (f"{PARSED} ; 1:lost 0:4,4", "a turn lost after 0 moves: seat 0 is to move, not seat 1"),
        (f"{PARSED} ; 0:4,4 1:lost 0:lost 1:lost 0:lost", "a turn lost after 1 moves: the game is over"),
        (f"{PARSED} ; 0:4,4 1:left 1:left", "after 1 moves: seat 1 cannot withdraw: seats still in are [0]"),
        (f"{PARSED} ; 0:4,4 7:left", "seat 7 cannot withdraw"),
    ],
)
def test_positions_that_cannot_be_are_refused_in_one_line(text, complaint):
    with pytest.raises(HinterlandError) as caught:
        gravity.Position.parse(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_position_with_lost_turns_reads_and_prints():
    text = f"{PARSED} ; 0:lost 1:4,4 0:lost"
    position = gravity.Position.parse(text)
    assert str(position) == text
    assert position.skipped == ((0, 0), (1, 0))
    assert position.to_json().endswith(b'"history":[[0,"lost"],[1,[4,4]],[0,"lost"]]}')
    assert (position.to_move, position.last_turn) == (1, 0)
    assert [position.turns_of(seat) for seat in range(2)] == [2, 1]
    assert position.stones_left(0) == 0
    assert position.play(gravity.Stone(0, 0)).outcome.reason == "complete"


def test_a_seat_that_lost_the_last_turn_has_no_last_move():
    position = gravity.Rules(size=9, stones=1, spacing=3).start().skip().play(gravity.Stone(4, 4))
    assert position.to_move is None
    assert position.outcome.scores == (0, 81)


WEIGHTED = {"size": 9, "stones": 2, "spacing": 3, "weight": 4}
LINES = dots.Rules(points=[(0, 0), (3, 0), (0, 3), (1, 1.5)])


@pytest.mark.parametrize(
    ("rules", "action", "code", "said"),
    [
        (gravity.Rules(size=9, spacing=3), 81, "no_such_action", "actions go from 0 to 80 here, 81 is none"),
        (gravity.Rules(size=9, spacing=3), -1, "no_such_action", "actions go from 0 to 80 here, -1 is none"),
        (gravity.Rules(size=9, spacing=3), 10**30, "no_such_action", "actions go from 0 to 80 here"),
        (gravity.Rules(size=9, spacing=3), 3.0, "not_an_action", "an action is a whole number here, not 3.0"),
        (gravity.Rules(size=9, spacing=3), np.float32(3), "not_an_action", "a whole number here"),
        (gravity.Rules(size=9, spacing=3), True, "not_an_action", "a whole number here, not True"),
        (gravity.Rules(size=9, spacing=3), np.array([3]), "not_an_action", "a whole number here, not array([3])"),
        (gravity.Rules(size=9, spacing=3), (3, 1), "not_an_action", "a whole number here, not (3, 1)"),
        (gravity.Rules(size=9, spacing=3), None, "not_an_action", "a whole number here, not None"),
        (gravity.Rules(**WEIGHTED), 3, "not_an_action", "an action is 2 whole numbers here, not 3"),
        (gravity.Rules(**WEIGHTED), (3, 4), "no_such_action", "go from 0 to 80 and 0 to 3 here, (3, 4) is none"),
        (gravity.Rules(**WEIGHTED), np.array([[3, 1]]), "not_an_action", "2 whole numbers here"),
        (gravity.Rules(**WEIGHTED), (3, 1, 1), "not_an_action", "2 whole numbers here"),
        (gravity.Rules(**WEIGHTED), "31", "not_an_action", "2 whole numbers here, not '31'"),
        (graph.Rules(values=(1, 2), tokens=1), 2, "no_such_action", "actions go from 0 to 1 here, 2 is none"),
        (LINES, 6, "no_such_action", "actions go from 0 to 5 here, 6 is none"),
    ],
)
def test_invalid_actions_are_refused_in_one_line(rules, action, code, said):
    with pytest.raises(IllegalMove) as caught:
        rules.move_of(action)
    assert caught.value.code == code
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_actions_are_numbered_as_documented():
    plain, weighted = gravity.Rules(size=9, spacing=3), gravity.Rules(**WEIGHTED)
    assert (plain.actions, weighted.actions, LINES.actions) == ((81,), (81, 4), (6,))
    assert plain.move_of(np.int16(11)) == gravity.Stone(1, 2)
    assert weighted.move_of(np.array([11, 3])) == gravity.Stone(1, 2, 4)
    assert [LINES.move_of(number).numbers for number in range(4)] == [(0, 1), (0, 2), (0, 3), (1, 2)]
    assert graph.Rules(values=(1, 2), tokens=1).move_of(1) == graph.Token(1)
