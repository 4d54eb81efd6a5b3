"""The commands as a user types them: what they print, write and exit with."""

import json
import re

import msgspec
import pytest

MATCH = ["match", "gravity", "random", "reply", "--size", "30", "--spacing", "4", "--stones", "2", "--seed", "1"]


@pytest.fixture
def recorded(tmp_path, hinterland):
    file = tmp_path / "a.jsonl"
    hinterland(*MATCH, "--record", file)
    return file


def test_a_match_prints_both_games_the_sums_and_the_winner(hinterland, recorded):
    out = hinterland(*MATCH).out
    first, second = (json.loads(line) for line in recorded.read_text().splitlines())
    for name, scores in (
        ("random", (first["scores"][0], second["scores"][1])),
        ("reply", (first["scores"][1], second["scores"][0])),
    ):
        row = next(line for line in out.splitlines() if line.strip().startswith(name))
        assert re.findall(r"\d+", row.replace(",", ""))[:3] == [str(scores[0]), str(scores[1]), str(sum(scores))]
    assert "seed 1" in out
    assert re.search(r"^(random|reply) wins$", out, re.MULTILINE)


def test_two_runs_with_a_seed_differ_in_their_times_alone(hinterland, recorded, tmp_path):
    again = tmp_path / "b.jsonl"
    hinterland(*MATCH, "--record", again)
    records = [[json.loads(line) for line in file.read_text().splitlines()] for file in (recorded, again)]
    for games in records:
        for game in games:
            del game["times"]
    assert records[0] == records[1]


def test_a_match_as_json_and_quietly(hinterland, tmp_path):
    file = tmp_path / "c.jsonl"
    told = json.loads(hinterland(*MATCH, "--json", "--record", file).out)
    assert told["game"] == "gravity"
    assert [player["name"] for player in told["players"]] == ["random", "reply"]
    for player in told["players"]:
        assert sum(player["scores"]) == player["total"]
        assert len(player["scores"]) == 2
    assert told["record"] == str(file)
    assert hinterland(*MATCH, "--quiet").out.split() == told["winners"]


def test_without_a_seed_one_is_drawn_and_told(hinterland):
    told = json.loads(hinterland(*MATCH[:-2], "--json").out)
    assert 0 <= told["seed"] < 2**31


def test_weights_laws_and_melees_can_be_asked_for(hinterland):
    options = ("--size", 20, "--spacing", 3, "--stones", 2)
    out = hinterland("match", "gravity", "hug", "lloyd", "mirror", *options, "--weight", 9, "--law", "nearest").out
    assert "players=3 size=20 stones=2 spacing=3 weight=9 law=nearest" in out
    assert "game 3" in out


