"""A match through sessions on a virtual clock, between a judge and the lines that a test writes."""

import itertools
from dataclasses import dataclass, field

from hinterland.gravity import Stone
from hinterland.referee import judge
from hinterland.referee.clock import NS_PER_MS, TimeControl
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.protocol.names import clean_name
from hinterland.referee.protocol.session import (
    Farewell,
    GameEnd,
    Introduction,
    MoveReply,
    MoveRequest,
    Seating,
    Start,
    UnreadableReply,
)

MINUTES = TimeControl(budget_ms=120_000)
SILENCE = None
"""In place of a line: the player's time runs out."""


@dataclass
class Player:
    """One side of the match: a session, the lines its player will send, and everything sent so far."""

    session: object
    lines: object
    said: list = field(default_factory=list)
    name: str = ""

    def tell(self, data):
        self.said += [f"< {line}" for line in data.decode().splitlines()]

    def next_line(self):
        line = next(self.lines, SILENCE) if not callable(self.lines) else self.lines(self.said)
        if line is not SILENCE:
            self.said.append(f"> {line}")
        return line


class Match:
    """Plays a match; ``players`` keep all that they sent and received."""

    def __init__(self, kinds, rules, lines, *, games=1, control=MINUTES, think_ms=250, illegal=judge.Illegal.FORFEIT):
        self.rules, self.control, self.think_ns, self.illegal = rules, control, think_ms * NS_PER_MS, illegal
        self.now = 0
        self.players = []
        for kind, answers in zip(kinds, lines, strict=True):
            self.players.append(Player(kind(), answers if callable(answers) else iter(answers)))
        self.totals = [0] * len(self.players)
        self.endings = []
        for number, player in enumerate(self.players):
            self.introduce(number, player)
        for number in range(games):
            self.play_game(number, games)
        self.say_farewell()

    def introduce(self, number, player):
        player.tell(player.session.greet(Seating(rules=self.rules, number=number)))
        says_name = player.session.says_name
        line = f"{player.next_line()}\n".encode() if says_name else b""
        (heard,) = player.session.feed(line, self.now) if says_name else player.session.take_unfinished()
        assert isinstance(heard, Introduction)
        player.name = clean_name(heard.name, {other.name for other in self.players})
        player.tell(player.session.welcome(number, player.name))

    def play_game(self, number, games):
        count = len(self.players)
        seats = tuple((seat + number) % count for seat in range(count))
        table = [self.players[player] for player in seats]
        names = tuple(other.name for other in table)
        terms = GameTerms(rules=self.rules, names=names, clock=self.control, number=number + 1, games=games)
        for seat, player in enumerate(table):
            start = Start(game_id=f"m1-{number + 1}", terms=terms, seat=seat, numbers=seats, grace_ms=100)
            player.tell(player.session.start(start))
        self.game = judge.begin(self.rules.start(), self.control, illegal=self.illegal)
        event = judge.Begin()
        while self.game.ending is None:
            event = self.handle(table, self.step(event))
        self.end_game(table, seats)

    def step(self, event):
        self.game, effects = judge.step(self.game, event, self.now)
        return effects

    def handle(self, table, effects):
        for effect in effects:
            if isinstance(effect, judge.Request):
                return self.ask(table[effect.seat], effect)
            if isinstance(effect, judge.Refused):
                player = table[effect.seat]
                player.tell(player.session.repeat_request(effect.code, effect.detail))
                return self.wait(player, effect.seat, self.game.clocks.deadline_ns)
        return None

    def ask(self, player, asked):
        position = self.game.position
        request = MoveRequest(
            turn=asked.turn,
            clock=asked.clock,
            scores=position.scores,
            moves=position.moves,
            weight_left=position.weight_left(asked.seat),
        )
        player.tell(player.session.request_move(request))
        return self.wait(player, asked.seat, asked.deadline_ns)

    def wait(self, player, seat, deadline_ns):
        line = player.next_line()
        if line is SILENCE:
            player.session.withdraw_request()
            self.now = deadline_ns + 1
            return judge.Tick()
        self.now += self.think_ns
        (heard,) = player.session.feed(f"{line}\n".encode(), self.now)
        if isinstance(heard, UnreadableReply):
            return judge.Unreadable(seat, heard.turn, heard.code, heard.detail)
        assert isinstance(heard, MoveReply), heard
        return judge.Answer(seat, heard.turn, Stone.from_numbers(list(heard.numbers)))

    def end_game(self, table, seats):
        over = GameEnd(ending=self.game.ending, moves=self.game.position.moves, departures=self.game.departures)
        self.endings.append(over.ending)
        for player, number, score in zip(table, seats, over.ending.scores, strict=True):
            player.tell(player.session.end_game(over))
            self.totals[number] += score

    def say_farewell(self):
        most = max(self.totals)
        winners = tuple(itertools.compress(range(len(self.totals)), [total == most for total in self.totals]))
        names = tuple(player.name for player in self.players)
        for player in self.players:
            farewell = Farewell(detail="the match is over", names=names, totals=tuple(self.totals), winners=winners)
            player.tell(player.session.dismiss(farewell))
