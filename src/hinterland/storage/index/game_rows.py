"""Makes rows of the index from journals and records, without replaying games; says which games count for ladders."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from cachetools import LRUCache, cached

from hinterland import catalog
from hinterland.contract import LEFT
from hinterland.errors import RecordError
from hinterland.referee import match, record
from hinterland.referee.verdicts import Verdict
from hinterland.storage.game_setup import Seat
from hinterland.storage.identities import Identity, PlayerKind, identify_seat
from hinterland.storage.index.tables import ARRAY_COLUMNS, Kind, ListedGame, State, browser_key, name_key, player_key
from hinterland.storage.journal import GAME_LINES, Back, Departed, Helped, Moved, Over, read_lines

Moves = Sequence[tuple[int, Sequence[int]]]
MAX_NAME_LETTERS = 100


class RatedGame(msgspec.Struct, frozen=True):
    """A game that counts for a ladder."""

    match: str
    """Id shared by all games of one match."""
    number: int
    """Number of the game in the match, from 1."""
    left: tuple[str, ...]
    """For each seat, the reason why it left; empty if it stayed."""
    course: str
    """Digest of rules and moves; a repeated game has the same digest."""
    is_official: bool = False
    """Whether the game is of a contest: such a game counts even if it repeats another."""


class GameRow(ListedGame, kw_only=True, frozen=True):
    """One game, as the index holds it."""

    source: str = ""
    journal_bytes: int = 0
    fingerprint: str = ""
    record_at: int | None = None
    record_bytes: int | None = None
    guests: tuple[str, ...] = ()
    known: tuple[Identity | None, ...] = ()
    rated: RatedGame | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The game's row in ``GAMES``."""
        row: dict[str, Any] = msgspec.to_builtins(self)
        del row["guests"], row["known"]
        row["rated"] = None if self.rated is None else msgspec.json.encode(self.rated).decode()
        return row | {name: msgspec.json.encode(row[name]).decode() for name in ARRAY_COLUMNS}

    @property
    def appearances(self) -> list[dict[str, Any]]:
        """The game's rows in ``APPEARANCES``."""
        shared = {name: getattr(self, name) for name in ("id", "state", "started", "kind", "game", "rules")}
        who = {name_key(name) for name in self.players} | {browser_key(digest) for digest in self.guests}
        who |= {player_key(slug) for slug in self.pages if slug}
        who |= {title for spec, title in _level_keys(self.game).items() if spec in self.players}
        return [shared | {"who": one} for one in sorted(who)]


@cache
def _level_keys(game: str) -> dict[str, str]:
    """For each level of a game, map its spec to the key under which people find the level in the list of games.

    The key is the ``name_key`` of the level's title. The result is empty for an unknown game.
    """
    levels = catalog.game(game).levels if game in catalog.GAMES else ()
    return {level.spec: name_key(level.title) for level in levels}


class _Setup(msgspec.Struct):
    """The fields that the index reads of a journal's first line."""

    id: str
    game: str
    rules: msgspec.Raw
    seats: tuple[Seat, ...]
    seed: int | None
    started: str
    table: str | None = None
    number: int = 1
    guests: tuple[str, ...] = ()
    is_casual: bool = False


class _Times(msgspec.Struct):
    started: str


class RecordLine(msgspec.Struct):
    """The fields that the index reads of a record."""

    format: str
    game: str
    rules: msgspec.Raw
    players: tuple[str, ...]
    seed: int | None
    number: int
    movers: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    times: _Times
    between: tuple[record.Between, ...] = ()
    contest: record.ContestPlace | None = None


SETUPS, RECORD_LINES = msgspec.json.Decoder(_Setup), msgspec.json.Decoder(RecordLine)
"""Decoders, made at import: the interpreter crashes if two threads use a type's decoder for the first time at once."""


