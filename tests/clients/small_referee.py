"""A referee for one client: uses the real sessions, plays the other seats, and cuts its packets as given."""

import os
import select
import time
from itertools import pairwise

from hinterland.contract import Clock
from hinterland.gravity import Stone
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol.hps import HpsSession
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.session import Farewell, GameEnd, MoveReply, MoveRequest, Seating, Start
from hinterland.referee.verdicts import Ending

PATIENCE_S = 20
SESSIONS = {"hps": HpsSession, "json": JsonSession}
FROM_LATER_VERSIONS = {"hps": b"", "json": b'{"type":"something new","of":["a","later","version"]}\n'}
NAME = "Zoë\u2028\u00a0🪨"
"""Awkward for clients that split lines at other characters than the line feed."""


class Wire:
    """Packets over two file descriptors; ``cut`` says how data is divided into them."""

    def __init__(self, read_from, write_to, cut):
        self.read_from, self.write_to, self.cut = read_from, write_to, cut
        self.held = b""

    def say(self, data):
        """Send lines: at once, in three pieces, or together with all others up to the next answer."""
        self.held += data
        if self.cut != "merged":
            self.flush()

    def flush(self):
        """Send the data held back."""
        size = len(self.held)
        cuts = [0, size // 2, size - 1, size] if self.cut == "split" else [0, size]
        for start, end in pairwise(cuts):
            if start:
                time.sleep(0.005)
            os.write(self.write_to, self.held[start:end])
        self.held = b""

    def hear(self, session):
        """Wait for a client's next message; it must send one at a time."""
        self.flush()
        deadline = time.monotonic() + PATIENCE_S
        while True:
            left = max(0, deadline - time.monotonic())
            assert select.select([self.read_from], [], [], left)[0], "the client does not answer"
            data = os.read(self.read_from, 4096)
            assert data, "the client has gone"
            if heard := session.feed(data, time.monotonic_ns()):
                assert len(heard) == 1, heard
                return heard[0]


def play_match(wire, protocol, rules, me, games, rng, refusals=0):
    """Play a match with player ``me`` (from 0), who must answer legally.

    The first ``refusals`` answers of each game are refused. Return its introduction and the last positions.
    """
    session = SESSIONS[protocol]()
    wire.say(session.greet(Seating(rules=rules, number=me)) + FROM_LATER_VERSIONS[protocol])
    introduction = wire.hear(session)
    wire.say(session.welcome(me, introduction.name))
    ended = [play_game(wire, session, rules, me, number, rng, refusals) for number in range(games)]
    told = {"names": (NAME,) * rules.players, "totals": (0,) * rules.players, "winners": (0,)}
    wire.say(session.dismiss(Farewell(detail="the match is over", **told)))
    wire.flush()
    return introduction, ended


def play_game(wire, session, rules, me, number, rng, refusals):
    """Play one game; each player starts in turn."""
    numbers = tuple((seat + number) % rules.players for seat in range(rules.players))
    names, seat = (NAME,) * rules.players, numbers.index(me)
    terms = GameTerms(rules=rules, names=names, number=number + 1, games=2)
    wire.say(
        session.start(Start(game_id=f"game {number}", terms=terms, seat=seat, numbers=numbers, grace_ms=100))
    )
    position = rules.start()
    while position.to_move is not None:
        if position.to_move == seat:
            position = position.play(ask(wire, session, position, refusals))
            refusals = 0
        else:
            position = position.play(position.legal_moves.sample(rng))
    ending = Ending(scores_of(position), (0,), "complete", "all stones are placed")
    wire.say(session.end_game(GameEnd(ending=ending, moves=position.moves, departures=())))
    return position


def ask(wire, session, position, refusals):
    """Ask for a move, refuse as many answers as given, and return the next one."""
    turn, left = len(position.moves), position.weight_left(position.to_move)
    about = {"scores": scores_of(position), "moves": position.moves, "weight_left": left}
    wire.say(session.request_move(MoveRequest(turn=turn, clock=Clock(left_ms=9000), **about)))
    for _ in range(refusals):
        assert isinstance(wire.hear(session), MoveReply)
        wire.say(session.repeat_request("too_near", "not there"))
    reply = wire.hear(session)
    assert isinstance(reply, MoveReply), reply
    assert reply.turn == turn
    return Stone.from_numbers(reply.numbers)


def scores_of(position):
    """Return the scores; made-up ones on boards too large for plain Python."""
    return position.scores if position.rules.size <= 100 else tuple(range(position.rules.players))
