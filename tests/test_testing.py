"""``hinterland.testing``: positions from moves, text and records; what functions, players and programs answer there."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hinterland import catalog, gravity
from hinterland.contract import Clock
from hinterland.errors import ArenaError, BadText, GameOver, HinterlandError, IllegalMove, RulesError, UnknownName
from hinterland.gravity import Stone
from hinterland.host import synchronous
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.record import read_line
from hinterland.storage.records import RecordFile
from hinterland.testing import answer, assert_legal, position

ROOT = Path(__file__).parents[1]
SMALL = {"size": 12, "spacing": 3, "stones": 2}
DIAMOND = [(0, 0), (9, 0), (4, 8), (4, 3)]
POSITIONS = {
    "gravity": lambda: position("gravity", **SMALL, moves=[(3, 4), (9, 9)]),
    "graph": lambda: position("graph", vertices=9, tokens=2, moves=[3, 4]),
    "dots": lambda: position("dots", points=DIAMOND, moves=[(0, 1)]),
}
CHOOSE = "def choose(position, clock, rng):\n    return "


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(text, name="mybot.py"):
        (tmp_path / name).write_text(text)
        return f"./{name}"

    return written


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a file of two records."""
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    game = catalog.game("gravity")
    terms = GameTerms(rules=gravity.Rules(**SMALL), names=("random", "reply"), seed=1)
    with RecordFile(path) as file:
        synchronous.play_match(terms, [catalog.player(game, name) for name in terms.names], keep=file.add)
    return path


def choose(position, clock, rng):
    return position.legal_moves.sample(rng)


# Positions