def from_journal(path: Path) -> GameRow:
    """Make the row of a game from its journal. Raises HinterlandError if the journal cannot be read or listed."""
    lines, size = read_lines(path)
    try:
        touched = int(path.stat().st_mtime)
        setup = SETUPS.decode(lines[0] if lines else b"")
        summary = _JournalSummary(lines[1:])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"{path.name} cannot be listed: {error}") from None
    except OSError as error:
        raise RecordError(f"{path.name} cannot be read: {error.strerror}") from None
    if setup.id != path.stem:
        raise RecordError(f"{path.name} is the journal of another game")
    names = tuple(seat.name for seat in setup.seats)
    known = tuple(map(identify_seat, setup.seats))
    ending = summary.ending
    state = State.LIVE if ending is None else State.ABANDONED if ending.reason == Verdict.VOID else State.FINISHED
    return GameRow(
        id=setup.id, url=f"/games/{setup.id}", state=state, kind=Kind.PAGE if setup.table is None else Kind.MATCH,
        game=setup.game, rules=describe_rules(setup.game, bytes(setup.rules)), started=parse_seconds(setup.started),
        touched=touched, plies=len(summary.moves), players=_shorten_names(names),
        scores=summary.scores or (0,) * len(names),
        winners=() if ending is None else ending.winners, reason=shorten_name("" if ending is None else ending.reason),
        journal_bytes=size, guests=setup.guests, known=known, pages=_slugs(known),
        rated=_rate_page_game(setup, known, summary),
        fingerprint=make_fingerprint(
            setup.game, match.distinct(names), setup.seed, setup.number, setup.started, summary.moves
        ),
    )  # fmt: skip


def _rate_page_game(setup: _Setup, known: Sequence[Identity | None], summary: _JournalSummary) -> RatedGame | None:
    """Return what ladders need of a game; None if the game does not count, for example because a player used hints."""
    ending = summary.ending
    has_moved = {seat for seat, _ in summary.moves}
    is_spoiled = ending is None or ending.reason == Verdict.VOID or setup.is_casual or summary.is_helped
    if is_spoiled or not has_moved.issuperset(summary.left) or not can_be_rated(known):
        return None
    left = tuple(summary.left.get(seat, "") for seat in range(len(known)))
    digest = digest_moves(bytes(setup.rules), summary.moves)
    if setup.table is None:
        return RatedGame(setup.id, 1, left, digest)
    return RatedGame(f"{setup.table}.{(setup.number - 1) // len(known)}", setup.number, left, digest)


def can_be_rated(players: Sequence[Identity | None]) -> bool:
    """Say whether a game of these players can count for a ladder.

    Each player needs an identity. No two players may be the same or share a browser. At least one must be a person or a
    bot: games of built-in players alone count only in contests, where nobody chooses who plays.
    """
    known = [player for player in players if player is not None]
    browsers = [player.proof for player in known if player.kind == PlayerKind.GUEST]
    return (
        len(known) == len(players) >= 2
        and len({player.slug for player in known}) == len(known)
        and len(set(browsers)) == len(browsers)
        and any(player.kind != PlayerKind.HOUSE for player in known)
    )


def digest_moves(rules: bytes, moves: Iterable[object]) -> str:
    """Return a digest of rules and moves."""
    digest = hashlib.blake2b(rules, digest_size=12)
    digest.update(msgspec.json.encode(tuple(moves)))
    return digest.hexdigest()


def _slugs(known: Iterable[Identity | None]) -> tuple[str, ...]:
    return tuple("" if player is None else player.slug for player in known)


def from_record(
    found: RecordLine, line: bytes, *, source: str, url: str, at: int, known: tuple[Identity | None, ...] = ()
) -> GameRow:
    """Make the row of a game that has a record but no journal. Raises HinterlandError if the game cannot be listed.

    ``at``: offset of ``line`` in the file; ``known``: the identities of the players.
    """
    started = parse_seconds(found.times.started)
    return GameRow(
        id=id_of_url(url), url=url, source=source, state=State.FINISHED, kind=Kind.CONTEST, game=found.game,
        rules=describe_rules(found.game, bytes(found.rules)), started=started, touched=started, plies=len(found.moves),
        players=_shorten_names(found.players), scores=found.scores, winners=found.winners,
        reason=shorten_name(found.reason), record_at=at, record_bytes=len(line), known=known, pages=_slugs(known),
        rated=_rate_contest_game(found, known, source),
    )  # fmt: skip


