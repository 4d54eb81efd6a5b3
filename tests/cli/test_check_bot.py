"""check-bot: a good bot passes everything, and of each bad bot exactly one thing is found."""

import contextlib
import json
import re
import socket
import subprocess
import sys
import time

import pytest

from hinterland.cli import run
from hinterland.host.check import bot_sources, checked_player, seat_knowledge
from hinterland.host.check.check_suite import CHECKS
from hinterland.host.check.checked_player import Tap
from hinterland.host.check.seat_knowledge import Ranks
from more_of_the_same import first_shows
from programs import need_sandbox

BOT = """
import json, os, socket, sys, time

habit, way = sys.argv[1], sys.argv[2:]
games, own = 0, 0

def free(rules, moves, seat):
    taken = {tuple(move[:2]) for _, move in moves}
    cells = [(row, col) for row in range(rules["size"]) for col in range(rules["size"])]
    left = [cell for cell in cells if cell not in taken]
    mine = [move for owner, move in moves if owner == (0 if habit == "seat 0" else seat)]
    if habit in ("seat 0", "stays together") and mine:
        near = lambda cell: min((cell[0] - row) ** 2 + (cell[1] - col) ** 2 for row, col, *_ in mine)
        return list(min(left, key=near))
    return list(left[0])

def answer(turn):
    move = free(rules, turn["moves"], turn["seat"])
    is_second = games == 2 and rules["weight"] is None
    if habit == "illegal" or (habit == "illegal later" and own == 2) or (habit == "once only" and is_second):
        move = [-1, -1]
    if habit == "a weight" and rules["weight"] is None:
        move += [1]
    if habit == "two colours":
        [0, 0][turn["seat"]] += 1
    if habit == "hoards":
        hoard = []
        while True:
            hoard.append(bytes(1 << 20).replace(b"\\0", b"x"))
    if habit == "prints":
        say("thinking about it\\n")
    if habit == "slow":
        time.sleep(0.4)
    if (habit == "short memory" and len(turn["moves"]) > 15) or (habit == "no weights" and "weight_left" in turn):
        sys.exit("this was never tried")
    if habit == "lost in thought" and own == 2:
        time.sleep(600)
    said = json.dumps({"type": "move", "game_id": turn["game_id"], "turn": turn["turn"], "move": move}) + "\\n"
    say(said * (2 if habit == "twice" else 1))

def play():
    global asked, games, own, rules
    if habit == "mute":
        time.sleep(600)
    say('{"type":"join","name":"bot"}\\n')
    rest = b""
    while data := read():
        if habit == "one read, one message" and not data.endswith(b"\\n"):
            sys.exit("half a message")
        *lines, rest = (rest + data).split(b"\\n")
        for message in map(json.loads, lines):
            if message["type"] == "game":
                rules, games, own = message["rules"], games + 1, 0
            elif message["type"] == "turn":
                own, asked = own + 1, message
                answer(message)
            elif message["type"] == "refused" and habit != "ignores refused":
                answer(asked)
            elif message["type"] == "over" and habit == "takes offence" and message["reason"] == "disconnect":
                sys.exit("where is everybody?")
            elif message["type"] == "over" and habit == "goes early" and games == 2 and rules["weight"] is None:
                sys.exit(0)
    if habit == "stays":
        time.sleep(600)

if habit == "many hands":
    for _ in range(6 * os.cpu_count()):
        if os.fork() == 0:
            while os.getppid() != 1:
                pass
            os._exit(0)
    time.sleep(1.5)

if way:
    for _ in range(500):
        try:
            connection = socket.create_connection(("127.0.0.1", int(way[0])))
        except OSError:
            time.sleep(0.01)
            continue
        read, say = (lambda: connection.recv(65536)), (lambda text: connection.sendall(text.encode()))
        with connection:
            play()
        if habit == "once":
            break
else:
    read, say = (lambda: os.read(0, 65536)), (lambda text: os.write(1, text.encode()))
    play()
"""
RULES = ["--size", "9", "--spacing", "1", "--stones", "3"]
TWELVE = {
    "mute": "introduces",
    "illegal": "first_move",
    "lost in thought": "in_time",
    "illegal later": "whole_game",
    "once only": "both_seats",
    "seat 0": "own_seat",
    "one read, one message": "packets",
    "slow": "short_clock",
    "ignores refused": "refused",
    "a weight": "no_weights",
    "twice": "quiet",
    "two colours": "melee",
}
HABITS = TWELVE | {
    "takes offence": "leaver",
    "stays": "ends",
    "many hands": "crowds",
    "short memory": "long_game",
    "no weights": "weighted",
}
OPTIONS = {
    "slow": ("--clock", "6", "--without", "long_game"),
    "lost in thought": ("--clock", "0.3"),
    "many hands": ("--hello", "8"),
}
USUAL = ("--hello", "2")
WORDS = {
    "lost in thought": "it had 0.3 s for the game, and its answers took",
    "slow": "it had 0.6 s for the game, and its answers took",
    "many hands": "looks it wanted more processors than there are: delays count against it",
    "seat 0": "in seat 1 it answers as if it sat in seat 0",
    "a weight": "its answer [0, 0, 1] has one",
    "two colours": " at its move 1: ",
}
"""What the reason says, where more than that it failed is promised."""


