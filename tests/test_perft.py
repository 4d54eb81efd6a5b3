"""Perft: the counts in ``tests/perft`` are those of the oracles, and those of the package."""

import pytest

import oracle_perft
from hinterland import catalog, gravity

ROWS = [(name, row) for name in catalog.GAMES for row in oracle_perft.rows(name)]
STEPS = (lambda position: list(position.legal_moves), lambda position, move: position.play(move), lambda p: p.scores)


def moves_that_differ(name, rules, depth, start):
    """List the first moves below which package and oracle count differently."""
    oracle = oracle_perft.GAMES[name](rules)
    told = oracle_perft.by_first_move(oracle.moves, oracle.after, oracle.scores, oracle.start, depth)
    found = oracle_perft.by_first_move(*STEPS, start, depth)
    found = {move.numbers: levels for move, levels in found.items()}
    lines = [
        f"{move}: the oracle says {told.get(move)}, here {found.get(move)}"
        for move in sorted(told.keys() | found.keys())
        if told.get(move) != found.get(move)
    ]
    return "\n".join([f"{len(lines)} first moves differ", *lines])


def check(name, row, start):
    depth = len(row["sequences"])
    levels = oracle_perft.perft(*STEPS, start, depth)
    known = [(count, tuple(total)) for count, total in zip(row["sequences"], row["scores"], strict=True)]
    assert levels == known, moves_that_differ(name, row["rules"], depth, start)


@pytest.mark.once
@pytest.mark.parametrize("name", catalog.GAMES)
def test_the_files_say_what_the_oracles_count(name):
    for row in oracle_perft.rows(name):
        assert oracle_perft.counted(name, row["rules"], len(row["sequences"])) == row


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_the_package_counts_the_same(name, row):
    check(name, row, catalog.game(name).rules.from_json(row["rules"]).start())


class Near(gravity.LegalStones):
    """Planted: leaves out the last corner while the first is free."""

    def __iter__(self):
        size = self._position.rules.size
        yield from (stone for stone in super().__iter__() if stone.numbers[:2] != (size - 1, size - 1))


class Planted(gravity.Position, frozen=True, dict=True):
    """Planted: legal moves without a corner."""

    @property
    def legal_moves(self):
        return Near(self)


def test_a_planted_fault_is_told_by_first_moves():
    row = oracle_perft.rows("gravity")[0]
    with pytest.raises(AssertionError, match=r"9 first moves differ\s+\(0, 0\): the oracle says \[\(8, .*here \[\(7, "):
        check("gravity", row, Planted(gravity.Rules(**row["rules"])))
