"""The experiment: intervals, agreement, its games from both seats, and what is written of it."""

import csv
import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from hinterland.cli.contests import experiment as command
from hinterland.cli.contests.show import play_plans
from hinterland.errors import BadText, UnknownName
from hinterland.graph import published_experiment
from hinterland.graph.published_experiment import PublishedRow as Row
from hinterland.graph.published_experiment import RowResult as Result

ROWS = (Row("a", "greedy", "random", 0.9, 100), Row("b", "neighbour", "greedy", None, 100, move_ms=60_000))


def test_agreement_goes_either_way():
    row = Row("a", "x", "y", 0.84, 100)
    assert Result(row, 88, 0, 100).agrees
    assert Result(row, 8, 0, 10).agrees
    assert not Result(row, 97, 0, 100).agrees
    assert not Result(row, 70, 0, 100).agrees
    assert Result(row, 73, 0, 100).agrees, "neither share lies in the other's interval, yet both may be one"
    assert Result(Row("a", "x", "y", None, 100), 1, 0, 2).agrees is None


@pytest.mark.parametrize(("share", "games"), [(0.5, 1000), (0.872, 1000), (0.941, 1000), (0.84, 100), (0.95, 100)])
def test_equal_players_disagree_in_one_case_of_twenty(share, games):
    """Of 4,000 pairs of experiments with one true share; shares in each other's interval told 14 to 17 of 100 apart."""
    drawn = np.random.default_rng(1).binomial(games, share, size=(4000, 2)).tolist()
    apart = sum(not Result(Row("a", "x", "y", paper / games, games), ours, 0, games).agrees for ours, paper in drawn)
    assert 0.025 < apart / 4000 < 0.065


def test_what_was_won_lost_and_tied_adds_up():
    result = Result(published_experiment.PAPER_ROWS[1], 930, 15, 1000)
    assert (result.wins, result.losses, result.ties) == (930, 55, 15)
    assert published_experiment.PAPER_ROWS[1].wins == 941
    assert published_experiment.OUR_ROWS[0].wins is None
    assert result.difference == pytest.approx((-0.0328, 0.0107), abs=1e-4)


def test_the_papers_rows_are_all_there():
    told = {row.name: (row.share, row.games) for row in published_experiment.PAPER_ROWS}
    assert len(told) == 9
    assert told["neighbour v greedy"] == (0.941, 1000)
    assert told["montecarlo v neighbour2"] == (0.84, 100)
    assert {row.table for row in published_experiment.PAPER_ROWS} == {"neighbour", "neighbour2", "montecarlo"}


@pytest.fixture
def small(monkeypatch):
    """Play on small boards, without a look at the clock."""
    monkeypatch.setattr(published_experiment, "BOARD", {"vertices": 10, "tokens": 2})
    monkeypatch.setattr(
        published_experiment, "PAPER_ROWS", tuple(Row(r.table, r.player, r.opponent, r.share, 4, 60_000) for r in ROWS)
    )


def play(rows, games, seed, jobs=1):
    sums = [command.RowSums(row) for row in rows]
    plans = [(command.make_plan(row, games, seed), one.add) for row, one in zip(rows, sums, strict=True)]
    assert play_plans(plans, jobs) is None
    return [one.result for one in sums]


def test_games_are_counted_from_both_seats_and_repeat(small):
    rows = published_experiment.PAPER_ROWS
    first, second = play(rows, 5, seed=1), play(rows, 5, seed=1)
    assert first == second
    assert [result.games for result in first] == [6, 6], "whole matches"
    assert [result.late for result in first] == [0, 0]
    assert all(0 <= result.wins + result.ties <= 6 for result in first)


def test_a_row_plays_its_own_number_of_games(small):
    assert [result.games for result in play(published_experiment.PAPER_ROWS, 0, seed=1)] == [4, 4]


def test_a_stronger_player_wins_from_either_seat():
    rows = [Row("a", *players, None, 2, move_ms=60_000) for players in (("gain", "random"), ("random", "gain"))]
    assert [(result.wins, result.ties, result.games) for result in play(rows, 0, seed=0)] == [(2, 0, 2), (0, 0, 2)]


