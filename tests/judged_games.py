"""Judged games for tests: on a virtual clock, with random events."""

from __future__ import annotations

from hinterland import catalog
from hinterland.gravity import Rules, Stone
from hinterland.referee import judge, record
from hinterland.referee.clock import NS_PER_MS, TimeControl
from hinterland.referee.game_terms import GameTerms

MS = NS_PER_MS
GRAVITY = catalog.game("gravity")
SECOND = TimeControl(budget_ms=1000)
SMALL = {
    players: Rules(size=6, players=players, stones=3 if players == 2 else 2, spacing=1, weight=weight)
    for players, weight in ((2, None), (3, 4), (4, None))
}
"""Rules of tiny boards, on which whole games are quick."""


class Table:
    """A judged game on a virtual clock; records every effect."""

    def __init__(self, rules, control=SECOND, **options):
        self.now = 5_000 * MS
        self.seen = []
        self.game = judge.begin(rules.start(), control, **options)

    def send(self, event, after_ms=0):
        self.now += int(after_ms * MS)
        self.game, effects = judge.step(self.game, event, self.now)
        self.seen += effects
        return effects

    def answer(self, row, col, after_ms=0, *, seat=None, turn=None):
        asked = self.asked
        return self.send(
            judge.Answer(asked.seat if seat is None else seat, asked.turn if turn is None else turn, Stone(row, col)),
            after_ms,
        )

    @property
    def asked(self):
        return [effect for effect in self.seen if isinstance(effect, judge.Request)][-1]


def make_record(game):
    """Return the record of a game that has ended."""
    names = tuple("abcdefghijkl"[: game.position.rules.players])
    return record.of_game(make_terms(game, names), game, "2026-01-01T00:00:00+00:00")


def make_terms(game, names, **more):
    """Return the terms of a judged game."""
    return GameTerms(rules=game.position.rules, names=names, clock=game.clocks.control, **more)


FAULTS = [verdict for verdict in judge.Verdict if verdict not in (judge.Verdict.VOID, judge.Verdict.RESIGNED)]


def legal_move(game, number):
    """Return one of the legal moves."""
    moves = list(game.position.legal_moves)
    return moves[number % len(moves)]


def answer_event(game, number, *, how):
    """Return an answer to the open request; ``how``: legal, illegal, unreadable, stale or foreign."""
    seat = game.clocks.running or 0
    players = game.position.rules.players
    match how:
        case "legal" if game.position.to_move is not None:
            return judge.Answer(seat, game.turn, legal_move(game, number))
        case "unreadable":
            return judge.Unreadable(seat, game.turn, "not_a_move", "no numbers")
        case "stale":
            return judge.Answer(seat, game.turn - 1 - number % 3, Stone(0, 0))
        case "foreign":
            return judge.Answer((seat + 1 + number) % (players + 2), game.turn, Stone(0, 0))
    return judge.Answer(seat, game.turn, Stone(-1 - number, 0))


def other_event(game, number, *, kind):
    """Return an event that is no answer."""
    seat = number % (game.position.rules.players + 1)
    match kind:
        case "begin":
            return judge.Begin()
        case "tick":
            return judge.Tick()
        case "resign":
            return judge.Resign(seat)
        case "fault":
            return judge.Fault(seat, FAULTS[number % len(FAULTS)], "by design")
        case "sent":
            return judge.RequestSent(game.turn - number % 2)
        case "lag":
            return judge.Lagged(number * 5 * MS)
        case "pause":
            return judge.Paused(game.turn - number % 2, number * 5 * MS)
        case "take back":
            return judge.TakeBack(number - 1)
    return judge.Void("by design")


def play_choices(rules, choices, *, illegal=judge.Illegal.SKIP, control=SECOND):
    """Play (kind, number) choices to the end of the game; when they run out, play legal moves."""
    table = Table(rules, control, illegal=illegal)
    table.send(judge.Begin())
    pending = iter(choices)
    while table.game.ending is None:
        kind, number = next(pending, ("legal", 7))
        if kind in ("legal", "illegal", "unreadable"):
            table.send(answer_event(table.game, number, how=kind), after_ms=number % 50)
        elif kind == "late":
            table.send(judge.Tick(), after_ms=1001)
        else:
            table.send(other_event(table.game, number, kind=kind), after_ms=number % 50)
    return table
