"""Contests on the disk: missing games, games that count, and files that people or crashes have changed."""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from hinterland.cli import run
from hinterland.contest import engine, plan_file, workers
from hinterland.contest.folder import ContestFolder, create
from hinterland.contest.matches import VoidGames
from hinterland.contest.plan import Entrant, Plan, make_format
from hinterland.contest.played import Played
from hinterland.errors import BadText, RecordError, RulesError
from hinterland.host import synchronous
from hinterland.host.observer import Observer, Observers
from hinterland.referee import judge, record
from sigkill_contests import torture

pytestmark = pytest.mark.once

PLAN = Plan(
    game="dots",
    players=tuple(Entrant(name, spec) for name, spec in (("ann", "random"), ("bob", "closer"), ("cas", "random"))),
    pairings=3,
    rules={"dots": 6},
    boards=True,
    seed=5,
)


@pytest.fixture
def hinterland(capsys):
    def call(*words, code=0):
        assert run(["contest", *map(str, words)]) == code
        told = capsys.readouterr()
        return told.out if code == 0 else told.err

    return call


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A contest that was played without interruption."""
    folder = tmp_path_factory.mktemp("whole") / "contest"
    engine.run(PLAN, folder)
    return folder


@pytest.fixture
def played(whole, tmp_path):
    """A copy of ``whole``."""
    folder = tmp_path / "contest"
    folder.mkdir()
    for name in ("plan.toml", "records.jsonl"):
        (folder / name).write_bytes((whole / name).read_bytes())
    return folder


def lines_of(folder):
    return (folder / "records.jsonl").read_bytes().splitlines(keepends=True)


def write_lines(folder, lines):
    (folder / "records.jsonl").write_bytes(b"".join(lines))


def bare(line):
    game = json.loads(line)
    return {name: value for name, value in game.items() if name not in ("times", "crc")}


def in_order(lines):
    return sorted((bare(line) for line in lines), key=lambda game: (game["contest"]["task"], game["number"]))


# who reads it


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such modes there")
def test_a_plan_with_tokens_is_its_users_alone(tmp_path, hinterland):
    def mode(name):
        return (tmp_path / name / "plan.toml").stat().st_mode & 0o777

    hinterland("new", tmp_path / "open", "dots", "random", "closer")
    assert mode("open") & 0o044 == 0o044, "the control: no secret is in it"
    hinterland("new", tmp_path / "closed", "dots", "random", "ann=connect")
    assert mode("closed") == 0o600
    hinterland("add", tmp_path / "closed", "ben=connect")
    assert mode("closed") == 0o600
    hinterland("add", tmp_path / "open", "ben=connect")
    assert mode("open") == 0o600, "with the first token"


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such modes there")
def test_a_plan_into_which_somebody_wrote_tokens_is_closed_when_it_is_played(tmp_path):
    create(tmp_path / "contest", PLAN, {})
    path = tmp_path / "contest" / "plan.toml"
    path.write_text(path.read_text() + "\n[tokens]\nann = 'abcdefghijkl'\n")
    assert path.stat().st_mode & 0o004
    with ContestFolder.locked(tmp_path / "contest"):
        assert path.stat().st_mode & 0o007 == 0


# playing on


@pytest.mark.parametrize("kept", [0, 1, 7, 17])
def test_what_is_missing_is_played_and_nothing_else(played, whole, kept, hinterland):
    lines = lines_of(whole)
    write_lines(played, lines[:kept])
    out = hinterland("run", played)
    assert lines_of(played)[:kept] == lines[:kept]
    assert in_order(lines_of(played)) == in_order(lines)
    assert out == hinterland("run", whole)


def test_single_games_of_a_match_are_played_alone(played, whole):
    lines = lines_of(whole)
    write_lines(played, lines[1::2])
    engine.run(PLAN, played)
    assert in_order(lines_of(played)) == in_order(lines)


@pytest.mark.thorough
def test_kills_lose_nothing_and_play_nothing_twice():
    """The long way: ``python tests/sigkill_contests.py 200 7``."""
    counted, _ = torture(3, seed=4, pairings=8)
    assert sum(counted.values()) == 3


def test_two_runs_at_once_the_second_is_refused(played, hinterland):
    with ContestFolder.locked(played):
        for command in (["run", played], ["add", played, "closer"]):
            told = hinterland(*command, code=2)
            assert re.fullmatch(r"hinterland: \S+records.jsonl is being played by another process; .+status.+\n", told)
        assert "18 games played · over" in hinterland("status", played)


# records that were changed


def test_a_last_line_that_was_cut_short_is_taken_off(played, whole):
    lines = lines_of(whole)
    write_lines(played, [*lines[:-1], lines[-1][:50]])
    assert ContestFolder(played).played.games == 17
    engine.run(PLAN, played)
    assert in_order(lines_of(played)) == in_order(lines)


def test_doubled_lines_count_once(played, whole, hinterland):
    lines = lines_of(whole)
    write_lines(played, lines + lines[:5])
    out = hinterland("status", played)
    assert "5 records are of games with an earlier record; each game counts once" in out
    assert hinterland("status", whole).splitlines() == [line for line in out.splitlines() if "counts once" not in line]


def test_a_broken_line_is_named_and_its_game_played_again(played, whole, hinterland):
    lines = lines_of(whole)
    lines[3] = lines[3][:-40] + b"\n"
    write_lines(played, lines)
    assert "line 4: not a whole line of JSON" in hinterland("status", played)
    hinterland("run", played)
    assert ContestFolder(played).played.is_over
    assert in_order(lines_of(played)[:3] + lines_of(played)[4:]) == in_order(lines_of(whole))


def test_a_digit_that_was_changed_is_found(played, whole, hinterland):
    lines = lines_of(whole)
    lines[5] = lines[5].replace(b'"scores":[', b'"scores":[1', 1)
    write_lines(played, lines)
    assert "line 6: its checksum is not that of its content; its game is played again" in hinterland("status", played)
    hinterland("run", played)
    assert hinterland("status", played).splitlines()[:-1] == hinterland("status", whole).splitlines()


def test_records_of_another_plan_are_refused(played, whole, hinterland):
    (played / "plan.toml").write_text((whole / "plan.toml").read_text().replace("seed = 5", "seed = 6"))
    told = hinterland("run", played, code=2)
    assert re.search(r"records.jsonl, line 1: a game of another plan: its hash is '\w+', not \w+; plan.toml was", told)
    assert lines_of(played) == lines_of(whole)


def test_records_of_no_contest_are_refused(played, whole, hinterland):
    line = record.read_line(lines_of(whole)[0])
    import msgspec

    free = record.sealed(msgspec.structs.replace(line, contest=msgspec.UNSET))
    write_lines(played, [record.to_line(free)])
    assert "line 1: a game of no contest" in hinterland("run", played, code=2)


def test_a_plan_edited_while_it_runs_is_told(tmp_path, capsys):
    create(tmp_path / "c", PLAN, {})
    with ContestFolder.locked(tmp_path / "c") as contest:
        assert not contest.was_edited()
        text = (tmp_path / "c" / "plan.toml").read_text()
        (tmp_path / "c" / "plan.toml").write_text(text.replace("pairings = 3", "pairings = 4"))
        assert contest.was_edited()
        (tmp_path / "c" / "plan.toml").write_text("nonsense")
        assert contest.was_edited()


FULL = """
import resource, sys
sys.dont_write_bytecode = True  # else it would leave cut files behind, which no later process could read
from pathlib import Path
from hinterland.cli import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.exit(run(["contest", "run", sys.argv[1]]))
"""


def test_a_full_disk_stops_it_and_loses_nothing(tmp_path, whole):
    folder = tmp_path / "c"
    create(folder, PLAN, {})
    room = sum(map(len, lines_of(whole)[:7])) + 10
    words = [sys.executable, "-c", FULL, str(folder), str(room)]
    stopped = subprocess.run(words, capture_output=True, text=True, check=False)
    assert stopped.returncode == 2
    assert re.search(r"^hinterland: \S+records.jsonl cannot be written: File too large$", stopped.stderr, re.MULTILINE)
    assert 0 < ContestFolder(folder).played.games <= 7
    engine.run(PLAN, folder)
    assert in_order(lines_of(folder)) == in_order(lines_of(whole))


# plans


def test_a_plan_is_read_back_as_it_was_written(tmp_path):
    plans = [
        PLAN,
        Plan(game="dots", players=PLAN.players[:2], format="swiss", options={"rounds": 3}, vary={"dots": (5, 6)}),
        Plan(
            game="gravity", players=(Entrant("two words", "reply"), Entrant('"#', "search:seconds=0.5")),
            openings=(((1, 2), (5, 6)), ((3, 4),)), rules={"size": 20, "spacing": 2, "law": "nearest"},
        ),
    ]  # fmt: skip
    for number, plan in enumerate(plans):
        folder = tmp_path / str(number)
        create(folder, plan, {})
        assert plan_file.read(folder) == (plan, {})
        assert plan_file.read(folder)[0].hash == plan.hash
    assert len({plan.hash for plan in plans}) == len(plans)


def test_a_player_who_is_added_meets_all_others_and_what_was_played_stands(played, whole, hinterland):
    text = (played / "plan.toml").read_text().replace("pairings = 3", "pairings = 3 # three times")
    (played / "plan.toml").write_text(text)
    hinterland("add", played, "dan=closer")
    assert "# three times" in (played / "plan.toml").read_text()
    hinterland("run", played)
    contest = ContestFolder(played)
    assert [len(round_) for round_ in contest.played.rounds] == [3, 3]
    assert {result.table for result in contest.played.rounds[1]} == {(0, 3), (1, 3), (2, 3)}
    assert lines_of(played)[:18] == lines_of(whole)
    assert "'dan' already" in hinterland("add", played, "dan=random", code=2)


def test_a_player_added_before_the_first_game_is_one_of_the_first(tmp_path, hinterland):
    create(tmp_path / "c", PLAN, {})
    hinterland("add", tmp_path / "c", "closer")
    assert ContestFolder(tmp_path / "c").plan.added == 0
    assert len(ContestFolder(tmp_path / "c").played.tasks.tables) == 6


def test_formats_without_room_for_more_say_so(tmp_path, hinterland):
    hinterland("new", tmp_path / "c", "dots", "random", "closer", "a=random", "--format", "knockout", "--dots", "6")
    hinterland("run", tmp_path / "c")
    told = hinterland("add", tmp_path / "c", "b=random", code=2)
    assert re.search(r"nobody can be added to knockout; players can be added to round-robin, gauntlet", told)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["dots", "random"], "round-robin needs 2 players or more, not 1"),
        (["dots"], "round-robin needs 2 players or more, not 0"),
        (["dots", "random", "random"], "two players are called 'random'; give one another name, such as "),
        (["dots", "random", "strong"], "unknown player of dots 'strong'; known: "),
        (["dots", "random", "bob=strong"], "unknown player of dots 'strong'; known: "),
        (["dots", "random", "bob=cmd:./nobody"], "player bob: "),
        (["chess", "a", "b"], "unknown game 'chess'; known: gravity, graph, dots"),
        (["dots", "random", "closer", "--format", "ladder"], "unknown format 'ladder'; known: round-robin, "),
        (["dots", "random", "closer", "--rounds", "3"], "unknown option of format round-robin 'rounds'; known: "),
        (["dots", "random", "closer", "--pairings", "0"], "--pairings is a whole number from 1 to "),
        (["dots", "random", "closer", "--seed", "-1"], "seed "),
        (["dots", "random", "closer", "--clock", "0"], "clock: from 0.001 to 1,000,000 seconds"),
        (["dots", "random", "closer", "--size", "9"], "'size'"),
        (["dots", "random", "closer", "--vary", "dots"], "--vary is written option=value,value"),
        (
            ["dots", "random", "closer", *(f"--vary=o{one}={','.join(map(str, range(100)))}" for one in range(5))],
            "vary makes 100 x 100 x 100 x 100 x 100 combinations; 10,000 are the most",
        ),
        (
            ["dots", *(f"p{one}=random" for one in range(100)), "--pairings", "10000000"],
            "4,950 tables x 10,000,000 pairings x 1 variations are more than 20,000,000 matches in a round",
        ),
        (
            ["dots", *(f"p{one}=random" for one in range(9)), "--pairings", "10000000", "--format", "swiss"],
            "9 tables x 10,000,000 pairings",
        ),
        (["dots", "random", "closer", "--openings", "none.txt"], "none.txt cannot be read: No such file"),
    ],
)
def test_what_cannot_be_played_is_one_clear_line(words, complaint, tmp_path, hinterland):
    told = hinterland("new", tmp_path / "c", *words, code=2)
    assert told.startswith("hinterland: ")
    assert complaint in told
    assert told.count("\n") == 1
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("seed = 5", "seed = ", "plan.toml: "),
        ("seed = 5", "seeed = 5", "plan.toml: Object contains unknown field `seeed`"),
        ("seed = 5", 'seed = "five"', "plan.toml: Expected `int`, got `str` - at `$.seed`"),
        ('game = "dots"', 'game = "chess"', "plan.toml: unknown game 'chess'"),
        ("hinterland-contest/1", "hinterland-contest/9", "plan.toml: contest should be 'hinterland-contest/1', not"),
        ("budget = 120.0", "budget = -1.0", "plan.toml: budget of a clock is from 0 to 1,000,000 seconds, not -1.0"),
        ("budget = 120.0", "bugdet = 1.0", "plan.toml: a clock has budget, increment, move, in seconds, not 'bugdet'"),
        ('cas = "random"', 'cas = "nobody"', "plan.toml: unknown player of dots 'nobody'"),
        ('cas = "random"', 'bob = "random"', "plan.toml: "),
        ("seed = 5", f"seed = {'[' * 9000}", "plan.toml: it is nested too deeply for a plan"),
        ("seed = 5", f"rules = {'{a=' * 5000}1{'}' * 5000}", "plan.toml: it is nested too deeply for a plan"),
        ("seed = 5", "#" * 5_000_000, "plan.toml is larger than 4 MiB, which no plan needs"),
    ],
)
def test_a_plan_that_cannot_be_read_is_one_clear_line(old, new, complaint, tmp_path, hinterland):
    create(tmp_path / "c", PLAN, {})
    text = (tmp_path / "c" / "plan.toml").read_text()
    assert old in text
    (tmp_path / "c" / "plan.toml").write_text(text.replace(old, new))
    told = hinterland("run", tmp_path / "c", code=2)
    assert complaint in told
    assert told.count("\n") == 1


def test_a_folder_without_a_plan_or_with_one(tmp_path, hinterland):
    assert "plan.toml is not there: `hinterland contest new" in hinterland("run", tmp_path, code=2)
    create(tmp_path / "c", PLAN, {})
    assert "is there already" in hinterland("new", tmp_path / "c", "dots", "random", "closer", code=2)
    with pytest.raises(BadText, match="holds another plan"):
        engine.run(Plan(game="dots", players=PLAN.players[:2]), tmp_path / "c")


def test_a_cluster_that_is_gone_is_told(tmp_path, hinterland, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "CONNECT_S", 1)
    create(tmp_path / "c", PLAN, {})
    told = hinterland("run", tmp_path / "c", "--cluster", "tcp://127.0.0.1:9", code=2)
    assert re.search(r"^hinterland: no Dask cluster answers at 'tcp://127.0.0.1:9'", told)


def test_a_program_that_cannot_be_started_ends_it_at_once(tmp_path, hinterland):
    bot = tmp_path / "bot.py"
    bot.write_text("raise SystemExit('no licence')")
    players = ("closer", f"bob=cmd:{sys.executable} {bot}", "ann=random")
    hinterland("new", tmp_path / "c", "dots", *players, "--dots", 6, "--pairings", 5)
    told = hinterland("run", tmp_path / "c", code=2)
    assert re.search(r"^bob: the program ended: exit status 1; its last words: 'no licence'", told, re.MULTILINE)
    assert re.search(r"^hinterland: 1 of 3 players do not start, so nothing was played: bob;", told, re.MULTILINE)
    assert (tmp_path / "c" / "records.jsonl").read_bytes() == b""


def test_timed_players_are_not_crowded_unless_told(tmp_path, hinterland):
    options = ("--dots", 6, "--pairings", 1)
    hinterland("new", tmp_path / "timed", "dots", "random", "mcts:seconds=0.01", *options)
    told = hinterland("run", tmp_path / "timed", "--jobs", 500, code=2)
    assert re.search(r"500 jobs on \d+ processors would disturb players that look at a clock \(mcts:sec", told)
    hinterland("new", tmp_path / "free", "dots", "random", "mcts:playouts=5", *options)
    assert ContestFolder(tmp_path / "free").plan.timed == ()


def test_openings_are_played_in_turn(tmp_path, hinterland):
    file = tmp_path / "openings.txt"
    file.write_text("[[0, 1]]\n\n[[0, 2], [3, 4]]\n")
    words = ("dots", "random", "closer", "--dots", 6, "--board-seed", 1, "--pairings", 3, "--openings", file)
    hinterland("new", tmp_path / "c", *words)
    hinterland("run", tmp_path / "c")
    games = [json.loads(line) for line in lines_of(tmp_path / "c")]
    begun = [tuple(map(tuple, game["moves"][: 1 + game["contest"]["task"] % 2])) for game in games]
    assert begun == [((0, 1),)] * 2 + [((0, 2), (3, 4))] * 2 + [((0, 1),)] * 2
    file.write_text("[[0, 1]]\n[[0, 1, 2]]\n")
    told = hinterland("new", tmp_path / "d", *words, code=2)
    assert re.search(r"openings.txt, line 2: a move is an array of whole numbers \[a, b\]", told)


def test_an_opening_that_is_illegal_names_itself(tmp_path):
    plan = Plan(
        game="dots", players=PLAN.players, rules={"dots": 6, "board_seed": 1}, pairings=2,
        openings=(((0, 1),), ((0, 1), (0, 1))),
    )  # fmt: skip
    create(tmp_path / "c", plan, {})
    with pytest.raises(BadText, match=r"^opening 2: "):
        engine.run(plan, tmp_path / "c")
    assert not Path(tmp_path / "c" / "records.jsonl").read_bytes()


def test_impossible_rules_are_refused_before_anything_is_written(tmp_path, hinterland):
    told = hinterland("new", tmp_path / "c", "gravity", "random", "reply", "--size", "5", "--stones", "9", code=2)
    assert told.count("\n") == 1
    with pytest.raises((RulesError, RecordError, BadText)):
        engine.run(Plan(game="gravity", players=PLAN.players, rules={"size": 1}), tmp_path / "d")


def test_the_void_games_of_programs_are_passed_on_too():
    kept = []
    followers = Observers([VoidGames(kept.append), Observer()])
    for reason in ("complete", "void", "time"):
        followers.on_game_over(None, SimpleNamespace(reason=reason))
    assert [one.reason for one in kept] == ["void"]


def test_a_void_game_is_listed_and_played_again_in_the_same_run(whole, tmp_path, monkeypatch):
    play_game, spoiled = synchronous.play_game, iter([True])

    def play(game, *rest):
        if next(spoiled, False):
            return judge.step(game, judge.Void("the power went"), 0)[0]
        return play_game(game, *rest)

    monkeypatch.setattr(synchronous, "play_game", play)
    played = engine.run(PLAN, tmp_path / "c")
    assert (played.is_over, [game.detail for game in played.void]) == (True, ["the power went"])
    counted = [line for line in lines_of(tmp_path / "c") if bare(line)["reason"] != "void"]
    assert in_order(counted) == in_order(lines_of(whole))


def test_a_game_with_its_players_in_other_seats_is_none_of_the_contest(tmp_path):
    plan = Plan(game="dots", players=(Entrant("ann", "random"), Entrant("bob", "random")), rules={"dots": 5})
    engine.run(plan, tmp_path / "c")
    found = record.read_line((tmp_path / "c" / "records.jsonl").read_bytes().splitlines()[0])
    played = Played(plan, make_format(plan))
    assert not played.count(msgspec.structs.replace(found, players=found.players[::-1]))
    assert (played.games, played.strays) == (0, 1)
