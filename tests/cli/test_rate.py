"""``hinterland rate`` on records of matches that were really played, and on records put together by hand."""

import csv
import io
import json
import tracemalloc
import xml.etree.ElementTree as ElementTree

import msgspec
import pytest

from hinterland.cli import run
from hinterland.contest.rated_records import RatedRecords
from hinterland.contest.report.rating_table import RatedPlayer, to_svg
from hinterland.contest.scoring import score_match
from hinterland.referee import record as records

BOARD = ["--size", "16", "--spacing", "4", "--stones", "2"]
PAIRS = [("random", "reply"), ("random", "lloyd"), ("lloyd", "reply")]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("rate") / "games.jsonl"
    for seed in (1, 2, 3):
        for pair in PAIRS:
            words = ["match", "gravity", *pair, *BOARD, "--seed", str(seed), "--record", str(path), "--quiet"]
            assert run(words) == 0
    return path


@pytest.fixture
def rated(capfd):
    def rate(*words):
        capfd.readouterr()
        code = run(["rate", *map(str, words)])
        said = capfd.readouterr()
        return code, said.out, said.err

    return rate


def lines(file):
    return [records.read_line(line) for line in file.read_bytes().splitlines(keepends=True)]


def rewritten(path, kept):
    path.write_bytes(b"".join(records.to_line(records.sealed(record)) for record in kept))
    return path


def test_the_table_has_everybody_and_says_that_there_is_too_little(rated, file):
    code, out, err = rated(file)
    assert (code, err) == (0, "")
    assert out.startswith("gravity · 18 games in 9 matches · davidson\n")
    assert "ratings are provisional, with fewer than 10 matches: lloyd 6, random 6, reply 6" in out
    assert "above next" in out


def test_json_csv_and_table_agree_with_the_matches_themselves(rated, file):
    _, out, _ = rated(file, "--json")
    told = json.loads(out)
    _, out, _ = rated(file, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(out)))
    played = lines(file)
    for player, row in zip(told["players"], rows, strict=True):
        pairs = [played[at : at + 2] for at in range(0, 18, 2)]
        own = [pair for pair in pairs if player["name"] in pair[0].players]
        worths = [score_match(pair[0].players, pair) for pair in own]
        seats = [pair[0].players.index(player["name"]) for pair in own]
        points = sum(worth.half_points[seat] for worth, seat in zip(worths, seats, strict=True)) / 2
        assert player["points"] == points == float(row["points"])
        assert (player["matches"], player["games"]) == (6, 12)
        assert float(row["elo"]) == pytest.approx(player["elo"], abs=1e-4)
        assert player["low"] < player["elo"] < player["high"]
    assert [player["elo"] for player in told["players"]] == sorted((p["elo"] for p in told["players"]), reverse=True)
    assert sum(told["nash_average"]) == pytest.approx(1)


def test_the_order_of_files_and_lines_changes_nothing(rated, file, tmp_path):
    played = lines(file)
    pairs = [played[at : at + 2] for at in range(0, 18, 2)]
    turned = [rewritten(tmp_path / f"{n}.jsonl", pair) for n, pair in enumerate(reversed(pairs))]
    assert rated(*turned, "--json") == rated(file, "--json")


def test_an_anchor_and_a_picture(rated, file, tmp_path):
    written = ("--svg", tmp_path / "a.svg", "--csv", tmp_path / "a.csv")
    _, out, _ = rated(file, "--anchor", "random=1000", "--json", *written)
    players = {player["name"]: player for player in json.loads(out)["players"]}
    assert (players["random"]["elo"], players["random"]["low"]) == (1000, 1000)
    drawn = ElementTree.parse(tmp_path / "a.svg").getroot()
    texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"random", "lloyd", "reply"} < set(texts)
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}circle"))) == 3
    assert (tmp_path / "a.csv").read_text().startswith("name,pool,elo,low,high")


