"""The league of gravity: its opponents play legally and by their ideas, its figures are right, and it goes on."""

import math
import sys
from pathlib import Path
from statistics import fmean, stdev
from typing import ClassVar

import msgspec
import numpy as np
import pytest
from benchmarks.league import __main__ as league
from benchmarks.league import boards, contests, table
from benchmarks.league.bot import make_player
from benchmarks.league.opponents import OPPONENTS
from benchmarks.league.opponents.cma import CmaEs
from benchmarks.league.opponents.judges import TwoPlies
from benchmarks.league.opponents.turn import Turn, shrink
from scipy import stats

import hinterland
from hinterland.contest.folder import ContestFolder
from hinterland.contract import Clock
from hinterland.errors import ArenaError, BadText, UnknownName
from hinterland.gravity import Rules, Stone
from hinterland.gravity.lloyd import even_layout
from hinterland.gravity.players import Lloyd

pytestmark = [pytest.mark.jit, pytest.mark.once]

RULES = {
    "ten cells": Rules(size=10, spacing=1, stones=4),
    "no room": Rules(size=10, spacing=6, stones=4),
    "weights": Rules(size=24, spacing=2, stones=3, weight=17),
    "nearest": Rules(size=17, spacing=3, stones=3, law="nearest"),
    "one stone": Rules(size=50, spacing=1, stones=1),
}
PAIRS = [("reply", "hug"), ("hug", "reply")]
MATCHES = [0.61, 0.55, 0.58]


def play_against_random(player, rules, seat, clock, seed=7):
    """Play a game, in which an illegal stone raises IllegalMove; return its last position."""
    position, rng = rules.start(), np.random.default_rng(seed)
    while position.to_move is not None:
        is_turn = position.to_move == seat
        stone = player.choose(position, clock, rng) if is_turn else position.legal_moves.sample(rng)
        if not is_turn and rules.weight:
            stone = Stone(stone.row, stone.col, 1)
        position = position.play(stone)
    return position


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", OPPONENTS)
def test_opponents_play_legal_games(name, rules):
    player = OPPONENTS[name](seconds=0.003)
    for seat, clock in enumerate((Clock(left_ms=60_000), Clock(left_ms=1))):
        ended = play_against_random(player, RULES[rules], seat, clock)
        assert ended.moves
        if rules == "weights":
            assert ended.weight_left(seat) == 0


def test_opponents_keep_to_their_share_of_the_clock():
    turn = Turn(Rules(size=10, spacing=1).start(), np.random.default_rng(1), 0.0)
    assert turn.spent == 1
    assert turn.best() in turn.legal


class InSmall(TwoPlies, frozen=True):
    """Works on boards of at most eight cells a side."""

    largest_side: ClassVar[int] = 8


def test_large_boards_are_shrunk():
    rules = Rules(size=40, spacing=5, stones=3)
    position = rules.start().play(Stone(20, 10)).play(Stone(39, 39))
    small = shrink(position, 8)
    assert (small.rules.size, small.rules.spacing) == (8, 1)
    assert [(seat, stone.row, stone.col) for seat, stone in small.moves] == [(0, 4, 2), (1, 7, 7)]
    assert len(play_against_random(InSmall(seconds=0.003), rules, 0, Clock()).moves) == 6


def test_two_plies_keeps_the_most_of_all_cells():
    """On a board of six cells a side it has time for most cells; one answer follows, which is the last stone."""
    position = Rules(size=6, spacing=1, stones=2).start().play(Stone(1, 1)).play(Stone(4, 3))
    turn = Turn(position, np.random.default_rng(1), 10.0)
    kept = {stone: turn.lead_after(stone, 1) for stone in position.legal_moves}
    found = TwoPlies(seconds=10).choose(position, Clock(), np.random.default_rng(1))
    assert kept[found] >= sorted(kept.values())[-3]


@pytest.mark.parametrize("name", ["two-plies", "annealed", "ensemble", "cma-es", "layout-feint", "copy"])
def test_last_stones_are_exact(name):
    position = Rules(size=12, spacing=2, stones=1).start().play(Stone(3, 4))
    stone = OPPONENTS[name](seconds=0.003).choose(position, Clock(), np.random.default_rng(1))
    assert position.reply_map()[stone.row, stone.col] == position.reply_map().max()


def stones_of(name, seat=0, rules=None):
    rules = rules or Rules(size=40, spacing=3, stones=4)
    ended = play_against_random(OPPONENTS[name](seconds=0.003), rules, seat, Clock())
    return [stone for who, stone in ended.moves if who == seat], ended