@pytest.fixture
def bot(tmp_path):
    """Return the command line of a bot with a habit."""
    script = tmp_path / "bot.py"
    script.write_text(BOT)
    return lambda habit, *way: [sys.executable, "-S", "-E", "-I", str(script), habit, *way]


@pytest.fixture
def check(capsys, monkeypatch):
    """Return a function that checks a bot and returns the exit code, what was found by name, and the rest of it."""

    def call(player, *options):
        crowds = "many hands" in player  # what ends slowly here is the machine
        monkeypatch.setattr(bot_sources, "EXIT_TIMEOUT_S", 5.0 if crowds else 0.5)
        begin_s = time.monotonic()
        code = run(["check-bot", player, *RULES, "--json", *options])
        took_s = time.monotonic() - begin_s
        out, err = capsys.readouterr()
        told = json.loads(out)
        number, unit = re.search(r"this takes (\d+) (s|minutes) at most", err).groups()
        assert took_s < int(number) * (60 if unit == "minutes" else 1)
        assert "Traceback" not in err
        return code, {found["check"]: found["state"] for found in told["checks"]}, told

    return call


@pytest.fixture
def sandboxed(tmp_path):
    tmp_path.chmod(0o755)  # root's programs are users of their own
    need_sandbox()


def command(words):
    return "cmd:" + " ".join(f"'{word}'" for word in words)


def test_a_good_bot_passes_everything(bot, check):
    code, states, told = check(command(bot("good")))
    assert code == 0
    assert states == dict.fromkeys(CHECKS, "passed")
    assert told["failed"] == 0


def the_one_fault(habit, checked):
    """Return what was found, and see that it is the one thing that is wrong, told with its reason."""
    code, states, told = checked
    assert code == 1
    assert [name for name, state in states.items() if state == "failed"] == [HABITS[habit]]
    [found] = [found for found in told["checks"] if found["state"] == "failed"]
    assert WORDS.get(habit, "") in found["reason"]
    assert found["reason"]
    assert all((len(line) < 200 and line.isascii()) or line.endswith("…") for line in found["conversation"])
    return found


@pytest.mark.parametrize("habit", first_shows(*HABITS, shown=5), ids=lambda word: word.replace(" ", "-"))
def test_of_each_bad_bot_exactly_one_thing_is_found(habit, bot, check):
    options = OPTIONS.get(habit, ())
    options = [*options, *(() if "--hello" in options else USUAL)]
    told = the_one_fault(habit, check(command(bot(habit)), *options))
    assert told["conversation"] or habit == "many hands"


