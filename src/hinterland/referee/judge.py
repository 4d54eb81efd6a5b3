"""The judge: one game as a pure state machine.

``step(game, event, now) -> (game, effects)``. The driver of a game (a loop over players in this process, a server with
sockets, the arena in the browser) reads the clock, feeds events and carries the effects out. Nothing here waits, sends
or looks at the time. Observers, records and contests read the same effects, so they cannot disagree.

Every request for a move has a turn number, which its answer must carry. An answer with another turn number is discarded
and can never become a move later. A seat that is late, breaks the rules or leaves is withdrawn from the position. The
game goes on while two seats are left in it. A seat that departed scores nothing.

The event ``Paused`` reports a pause in which a player's clock stood still, and the length of the pause. Two events are
about the referee itself. ``RequestSent`` says that a request has been sent. The clock starts at this moment, so that no
player pays for the time that the referee took to judge the previous move. ``Lagged`` says that the referee was late. No
clock is charged for that time, and a game in which the referee stood still for too long is void, not lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from hinterland.contract import Position, leaders
from hinterland.errors import IllegalMove
from hinterland.referee.clock import NS_PER_MS, Clocks, TimeControl
from hinterland.referee.diary import Note
from hinterland.referee.events import (
    Answer,
    Begin,
    Delayed,
    Discarded,
    Effect,
    Ended,
    Event,
    Fault,
    Help,
    Helped,
    Lagged,
    Paused,
    Played,
    Refused,
    Request,
    RequestSent,
    Resign,
    Skipped,
    TakeBack,
    TakenBack,
    Tick,
    Unreadable,
    Void,
)
from hinterland.referee.verdicts import Departure, Ending, Illegal, Verdict, departed_scores

__all__ = [
    "LONGEST_STANDSTILL_NS",
    "Answer",
    "Begin",
    "Delayed",
    "Departure",
    "Discarded",
    "Effect",
    "Ended",
    "Ending",
    "Event",
    "Fault",
    "Help",
    "Helped",
    "Illegal",
    "Judged",
    "Lagged",
    "Paused",
    "Played",
    "Refused",
    "Request",
    "RequestSent",
    "Resign",
    "Skipped",
    "TakeBack",
    "TakenBack",
    "Tick",
    "Unreadable",
    "Verdict",
    "Void",
    "begin",
    "departed_scores",
    "ranking",
    "step",
]  # fmt: skip


class Judged(msgspec.Struct, frozen=True):
    """The whole state of a judged game."""

    position: Position[Any, Any]
    """The board."""
    clocks: Clocks
    """The clocks."""
    illegal: tuple[Illegal, ...]
    """What an illegal move costs each seat."""
    most_refusals: int | None = None
    """With RETRY: most illegal moves in one turn; the next gets the verdict ``illegal``. None: no limit."""
    refusals: int = 0
    """Illegal moves since the last request."""
    turn: int = 0
    """Number of the last request."""
    move_ms: tuple[int, ...] = ()
    """Duration of each move, in milliseconds."""
    notes: tuple[Note, ...] = ()
    """The players' notes on moves."""
    departures: tuple[Departure, ...] = ()
    """The seats that have left."""
    ending: Ending | None = None
    """How the game ended; None while it goes on."""
    lag_ns: int = 0
    """Total time by which the referee was late in this game."""
    is_helped: bool = False
    """Whether somebody was shown what moves would gain."""


Step = tuple[Judged, tuple[Effect, ...]]
LONGEST_STANDSTILL_NS = 10_000_000_000
"""Longest standstill of the referee, in nanoseconds, after which a game still counts."""
END_DETAILS = {"complete": "every seat has made all its moves", "stuck": "nobody has room for another move"}


def begin(
    position: Position[Any, Any],
    control: TimeControl,
    *,
    illegal: Illegal | Sequence[Illegal] = Illegal.FORFEIT,
    most_refusals: int | None = None,
    grace_ms: Sequence[int] = (),
) -> Judged:
    """Return a game that starts from any position, and waits for the event ``Begin``.

    ``illegal``: cost of an illegal move, one value for all seats or one for each. ``grace_ms``: free milliseconds of
    each move, one value for each seat; empty: none.
    """
    players = position.rules.players
    clocks = Clocks.fresh(control, players, grace_ms)
    costs = (illegal,) * players if isinstance(illegal, Illegal) else tuple(illegal)
    return Judged(position, clocks, costs, most_refusals, move_ms=(0,) * len(position.moves))


