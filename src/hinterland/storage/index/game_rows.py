"""Games as rows of the index, read from journals and from records without replaying them."""

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
from hinterland.storage import game_journal
from hinterland.storage.game_setup import Seat
from hinterland.storage.identities import Identity, of_seat
from hinterland.storage.index.rated_games import RatedGame, are_rivals, course_of
from hinterland.storage.index.tables import ARRAYS, Kind, ListedGame, State, folded, guest, played_by

Moves = Sequence[tuple[int, Sequence[int]]]
LONGEST_NAME = 100


class GameRow(ListedGame, kw_only=True, frozen=True):
    """One game, as the index holds it."""

    source: str = ""
    journal_bytes: int = 0
    print: str = ""
    record_at: int | None = None
    record_bytes: int | None = None
    guests: tuple[str, ...] = ()
    known: tuple[Identity | None, ...] = ()
    rated: RatedGame | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The row of the table of games."""
        row: dict[str, Any] = msgspec.to_builtins(self)
        del row["guests"], row["known"]
        row["rated"] = None if self.rated is None else msgspec.json.encode(self.rated).decode()
        return row | {name: msgspec.json.encode(row[name]).decode() for name in ARRAYS}

    @property
    def faces(self) -> list[dict[str, Any]]:
        """The rows of those by whom it is found."""
        shared = {name: getattr(self, name) for name in ("id", "state", "started", "kind", "game", "rules")}
        who = {folded(name) for name in self.players} | {guest(digest) for digest in self.guests}
        who |= {played_by(slug) for slug in self.pages if slug}
        who |= {title for spec, title in _titles(self.game).items() if spec in self.players}
        return [shared | {"who": one} for one in sorted(who)]


@cache
def _titles(game: str) -> dict[str, str]:
    """Return as what the levels of a game are looked for, by their specs; none of a game that is not known."""
    levels = catalog.game(game).levels if game in catalog.GAMES else ()
    return {level.spec: folded(level.title) for level in levels}


class _Setup(msgspec.Struct):
    """What the index reads of the first line of a journal."""

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
    """What the index reads of a record."""

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


def from_journal(path: Path) -> GameRow:
    """Read the journal of a game. Raises HinterlandError where it cannot be read or listed."""
    lines, size = game_journal.read(path)
    try:
        touched = int(path.stat().st_mtime)
        setup = msgspec.json.decode(lines[0] if lines else b"", type=_Setup)
        course = _Course(lines[1:])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"{path.name} cannot be listed: {error}") from None
    except OSError as error:
        raise RecordError(f"{path.name} cannot be read: {error.strerror}") from None
    if setup.id != path.stem:
        raise RecordError(f"{path.name} is the file of another game")
    names = tuple(seat.name for seat in setup.seats)
    known = tuple(map(of_seat, setup.seats))
    ending = course.ending
    state = State.LIVE if ending is None else State.ABANDONED if ending.reason == Verdict.VOID else State.FINISHED
    return GameRow(
        id=setup.id, url=f"/games/{setup.id}", state=state, kind=Kind.PAGE if setup.table is None else Kind.MATCH,
        game=setup.game, rules=words_of(setup.game, bytes(setup.rules)), started=seconds_of(setup.started),
        touched=touched, plies=len(course.moves), players=_short(names),
        scores=course.scores or (0,) * len(names),
        winners=() if ending is None else ending.winners, reason=_word("" if ending is None else ending.reason),
        journal_bytes=size, guests=setup.guests, known=known, pages=_slugs(known), rated=_rated(setup, known, course),
        print=fingerprint(setup.game, match.distinct(names), setup.seed, setup.number, setup.started, course.moves),
    )  # fmt: skip


def _rated(setup: _Setup, known: Sequence[Identity | None], course: _Course) -> RatedGame | None:
    """Return what counts of a game: nothing where somebody had help, or left before the first move."""
    ending = course.ending
    has_moved = {seat for seat, _ in course.moves}
    is_spoiled = ending is None or ending.reason == Verdict.VOID or setup.is_casual or course.is_helped
    if is_spoiled or not has_moved.issuperset(course.left) or not are_rivals(known):
        return None
    left = tuple(course.left.get(seat, "") for seat in range(len(known)))
    digest = course_of(bytes(setup.rules), course.moves)
    if setup.table is None:
        return RatedGame(setup.id, 1, left, digest)
    return RatedGame(f"{setup.table}.{(setup.number - 1) // len(known)}", setup.number, left, digest)


def _slugs(known: Iterable[Identity | None]) -> tuple[str, ...]:
    return tuple("" if player is None else player.slug for player in known)


def from_record(
    found: RecordLine, line: bytes, *, source: str, url: str, at: int, known: tuple[Identity | None, ...] = ()
) -> GameRow:
    """Make the row of a game of which there is only a record. Raises HinterlandError where it cannot be listed.

    ``known``: who its players are.
    """
    started = seconds_of(found.times.started)
    return GameRow(
        id=id_of_url(url), url=url, source=source, state=State.FINISHED, kind=Kind.CONTEST, game=found.game,
        rules=words_of(found.game, bytes(found.rules)), started=started, touched=started, plies=len(found.moves),
        players=_short(found.players), scores=found.scores, winners=found.winners, reason=_word(found.reason),
        record_at=at, record_bytes=len(line), known=known, pages=_slugs(known), rated=_official(found, known, source),
    )  # fmt: skip


def _official(found: RecordLine, known: Sequence[Identity | None], source: str) -> RatedGame | None:
    """Return what counts of a game of a contest."""
    place = found.contest
    if place is None or not known or len({player and player.slug for player in known} - {None}) < len(found.players):
        return None
    left = {what.seat: what.reason for what in found.between if what.event == LEFT}
    reasons = tuple(left.get(seat, "") for seat in range(len(known)))
    course = course_of(bytes(found.rules), zip(found.movers, found.moves, strict=False))
    return RatedGame(f"{source}/{place.round}.{place.task}", found.number, reasons, course, is_official=True)


def id_of_url(url: str) -> str:
    """Return the id of a game that is listed because there is a record of it, by where it is shown."""
    return _digest(url.encode())


def read_record(line: bytes) -> RecordLine:
    """Read what the index wants of a record, of either format. Raises RecordError."""
    try:
        return msgspec.json.decode(line, type=RecordLine)
    except (msgspec.DecodeError, UnicodeDecodeError):
        whole = record.read_line(line)  # of the first format, or it says what is wrong
        place = None if whole.contest is msgspec.UNSET else whole.contest
        return RecordLine(
            whole.format, whole.game, msgspec.Raw(msgspec.json.encode(whole.rules)), whole.players, whole.seed,
            whole.number, whole.movers, whole.moves, whole.scores, whole.winners, whole.reason,
            _Times(whole.times.started), whole.between, place,
        )  # fmt: skip


def print_of(found: RecordLine) -> str:
    """Return by what a record and the journal of its game know each other."""
    moves = list(zip(found.movers, found.moves, strict=False))
    return fingerprint(found.game, found.players, found.seed, found.number, found.times.started, moves)


def fingerprint(game: str, names: Iterable[str], seed: int | None, number: int, started: str, moves: Moves) -> str:
    """Return a digest of what tells a game from all others."""
    told = msgspec.json.encode((game, tuple(names), seed, number, started, moves))
    return _digest(told)


def _digest(told: bytes) -> str:
    return hashlib.blake2b(told, digest_size=12).hexdigest()


@cached(LRUCache(512), key=lambda game, rules: (game, _digest(rules)))
def words_of(game: str, rules: bytes) -> str:
    """Return rules in words. Raises HinterlandError for a game or rules that are not known here."""
    kind = catalog.game(game)
    return kind.page.words(kind.rules.from_json(msgspec.json.decode(rules)))


def seconds_of(started: str) -> int:
    """Return a moment as seconds since 1970. Raises RecordError."""
    try:
        when = datetime.fromisoformat(started)
    except ValueError:
        raise RecordError("it does not say when it began") from None
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp())


def _word(reason: str) -> str:
    return short(reason)


def _short(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(short, names))


def short(name: str) -> str:
    """Return what is kept of a name."""
    return name.replace("\0", "")[:LONGEST_NAME]  # of which PostgreSQL takes none


class _Course:
    """What the lines of a journal come to."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.moves: list[tuple[int, tuple[int, ...]]] = []
        self.scores: tuple[int, ...] = ()
        self.ending: game_journal.Over | None = None
        self.left: dict[int, str] = {}
        """Why each seat left that did."""
        self.is_helped = False
        """Whether moves were taken back, or somebody was told what they would gain."""
        for text in lines:
            line = msgspec.json.decode(text, type=game_journal.Line)
            self.scores = getattr(line, "scores", self.scores)
            match line:
                case game_journal.Moved():
                    self.moves.append((line.seat, line.move))
                case game_journal.Back():
                    del self.moves[line.plies :]
                    self.is_helped = True
                case game_journal.Helped():
                    self.is_helped = True
                case game_journal.Departed():
                    self.left[line.seat] = line.reason
                case game_journal.Over():
                    self.ending = line
