"""``arena-test`` as a user types it: which games it plays, what it says of them, and how sure it is."""

import csv
import json
import re

import numpy as np
import pytest

from hinterland.cli import run
from hinterland.contest import matches, schedule
from hinterland.errors import ArenaError
from hinterland.referee import match, record, verification

SMALL = ["--size", "12", "--spacing", "2", "--stones", "2"]
TEST = ["arena-test", "gravity", "reply", "--against", "random", *SMALL, "--seed", "7"]


def games_of(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def without_times(games):
    aside = ("times", "contest", "crc")
    return [{name: value for name, value in game.items() if name not in aside} for game in games]


# which games


def test_one_pairing_is_the_plain_match(hinterland, tmp_path):
    test, plain = tmp_path / "test.jsonl", tmp_path / "match.jsonl"
    hinterland(*TEST, "--pairings", 1, "--record", test)
    hinterland("match", "gravity", "reply", "random", *SMALL, "--seed", 7, "--record", plain)
    assert without_times(games_of(test)) == without_times(games_of(plain))


def test_each_opening_is_played_from_every_seat_and_by_every_row(hinterland, tmp_path):
    file = tmp_path / "games.jsonl"
    out = hinterland(*TEST, "--with", "hug", "--against", "lloyd", "--pairings", 2, "--jitter", 2, "--record", file).out
    assert "each pairing began with its first 2 moves drawn at random; an even share is 33.3 %" in out
    games = games_of(file)
    rotations = [games[first : first + 3] for first in range(0, 12, 3)]
    openings = [{str(game["moves"][:2]) for game in rotation} for rotation in rotations]
    assert [len(opening) for opening in openings] == [1] * 4
    assert openings[0] == openings[1] != openings[2] == openings[3], "both rows of a pairing, then the next pairing"
    for rotation, opponent in zip(rotations, ["random", "lloyd"] * 2, strict=True):
        around = ["reply", opponent, "hug"]
        assert [game["players"] for game in rotation] == [around[k:] + around[:k] for k in range(3)]
    for game in games:
        assert game["times"]["notes"] == [{"ply": ply, "text": match.DRAWN_NOTE} for ply in (0, 1)]
        assert game["times"]["ms"][:2] == [0, 0]
        verification.verify(record.read_line(json.dumps(game)))


def test_a_seed_repeats_the_games_and_another_does_not(hinterland, tmp_path):
    files = [tmp_path / name for name in "abc"]
    for file, seed in zip(files, (7, 7, 8), strict=True):
        hinterland(*TEST[:-1], seed, "--pairings", 3, "--record", file)
    first, again, other = (without_times(games_of(file)) for file in files)
    assert first == again
    assert first != other
    assert len({str(game["moves"][0]) for game in first}) == 3
    assert [game["seed"] for game in first[::2]] == [schedule.pairing_seed(7, 0, pairing) for pairing in range(3)]
    assert schedule.pairing_seed(7, 0, 0) == 7


@pytest.mark.parametrize(
    ("game", "options", "boards"),
    [
        ("graph", ("--vertices", 9, "--tokens", 2), 3),
        ("graph", ("--vertices", 9, "--tokens", 2, "--board-seed", 1), 1),
        ("gravity", SMALL, 1),
    ],
)
def test_each_pairing_has_another_board_where_there_are_many(hinterland, tmp_path, game, options, boards):
    file = tmp_path / "games.jsonl"
    given = ("--against", "random", *options, "--pairings", 3, "--record", file, "--json")
    told = json.loads(hinterland("arena-test", game, "random", *given).out)
    games = games_of(file)
    assert len({str(game["rules"]) for game in games}) == boards
    assert all(one["rules"] == two["rules"] for one, two in zip(games[::2], games[1::2], strict=True))
    assert told["another_board_each"] is (boards == 3)
    assert told["jitter"] == int(boards == 1)


# what is told


def test_every_figure_follows_from_the_records(hinterland, tmp_path):
    file, table = tmp_path / "games.jsonl", tmp_path / "table.csv"
    given = ("--against", "reply", "--vary", "law=gravity,nearest", "--pairings", 4, "--record", file, "--csv", table)
    told = json.loads(hinterland(*TEST, *given, "--json").out)
    games = games_of(file)
    assert [(row["against"], row["varied"]["law"]) for row in told["rows"]] == [
        (["random"], "gravity"), (["random"], "nearest"), (["reply"], "gravity"), (["reply"], "nearest"),
    ]  # fmt: skip
    assert told["rules"] == {"size": 12, "spacing": 2, "stones": 2}
    for place, row in enumerate(told["rows"]):
        sums = []
        for pairing in range(4):
            pair = games[8 * pairing + 2 * place :][:2]
            assert {game["rules"]["law"] for game in pair} == {row["varied"]["law"]}
            seats = [game["players"].index("reply") for game in pair]
            own = sum(game["scores"][seat] for game, seat in zip(pair, seats, strict=True))
            sums.append((own, sum(sum(game["scores"]) for game in pair) - own))
        assert row["shares"] == pytest.approx([own / (own + other) for own, other in sums])
        assert row["share"] == pytest.approx(np.mean(row["shares"]))
        assert row["won"] == sum(own > other for own, other in sums)
        assert row["drawn"] == sum(own == other for own, other in sums)
        assert row["won"] + row["drawn"] + row["lost"] == row["pairings"] == 4
        assert (row["games"], row["drawn_openings"]) == (8, 8)
        assert row["longest_move_ms"] >= row["move_ms"] >= 0
    lines = list(csv.DictReader(table.read_text().splitlines()))
    assert [line["won"] for line in lines] == [str(row["won"]) for row in told["rows"]]
    assert [float(line["share_low"]) for line in lines] == [round(row["share_interval"][0], 4) for row in told["rows"]]


def test_who_is_late_loses_and_is_counted(hinterland, monkeypatch):
    from hinterland.host import synchronous
    from hinterland.referee.clock import TimeControl

    moments = iter(range(0, 10**18, 2 * 10**9))
    monkeypatch.setattr(synchronous.LagMonitor, "_beat_on_thread", lambda _: None)  # it would read the clock, too
    monkeypatch.setattr(synchronous.time, "monotonic_ns", lambda: next(moments))
    assert TimeControl.of_seconds(3).budget_ms == 3000
    given = ("--clock", 3, "--pairings", 2, "--jitter", 0)
    told = json.loads(hinterland(*TEST, *given, "--json").out)["rows"][0]
    assert told["late"] == told["left"]["time"] == 2, "who moves first is late first, in the second of its moves"
    assert told["others_left"] == {"time": 2}
    out = hinterland(*TEST, *given).out
    assert "against random: reply left games: 2 by time\n" in out
    assert "  first reply left: reply ran out of time, " in out
    assert "it lost 2 of 4 games on time" in out
    assert "no move was drawn" in out


@pytest.mark.parametrize(
    ("stop", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "hinterland: interrupted\n"),
        (ArenaError("the bot is gone"), 2, "hinterland: the bot is gone\n"),
    ],
)
def test_cut_short_it_prints_what_was_played(hinterland, monkeypatch, stop, code, said):
    playing = matches.play_task

    def twice(task, **heard):
        if task.place.task == 2:
            raise stop
        return playing(task, **heard)

    monkeypatch.setattr(matches, "play_task", twice)
    told = hinterland(*TEST, "--json", code=code)
    assert json.loads(told.out)["interrupted"] is True
    assert [row["pairings"] for row in json.loads(told.out)["rows"]] == [2]
    assert [line for line in told.err.splitlines(keepends=True) if "stood still" not in line] == [said]
    assert re.search(r"^ random +\d +\d +\d +\d+ to \d+ ", hinterland(*TEST, code=code).out, re.MULTILINE)