@pytest.mark.thorough
@pytest.mark.once
def test_processes_play_what_one_plays():
    rows = (Row("a", "greedy", "random", None, 4, move_ms=60_000),)
    assert play(rows, 0, seed=1) == play(rows, 0, seed=1, jobs=2)


def results():
    return [Result(ROWS[0], 9, 1, 10), Result(ROWS[1], 3, 0, 10, 1)]


def test_csv_reads_back():
    rows = list(csv.DictReader(io.StringIO(published_experiment.to_csv(results()))))
    assert [row["player"] for row in rows] == ["greedy", "neighbour"]
    assert (rows[0]["share"], rows[0]["paper_share"], rows[0]["agrees"]) == ("0.9000", "0.9000", "yes")
    assert (rows[1]["late"], rows[1]["paper_low"], rows[1]["agrees"]) == ("1", "", "")
    assert (rows[0]["losses"], rows[0]["paper_games"], rows[0]["paper_wins"]) == ("0", "100", "90")
    assert (rows[1]["losses"], rows[1]["paper_wins"], rows[1]["difference_low"]) == ("7", "", "")


def test_the_plot_is_a_picture_within_its_frame():
    svg = ET.fromstring(published_experiment.plot(results()))
    _, _, width, height = map(float, svg.get("viewBox").split())
    assert len(svg.findall("{*}circle")) == 3
    for mark in svg.iter():
        for name in ("cx", "x", "x1", "x2"):
            assert 0 <= float(mark.get(name, 0)) <= width
        for name in ("cy", "y", "y1", "y2"):
            assert 0 <= float(mark.get(name, 0)) <= height


def test_the_command_prints_and_writes(small, tmp_path, capsys):
    table, drawing = tmp_path / "e.csv", tmp_path / "e.svg"
    code = command.experiment("voronoi-on-graphs", games=2, jobs=1, without=("neighbour",), csv=table, plot=drawing)
    assert code == 0
    told = capsys.readouterr().out
    assert "greedy v random" in told
    assert "Muneeb Azfar Nafees, report on project 8 of CS 231, Colby College" in told
    assert "the nine rows of 20 games that the report has as well" in told
    assert "losses" in told
    assert "neighbour" not in told
    assert table.read_text().startswith(published_experiment.CSV_HEADER)
    assert "<svg" in drawing.read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": "chess"}, "known: voronoi-on-graphs"),
        ({"games": -1}, "--games"),
        ({"games": 10**9}, "--games"),
        ({"jobs": -1}, "--jobs"),
        ({"seed": -1}, "--seed"),
        ({"without": ("chess",)}, "known: neighbour, neighbour2, montecarlo"),
        ({"without": ("neighbour", "neighbour2", "montecarlo")}, "no row is left"),
    ],
)
def test_wrong_use_is_one_line(options, words):
    values = {"name": "voronoi-on-graphs", **options}
    name = values.pop("name")
    with pytest.raises((BadText, UnknownName), match=words) as caught:
        command.experiment(name, **values)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_written_is_refused_before_playing(tmp_path):
    for path, why in ((tmp_path / "none" / "e.csv", "No such file"), (tmp_path, "Is a directory")):
        for option in ("csv", "plot"):
            with pytest.raises(BadText, match=f"cannot be written: {why}"):
                command.experiment("voronoi-on-graphs", **{option: path})


def test_a_table_is_read_back():
    played = [
        Result(published_experiment.PAPER_ROWS[0], 990, 2, 1000, 1),
        Result(published_experiment.OUR_ROWS[3], 197, 0, 200),
    ]
    assert published_experiment.from_csv(published_experiment.to_csv(played)) == played
    with pytest.raises(BadText, match="begins with table,player"):
        published_experiment.from_csv("player,wins\n")
    with pytest.raises(BadText, match="line 2 is no row of the experiment"):
        published_experiment.from_csv(published_experiment.CSV_HEADER + "\nours,chess,go,500,1,1,0,0,0\n")
