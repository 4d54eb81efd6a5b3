"""Clients of the referee for tests: connections, players of both protocols, a host, and the expected lines."""

import asyncio
import contextlib
import itertools
import json
import os
import re
import socket
import struct
import subprocess
import sys
import threading
import time

from hinterland.gravity import Rules, Stone
from hinterland.gravity.game import GAME
from hinterland.host.live_match import MatchConfig
from hinterland.host.match_host import HostConfig, MatchHost
from hinterland.host.matchmaker import AdmissionLimits
from hinterland.host.network.tcp import listen
from hinterland.host.observer import Observer
from hinterland.host.specs import play_match
from hinterland.referee import record, verification
from hinterland.referee.clock import TimeControl
from hinterland.referee.verdicts import Verdict

PATIENCE_S = 20.0
COMPILING_S = 240.0
SMALL = Rules(size=12, players=2, stones=2, spacing=3)
GAME.warm_up()


class Gone(Exception):
    """The other side has hung up."""


class Wire:
    """One connection, controlled byte by byte."""

    def __init__(self, sock):
        self.sock = sock
        self.buffer = b""
        self.heard = []

    @classmethod
    async def to(cls, port, receive_bytes=None):
        sock = socket.socket()
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if receive_bytes is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        try:
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        except BaseException:
            sock.close()
            raise
        return cls(sock)

    @property
    def origin(self):
        return "{}:{}".format(*self.sock.getsockname())

    async def send(self, data):
        data = data.encode() if isinstance(data, str) else data
        with contextlib.suppress(ConnectionError):
            await asyncio.get_running_loop().sock_sendall(self.sock, data)

    async def drip(self, data):
        """Send each byte in a packet of its own."""
        for place in range(len(data)):
            await self.send(data[place : place + 1])
            await asyncio.sleep(0)

    async def send_json(self, **message):
        await self.send(json.dumps(message) + "\n")

    async def line(self):
        """Return the next line. Raises Gone at the end."""
        async with asyncio.timeout(PATIENCE_S):
            while b"\n" not in self.buffer:
                try:
                    data = await asyncio.get_running_loop().sock_recv(self.sock, 4096)
                except ConnectionError:
                    data = b""
                if not data:
                    raise Gone
                self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        self.heard.append(line.decode())
        return self.heard[-1]

    async def message(self):
        return json.loads(await self.line())

    async def until(self, kind):
        """Return the next message of a type, skipping others."""
        while (message := await self.message())["type"] != kind:
            pass
        return message

    async def rest(self):
        """Return all lines up to the end of the connection."""
        lines = []
        with contextlib.suppress(Gone):
            while True:
                lines.append(await self.line())
        assert self.buffer == b"", "the last line is not whole"
        return lines

    def close(self):
        self.sock.close()

    def half_close(self):
        self.sock.shutdown(socket.SHUT_WR)

    def reset(self):
        """Hang up with RST instead of FIN."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


class Log(Observer):
    """An observer that records events and lets a test wait for them."""

    def __init__(self):
        self.heard = []
        self.games = []
        self.records = []
        self.results = []
        self._changed = asyncio.Event()

    def _add(self, *what):
        self.heard.append(what)
        self._changed.set()

    def on_note(self, line):
        self._add("noted", line)

    def on_join(self, player, origin):
        self._add("came", player.number, player.name, origin)

    def on_leave(self, player, detail):
        self._add("went", player.number, player.name, detail)

    def on_return(self, player, origin):
        self._add("returned", player.number, player.name, origin)

    def on_last_words(self, name, text):
        self._add("last words", name, text)

    def on_match_begin(self, match, names):
        self._add("match began", tuple(names))

    def on_game_begin(self, game):
        self.games.append(game)
        self._add("game began", game.number)

    def on_effects(self, game, effects):
        for effect in effects:
            self._add(type(effect).__name__, game, effect, time.monotonic_ns())

    def on_game_over(self, game, kept):
        self.records.append(kept)
        self._add("game over", game.number)

    def on_match_over(self, result):
        self.results.append(result)
        self._add("match over", result)

    def all(self, kind):
        return [what[1:] for what in self.heard if what[0] == kind]

    @property
    def notes(self):
        return [line for (line,) in self.all("noted")]

    async def until(self, kind, count=1):
        """Wait for ``count`` events of a kind; return the last one."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.all(kind)) < count:
                self._changed.clear()
                await self._changed.wait()
        return self.all(kind)[count - 1]

    async def until_true(self, condition):
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self._changed.clear()
                await self._changed.wait()


def make_admission(**fields):
    """Return admission limits without the pause between two games of hps, unless given."""
    return AdmissionLimits(**{"pause_s": 0.0, **fields})


def make_plan(rules=SMALL, *, clock_ms=60_000, illegal="forfeit", admission=None, protocol="hps", **fields):
    from hinterland.referee.verdicts import Illegal

    config = MatchConfig(
        rules=rules, control=TimeControl(budget_ms=clock_ms), seed=7,
        illegal=None if illegal is None else Illegal(illegal),
    )  # fmt: skip
    return HostConfig(config=config, protocol=protocol, admission=admission or make_admission(), **fields)