def test_what_is_whole_in_a_damaged_file_is_saved(hinterland, recorded, tmp_path):
    first, second = recorded.read_bytes().splitlines(keepends=True)
    broken = bytearray(first)
    broken[len(broken) // 2] ^= 1
    damaged, saved = tmp_path / "damaged.jsonl", tmp_path / "saved.jsonl"
    damaged.write_bytes(first + first[:300] + second + b"\0\0\xff\n" + bytes(broken) + first + second[:-9])
    told = hinterland("verify", damaged, "--salvage", saved, code=1)
    assert saved.read_bytes() == first + second + first
    assert "3 whole records saved in" in told.out
    assert "4 places hold none" in told.out
    lines = [int(number) for number in re.findall(r"damaged\.jsonl, line (\d+): ", told.err)]
    assert lines == [2, 3, 4, 6]
    assert "another record begins behind it" in told.err
    assert "3 games judged again, all agree" in hinterland("verify", saved).out
    assert "is there already" in hinterland("verify", damaged, "--salvage", saved, code=2).err
    told = json.loads(hinterland("verify", recorded, "--salvage", tmp_path / "all.jsonl", "--json").out)
    assert (told["saved"], told["lost"]) == (2, [])
    assert (tmp_path / "all.jsonl").read_bytes() == recorded.read_bytes()


def test_verify_agrees_and_finds_a_changed_digit(hinterland, recorded):
    assert "2 games judged again, all agree" in hinterland("verify", recorded).out
    line = recorded.read_bytes()
    place = line.index(b'"moves":[[') + 10
    recorded.write_bytes(line[:place] + (b"1" if line[place : place + 1] != b"1" else b"2") + line[place + 1 :])
    assert "line 1 (game 1)" in hinterland("verify", recorded, code=1).err
    told = json.loads(hinterland("verify", recorded, "--json", code=1).out)
    assert told["agrees"] is False
    assert told["difference"]


def test_replay_prints_and_draws(hinterland, recorded, tmp_path):
    out = hinterland("replay", recorded, "--game", 2).out
    game = json.loads(recorded.read_text().splitlines()[1])
    for row, col in game["moves"]:
        assert f"{row},{col}" in out
    assert "game 2 of 2" in out
    pictures = [tmp_path / name for name in ("a.png", "a.svg", "a.gif")]
    hinterland("replay", recorded, "--png", pictures[0], "--svg", pictures[1], "--gif", pictures[2])
    assert [file.read_bytes()[:4] for file in pictures] == [b"\x89PNG", b"<svg", b"GIF8"]


def test_replay_writes_a_page_over_an_older_file(hinterland, recorded, tmp_path):
    page = tmp_path / "a.html"
    page.write_text("x" * 1_000_000)
    told = hinterland("replay", recorded, "--game", 2, "--html", page, "--move", 1, "--title", "The <cup>")
    assert told.out == f"{page} written\n"
    assert page.read_text().startswith("<!doctype html>")
    assert page.read_text().endswith("</html>")
    assert "game 2 of the match" in page.read_text()
    assert "The &lt;cup&gt;" in page.read_text()
    assert '<main data-first="1">' in page.read_text()


def test_replay_makes_posters_and_videos(hinterland, recorded, tmp_path):
    pytest.importorskip("av")
    poster, large, video = (tmp_path / name for name in ("a.svg", "a.png", "a.mp4"))
    hinterland("replay", recorded, "--move", 1, "--poster", poster, "--title", "The <cup>")
    assert "The &lt;cup&gt;" in poster.read_text()
    assert "Move 1 of" in poster.read_text()
    hinterland("replay", recorded, "--poster", large, "--paper", "a5", "--mp4", video, "--size", "small")
    assert large.read_bytes().startswith(b"\x89PNG")
    assert video.read_bytes()[4:8] == b"ftyp"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--poster", "a.pdf"), "a poster ends in .svg or .png, not a.pdf"),
        (("--gif", "a.gif", "--size", "huge"), "unknown size 'huge'; known: small"),
        (("--poster", "a.png", "--paper", "b0"), "unknown paper 'b0'; known: a5"),
        (("--gif", "a.gif", "--title", "x" * 81), "a title has at most 80 printable characters"),
        (("--png", "a.png", "--move", 999), "--move counts the moves made"),
        (("--html", "a.html", "--move", 999), "--move counts the moves made: it can be 0 to 4, not 999"),
        (("--html", "a.html", "--title", "x" * 81), "a title has at most 80 printable characters"),
        (("--html", "/no/such/a.html"), "/no/such/a.html cannot be written: No such file or directory"),
        (("--html", "/"), "/ cannot be written: Is a directory"),
    ],
)
def test_replay_refuses_what_it_cannot_draw(hinterland, recorded, options, words):
    told = hinterland("replay", recorded, *options, code=2)
    assert words in told.err
    assert told.err.count("\n") == 1


def test_games_and_players_are_listed(hinterland):
    listed = hinterland("games").out
    assert "--spacing 66" in listed
    assert "--board-seed 0" in listed
    game, graph, dots = json.loads(hinterland("games", "--json").out)
    assert game["rules"]["stones"] == 10
    assert (graph["name"], graph["rules"]["board"]) == ("graph", "random")
    assert (dots["name"], dots["rules"]["board"]) == ("dots", "random")
    names = [player["name"] for player in json.loads(hinterland("players", "gravity", "--json").out)]
    assert names == game["players"] == ["random", "mirror", "hug", "lloyd", "reply", "search"]
    listed = hinterland("players", "gravity").out
    assert all(name in listed for name in names)


def test_help_of_every_command(hinterland):
    out = hinterland("--help").out
    for name in ("serve", "match", "replay", "verify", "games", "players"):
        assert name in out
        assert f"Usage: hinterland {name}" in hinterland(name, "--help").out
    assert re.fullmatch(r"\d+\.\d+\.\d+", hinterland("--version").out.strip())


def test_names_from_a_record_cannot_steer_the_terminal(hinterland, recorded):
    from hinterland.referee import record

    spoiled = record.read_line(recorded.read_bytes().splitlines()[0])
    spoiled = msgspec.structs.replace(spoiled, players=("\x1b[2Jred\u202e", "b"))
    recorded.write_bytes(record.to_line(spoiled))
    out = hinterland("replay", recorded).out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\x1b[2Jred" in out
    assert "\x1b" not in hinterland("verify", recorded, code=1).err