@pytest.mark.once
@pytest.mark.thorough
@pytest.mark.parametrize("habit", TWELVE, ids=lambda word: word.replace(" ", "-"))
def test_the_twelve_are_found_in_the_sandbox(habit, bot, check, sandboxed):
    the_one_fault(habit, check(command(bot(habit)), *OPTIONS.get(habit, ()), *USUAL, "--sandbox"))


@pytest.mark.once
@pytest.mark.thorough
@pytest.mark.parametrize("habit", TWELVE, ids=lambda word: word.replace(" ", "-"))
def test_the_twelve_are_found_over_tcp(habit, bot, check):
    port = str(free_port())
    options = [*OPTIONS.get(habit, ()), *USUAL, "--wait", "5", "--protocol", "json", "--port", port]
    with running(bot(habit, port)):
        the_one_fault(habit, check("tcp", *options))


def test_a_bad_bot_for_every_check():
    assert set(HABITS.values()) == set(CHECKS)


SEATED = """
import json, random, socket, sys

manner, chance, *way = sys.argv[1:]
random.seed(7)

def gain(cell, own, others):
    far = lambda place, stones: min((place[0] - r) ** 2 + (place[1] - c) ** 2 for r, c in stones) if stones else 999
    places = [(row, col) for row in range(9) for col in range(9)]
    before = sum(far(place, own) < far(place, others) for place in places)
    return sum(far(place, [*own, cell]) < far(place, others) for place in places) - before

def choose(stones, seat):
    if manner == "random":
        return random.choice([(r, c) for r in range(9) for c in range(9) if (r, c) not in [cell for _, cell in stones]])
    own = {"greedy": seat, "seat 0": 0, "swapped": 1 - seat}[manner]
    mine, others = ([cell for owner, cell in stones if (owner == own) == is_own] for is_own in (True, False))
    free = [(row, col) for row in range(9) for col in range(9) if (row, col) not in mine + others]
    best = sorted(free, key=lambda cell: -gain(cell, mine, others))
    return random.choice(best[:4]) if chance == "chance" else best[0]

if way:
    connection = socket.create_connection((way[0], int(way[1])))
    lines = connection.makefile("rw", newline="\\n")
    players, count, me = map(int, lines.readline().split())
    lines.write("bot\\n")
    lines.flush()
    stones = []
    for line in lines:
        flag, *numbers = map(int, line.split())
        told = numbers[players:]
        stones += [(told[at + 2] - 1, tuple(told[at : at + 2])) for at in range(0, len(told), 3)]
        if flag == 1:
            stones = []
            continue
        cell = choose(stones, me - 1)
        stones.append((me - 1, cell))
        lines.write("%d %d\\n" % cell)
        lines.flush()
for line in () if way else sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"join","name":"bot"}', flush=True)
    elif message["type"] == "turn":
        stones = [(owner, tuple(move[:2])) for owner, move in message["moves"]]
        answer = {"type": "move", "game_id": message["game_id"], "turn": message["turn"]}
        print(json.dumps(answer | {"move": choose(stones, message["seat"])}), flush=True)
"""
ALL_BUT_SEATS = [
    word for name in CHECKS if name not in ("introduces", "first_move", "in_time", "whole_game", "own_seat")
    for word in ("--without", name)
]  # fmt: skip
MISTAKEN = {"seat 0": "in one of the two seats it plays as if", "swapped": "it takes itself for the other player"}


@pytest.mark.thorough
@pytest.mark.parametrize("chance", ["none", "chance"])
@pytest.mark.parametrize("manner", ["greedy", "seat 0", "swapped", "random"])
@pytest.mark.parametrize("protocol", ["cmd", "hps"])
def test_a_bot_that_takes_itself_for_somebody_else_is_found(protocol, manner, chance, tmp_path, check, monkeypatch):
    monkeypatch.setattr(bot_sources, "PAUSE_S", 0.0)
    monkeypatch.setattr(checked_player, "PAUSE_S", 0.0)
    script = tmp_path / "seated.py"
    script.write_text(SEATED)
    player = f"{protocol}:{sys.executable} -S -E -I {script} '{manner}' {chance}"
    code, states, told = check(player, *ALL_BUT_SEATS)
    if manner not in MISTAKEN:
        assert (code, states["own_seat"]) == (0, "passed"), told
        return
    [found] = [found for found in told["checks"] if found["state"] == "failed"]
    assert (code, found["check"]) == (1, "own_seat")
    assert MISTAKEN[manner] in found["reason"]


