"""The report of a contest: its figures equal a plain recount of the records, and the file needs no other file."""

import csv
import io
import json
import re
from collections import Counter, defaultdict
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import drawn_records
from hinterland.cli import run
from hinterland.contest.folder import ContestFolder
from hinterland.contest.plan import Entrant, Plan
from hinterland.contest.report import report_page
from hinterland.contest.report.bracket_chart import make_bracket_chart
from hinterland.contest.report.contest_sums import FollowedContest
from hinterland.contest.report.contest_view import make_crosstable
from hinterland.contest.report.forest_plot import make_forest_plot
from hinterland.contest.report.report_page import render

WEB = Path(report_page.__file__).parents[2] / "web" / "static" / "css"
BOARD = {"size": 12, "spacing": 2, "stones": 1}


def plan(players, **options):
    entrants = tuple(Entrant(name, "random") for name in players)
    return Plan(game="gravity", players=entrants, rules=BOARD, **options)


def few(**options):
    return plan(["ann", "bob", "cas", "dan", "eve"], **{"pairings": 3, **options})


def view_of(folder):
    return FollowedContest(folder).view()


def recount(folder, names):
    """Add up finished matches of two players from plain JSON: points and games of pairs, points, why players left."""
    matches = defaultdict(dict)
    for game in drawn_records.lines_of(folder):
        matches[game["contest"]["round"], game["contest"]["task"]][game["number"]] = game
    points, pairs, games, left = Counter(), Counter(), Counter(), defaultdict(Counter)
    for played in matches.values():
        if len(played) < 2:
            continue
        one, other = sorted(played[1]["players"], key=names.index)
        total, gone = Counter(), Counter()
        for game in played.values():
            away = [what["seat"] for what in game["between"] if what["event"] == "left"]
            stay = [seat for seat in range(2) if seat not in away]
            for seat, name in enumerate(game["players"]):
                whole = 144 if away and not any(game["scores"]) and seat in stay else game["scores"][seat]
                total[name] += whole
                gone[name] += seat in away
            for what in game["between"]:
                left[game["players"][what["seat"]]][what["reason"]] += 1
        games[one, other] += len(played)
        best = max((-gone[name], total[name]) for name in (one, other))
        first = [name for name in (one, other) if (-gone[name], total[name]) == best]
        for name in first:
            points[name] += 1 / len(first)
            pairs[name, other if name == one else one] += 1 / len(first)
    return points, pairs, games, left


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "swiss"])
@pytest.mark.parametrize("most", [10**6, 17])
def test_the_figures_are_a_plain_recount(tmp_path, rng, form, most):
    wanted = few(format=form)
    drawn_records.play(tmp_path, wanted, rng, most=most, leave=0.2)
    view, names = view_of(tmp_path), wanted.names
    points, pairs, games, left = recount(tmp_path, names)
    assert {row.name: row.points - row.byes for row in view.standings} == {name: points[name] for name in names}
    met = {}
    for pair in view.pairs.values():
        one, other = (names[player] for player in pair.players)
        met[one, other] = pair.games
        assert pair.points == (pairs[one, other], pairs[other, one])
        assert sum(pair.points) == pair.matches == pair.games / 2
        addresses = [tuple(map(int, game.address.split("."))) for game in pair.kept]
        assert addresses == sorted(set(addresses))
    assert met == dict(games)
    assert {names[row.player]: dict(row.reasons) for row in view.leavers} == {
        name: dict(reasons) for name, reasons in left.items()
    }
    assert sum(row.games for row in view.seats) == 2 * sum(games.values())
    assert view.is_over is (most > 17)


def test_a_cell_and_its_mirror_are_one_meeting(tmp_path, rng):
    drawn_records.play(tmp_path, few(), rng)
    cross = make_crosstable(view_of(tmp_path))
    assert cross.each == 3
    for one, other in combinations(range(5), 2):
        cell, mirror = cross.rows[one].cells[other], cross.rows[other].cells[one]
        assert cell.points + mirror.points == 3
        assert (cell.shade, mirror.shade) == (round(10 * cell.points / 3), round(10 * mirror.points / 3))
    assert all(cross.rows[one].cells[one] is None for one in range(5))


def test_a_table_of_three_counts_for_each_pair(tmp_path, rng):
    wanted = few(format="tables", options={"given": [[0, 1, 2]]}, pairings=4)
    drawn_records.play(tmp_path, wanted, rng)
    view = view_of(tmp_path)
    assert set(view.pairs) == {(0, 1), (0, 2), (1, 2)}
    for (one, other), pair in view.pairs.items():
        ahead = 0.0
        for task in range(4):
            total = Counter()
            for game in drawn_records.lines_of(tmp_path):
                if game["contest"]["task"] == task:
                    total.update(dict(zip(game["players"], game["scores"], strict=True)))
            mine, its = total[wanted.names[one]], total[wanted.names[other]]
            ahead += (mine > its) + (mine == its) / 2
        assert pair.points == (ahead, 4 - ahead)
        assert pair.games == 12