TOKENS = {"anna": "a-secret-of-anna", "ben": "a-secret-of-ben"}


def make_token_plan(**fields):
    """Return a plan for players with tokens."""
    return make_plan(protocol="json", tokens=TOKENS, **fields)


async def play_specs(specs, log, config):
    """Play a match between specs; return the records."""
    async with asyncio.timeout(3 * PATIENCE_S):
        return await play_match(config, specs, [f"p{number}" for number in range(len(specs))], log)


def play_verified_match(specs, config):
    """Play a match between specs; return the verified records, and the log."""
    log = Log()
    records = asyncio.run(play_specs(specs, log, config))
    for kept in records:
        verification.verify(record.read_line(record.to_line(kept)))
    return records, log


def list_departures(records):
    """Return the departures of each game, with reasons, by name."""
    return [[(kept.players[left.seat], left.reason) for left in kept.departures] for kept in records]


class Table:
    """A match host in this loop with its connections; it closes everything at the end."""

    def __init__(self, what=None, *, records=None, confirm=None, log=None):
        self.plan = what or make_plan()
        self.log = log or Log()
        self.host = MatchHost(self.plan, self.log, records=records, confirm=confirm)
        self.wires = []

    async def __aenter__(self):
        listener = listen("127.0.0.1", 0)
        self.port = listener.port
        self.task = asyncio.get_running_loop().create_task(self.host.serve(listener))
        return self

    async def __aexit__(self, *error):
        for wire in self.wires:
            wire.close()
        if not self.task.done():
            self.task.cancel()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(self.task, return_exceptions=True)
        assert not self.host.port.carriers, "a connection was left open"

    async def wire(self, **options):
        self.wires.append(await Wire.to(self.port, **options))
        return self.wires[-1]

    async def sit(self, name, data=None):
        """Connect a player of protocol hps and wait until it has its seat; return its wire."""
        wire = await self.wire()
        await wire.line()
        count = len(self.log.all("came"))
        await wire.send(f"{name}\n" if data is None else data)
        await self.log.until("came", count + 1)
        return wire

    async def join(self, name, **more):
        """Connect a player of protocol json and wait for its welcome; return its wire."""
        wire = await self.wire()
        await wire.until("hello")
        await wire.send_json(type="join", name=name, **more)
        await wire.until("welcome")
        return wire

    async def done(self):
        """Wait for the results."""
        async with asyncio.timeout(PATIENCE_S):
            return await asyncio.shield(self.task)

    def verified(self):
        """Return all records, after judging each again."""
        for kept in self.log.records:
            verification.verify(record.read_line(record.to_line(kept)))
        return self.log.records


def find_first_free(stones, rules):
    """Return the first free cell of a grid."""
    steps = range(0, rules.size, rules.spacing)
    for row, col in itertools.product(steps, steps):
        if all((row - r) ** 2 + (col - c) ** 2 >= rules.spacing**2 for r, c in stones):
            return row, col
    raise AssertionError("no room on the grid")


async def whole(wire, text):
    await wire.send(f"{text}\n")


async def bare(wire, text):
    await wire.send(text)


async def dripped(wire, text):
    await wire.drip(f"{text}\n".encode())


async def windows(wire, text):
    await wire.send(f" {text}  \r\n")


async def merged(wire, text):
    await wire.send(f"\n{text}\n1 2 3 hello\n")


class HpsPlayer:
    """Plays legally by what the referee sends alone, which shows that it suffices."""

    def __init__(self, wire, rules, say=whole):
        self.wire, self.rules, self.say = wire, rules, say
        self.stones = []
        self.lines = []

    async def play(self):
        """Play until the connection is closed; return the lines of state."""
        with contextlib.suppress(Gone):
            while True:
                await self.answer(await self.wire.line())
        return self.lines

    async def play_one(self):
        """Play one game."""
        while await self.answer(await self.wire.line()):
            pass

    async def answer(self, line):
        """Take a line of state and answer it if it is a request; return whether the game goes on."""
        self.lines.append(line)
        flag, stones = read_state(line, self.rules)
        self.stones += [(row, col) for row, col, *_ in stones]
        if flag == 1:
            self.stones = []
            return False
        row, col = find_first_free(self.stones, self.rules)
        self.stones.append((row, col))
        await self.say(self.wire, f"{row} {col}" if self.rules.weight is None else f"{row} {col} 2")
        return True


def read_state(line, rules):
    """Return the flag and the new stones in a line of protocol hps."""
    numbers = [int(word) for word in line.split(" ")]
    weighted = rules.weight is not None
    told = numbers[1 + weighted + rules.players :]
    width = 3 + weighted
    assert len(told) % width == 0, line
    return numbers[0], [tuple(told[place : place + width]) for place in range(0, len(told), width)]


