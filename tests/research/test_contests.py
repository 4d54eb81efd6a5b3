"""Studies that are contests: small rows are played again, and another program counts the games of two matches."""

import sys
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from oracle_games import graph_scores, gravity_scores, mean_of_two
from published import DATA, as_text, table

from oracle_gravity import owner
from research import last_mover, leader, measuring, plots, weights

pytestmark = [pytest.mark.jit, pytest.mark.once]


def first_of(study, **wanted):
    """Return the first row of a study that is like this."""
    return next(row for row in study if wanted.items() <= row.about.items())


AGAIN = {
    "last_mover": (last_mover.sums, first_of(last_mover.rows(), game="graph", stones=1)),
    "weights": (weights.sums, first_of(weights.both_laws(), player="parts:count=6", against="parts:count=8")),
    "leader": (leader.sums, first_of(leader.rows(), player="reply", others="reply")),
}


@pytest.mark.parametrize("name", AGAIN)
def test_a_row_played_again_is_the_published_one(name, tmp_path):
    sums, row = AGAIN[name]
    made = as_text(row.about | sums(row, measuring.play(row, tmp_path, leader.Hit, weights.Parts)))
    assert made in table(name)


@pytest.mark.parametrize("name", ["last_mover", "weights", "leader"])
def test_tables_have_all_rows_of_their_study(name):
    study = {"last_mover": last_mover.rows, "weights": weights.both_laws, "leader": leader.rows}[name]()
    wanted = [as_text(row.about | {"matches": row.plan.pairings}) for row in study]
    assert [{key: row[key] for key in wanted[0]} for row in table(name)] == wanted


def smaller(row, **rules):
    """Return a row with two matches, on smaller boards."""
    plan = msgspec.structs.replace(row.plan, pairings=2, rules={**row.plan.rules, **rules})
    return row._replace(plan=plan)


def scores_of(record, players, size):
    moves = [(seat, *(*numbers, 1)[:3]) for seat, numbers in zip(record.movers, record.moves, strict=True)]
    return gravity_scores(moves, players, size)


def test_another_program_finds_what_the_last_mover_holds(tmp_path):
    row = smaller(AGAIN["last_mover"][1], vertices=12, tokens=3)
    matches = measuring.play(row, tmp_path, leader.Hit, weights.Parts)
    shares = []
    for match in matches:
        rules = match.task.config().rules
        held = [
            graph_scores(
                [(seat, vertex) for seat, (vertex,) in zip(one.movers, one.moves, strict=True)], 2,
                rules.edges, rules.values,
            )
            for one in match.records
        ]
        shares.append(sum(Fraction(scores[1], sum(scores)) for scores in held) / len(held))
    made = last_mover.sums(row, matches)
    assert (made["last_share"], made["low"], made["high"]) == pytest.approx(mean_of_two(*shares))


@pytest.mark.parametrize("name", ["weights", "leader"])
def test_another_program_finds_what_the_player_holds(name, tmp_path):
    row = smaller(AGAIN[name][1], size=14, spacing=1)
    players = len(row.plan.players)
    matches, shares = measuring.play(row, tmp_path, leader.Hit, weights.Parts), []
    for match in matches:
        mine = whole = 0
        for one in match.records:
            scores = scores_of(one, players, 14)
            mine += scores[one.players.index("one")]
            whole += sum(scores)
        shares.append(Fraction(mine, whole))
    made = AGAIN[name][0](row, matches)
    assert (made["share"], made["low"], made["high"]) == pytest.approx(mean_of_two(*shares))


@pytest.mark.parametrize("size", [3, 5, 8, 11])
def test_four_light_stones_leave_a_heavy_one_its_cell_alone(size):
    for row in range(1, size - 1):
        col = size // 2
        light = [(row - 1, col, 1), (row + 1, col, 1), (row, col - 1, 1), (row, col + 1, 1)]
        owners = [owner([[(row, col, 4)], light], *divmod(cell, size), "gravity") for cell in range(size * size)]
        assert owners.count(0) == 1
        assert owners.count(1) == size * size - 1


def test_three_light_stones_do_so_from_the_golden_ratio_on():
    """On the circle's own terms, in floating point: the grid has no three even places."""
    from math import cos, pi, sin

    light = [(cos(2 * pi * i / 3), sin(2 * pi * i / 3)) for i in range(3)]

    def lead(far, turn):
        x, y = far * cos(turn), far * sin(turn)
        return sum(1 / ((x - a) ** 2 + (y - b) ** 2) for a, b in light) / 3 - 1 / far**2

    golden = (1 + 5**0.5) / 2
    turns = [2 * pi * i / 360 for i in range(360)]
    assert min(lead(golden * 1.001, turn) for turn in turns) > 0
    assert min(lead(golden * 0.999, turn) for turn in turns) < 0


def test_figures_are_drawn_from_the_tables(tmp_path):
    plots.draw(tmp_path)
    for name in plots.plots():
        file = f"{name}.svg"
        assert (tmp_path / file).read_text() == (DATA.parent / "figures" / file).read_text()