def test_a_bot_that_knows_its_seat(bot, check):
    code, states, _ = check(command(bot("stays together")))
    assert (code, states["own_seat"]) == (0, "passed")


def test_chance_is_mistaken_for_a_mistake_less_than_once_in_a_thousand_checks(rng):
    """Half of all moves at random are worth more to the other player."""
    wrong = 0
    for _ in range(20_000):
        drawn = rng.random((2, seat_knowledge.POSITIONS_PER_ROLE, 2))
        wrong += seat_knowledge.find_mistaken_roles([[Ranks(*pair) for pair in role] for role in drawn]) != ""
    assert wrong < 20


def test_a_bot_without_memory(bot, check):
    _, _, told = check(command(bot("hoards")), "--memory", "100")
    [found] = [found for found in told["checks"] if found["state"] == "failed"]
    assert found["check"] == "first_move"
    assert "it uses more than 100 MiB of memory" in found["reason"]
    assert told["memory_mib"] > 100


def test_a_bot_that_prints_what_it_thinks(bot, check):
    _, _, told = check(command(bot("prints")))
    [found] = [found for found in told["checks"] if found["state"] == "failed"]
    assert "not JSON: Expecting value at character 1; it said 'thinking about it'" in found["reason"]


def test_a_bot_that_leaves_before_it_is_told(bot, check):
    left_out = [word for name in ("own_seat", "short_clock", "leaver", "refused") for word in ("--without", name)]
    code, states, told = check(command(bot("goes early")), *left_out)
    assert code == told["failed"] == 1
    [found] = [name for name, state in states.items() if state == "failed"]
    assert found in ("ends", "packets")  # whether it is gone before the next game begins, or during it


def test_last_words_on_standard_error_are_shown(bot, capsys):
    assert run(["check-bot", command(bot("no weights")), *RULES]) == 1
    out = capsys.readouterr().out
    assert "✗ plays with weighted stones, in both seats: crash at its move 1" in out
    assert "    this was never tried" in out
    assert "    > {" in out
    counted = r"\d+ of its \d+ MiB of memory; (counted by the referee|enforced by the kernel)"
    assert re.search(rf"\nit used at most {counted}.*\n", out)
    assert out.endswith("16 passed, 1 failed, 0 not tried: weighted\n")


def test_a_built_in_player(check):
    code, states, _ = check("random")
    assert code == 0
    assert [name for name, state in states.items() if state == "skipped"] == [
        *("introduces", "own_seat", "packets", "refused", "quiet", "ends", "crowds")
    ]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@contextlib.contextmanager
def running(words):
    with subprocess.Popen(words) as process:
        try:
            yield
        finally:
            process.kill()


def test_a_bot_that_connects(bot, check):
    port = str(free_port())
    with running(bot("good", port)):
        code, states, _ = check("tcp", "--protocol", "json", "--port", port)
    assert code == 0
    assert states == dict.fromkeys(CHECKS, "passed") | {"crowds": "skipped"}, "its processes cannot be seen"


def test_a_bad_bot_that_connects(bot, check):
    port = str(free_port())
    with running(bot("twice", port)):
        code, states, _ = check("tcp", "--protocol", "json", "--port", port, "--without", "weighted")
    assert code == 1
    assert [name for name, state in states.items() if state == "failed"] == ["quiet"]


