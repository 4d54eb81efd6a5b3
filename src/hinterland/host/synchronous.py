"""Games between players of this process: reads the clock, asks the players, and feeds the judge."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from hinterland.contract import Move, Player, TellingPlayer
from hinterland.host.lag_monitor import LagMonitor
from hinterland.referee import judge, match, record
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.record import Record


def timestamp() -> str:
    """Return the present date and time in UTC, in the form of ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def choose(player: Player, position: Any, request: judge.Request, rng: np.random.Generator) -> judge.Event:
    """Ask a player for its move. If the player raises an exception, return a fault of its seat with the message."""
    try:
        if isinstance(player, TellingPlayer):
            return judge.Answer(request.seat, request.turn, *player.choose_and_tell(position, request.clock, rng))
        return judge.Answer(request.seat, request.turn, player.choose(position, request.clock, rng))
    except Exception as error:
        return judge.Fault(request.seat, judge.Verdict.CRASH, f"{player.name} failed: {type(error).__name__}: {error}")


def play_game(
    game: judge.Judged,
    players: Sequence[Player],
    rngs: Sequence[np.random.Generator],
    watch: Callable[[judge.Effect], None] = lambda _: None,
) -> judge.Judged:
    """Play a game to its end. ``players`` and ``rngs`` are in the order of the seats; ``watch`` sees every effect."""
    event: judge.Event = judge.Begin()
    with LagMonitor(on_thread=True) as lag_monitor:
        while game.ending is None:
            game, effects = judge.step(game, event, time.monotonic_ns())
            for effect in effects:
                watch(effect)
                if isinstance(effect, judge.Request):
                    game, _ = judge.step(game, judge.RequestSent(effect.turn), time.monotonic_ns())
                    seen = len(lag_monitor.standstills_ns)
                    event = choose(players[effect.seat], game.position, effect, rngs[effect.seat])
                    game = _credit_standstills(game, lag_monitor, seen, watch)
    return game


def _credit_standstills(
    game: judge.Judged, lag_monitor: LagMonitor, seen: int, watch: Callable[[judge.Effect], None]
) -> judge.Judged:
    """Credit the running clock with the machine's standstills, except the first ``seen`` ones."""
    now_ns = time.monotonic_ns()
    lag_monitor.notice_delay(now_ns)
    stood_ns = lag_monitor.longest_standstill_ns(seen)
    if not stood_ns:
        return game
    game, effects = judge.step(game, judge.Lagged(sum(lag_monitor.standstills_ns[seen:]), stood_ns), now_ns)
    for effect in effects:
        watch(effect)
    return game


def play_match(
    terms: GameTerms,
    players: Sequence[Player],
    keep: Callable[[Record], None] = lambda _: None,
    watch: Callable[[int, judge.Effect], None] = lambda *_: None,
    opening: Sequence[Move] = (),
    games: Sequence[int] | None = None,
    void: Callable[[Record], None] = lambda _: None,
) -> list[Record]:
    """Play a match: one game for each player, seats rotated. ``keep`` gets each record before the next game begins.

    ``terms``: terms of the first game, in which the players sit in the given order. ``opening``: first moves of every
    game. ``games``: numbers of the games to play; the first game is 0. None: all games. ``void`` gets the record of
    each void game, which is then played again. Raises ArenaError if a game is void at every attempt.
    """

    def play_one(number: int) -> Record:
        seats = match.seating(number, len(players))
        rngs = [np.random.default_rng([terms.seed or 0, number, player]) for player in seats]
        started = timestamp()
        in_seats = [players[player] for player in seats]
        judged = play_game(match.begin(terms, opening), in_seats, rngs, lambda effect: watch(number, effect))
        return record.of_game(match.seat_players(terms, number), judged, started)

    records = []
    for number in range(len(players)) if games is None else games:
        kept = _play_until_counted(number, play_one, void)
        keep(kept)
        records.append(kept)
    return records


def _play_until_counted(number: int, play_one: Callable[[int], Record], void: Callable[[Record], None]) -> Record:
    """Play a game, and again as long as it is void. Raises ArenaError if the game is void at every attempt."""
    detail = ""
    for _ in range(match.MAX_TRIES):
        kept = play_one(number)
        if kept.reason != judge.Verdict.VOID:
            return kept
        void(kept)
        detail = kept.detail
    raise match.make_void_error(number, detail)