def test_feints_begin_like_their_models():
    stones, ended = stones_of("layout-feint")
    model = [stone for who, stone in play_against_random(Lloyd(), ended.rules, 0, Clock()).moves if who == 0]
    assert stones[0] == model[0]
    assert all((stone.row, stone.col) in even_layout(40, 4) for stone in stones[:2])
    aside, _ = stones_of("layout-aside")
    assert all((stone.row, stone.col) not in even_layout(40, 4) for stone in aside[:3])
    assert all((stone.row - 1, stone.col) in even_layout(40, 4) for stone in aside[:3])


def test_copy_stands_beside_the_last_stone():
    _, ended = stones_of("copy", seat=1)
    (_, first), (_, second), *_ = ended.moves
    assert 3 <= math.dist((first.row, first.col), (second.row, second.col)) < 4


def test_defender_takes_the_cell_that_the_rival_would_take():
    rules = Rules(size=12, spacing=2, stones=3)
    stone = OPPONENTS["defender"]().choose(
        rules.start().play(Stone(3, 4)).play(Stone(8, 8)), Clock(), np.random.default_rng(1)
    )
    swapped = rules.start().play(Stone(8, 8)).play(Stone(3, 4))
    assert stone == swapped.best_reply()[0]


def test_cma_es_finds_the_bottom_of_a_valley():
    """The valley is a hundred times as long as it is wide, and lies aslant."""
    evolution = CmaEs(np.full(4, 3.0), 0.5, np.random.default_rng(3))

    def valley(point):
        turned = np.array([point[0] + point[1], point[0] - point[1], *point[2:]])
        return float((turned**2 * [1, 1e4, 1, 1]).sum())

    for _ in range(250):
        samples = evolution.ask()
        evolution.tell(samples, np.array([valley(point) for point in samples]))
    assert valley(evolution.mean) < 1e-9


def test_figures_are_those_of_a_plain_computation():
    found = table.estimate(MATCHES)
    low, high = stats.t.interval(0.95, 2, fmean(MATCHES), stdev(MATCHES) / math.sqrt(3))
    assert math.isclose(found.mean - found.half_width, low)
    assert math.isclose(found.mean + found.half_width, high)
    single = table.estimate([0.5])
    assert math.isnan(single.half_width)
    assert "?" in str(single)
    assert table.estimate([0.5, 0.5]).half_width == 0


def test_differences_have_the_interval_of_welch():
    others = [0.50, 0.47, 0.52, 0.49]
    found = table.estimate(MATCHES) - table.estimate(others)
    wanted = stats.ttest_ind(MATCHES, others, equal_var=False).confidence_interval(0.95)
    assert math.isclose(found.mean - found.half_width, wanted.low)
    assert math.isclose(found.mean + found.half_width, wanted.high)


def test_means_of_cells_count_each_cell_alike():
    cells = [table.estimate(MATCHES), table.estimate([0.4, 0.6]), table.estimate([0.7, 0.7])]
    found = table.mean_of(cells)
    assert math.isclose(found.mean, (fmean(MATCHES) + 0.5 + 0.7) / 3)
    assert math.isclose(found.error, math.sqrt(stdev(MATCHES) ** 2 / 3 + stdev([0.4, 0.6]) ** 2 / 2) / 3)


def test_boards_have_names_of_their_own_and_legal_rules():
    names = [board.name for board in boards.FULL]
    assert len(set(names)) == len(names)
    assert len({board.name for board in boards.QUICK}) == len(boards.QUICK)
    assert {"1000-66-10", "10-1-5", "300-20-3-w100", "1000-66-5-nearest", "1000-66-2-jitter"} <= set(names)
    for board in (*boards.FULL, *boards.QUICK):
        assert contests.plan_contest(board, "search", ["reply", "copy"], 5).format == "gauntlet"


def test_words_choose_boards_and_opponents():
    words = "boards=10-1-5+100-1-1,opponents=reply+search:seconds=2@x"
    listed, opponents = league.choose(league.parse(["--only", words]))
    assert [board.name for board in listed] == ["10-1-5", "100-1-1"]
    assert opponents == ("reply", "search:seconds=2@x")
    assert contests.seconds_of(opponents[1]) == 2
    assert contests.spec_of("reply") == "reply"
    assert contests.spec_of("copy").startswith("cmd:")
    with pytest.raises(UnknownName, match="unknown board"):
        league.choose(league.parse(["--only", "boards=nowhere"]))
    with pytest.raises(BadText, match="--only is boards="):
        league.choose(league.parse(["--only", "players=reply"]))
    with pytest.raises(UnknownName, match="unknown player"):
        make_player("nobody")