def step(game: Judged, event: Event, now_ns: int) -> Step:
    """Return the game after an event that happens at ``now_ns``, and the effects of the event."""
    if game.ending is not None:
        return game, (Discarded(event.seat, "the game is over"),) if isinstance(event, Answer | Unreadable) else ()
    match event:
        case Begin():
            return _request_next_move(game, now_ns) if game.clocks.running is None else (game, ())
        case Answer() | Unreadable():
            return _judge_answer(game, event, now_ns)
        case RequestSent(turn):
            return _start_clock(game, turn, now_ns)
        case Lagged():
            return _credit_lag(game, event, now_ns)
        case Paused(turn, pause_ns):
            return (_replace(game, clocks=game.clocks.postponed(pause_ns, now_ns)) if turn == game.turn else game), ()
        case Tick(late_hint):
            return _withdraw_late_seat(game, now_ns, late_hint) if game.clocks.is_late(now_ns) else (game, ())
        case Resign(seat):
            return _withdraw(game, seat, Verdict.RESIGNED, f"seat {seat} resigned", now_ns)
        case Fault(seat, verdict, detail):
            return _withdraw(game, seat, verdict, detail, now_ns)
        case TakeBack(plies):
            return _take_back(game, plies, now_ns)
        case Help():
            return _replace(game, is_helped=True), () if game.is_helped else (Helped(),)
        case Void(detail, at_fault):
            return _end(game, (), Verdict.VOID, detail, at_fault)


def ranking(game: Judged) -> tuple[int, ...]:
    """Return the rank of each seat, 1 for the best; empty if the game goes on or is void.

    Seats that stayed to the end rank above those that left, and a seat that left later above a seat that left earlier.
    Seats that stayed are ranked by score; equal scores share a rank.
    """
    if game.ending is None or game.ending.reason == Verdict.VOID:
        return ()
    left = {departed.seat: number for number, departed in enumerate(game.departures)}
    stayed = len(left)
    merits = [(left.get(seat, stayed), score) for seat, score in enumerate(game.ending.scores)]
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


def _replace(game: Judged, **fields: Any) -> Judged:
    return msgspec.structs.replace(game, **fields)


def _request_next_move(game: Judged, now_ns: int) -> Step:
    """Ask the next seat for a move, or end the game if the rules say so."""
    seat = game.position.to_move
    if seat is None:
        return _end_by_rules(game)
    clocks = game.clocks.start(seat, now_ns)
    asked = _replace(game, clocks=clocks, turn=game.turn + 1, refusals=0)
    return asked, (Request(seat, asked.turn, clocks.shown_to(seat), clocks.deadline_ns),)


def _start_clock(game: Judged, turn: int, now_ns: int) -> Step:
    """Start the clock of a request, if this request is still open."""
    if turn != game.turn or game.clocks.running is None:
        return game, ()
    return _replace(game, clocks=game.clocks.start(game.clocks.running, now_ns)), ()


def _credit_lag(game: Judged, lagged: Lagged, now_ns: int) -> Step:
    lag_ns, stood_ns = lagged.lag_ns, lagged.stood_ns
    game = _replace(game, lag_ns=game.lag_ns + lag_ns)
    if stood_ns > LONGEST_STANDSTILL_NS:
        return _end(game, (), Verdict.VOID, f"the referee stood still for {stood_ns / 1e9:.1f} s", "referee")
    return _replace(game, clocks=game.clocks.postponed(lag_ns, now_ns)), (Delayed(lag_ns, stood_ns),)


