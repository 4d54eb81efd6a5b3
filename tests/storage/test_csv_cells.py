"""Text of strangers stays text in a spreadsheet, in every CSV file."""

import csv

import msgspec
import pytest

from hinterland import catalog, gravity
from hinterland.cli import run
from hinterland.contest.plan import Entrant, Plan
from hinterland.contest.report.export_rows import RankedEntrant
from hinterland.contest.series import SeriesResults
from hinterland.host import synchronous
from hinterland.referee import record
from hinterland.referee.game_terms import GameTerms
from hinterland.storage.tables.table_files import encode_rows, escape_formula

FORMULA, SUM = '=HYPERLINK("http:a","win")', "+1-1"


@pytest.mark.parametrize("text", ["=1", "+1-1", "-2", "@x", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠x"])
def test_text_that_begins_like_a_formula_gets_an_apostrophe(text):
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("cell", ["", "a=1", "'=1", "ann", " -", "Ünal", -1, -0.5, 0, None])
def test_numbers_and_other_text_stay_as_they_are(cell):
    assert escape_formula(cell) == cell
    assert type(escape_formula(cell)) is type(cell)


@pytest.fixture
def played(tmp_path):
    """Return a file of two games between players whose names are formulas."""
    rules = gravity.Rules(size=8, stones=2, spacing=2)
    game = catalog.game("gravity")
    players = [catalog.player(game, "random"), catalog.player(game, "reply")]
    games = synchronous.play_match(GameTerms(rules=rules, names=(FORMULA, SUM), seed=1), players)
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"".join(map(record.to_line, games)))
    return file


def rows(file):
    return list(csv.DictReader(file.read_text().splitlines()))


def test_exports_of_records(played, tmp_path):
    for by, column in (("seat", "player"), ("move", "player")):
        out = tmp_path / f"{by}.csv"
        assert run(["export", str(played), str(out), "--by", by]) == 0
        assert {row[column] for row in rows(out)} == {f"'{FORMULA}", f"'{SUM}"}
        plain = tmp_path / f"{by}.json"
        assert run(["export", str(played), str(plain), "--by", by]) == 0
        assert {row[column] for row in msgspec.json.decode(plain.read_bytes())} == {FORMULA, SUM}


def test_ratings(played, tmp_path):
    assert run(["rate", str(played), "--csv", str(tmp_path / "ratings.csv")]) == 0
    found = rows(tmp_path / "ratings.csv")
    assert {row["name"] for row in found} == {f"'{FORMULA}", f"'{SUM}"}
    assert any(float(row["elo"]) < 0 for row in found), "a number below 0 stays a number"


def test_a_table_of_matches():
    players = (Entrant("ann", "-x"), Entrant("ben", SUM))
    lines = SeriesResults(Plan(game="gravity", players=players, vary={"stones": (3,)}), [(0, 1)]).to_csv().splitlines()
    assert lines[1].split(",")[:4] == ["gravity", "'-x", f"'{SUM}", "3"]


def test_standings_of_a_contest():
    row = RankedEntrant(1, "@x", 0.5, 2.0, 2, 0, 1, 1, 0, None, 4)
    text = encode_rows(".csv", [msgspec.structs.asdict(row)], RankedEntrant).decode()
    assert text.splitlines()[1].split(",")[:3] == ["1", "'@x", "0.5"]