@pytest.mark.parametrize("form", ["round-robin", "swiss", "knockout"])
def test_the_report_is_the_same_twice_in_any_order_and_after_resuming(tmp_path, form):
    whole, resumed = tmp_path / "a" / "c", tmp_path / "b" / "c"
    drawn_records.play(whole, few(format=form), np.random.default_rng(1), leave=0.1, mixed=False)
    resumed.mkdir(parents=True)
    (resumed / "plan.toml").write_bytes((whole / "plan.toml").read_bytes())
    lines = (whole / "records.jsonl").read_bytes().splitlines(keepends=True)
    (resumed / "records.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    follower = FollowedContest(resumed)
    assert follower.view() != view_of(whole)
    with (resumed / "records.jsonl").open("ab") as file:
        file.write(b"".join(lines[len(lines) // 2 :])[:-40])
    assert follower.read_on()
    assert not follower.view().is_over, "the last line is not whole yet"
    with (resumed / "records.jsonl").open("ab") as file:
        file.write(lines[-1][-40:])
    assert follower.read_on()
    assert not follower.read_on()
    assert follower.view() == view_of(whole)
    first_round = sum(game["contest"]["round"] == 0 for game in drawn_records.lines_of(resumed))
    drawn_records.rewrite(resumed, [*reversed(range(first_round)), *range(first_round, len(lines))])
    assert render(view_of(resumed)) == render(view_of(whole)) == render(view_of(whole))


class Page(HTMLParser):
    """Parses a page: its addresses, its elements, and whether each is closed."""

    EMPTY = frozenset({"meta", "link", "br", "rect", "line", "circle", "path"})

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.addresses, self.ids, self.said = [], Counter(), [], [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        told = dict(attributes)
        self.addresses += [told[name] for name in ("src", "href", "action", "srcset", "data") if name in told]
        self.ids += [told["id"]] if "id" in told else []
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in self.EMPTY
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.said += text


@pytest.mark.thorough
def test_forty_players_and_five_thousand_games_fit(tmp_path, rng):
    names = [f"a player with quite a long name, no. {number:02}" for number in range(40)]
    drawn_records.play(tmp_path, plan(names, pairings=4), rng, most=5000, leave=0.02)
    view = view_of(tmp_path)
    assert view.games == 5000
    text = render(view)
    assert len(text.encode()) < 500_000
    page = Page(text)
    assert page.tags["script"] == page.tags["link"] == page.tags["img"] == 0
    assert page.addresses
    assert {address[1:] for address in page.addresses} <= set(page.ids), "all that it leads to is in it"
    assert len(page.ids) == len(set(page.ids))
    assert not re.search(r"url\(|@import|https?:", text)
    assert "are listed" in text


@pytest.mark.thorough
def test_what_is_left_out_is_said(tmp_path, rng):
    drawn_records.play(tmp_path, plan([f"p{number}" for number in range(60)]), rng)
    page = Page(render(view_of(tmp_path)))
    assert "20 players further down are not shown" in page.said
    assert len(render(view_of(tmp_path)).encode()) < 500_000


def test_names_cannot_write_the_page(tmp_path, rng):
    bad = ["<script>alert(1)</script>", "\"><img src=x onerror='x'>", "{{ view }}", "&amp;", "</style>"]
    folder = tmp_path / "<b>c"
    drawn_records.play(folder, plan(bad, pairings=2), rng, leave=0.3)
    for form in ("round-robin", "knockout"):
        folder = tmp_path / form / "<b>c"
        folder.parent.mkdir()
        drawn_records.play(folder, plan(bad, pairings=2, format=form), rng, leave=0.3)
        text = render(view_of(folder))
        page = Page(text)
        assert page.tags["script"] == page.tags["img"] == page.tags["b"] - text.count("<b>") == 0
        assert all(name in page.said for name in (bad[0], bad[2], bad[3], "<b>c"))


def test_a_contest_that_has_not_begun_is_shown(tmp_path, rng):
    for form in ("round-robin", "knockout", "swiss"):
        drawn_records.play(tmp_path / form, few(format=form), rng, most=0)
        view = view_of(tmp_path / form)
        assert (view.games, view.progress, view.leader) == (0, 0.0, None)
        assert "Not started" in Page(render(view)).said


def test_the_bracket_leads_from_table_to_table(tmp_path, rng):
    wanted = plan([f"p{number}" for number in range(11)], format="knockout", options={"third_place": True})
    drawn_records.play(tmp_path, wanted, rng)
    view = view_of(tmp_path)
    chart = make_bracket_chart(view)
    by_place = {(box.x, box.y): box for box in chart.boxes}
    assert len(by_place) == len(chart.boxes) == 8 + 4 + 2 + 2
    for box in chart.boxes:
        assert 0 <= box.x <= chart.width - 208
        assert 20 <= box.y <= chart.height - 52
        won = [line.player for line in box.lines if line.state == "won"]
        assert len(won) == 1
        if box.path:
            across, down = map(int, re.fullmatch(r"M.*V(\d+)H(\d+)", box.path).groups()[::-1])
            (target,) = [there for there in chart.boxes if (there.x, there.y + 26) == (across, down)]
            assert won[0] in [line.player for line in target.lines]
    titles = [title for _, title in chart.titles]
    assert titles == ["Last 16", "Quarter-finals", "Semi-finals", "Final"]


def test_a_forest_stands_within_its_marks(tmp_path, rng):
    drawn_records.play(tmp_path, few(), rng)
    forest = make_forest_plot(view_of(tmp_path).ratings)
    assert len(forest.whiskers) == 5
    assert [whisker.at for whisker in forest.whiskers] == sorted((one.at for one in forest.whiskers), reverse=True)
    assert all(0 <= one.low <= one.at <= one.high <= 100 for one in forest.whiskers)
    places, words = zip(*forest.ticks, strict=True)
    assert (places[0], places[-1]) == (0, 100)
    assert 2 <= len(words) <= 8
    assert len(set(np.diff([float(word.replace("−", "-").replace(",", "")) for word in words]))) == 1
    assert make_forest_plot(()).whiskers == ()


def variables(text, scheme):
    """Return the variables of a style sheet, light or dark."""
    light, _, dark = text.partition("@media (prefers-color-scheme: dark)")
    return dict(re.findall(r"(--[\w-]+): ([^;]+);", {"light": light, "dark": dark[: dark.find("\n}\n")]}[scheme]))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_are_those_of_the_house(scheme):
    own = variables((report_page.STATIC / "css" / "report-house.css").read_text(), scheme)
    house = {}
    for name in ("base.css", "players.css"):
        house |= variables((WEB / name).read_text(), scheme)
    assert len(own) > 15
    assert own == {name: house[name] for name in own}


def test_records_that_do_not_count_are_told(tmp_path, rng):
    drawn_records.play(tmp_path, few(), rng)
    file = tmp_path / "records.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + b"{broken}\n" + b"".join(lines))
    said = Page(render(view_of(tmp_path))).said
    assert "One record was of games with an earlier record" in said
    assert "records.jsonl, line 2" in said


def test_a_contest_is_exported(tmp_path, rng, capsys, monkeypatch):
    polars = pytest.importorskip("polars")
    folder = tmp_path / "c"
    drawn_records.play(folder, few(), rng)
    for name in ("s.csv", "s.json", "s.parquet", "s.txt"):
        assert run(["contest", "export", str(folder), str(tmp_path / name)]) == 0
    for name in ("g.csv", "g.json", "g.parquet"):
        assert run(["contest", "export", str(folder), str(tmp_path / name), "--games"]) == 0
    points, *_ = recount(folder, few().names)
    standings = json.loads((tmp_path / "s.json").read_text())
    assert {row["name"]: row["points"] for row in standings} == dict(points)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "s.csv").read_text())))
    assert [(row["name"], float(row["points"])) for row in rows] == [(row["name"], row["points"]) for row in standings]
    games = json.loads((tmp_path / "g.json").read_text())
    told = [(game["round"], game["match"], game["number"], game["players"], game["scores"]) for game in games]
    kept = [
        (game["contest"]["round"] + 1, game["contest"]["task"] + 1, game["number"], game["players"], game["scores"])
        for game in drawn_records.lines_of(folder)
    ]
    assert told == sorted(kept, key=lambda row: row[:3])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "g.csv").read_text())))
    assert [json.loads(row["players"]) for row in rows] == [game["players"] for game in games]
    assert polars.read_parquet(tmp_path / "g.parquet").to_dicts() == games
    assert polars.read_parquet(tmp_path / "s.parquet").to_dicts() == standings
    text = (tmp_path / "s.txt").read_text()
    assert re.findall(r"ann|bob|cas|dan|eve", text) == [row["name"] for row in standings]
    capsys.readouterr()
    assert run(["contest", "export", str(folder), str(tmp_path / "s.pdf")]) == 2
    assert "should end in one of .csv, .json, .parquet, .txt" in capsys.readouterr().err
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert run(["contest", "export", str(folder), str(tmp_path / "s.parquet")]) == 2
    assert "pip install 'hinterland[data]'" in capsys.readouterr().err


def test_the_report_is_written_where_it_is_asked_for(tmp_path, rng, capsys):
    folder = tmp_path / "c"
    drawn_records.play(folder, few(), rng)
    before = {path.name for path in folder.iterdir()}
    assert run(["contest", "report", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} - before == {"report.html"}
    assert run(["contest", "report", str(folder), str(tmp_path / "r.html")]) == 0
    assert (tmp_path / "r.html").read_bytes() == (folder / "report.html").read_bytes()
    assert run(["contest", "report", str(tmp_path)]) == 2
    assert "plan.toml is not there" in capsys.readouterr().err
    assert ContestFolder(folder).played.is_over
