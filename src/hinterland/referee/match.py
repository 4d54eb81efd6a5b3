"""A match: games of the same players, with the seats rotated so that each player starts once; scores are added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from hinterland.contract import Move
from hinterland.errors import ArenaError
from hinterland.referee import judge
from hinterland.referee.diary import Note
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.record import Record

DRAWN_NOTE = "drawn at random"
"""The record's note on a move that no player chose."""
MAX_TRIES = 3
"""Most attempts to play one game; an attempt is repeated only if the game was void."""


class PlayerResult(msgspec.Struct, frozen=True):
    """One player's score in each game, and the sum."""

    name: str
    scores: tuple[int, ...]
    total: int
    departures: int
    """Number of games that the player left, for example by a crash or by running out of time."""


class Result(msgspec.Struct, frozen=True):
    """A finished match. ``winners``: of the players that left the fewest games, those with the highest total."""

    game: str
    players: tuple[PlayerResult, ...]
    winners: tuple[str, ...]
    record: str | None
    number: int = 1
    """Number of the match among all matches of its host."""
    unplayed: str = ""
    """Which games were not played, and why, in words; empty if all were played."""


def seating(number: int, players: int) -> tuple[int, ...]:
    """Return the player in each seat of a game. ``number`` counts games from 0; player ``number`` starts."""
    return tuple((seat + number) % players for seat in range(players))


def seat_players(terms: GameTerms, number: int) -> GameTerms:
    """Return the terms of a game of a match. ``terms``: the first game's terms; ``number`` counts games from 0."""
    names = tuple(terms.names[player] for player in seating(number, len(terms.names)))
    return msgspec.structs.replace(terms, names=names, number=number + 1)


def begin(terms: GameTerms, opening: Sequence[Move] = (), **options: Any) -> judge.Judged:
    """Return a game that waits for the event ``Begin``. ``options``: keyword arguments of ``judge.begin``.

    ``opening``: first moves that no player chose; no clock runs for them. Raises IllegalMove.
    """
    position = terms.rules.start()
    for move in opening:
        position = position.play(move)
    notes = tuple(Note(ply, DRAWN_NOTE) for ply in range(len(opening)))
    return msgspec.structs.replace(judge.begin(position, terms.clock, **options), notes=notes)


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Make names unique: the second player called ``ann`` becomes ``ann#2``, and so on."""
    seen: dict[str, int] = {}
    unique = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unique.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(unique)


def result(game: str, names: Sequence[str], records: Sequence[Record], file: str | None, number: int = 1) -> Result:
    """Add up the games of a match whose players sat as ``seating`` says. A match without games has no winner."""
    players = []
    for player, name in enumerate(names):
        seats = [seating(record.number - 1, len(names)).index(player) for record in records]
        scores = tuple(record.scores[seat] for record, seat in zip(records, seats, strict=True))
        left = sum(
            any(departure.seat == seat for departure in record.departures)
            for record, seat in zip(records, seats, strict=True)
        )
        players.append(PlayerResult(name, scores, sum(scores), left))
    best = max((-player.departures, player.total) for player in players)
    winners = tuple(player.name for player in players if records and (-player.departures, player.total) == best)
    return Result(game, tuple(players), winners, file, number)


def unplayed(games: Sequence[int], names: Sequence[str]) -> str:
    """Say which games were not played because players had left.

    ``games``: the numbers of these games, from 1; empty if the number of games was left open.
    """
    gone = ", ".join(names)
    match [str(number) for number in games]:
        case []:
            return f"another game was not played: {gone} had left"
        case [number]:
            return f"game {number} was not played: {gone} had left"
        case numbers:
            return f"games {', '.join(numbers)} were not played: {gone} had left"


def make_void_error(number: int, detail: str) -> ArenaError:
    """Return the error for a game that was void at every attempt.

    ``number``: the game's number, from 0. ``detail``: why the last attempt was void.
    """
    return ArenaError(f"game {number + 1} was void {MAX_TRIES} times, the last time because {detail}")