def _judge_answer(game: Judged, answer: Answer | Unreadable, now_ns: int) -> Step:
    if answer.seat != game.clocks.running or answer.turn != game.turn:
        return game, (Discarded(answer.seat, f"an answer to turn {answer.turn}, not asked of seat {answer.seat} now"),)
    if game.clocks.is_late(now_ns):
        return _withdraw_late_seat(game, now_ns)
    try:
        if isinstance(answer, Unreadable):
            raise IllegalMove(answer.code, answer.detail)
        position = game.position.play(answer.move)
    except IllegalMove as error:
        return _handle_illegal_move(game, answer.seat, error, now_ns)
    spent_ms = game.clocks.spent_ns(now_ns) // NS_PER_MS
    note, marks = answer.note, answer.marks
    played = Played(answer.seat, answer.move, spent_ms, position.scores, note, marks)
    moved = _replace(game, position=position, clocks=game.clocks.stop(now_ns), move_ms=(*game.move_ms, spent_ms))
    if note or marks:
        moved = _replace(moved, notes=(*game.notes, Note(len(game.position.moves), note, marks)))
    after, effects = _request_next_move(moved, now_ns)
    return after, (played, *effects)


def _handle_illegal_move(game: Judged, seat: int, error: IllegalMove, now_ns: int) -> Step:
    match game.illegal[seat]:
        case Illegal.RETRY if game.refusals != game.most_refusals:
            return _replace(game, refusals=game.refusals + 1), (Refused(seat, error.code, error.detail),)
        case Illegal.RETRY:
            detail = f"refused {game.refusals} times in one turn, and again: {error.detail}"
            return _withdraw(game, seat, Verdict.ILLEGAL, detail, now_ns)
        case Illegal.FORFEIT:
            return _withdraw(game, seat, Verdict.ILLEGAL, error.detail, now_ns)
        case Illegal.SKIP:
            skipped = Skipped(seat, error.code, error.detail, len(game.position.moves))
            lost = _replace(game, position=game.position.skip(), clocks=game.clocks.halt(now_ns))
            after, effects = _request_next_move(lost, now_ns)
            return after, (skipped, *effects)


def _withdraw_late_seat(game: Judged, now_ns: int, late_hint: str = "") -> Step:
    seat = game.clocks.running
    spent = game.clocks.spent_ns(now_ns) / 1e9
    detail = f"seat {seat} ran out of time, {spent:.3f} s into its move"
    return _withdraw(game, seat, Verdict.TIME, "; ".join(filter(None, (detail, late_hint))), now_ns)


def _withdraw(game: Judged, seat: int | None, verdict: Verdict, detail: str, now_ns: int) -> Step:
    """Withdraw a seat.

    End the game if fewer than two seats are left; else, if the seat was to move, ask the next one.
    """
    if seat is None or seat not in game.position.staying:
        return game, ()
    departed = Departure(seat, verdict, detail, len(game.position.moves))
    was_asked = game.clocks.running == seat
    game = _replace(game, position=game.position.withdraw(seat), departures=(*game.departures, departed))
    staying = game.position.staying
    if len(staying) < 2:
        after, effects = _end(game, staying, verdict, detail, seat)
    elif was_asked:
        after, effects = _request_next_move(_replace(game, clocks=game.clocks.halt(now_ns)), now_ns)
    else:
        return game, (departed,)
    return after, (departed, *effects)


def _take_back(game: Judged, plies: int, now_ns: int) -> Step:
    if not 0 <= plies < len(game.position.moves) or game.departures:
        return game, ()
    back = _replace(
        game,
        position=game.position.after(plies),
        clocks=game.clocks.halt(now_ns),
        move_ms=game.move_ms[:plies],
        notes=tuple(note for note in game.notes if note.ply < plies),
    )
    after, effects = _request_next_move(back, now_ns)
    return after, (TakenBack(plies), *effects)


def _end_by_rules(game: Judged) -> Step:
    scores = game.position.scores
    staying = game.position.staying
    best = leaders(tuple(scores[seat] for seat in staying))
    reason = game.position.end_reason
    return _end(game, tuple(staying[place] for place in best), reason, END_DETAILS[reason])


def _end(
    game: Judged,
    winners: tuple[int, ...],
    reason: str,
    detail: str,
    at_fault: int | Literal["operator", "referee"] | None = None,
) -> Step:
    scores = departed_scores(game.position.scores, frozenset(game.position.withdrawn))
    ending = Ending(scores, winners, str(reason), detail, at_fault)
    return _replace(game, clocks=msgspec.structs.replace(game.clocks, running=None), ending=ending), (Ended(ending),)