def test_games_of_a_contest_are_put_together_by_their_place_and_count_once(file):
    played = lines(file)
    places = [records.ContestPlace("p" * 8, 0, number // 2) for number in range(18)]
    placed = [msgspec.structs.replace(one, contest=place) for one, place in zip(played, places, strict=True)]
    found = RatedRecords()
    for one in [*placed[::2], *placed[1::2], *placed]:
        found.add(one)
    assert found.finish().matches == 9
    assert found.incomplete == 0


def test_void_games_do_not_count_and_matches_that_lack_games_are_told(rated, file, tmp_path):
    first, second, third, *_ = lines(file)
    void = msgspec.structs.replace(second, reason="void")
    code, out, _ = rated(rewritten(tmp_path / "a.jsonl", [first, void, third]))
    assert code == 0
    assert "not counted: 1 void game\ngames are missing of 2 matches\n" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name at least one file of records"),
        (["nowhere.jsonl"], "nowhere.jsonl is not there"),
        (["."], ". is a directory, not a file of records"),
        (["FILE", "--anchor", "nobody=0"], "unknown player to anchor ratings on 'nobody'; known: lloyd, random, reply"),
        (["FILE", "--anchor", "random"], "--anchor is NAME=ELO"),
        (["FILE", "--anchor", "random=nan"], "--anchor is NAME=ELO"),
        (["FILE", "--game", "chess"], "unknown game 'chess'; known: gravity, graph, dots"),
        (["FILE", "--game", "dots"], "nothing to rate: the files hold no game of dots"),
        (["FILE", "--model", "elo"], 'Invalid value "elo" for --model'),
        (["FILE", "--svg", "no/such/folder.svg"], "cannot be written"),
    ],
)
def test_what_cannot_be_rated_is_refused_in_one_line(rated, file, words, message):
    code, out, err = rated(*(file if word == "FILE" else word for word in words))
    assert code == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_two_games_in_one_file_are_refused_unless_one_is_chosen(rated, file, tmp_path):
    played = lines(file)[:4]
    others = [msgspec.structs.replace(one, game="dots") for one in played[2:]]
    mixed = rewritten(tmp_path / "a.jsonl", [*played[:2], *others])
    code, _, err = rated(mixed)
    assert code == 2
    assert "records of 'gravity' and 'dots' are mixed" in err
    assert rated(mixed, "--game", "gravity")[0] == 0
    assert "2 games in 1 match" in rated(mixed, "--game", "gravity")[1]


def left_by(seat):
    return [{"plies": 1, "seat": seat, "event": "left", "reason": "time", "detail": "x"}]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("between", left_by(9), "it speaks of seat 9; seats go from 0 to 1"),
        ("between", left_by(-1), "it speaks of seat -1; seats go from 0 to 1"),
        ("winners", [2], "it speaks of seat 2; seats go from 0 to 1"),
        ("players", [], "a game has at least 2 players, not 0"),
        ("scores", [3], "it has 1 scores for 2 players"),
    ],
)
def test_a_record_of_seats_that_there_are_not_is_named(file, rated, tmp_path, field, value, words):
    first, second, *_ = file.read_text().splitlines()
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(f"{first}\n{json.dumps({**json.loads(second), field: value})}\n")
    assert rated(wrong) == (2, "", f"hinterland: {wrong}, line 2: {words}\n")


def test_one_game_of_a_large_file_is_read_without_the_others(file, tmp_path, capsys):
    line = file.read_bytes().splitlines(keepends=True)[0]
    large = tmp_path / "large.jsonl"
    large.write_bytes(line * 5_000)
    tracemalloc.start()
    try:
        assert run(["replay", str(large), "--game", "5000"]) == 0
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "game 5000 of 5000" in capsys.readouterr().out
    assert peak < 2_000 * len(line)
    assert run(["analyse", str(large), "--game", "5001"]) == 2
    assert "holds games 1 to 5000, not game 5001" in capsys.readouterr().err


def test_names_in_the_picture_of_ratings_are_text():
    row = RatedPlayer("<b>&", 1, 0.0, -9.0, 9.0, 2, 1, 1, 1.0, 0.5, None, None, {})
    texts = [one.text for one in ElementTree.fromstring(to_svg([row])).iter("{http://www.w3.org/2000/svg}text")]
    assert "<b>&" in texts


def test_what_cannot_be_rated_leaves_the_old_table(tmp_path):
    file, table = tmp_path / "games.jsonl", tmp_path / "old.csv"
    board = ("--size", "16", "--spacing", "4", "--stones", "2")
    assert run(["match", "gravity", "random", "lloyd", *board, "--record", str(file), "--quiet"]) == 0
    table.write_text("old")
    assert run(["rate", str(file), "--csv", str(table), "--anchor", "nobody=0"]) == 2
    assert table.read_text() == "old"