async def play_json(wire, rules, played=10**9):
    """Answer ``played`` requests; return all messages up to the end."""
    messages = []
    with contextlib.suppress(Gone):
        while True:
            message = await wire.message()
            messages.append(message)
            if message["type"] == "turn" and played > 0:
                played -= 1
                await answer_json(wire, message, rules)
    return messages


async def answer_json(wire, turn, rules):
    stones = [move[:2] for _, move in turn["moves"]]
    echoed = {"game_id": turn["game_id"], "turn": turn["turn"]}
    await wire.send_json(type="move", **echoed, move=find_first_free(stones, rules))


def expected_lines(records, number):
    """Return the lines of state that a player (from 0) of protocol hps must get, from its rules and the records."""
    lines = []
    for game, kept in enumerate(records):
        rules = Rules.from_json(kept.rules)
        players = [(seat + game) % rules.players for seat in range(rules.players)]
        lines += _game_lines(kept, rules, players, players.index(number))
    return lines


def _game_lines(kept, rules, players, seat):
    gone = {left.seat: left for left in kept.departures}
    position = rules.start()
    told, lines = 0, []
    for plies in range(len(kept.moves) + 1):
        for left in kept.departures:
            failed_at_its_turn = left.reason in (Verdict.TIME, Verdict.ILLEGAL)
            if left.plies == plies and left.seat == seat and failed_at_its_turn:
                lines.append(_line(0, kept, rules, players, seat, position, plies, told))
                told = plies
            if left.plies == plies:
                position = position.withdraw(left.seat)
        if plies < len(kept.moves):
            mover, numbers = kept.played[plies]
            if mover == seat:
                lines.append(_line(0, kept, rules, players, seat, position, plies, told))
                told = plies
            position = position.play(Stone(*numbers))
    final = list(kept.scores)
    for other, left in gone.items():
        final[other] = -2 if left.reason is Verdict.TIME else -1
    return [*lines, _line(1, kept, rules, players, seat, position, len(kept.moves), told, final)]


def _line(flag, kept, rules, players, seat, position, plies, told, final=None):
    words = [flag]
    if rules.weight is not None:
        spent = sum((*numbers, 1)[2] for mover, numbers in kept.played[:plies] if mover == seat)
        words.append(rules.weight - spent)
    scores = position.scores if final is None else final
    if final is None:
        scores = [0 if other in position.withdrawn else score for other, score in enumerate(scores)]
    words += [scores[players.index(number)] for number in range(rules.players)]
    for mover, numbers in kept.played[told:plies]:
        if mover != seat:
            words += [*((*numbers, 1)[: 2 if rules.weight is None else 3]), players[mover] + 1]
    return " ".join(map(str, words))


class RefereeProcess:
    """``hinterland referee`` as a process of its own; its output is kept, line by line."""

    def __init__(self, *options, board=("--size", "12", "--spacing", "3", "--stones", "2"), stdin=subprocess.PIPE):
        command = [sys.executable, "-m", "hinterland", "referee", "gravity", "--port", "0", *board, *options]
        self.out, self.err = [], []
        self._changed = threading.Condition()
        self.process = subprocess.Popen(
            [str(word) for word in command],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"},
        )
        self._readers = [
            threading.Thread(target=self._read, args=(pipe, lines), daemon=True)
            for pipe, lines in ((self.process.stdout, self.out), (self.process.stderr, self.err))
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self):
        try:
            self.port = int(self.until(r"listening on 127\.0\.0\.1:(\d+), ", COMPILING_S)[1])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()

    def _read(self, pipe, lines):
        for line in pipe:
            with self._changed:
                lines.append(line.decode("utf-8").removesuffix("\n"))
                self._changed.notify_all()

    def until(self, pattern, patience_s=PATIENCE_S):
        """Wait until a line on stderr matches; return the match."""
        found = []

        def is_said():
            found[:] = [match for line in list(self.err) if (match := re.search(pattern, line))]
            return found or (self.process.poll() is not None and not any(r.is_alive() for r in self._readers))

        with self._changed:
            deadline = time.monotonic() + patience_s
            while not is_said() and time.monotonic() < deadline:
                self._changed.wait(0.05)
        assert found, f"{pattern!r} was never said: {self.err}"
        return found[0]

    def signal(self, number):
        self.process.send_signal(number)

    def code(self):
        """Wait for the end; return the exit status."""
        status = self.process.wait(3 * PATIENCE_S)
        for reader in self._readers:
            reader.join(PATIENCE_S)
        return status

    async def sit(self, name):
        """Connect a player of protocol hps; return its wire once the referee has announced it."""
        wire = await Wire.to(self.port)
        await wire.line()
        await wire.send(f"{name}\n")
        self.until(rf"^player \d+ is {re.escape(name)}\b")
        return wire

    async def join(self, name, **more):
        """Connect a player of protocol json; return its wire once the referee has announced it."""
        wire = await Wire.to(self.port)
        await wire.until("hello")
        await wire.send_json(type="join", name=name, **more)
        await wire.until("welcome")
        return wire