@pytest.mark.parametrize(
    "moves",
    [
        [(3, 4), (9, 9)],
        [(0, (3, 4)), (1, (9, 9))],
        [Stone(3, 4), (1, Stone(9, 9))],
        [[3, 4], [1, [9, 9]]],
        np.array([(3, 4), (9, 9)]),
        ["3,4", "1:9,9"],
        [(0, "3,4"), (9, 9)],
        "3,4 9,9",
        "0:3,4\n1:9,9",
        ((row, row + 1 - row // 9) for row in (3, 9)),
    ],
    ids=lambda moves: type(moves).__name__,
)
def test_moves_are_written_in_many_ways(moves):
    made = position("gravity", **SMALL, moves=moves)
    assert made == gravity.Rules(**SMALL).start().play(Stone(3, 4)).play(Stone(9, 9))


def test_a_position_of_any_game_is_read_back_from_its_text():
    for name, make in POSITIONS.items():
        made = make()
        assert made.rules.game == name
        assert position(str(made)) == made
    lines = "gravity size=12 spacing=3 stones=2 ;\n 0:3,4\n 1:9,9\n"
    assert position(lines) == POSITIONS["gravity"]()


def test_options_are_those_of_the_command_line():
    weights = position("gravity", **SMALL, weight=9, players=3, moves=[(3, 4, 2), (0, 0), (11, 11, 9)])
    assert [weights.weight_left(seat) for seat in range(3)] == [7, 8, 0]
    assert weights.mover == 0
    names = position(
        "graph", edges=[(0, 1, 1), (1, 2, 1)], values=[1, 1, 1], names=["a", "b", "c"], tokens=1, moves="b"
    )
    assert names.moves[0][1].vertex == 1
    assert position("dots", dots=7).rules.dots == 7


def test_lost_turns_and_departures():
    made = position("gravity", **SMALL, players=3, moves=[(0, (3, 4)), (1, "lost"), "2:left", "9,9"])
    assert list(made.between) == [(1, 1, "lost"), (1, 2, "left")]
    assert (made.moves[1][0], made.mover) == (0, 1)


def test_a_position_of_a_record(played):
    lines = played.read_text().splitlines(keepends=True)
    end = position(lines[1])
    assert end.to_move is None
    for source in (played, str(played)):
        assert position(source, game=2) == end
        assert position(source, game=2, move=3) == end.before(3)
        assert position(source, move=1).moves == position(lines[0]).moves[:1]
    assert position(lines[1], move=0) == gravity.Rules(**SMALL).start()
    assert position(read_line(lines[1]), move=2) == end.before(2)


BAD = {
    "game": (lambda file: position("gravty", size=12), UnknownName, "unknown game 'gravty'; known: gravity, graph"),
    "option": (lambda file: position("gravity", sise=12), UnknownName, "unknown rule of gravity 'sise'; known: "),
    "value": (lambda file: position("gravity", stones=[(3, 4)]), RulesError, "stones must be a whole number"),
    "illegal": (lambda file: position("gravity", **SMALL, moves=[(3, 4), (3, 5)]), IllegalMove, "move 2: "),
    "outside": (lambda file: position("gravity", **SMALL, moves=[(12, 0)]), IllegalMove, "move 1: "),
    "seat": (lambda file: position("gravity", **SMALL, moves="1:3,4"), IllegalMove, "move 1: seat 0 is to move, not"),
    "numbers": (lambda file: position("gravity", **SMALL, moves=[(3,)]), BadText, "move 1: a move is an array of"),
    "nothing": (lambda file: position("gravity", **SMALL, moves=[None]), BadText, "move 1: a move is an array of"),
    "word": (lambda file: position("gravity", **SMALL, moves="3,4 x"), BadText, "move 2: a whole number was expected"),
    "no list": (lambda file: position("gravity", **SMALL, moves=7), BadText, "moves are a list such as [(3, 4)"),
    "left twice": (
        lambda file: position("gravity", **SMALL, players=3, moves="0:left 0:left"), RulesError, "move 2: seat 0 cannot"
    ),
    "too many": (lambda file: position("dots", dots=3, moves="0,1 1,2 0,2 0,1"), IllegalMove, "move 4: the game is"),
    "no file": (lambda file: position("games.jsonl"), BadText, "'games.jsonl' is neither a game (gravity, graph,"),
    "no name": (lambda file: position("x" * 300 + "."), BadText, "nor a file of records"),
    "number": (lambda file: position(7), BadText, "a position is made from a game's name, a text, a record or a file"),
    "no record": (lambda file: position("{}"), HinterlandError, "not a record of this program"),
    "which game": (lambda file: position(file, game=3), BadText, "holds games 1 to 2, not game 3"),
    "which move": (lambda file: position(file, move=5), BadText, "move counts the moves made: it can be 0 to 4, not 5"),
    "no move": (lambda file: position(file, move="1"), BadText, "it can be 0 to 4, not '1'"),
    "mixed": (lambda file: position(file, size=3, moves=[]), BadText, "moves, size cannot be given with a text or a"),
    "of records": (lambda file: position("gravity", move=3), BadText, "move cannot be given with the name of a game"),
    "rules alone": (lambda file: position("gravity size=x ;"), RulesError, "size must be a whole number"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_position_is_refused_in_one_line(played, case):
    make, kind, said = BAD[case]
    with pytest.raises(kind) as raised:
        make(played)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


# Bots in this process


@pytest.mark.parametrize("game", POSITIONS)
def test_functions_and_players(game):
    at = POSITIONS[game]()
    for bot in (choose, "random", catalog.player(catalog.game(game), "random")):
        assert answer(bot, at) in at.legal_moves
        assert_legal(bot, at)
        assert answer(bot, at, seed=5) == answer(choose, at, seed=5)
    first = next(iter(at.legal_moves))
    assert answer(lambda *_: first, at) == answer(lambda *_: list(first.numbers), at) == first
    assert len({answer(choose, at, seed=seed) for seed in range(20)}) > 1


def test_a_function_gets_the_clock():
    def told(position, clock, rng):
        clocks.append(clock)
        return (0, 0)

    clocks = []
    answer(told, POSITIONS["gravity"]())
    answer(told, POSITIONS["gravity"](), clock=Clock(500, 10, 100))
    assert clocks == [Clock(120_000), Clock(500, 10, 100)]


def test_a_note_is_no_part_of_the_answer():
    board = position("gravity", size=12, spacing=3)
    for returned in ((Stone(3, 4), "why"), ((3, 4), "why", [{"at": [0, 0]}]), [[3, 4], ""]):
        assert answer(lambda *_, returned=returned: returned, board) == Stone(3, 4)


def test_an_illegal_move_is_returned_and_asserted():
    def mybot(position, clock, rng):
        return 3, 5

    at = POSITIONS["gravity"]()
    assert answer(mybot, at) == Stone(3, 5)
    with pytest.raises(AssertionError) as raised:
        assert_legal(mybot, at)
    said = str(raised.value)
    assert said.startswith("mybot answered 3,5 for seat 0 at move 3 of gravity, which is illegal: ")
    assert "\n" not in said


@pytest.mark.parametrize("given", [None, (1.5, 2), (1, 2, 3, 4), 7, Stone(1.5, 2)])
def test_an_answer_that_is_no_move(given):
    def mybot(position, clock, rng):
        return given

    with pytest.raises(BadText, match=r"^mybot: [^\n]*$"):
        answer(mybot, POSITIONS["gravity"]())
    with pytest.raises(AssertionError, match=r"^mybot gave no move for seat 0 at move 3 of gravity: [^\n]*$"):
        assert_legal(mybot, POSITIONS["gravity"]())


def test_what_a_function_raises_is_not_caught():
    with pytest.raises(ZeroDivisionError):
        assert_legal(lambda *_: 1 // 0, POSITIONS["dots"]())


@pytest.mark.parametrize(
    ("bot", "options", "kind", "said"),
    [
        ("rely", {}, UnknownName, "unknown player of gravity 'rely'"),
        (7, {}, BadText, "a bot is a function choose(position, clock, rng), a player or a spec, not 7"),
        ("./nowhere.py", {}, ArenaError, "no file './nowhere.py'"),
        (Path("nowhere.py"), {}, ArenaError, "nowhere.py' in"),
        ("cmd:no-such-program", {}, ArenaError, "no program 'no-such-program' on the PATH"),
        ("cmd:", {}, BadText, "names no program"),
        ("hps:./bot", {}, BadText, "'hps:./bot' connects to a port; name a bot that speaks over its pipes"),
        (choose, {"clock": 5}, BadText, "clock is a Clock of hinterland.contract, such as Clock(left_ms=5000), not 5"),
        (choose, {"clock": Clock(0)}, RulesError, "budget_ms of a clock must be a whole number from 1"),
    ],
)
@pytest.mark.parametrize("ask", [answer, assert_legal])
def test_bad_arguments_are_refused_in_one_line(ask, bot, options, kind, said):
    with pytest.raises(kind) as raised:
        ask(bot, POSITIONS["gravity"](), **options)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_game_that_is_over_and_no_position(played):
    for ask in (answer, assert_legal):
        with pytest.raises(GameOver):
            ask(choose, position(played))
        with pytest.raises(BadText, match=r"a bot is asked in a position, which hinterland.testing.position makes"):
            ask(choose, gravity.Rules())


# Programs

PROTOCOL = """\
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    print(line, end="", file=open("heard.txt", "a"))
    if told["type"] == "hello":
        print(json.dumps({"type": "join", "name": "own"}), flush=True)
    if told["type"] == "turn":
        print(json.dumps({"type": "move", "game_id": told["game_id"], "turn": told["turn"], "move": MOVE}), flush=True)
"""


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("game", POSITIONS)
def test_a_file_answers_as_its_function_does(write, game):
    bot, at = write(CHOOSE + "position.legal_moves.sample(rng)"), POSITIONS[game]()
    assert answer(bot, at, seed=3) == answer(choose, at, seed=3)
    if game == "gravity":
        assert_legal(Path("mybot.py"), at)


@pytest.mark.usefixtures("nothing_left")
def test_a_program_is_asked_exactly_once_even_if_it_moves_again(write, tmp_path):
    write(PROTOCOL.replace("MOVE", "[9, 0]"), "own.py")
    bot = f"cmd:{sys.executable} own.py"
    at = position("gravity", **SMALL, players=3, moves=["0:left", "3,4", "9,9"])
    assert answer(bot, at, clock=Clock(None)) == Stone(9, 0)
    last = position("gravity", size=12, spacing=3, stones=3, weight=6, moves=[(0, (0, 0)), (1, (3, 4, 6))])
    assert last.play(Stone(9, 0)).mover == last.mover == 0
    assert_legal(bot, last)
    heard = [json.loads(line)["type"] for line in (tmp_path / "heard.txt").read_text().splitlines()]
    once = ["hello", "welcome", "game", "turn"]
    assert [kind for kind in heard if kind != "bye"] == once * 2  # it may be ended before it reads the farewell


@pytest.mark.usefixtures("nothing_left")
def test_an_illegal_answer_of_a_program(write):
    bot = write(CHOOSE + "3, 5")
    at = POSITIONS["gravity"]()
    assert answer(bot, at) == Stone(3, 5)
    with pytest.raises(AssertionError, match=r"^\./mybot\.py answered 3,5 for seat 0 at move 3 of gravity, which is"):
        assert_legal(bot, at)


FAULTS = {
    "an exception": (CHOOSE + "[][7]", "crash: the program ended: exit status 1", "line 2, in choose"),
    "at its start": ("import nowhere\n" + CHOOSE + "1", "No module named 'nowhere'", "line 1, in <module>"),
    "no move": (CHOOSE + "None", "choose returned None, which is no Stone", "choose returned None"),
    "too long a move": (CHOOSE + "(1, 2, 3, 4)", "illegal: a move is an array of whole numbers", ""),
    "too late": ("import time\n" + CHOOSE + "time.sleep(60)", "time: seat 0 ran out of time", ""),
}


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("case", FAULTS)
def test_a_program_that_gives_no_move(write, case):
    text, said, shown = FAULTS[case]
    bot, at = write(text), POSITIONS["gravity"]()
    clock = Clock(300 if case == "too late" else 60_000)
    with pytest.raises(AssertionError) as raised:
        assert_legal(bot, at, clock=clock)
    line, _, tail = str(raised.value).partition("\n")
    assert line.startswith("./mybot.py gave no move for seat 0 at move 3 of gravity: ")
    assert said in line
    assert shown in tail
    assert bool(shown) == bool(tail)
    if case in ("an exception", "too long a move"):
        with pytest.raises(BadText if not shown else ArenaError) as raised:
            answer(bot, at)
        assert said in str(raised.value)
        assert "\n" not in str(raised.value)
        assert shown in "".join(getattr(raised.value, "__notes__", ()))


def test_a_bot_is_asked_within_an_event_loop(write):
    async def ask():
        return answer(write(CHOOSE + "0, 0"), POSITIONS["gravity"]())

    assert asyncio.run(ask()) == Stone(0, 0)


# The package and its pages


def test_the_package_is_not_loaded_by_hinterland():
    code = "import hinterland, sys; print('hinterland.testing' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"


def test_the_tests_of_the_tutorial_pass(write, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    page = (ROOT / "docs" / "tutorials" / "your-first-bot.md").read_text()
    blocks = [block.removeprefix("python\n") for block in page.split("```")[1::2] if block.startswith("python\n# ")]
    files = {block.partition("\n")[0].removeprefix("# "): block for block in blocks}
    write(files["mybot2.py"], "mybot2.py")
    names = {}
    exec(files["test_mybot2.py"], names)
    tests = [test for name, test in names.items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()


def test_a_program_has_the_time_for_a_move_that_the_clock_allows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot.py").write_text("import time\ndef choose(position, clock, rng):\n    time.sleep(20)\n")
    with pytest.raises(ArenaError, match="time: seat 0 ran out of time"):
        answer("./mybot.py", position("gravity", size=12, spacing=3, stones=2), clock=Clock(60_000, 0, 300))