def test_programs_begin_with_the_opening_as_well(tmp_path):
    """The referee that seats programs is given the same first moves."""
    import asyncio

    from hinterland.gravity import Rules, Stone
    from hinterland.host.live_match import MatchConfig
    from hinterland.host.observer import Observer
    from hinterland.host.specs import play_match
    from hinterland.referee.clock import TimeControl

    rules = Rules(size=12, spacing=2, stones=2)
    config = MatchConfig(rules=rules, control=TimeControl(), seed=1, opening=(Stone(3, 4),))
    games = asyncio.run(play_match(config, ["reply", "random"], ["reply", "random"], Observer()))
    assert [game.played[0] for game in games] == [(0, (3, 4))] * 2
    assert [game.times.notes for game in games] == [(record.Note(0, match.DRAWN_NOTE),)] * 2
    for game in games:
        verification.verify(game)


# complaints


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["arena-test", "gravity"], "PLAYER"),
        (["arena-test", "chess", "a"], "unknown game 'chess'"),
        (["arena-test", "gravity", "reply"], "name an opponent, such as --against random; players of gravity: random"),
        (["arena-test", "gravity", "nobody", "--against", "reply"], "unknown player of gravity 'nobody'"),
        ([*TEST, "--against", "replay"], "unknown player of gravity 'replay'"),
        ([*TEST, "--with", "reply:x=1"], "unknown option of player reply 'x'"),
        ([*TEST, "--players", "3"], "the number of players follows from the players named"),
        ([*TEST, "--pairings", "0"], "--pairings is a whole number from 1 to 100000, not 0"),
        ([*TEST, "--jitter", "-1"], "--jitter is a whole number from 0"),
        ([*TEST, "--jitter", "4"], "--jitter 4 leaves the players no move: gravity players=2 size=12"),
        ([*TEST, "--jobs", "0"], "--jobs is a whole number from 1"),
        ([*TEST[:-1], "-1"], "--seed is a whole number from 0"),
        ([*TEST, "--clock", "0"], "clock: from 0.001"),
        ([*TEST, "--colour", "red"], "unknown rule of gravity 'colour'"),
        ([*TEST, "--vary", "colour=1,2"], "unknown rule of gravity 'colour'"),
        ([*TEST, "--vary", "law"], "--vary is written option=value,value, such as stones=3,5, not 'law'"),
        ([*TEST, "--vary", "law=gravity,"], "--vary is written option=value,value"),
        ([*TEST, "--vary", "law=gravity,up"], "unknown law 'up'"),
        ([*TEST, "--vary", "law=gravity,gravity"], "names a value twice"),
        ([*TEST, "--vary", "stones=3,4"], "stones is given twice"),
        ([*TEST, "--vary", "weight=0"], "weight must be a whole number from"),
        ([*TEST, "--record", "/no/such/file"], "cannot be written: No such file"),
        ([*TEST, "--csv", "/no/such/file"], "cannot be written: No such file"),
        (["arena-test", "dots", "random", "--against", "random", "--with", "random"], "players must be 2"),
    ],
)
def test_one_clear_line(arguments, complaint, capsys):
    assert run(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(r"hinterland: [^\n]+\n", told.err)
    assert complaint in told.err


def test_help_names_every_option(hinterland):
    out = hinterland("arena-test", "--help").out
    assert all(f"--{name}" in out for name in ("against", "with", "vary", "pairings", "jitter", "jobs", "csv"))
