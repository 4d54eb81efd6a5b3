"""Every game keeps the contract, over a grid of parameters; and every check catches a fault planted for it."""

import msgspec
import numpy as np
import pytest

from contract_cases import cases
from contract_checks import (
    CHECKS,
    check_end,
    check_legality,
    check_replay,
    check_round_trips,
    check_scratch,
    check_values,
)
from hinterland import catalog, gravity
from hinterland.contract import Clock, Game, Outcome


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("name", "rules", "illegal"), cases(), ids=lambda value: str(value)[:70])
def test_contract(check, name, rules, illegal, rng):
    check(catalog.game(name), rules, illegal, rng)


@pytest.mark.parametrize(("name", "rules", "illegal"), cases()[::7], ids=lambda value: str(value)[:70])
def test_players_play_legal_moves_to_the_end_and_repeat_with_a_seed(name, rules, illegal):
    game = catalog.game(name)
    for spec in game.players:
        ends = []
        for _ in range(2):
            position = rules.start()
            rng = np.random.default_rng(5)
            while position.to_move is not None:
                position = position.play(catalog.player(game, spec).choose(position, Clock(), rng))
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
            assert preset.rules.players <= game.max_players
            assert type(preset.rules).parse(str(preset.rules)) == preset.rules


RULES = gravity.Rules(size=9, spacing=3, stones=2, weight=4)
ILLEGAL = {gravity.Stone(-1, 0): "outside"}


class Lenient(gravity.Position, frozen=True, dict=True):
    """Planted: accepts every stone."""

    def check(self, move):
        pass


class Shaky(gravity.Position, frozen=True, dict=True):
    """Planted: its text forgets the weights, its repr the moves."""

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
    moves: tuple = ()
    withdrawn: tuple = ()
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
    def replay(cls, rules, moves, withdrawn=()):
        return cls(rules, tuple(moves), tuple(withdrawn))


class Twins:
    """Planted: rules whose start is a faulty position."""

    def __init__(self, kind):
        self.kind, self.players = kind, 2

    def start(self):
        return self.kind(RULES)


@pytest.mark.parametrize(
    ("check", "kind"),
    [
        (check_legality, Lenient),
        (check_values, Mutable),
        (check_round_trips, Shaky),
        (check_end, Undying),
        (check_scratch, Leaky),
        (check_replay, Trusting),
    ],
)
def test_checks_catch_planted_faults(check, kind, rng):
    game = msgspec.structs.replace(catalog.game("gravity"), position=kind)
    check(catalog.game("gravity"), RULES, ILLEGAL, rng)
    with pytest.raises((AssertionError, IndexError)):
        check(game, Twins(kind), ILLEGAL, rng)