TINY = [boards.Board(12, 2, 2), boards.Board(10, 1, 3, weight=9)]


class Stopped(Exception):
    """Stands for Ctrl-C."""


def test_a_league_goes_on_after_a_stop(tmp_path, capsys, nothing_left):
    words = ["reply", "copy:seconds=0.01"]
    plans = [(board.name, contests.plan_contest(board, "search:playouts=50", words, 1)) for board in TINY]
    heard = []

    def stop(match):
        heard.append(match)
        if len(heard) == 2:
            raise Stopped

    with pytest.raises(Stopped):
        contests.play(plans, tmp_path, 1, stop)
    contests.play(plans, tmp_path, 1, heard.append)
    kept = [(folder / "records.jsonl").read_bytes() for folder in (tmp_path / name for name, _ in plans)]
    assert [len(text.splitlines()) for text in kept] == [4, 4]
    contests.play(plans, tmp_path, 1, heard.append)
    assert kept == [(tmp_path / name / "records.jsonl").read_bytes() for name, _ in plans]
    league.main(["--table", "--folder", str(tmp_path), "--compare", str(tmp_path)])
    printed = capsys.readouterr().out
    assert "left by" not in printed
    cells = table.read_cells(tmp_path)
    assert [fmean(cell.shares) for cell in cells] == sorted(fmean(cell.shares) for cell in cells)
    assert {(cell.board, cell.opponent) for cell in cells} == {(name, word) for name, _ in plans for word in words}
    for cell in cells:
        assert f"{cell.board:<20}{cell.opponent}" in printed
        assert shares_of(tmp_path / cell.board, cell.opponent) == (cell.shares, cell.by_seat)


def shares_of(folder, opponent):
    """Add up the scores of the games against an opponent, from the lines of the file alone."""
    lines = [msgspec.json.decode(line) for line in (folder / "records.jsonl").read_bytes().splitlines()]
    first, second = sorted((line for line in lines if opponent in line["players"]), key=lambda line: line["number"])
    assert first["players"][1] == second["players"][0] == opponent
    own, whole = first["scores"][0] + second["scores"][1], sum(first["scores"] + second["scores"])
    by_seat = [first["scores"][0] / sum(first["scores"])], [second["scores"][1] / sum(second["scores"])]
    return [own / whole], by_seat


def test_the_command_plays_and_prints_a_table(tmp_path, capsys):
    words = ["--only", "boards=10-2-3,opponents=reply+hug", "--player", "search:playouts=20", "--pairings", "2"]
    league.main([*words, "--folder", str(tmp_path)])
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert [line.split()[:3] for line in lines[1:3]] in ([["10-2-3", one, "2"] for one in pair] for pair in PAIRS)
    assert lines[-1].split()[:4] == ["2", "cells", "all", "4"]
    assert len(printed.err.splitlines()) == 4


def test_mirror_images_are_the_same_game(tmp_path):
    plan = contests.plan_contest(TINY[0], "random", ["reply"], 1)
    contests.play([("one", plan)], tmp_path, 1)
    matches = []
    ContestFolder(tmp_path / "one", matches.append).close()
    record = matches[0].records[0]
    turned = msgspec.structs.replace(record, moves=tuple((col, 11 - row) for row, col in record.moves))
    other = msgspec.structs.replace(record, moves=(*record.moves[:-1], (0, 0)))
    assert table.fold(turned) == table.fold(record) != table.fold(other)


def test_a_player_of_another_checkout_meets_one_of_this(tmp_path):
    (tmp_path / "src").symlink_to(Path(hinterland.__file__).parents[1])
    plan = contests.plan_contest(TINY[0], "reply", [f"random@{tmp_path}"], 1)
    assert plan.players[1].spec.startswith(f"cmd:{sys.executable} -m benchmarks.league.bot")
    contests.play([("one", plan)], tmp_path, 1)
    [cell] = table.read_cells(tmp_path)
    assert (cell.games, cell.left) == (2, {})


def test_a_checkout_that_fails_is_named_before_any_game(tmp_path, capfd):
    """The planted fault shows that the player comes from the other checkout."""
    package = tmp_path / "src" / "hinterland"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('planted')")
    plan = contests.plan_contest(TINY[0], "reply", [f"random@{tmp_path}"], 1)
    with pytest.raises(ArenaError, match="does not introduce itself"):
        contests.play([("one", plan)], tmp_path, 1)
    assert "planted" in capfd.readouterr().err
    assert not (tmp_path / "one").exists()