def _rate_contest_game(found: RecordLine, known: Sequence[Identity | None], source: str) -> RatedGame | None:
    """Return what ladders need of a contest's game; None if the game does not count."""
    place = found.contest
    if place is None or not known or len({player and player.slug for player in known} - {None}) < len(found.players):
        return None
    left = {what.seat: what.reason for what in found.between if what.event == LEFT}
    reasons = tuple(left.get(seat, "") for seat in range(len(known)))
    course = digest_moves(bytes(found.rules), zip(found.movers, found.moves, strict=False))
    return RatedGame(f"{source}/{place.round}.{place.task}", found.number, reasons, course, is_official=True)


def id_of_url(url: str) -> str:
    """Return the id of a game that has a record but no journal, from the address of its page."""
    return _digest(url.encode())


def read_record(line: bytes) -> RecordLine:
    """Decode a record, of the first or the present format. Raises RecordError."""
    try:
        return RECORD_LINES.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        whole = record.read_line(line)  # reads the first format, too, or raises the error
        place = None if whole.contest is msgspec.UNSET else whole.contest
        return RecordLine(
            whole.format, whole.game, msgspec.Raw(msgspec.json.encode(whole.rules)), whole.players, whole.seed,
            whole.number, whole.movers, whole.moves, whole.scores, whole.winners, whole.reason,
            _Times(whole.times.started), whole.between, place,
        )  # fmt: skip


def fingerprint_of_record(found: RecordLine) -> str:
    """Return the fingerprint that a record shares with its game's journal."""
    moves = list(zip(found.movers, found.moves, strict=False))
    return make_fingerprint(found.game, found.players, found.seed, found.number, found.times.started, moves)


def make_fingerprint(
    game: str, names: Iterable[str], seed: int | None, number: int, started: str, moves: Moves
) -> str:  # fmt: skip
    """Return a digest that distinguishes a game from all others."""
    return _digest(msgspec.json.encode((game, tuple(names), seed, number, started, moves)))


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=12).hexdigest()


@cached(LRUCache(512), key=lambda game, rules: (game, _digest(rules)))
def describe_rules(game: str, rules: bytes) -> str:
    """Describe rules in words. Raises HinterlandError for an unknown game or unknown rules."""
    kind = catalog.game(game)
    return kind.page.words(kind.rules.from_json(msgspec.json.decode(rules)))


def parse_seconds(started: str) -> int:
    """Parse a time in ISO 8601 as seconds since 1970. Raises RecordError."""
    try:
        when = datetime.fromisoformat(started)
    except ValueError:
        raise RecordError("it does not say when it began") from None
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp())


def _shorten_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(shorten_name, names))


def shorten_name(name: str) -> str:
    """Return at most ``MAX_NAME_LETTERS`` of a name, without NUL, which PostgreSQL refuses."""
    return name.replace("\0", "")[:MAX_NAME_LETTERS]


class _JournalSummary:
    """Moves, scores and ending of a game, added up from its journal's lines."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.moves: list[tuple[int, tuple[int, ...]]] = []
        self.scores: tuple[int, ...] = ()
        self.ending: Over | None = None
        self.left: dict[int, str] = {}
        """Reason of each seat that left."""
        self.is_helped = False
        """Whether moves were taken back, or a player saw what a move would gain."""
        for text in lines:
            line = GAME_LINES.decode(text)
            self.scores = getattr(line, "scores", self.scores)
            match line:
                case Moved():
                    self.moves.append((line.seat, line.move))
                case Back():
                    del self.moves[line.plies :]
                    self.is_helped = True
                case Helped():
                    self.is_helped = True
                case Departed():
                    self.left[line.seat] = line.reason
                case Over():
                    self.ending = line