COURSE = """
import socket, sys, time

hoard = [b"x" * (1 << 20) for _ in range(int(sys.argv[1]))]
connection = socket.create_connection((sys.argv[2], int(sys.argv[3])))
players, *_, me = map(int, connection.recv(4096).split())
weighted = len(_) == 2
connection.sendall(b"one packet, one message")
taken, per = set(), 4 if weighted else 3
while packet := connection.recv(4096):
    flag, *numbers = map(int, packet.split())
    told = numbers[players + weighted :]
    taken |= {tuple(told[at : at + 2]) for at in range(0, len(told), per)}
    if flag == 1:
        taken = set()
        time.sleep(0.2)
        continue
    move = next((row, col) for row in range(9) for col in range(9) if (row, col) not in taken)
    taken.add(move)
    connection.sendall(" ".join(map(str, (*move, *[1] * weighted))).encode())
"""


def course(tmp_path, mib=0):
    script = tmp_path / "course.py"
    script.write_text(COURSE)
    return f"hps:{sys.executable} -S -E -I {script} {mib}"


@pytest.mark.thorough
def test_a_bot_of_the_course_has_the_pause_of_a_match(tmp_path, check):
    code, states, told = check(course(tmp_path), "--clock", "2", "--without", "packets")
    assert (code, [name for name, state in states.items() if state == "failed"]) == (0, [])
    assert [states[name] for name in ("both_seats", "leaver", "weighted", "melee")] == ["passed"] * 4
    assert told["memory_mib"] > 0


@pytest.mark.thorough
def test_a_bot_of_the_course_takes_no_more_memory_than_it_may(tmp_path, check):
    code, states, _ = check(course(tmp_path, 400), "--clock", "2", "--memory", "64")
    assert code == 1
    assert states["introduces"] == "failed" or states["first_move"] == "failed"


def test_a_bot_that_does_not_come_back(bot, check):
    port = str(free_port())
    begin_s = time.monotonic()
    with running(bot("once", port)):
        code, _, told = check("tcp", "--protocol", "json", "--port", port, "--wait", "2")
    assert code == 0, told
    left_out = [found for found in told["checks"] if found["state"] == "skipped"]
    waited = [found["reason"] for found in left_out if found["check"] != "crowds"]
    assert waited == ["nobody connected again within 2 s", *["nobody connected again before"] * (len(waited) - 1)]
    assert [found["check"] for found in left_out] == ["crowds", "long_game", "weighted", "melee"]
    assert time.monotonic() - begin_s < 20


def test_nobody_connects(check):
    code, states, _ = check("tcp", "--port", "0", "--wait", "0.1")
    assert code == 1
    assert set(states.values()) == {"skipped"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody"], "unknown player of gravity 'nobody'"),
        (["cmd:./no-such-bot"], "no program './no-such-bot'"),
        (["random", "--protocol", "hps"], "--protocol is for bots that connect"),
        (["tcp", "--protocol", "smoke"], "unknown protocol 'smoke'"),
        (["random", "--without", "everything"], "unknown check 'everything'"),
        (["random", "--stones", "many"], "stones"),
        (["random", "--game", "chess"], "unknown game 'chess'"),
    ],
)
def test_wrong_use(arguments, words, capsys):
    assert run(["check-bot", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_joined_messages_go_out_in_one_piece():
    class Carrier:
        origin = "here"
        sent = ()

        def write(self, data):
            Carrier.sent += (data,)

    class Link:
        def attach_carrier(self, carrier):
            pass

    tap = Tap(Link())
    tap.attach_carrier(Carrier())
    tap.packets = "joined"
    tap.write(b"one\n")
    tap.write(b"two\x1b\n")
    assert Carrier.sent == ()
    tap.flush()
    assert Carrier.sent == (b"one\ntwo\x1b\n",)
    assert list(tap.lines) == ["< one", "< two\\x1b"]
    tap.packets = "pieces"
    tap.say_no_more()
    tap.write(b"three\n")
    tap.flush()
    assert Carrier.sent == (b"one\ntwo\x1b\n",)
