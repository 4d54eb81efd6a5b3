"""Records: one finished game as one line of JSON, from which everything can be replayed and judged again.

One field, ``times``, holds everything that depends on when a game was played. All other fields are equal in two runs
with the same seed. Three checksums, of the game, of its times and of a study, find what a replay cannot see, such as a
changed digit in a name or a time. Each field holds one kind of value, so that tools which read lines of JSON as a table
can read records. Records of the first format can also be read (``first_format``). Nothing here opens a file
(``hinterland.storage`` does).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from hinterland import __version__, catalog
from hinterland.contract import LEFT, LOST, Game, Move, Position, read_json
from hinterland.errors import BadText, RecordError, RulesError, quote
from hinterland.referee import first_format
from hinterland.referee.clock import NS_PER_MS, TimeControl
from hinterland.referee.diary import Note
from hinterland.referee.game_study import GameStudy
from hinterland.referee.game_terms import GameTerms
from hinterland.referee.judge import Judged
from hinterland.referee.verdicts import Departure, Verdict

FORMAT = "hinterland-record/2"


class Between(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event between two moves: a seat lost its turn, or left the game."""

    plies: int
    """Number of moves made before this event; events after the same move are in the order in which they happened."""
    seat: int
    """The seat."""
    event: Literal["lost", "left"]
    """What happened: the seat lost its turn, or left the game."""
    reason: str = ""
    """The verdict on a seat that left; empty for a lost turn."""
    detail: str = ""
    """The same in words."""

    def __post_init__(self) -> None:
        if self.event == LEFT:
            Verdict(self.reason)
        elif self.reason:
            raise ValueError("a lost turn has no verdict")


class Versions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which programs played and judged a game."""

    players: tuple[str, ...]
    """Version of the program in each seat; empty for a built-in player, and if it is unknown."""
    judge: str
    """Version of the program that judged, such as ``1.0.0``."""


class Times(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that differs between two runs of the same game."""

    started: str
    """When the game began, ISO 8601 in UTC."""
    ms: tuple[int, ...]
    """Duration of each move, in milliseconds."""
    lag_ms: int = 0
    """Total time by which the referee was late, in milliseconds; no clock was charged for it."""
    notes: tuple[Note, ...] = ()
    """The players' notes on moves."""
    versions: Versions | msgspec.UnsetType = msgspec.UNSET
    """Which programs played and judged; left out of games between built-in players and people."""
    crc: str = ""
    """Checksum of the fields above."""


class ContestPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The match of a contest to which a game belongs. Together with ``Record.number`` it identifies the game."""

    plan: str
    """The plan's hash."""
    round: int
    """Number of the round, from 0."""
    task: int
    """Number of the match in the round, from 0."""

    def address_of(self, number: int) -> str:
        """Return round, match and game as people write them, all from 1: ``4.2.1``. ``number``: of the game."""
        return f"{self.round + 1}.{self.task + 1}.{number}"


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One finished game."""

    format: str = FORMAT
    """Identifies a line as a record of this format."""
    game: str
    """The game's name in the catalogue."""
    rules: dict[str, Any]
    """All fields of the rules."""
    players: tuple[str, ...]
    """Names by seat."""
    seed: int | None
    """Seed of the match; None if nothing was random."""
    number: int
    """Number of the game in its match, from 1."""
    clock: TimeControl
    """The time control."""
    movers: tuple[int, ...]
    """The seat that made each move."""
    moves: tuple[tuple[int, ...], ...]
    """The numbers of each move, in order of play."""
    between: tuple[Between, ...] = ()
    """Lost turns and departures, in the order in which they happened."""
    scores: tuple[int, ...]
    """Score of each seat; 0 for a seat that left."""
    winners: tuple[int, ...]
    """The seats that won."""
    reason: str
    """Why the game ended: the rules' reason or the referee's verdict."""
    detail: str
    """The same in words."""
    contest: ContestPlace | msgspec.UnsetType = msgspec.UNSET
    """The game's place in a contest, if it belongs to one."""
    study: GameStudy | msgspec.UnsetType = msgspec.UNSET
    """A study of the game, if there is one; it has its own checksum."""
    crc: str = ""
    """Checksum of everything but the study and the times."""
    times: Times
    """Everything that may differ in another run of the same game."""

    def _repr_html_(self) -> str:
        from hinterland.drawing.figures import make_stepper  # noqa: PLC0415

        return make_stepper(catalog.game(self.game).pictures.image, positions(self), self.players, self.movers)

    @property
    def played(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """For each move, in order of play: (seat, numbers of the move)."""
        return tuple(zip(self.movers, self.moves, strict=True))

    @property
    def versions(self) -> tuple[str, ...]:
        """The version of the program in each seat; empty for each seat if none is known."""
        return self.times.versions.players if self.times.versions else ("",) * len(self.players)

    @property
    def departures(self) -> tuple[Departure, ...]:
        """The seats that left before the end."""
        left = (what for what in self.between if what.event == LEFT)
        return tuple(Departure(gone.seat, Verdict(gone.reason), gone.detail, gone.plies) for gone in left)


def check_seats(record: Record) -> None:
    """Raise RecordError if a record names seats that its game does not have. The game is not replayed."""
    count = len(record.players)
    if count < 2:
        raise RecordError(f"a game has at least 2 players, not {count}")
    if len(record.scores) != count:
        raise RecordError(f"it has {len(record.scores)} scores for {count} players")
    for seat in (*record.movers, *record.winners, *(one.seat for one in record.between)):
        if not 0 <= seat < count:
            raise RecordError(f"it speaks of seat {seat}; seats go from 0 to {count - 1}")


def of_game(terms: GameTerms, judged: Judged, started: str, versions: tuple[str, ...] = ()) -> Record:
    """Make the record of a game that has ended. Raises RecordError for a game that goes on.

    ``versions``: the version of the program in each seat.
    """
    ending = judged.ending
    if ending is None:
        raise RecordError("only a game that has ended has a record")
    position = judged.position
    return sealed(
        Record(
            game=terms.rules.game,
            rules=msgspec.to_builtins(terms.rules),
            players=terms.names,
            seed=terms.seed,
            number=terms.number,
            clock=terms.clock,
            movers=tuple(seat for seat, _ in position.moves),
            moves=tuple(move.numbers for _, move in position.moves),
            between=tuple(_between(judged)),
            scores=ending.scores,
            winners=ending.winners,
            reason=ending.reason,
            detail=ending.detail,
            times=Times(
                started=started,
                ms=judged.move_ms,
                lag_ms=judged.lag_ns // NS_PER_MS,
                notes=judged.notes,
                versions=Versions(versions, __version__) if any(versions) else msgspec.UNSET,
            ),
        )
    )


def _between(judged: Judged) -> Iterator[Between]:
    gone = {departure.seat: departure for departure in judged.departures}
    for plies, seat, what in judged.position.between:
        if what == LOST:
            yield Between(plies, seat, "lost")
        else:
            yield Between(plies, seat, "left", str(gone[seat].reason), gone[seat].detail)


def placed(record: Record, place: ContestPlace) -> Record:
    """Return a copy of a record that also holds the game's place in a contest."""
    return sealed(msgspec.structs.replace(record, contest=place))


def unfold(record: Record) -> Iterator[Position[Any, Any]]:
    """Replay a record: yield the position at the start and after every event. Raises HinterlandError."""
    game = catalog.game(record.game)
    rules = game.rules.from_json(record.rules)
    yield from game.position.unfold(rules, _history(game, record))


def positions(record: Record) -> Iterator[Position[Any, Any]]:
    """Replay a record: yield the position at the start and after each move. Raises HinterlandError."""
    for position in unfold(record):
        if not position.history or not isinstance(position.history[-1][1], str):
            yield position


def final(record: Record) -> Position[Any, Any]:
    """Return the last position of a record. Raises HinterlandError."""
    *_, last = unfold(record)
    return last


def _history(game: Game, record: Record) -> Iterator[tuple[int, Move | str]]:
    """Yield the events in order. Raises RecordError if ``movers``, ``moves`` and ``between`` contradict each other."""
    if len(record.movers) != len(record.moves):
        raise RecordError(f"it has {len(record.movers)} movers for {len(record.moves)} moves")
    moves = list(zip(record.movers, record.moves, strict=True))
    plies = 0
    for what in record.between:
        if not plies <= what.plies <= len(moves):
            raise RecordError(
                f"its lost turns and departures are not in the order in which they came: seat {what.seat} after"
                f" {what.plies} moves of {len(moves)}, {plies} were made before"
            )
        yield from _read(game, moves[plies : what.plies])
        yield what.seat, what.event
        plies = what.plies
    yield from _read(game, moves[plies:])


def _read(game: Game, played: Iterable[tuple[int, tuple[int, ...]]]) -> Iterator[tuple[int, Move]]:
    for seat, numbers in played:
        yield seat, game.move.from_numbers(list(numbers))


def to_line(record: Record) -> bytes:
    """Write a record as one line, newline included, in the format that the record names."""
    return msgspec.json.encode(_as_first(record) if record.format == first_format.FORMAT else record) + b"\n"


def read_line(line: bytes | str) -> Record:
    """Read one line, of either format, without judging the game. Raises RecordError."""
    try:
        loose = read_json(line)
    except BadText as error:
        raise RecordError(f"not a whole line of JSON: {error}") from None
    found = loose.get("format") if isinstance(loose, dict) else loose
    if found not in (FORMAT, first_format.FORMAT):
        raise RecordError(f"not a record of this program: its format should be {FORMAT!r}, not {quote(found)}")
    try:
        if found == FORMAT:
            return msgspec.convert(loose, Record)
        return _of_first(msgspec.convert(loose, first_format.FirstRecord))
    except (RulesError, msgspec.ValidationError) as error:
        raise RecordError(f"not a record: {error}") from None


def sealed(record: Record) -> Record:
    """Return the record with correct checksums."""
    if record.format == first_format.FORMAT:
        whole = first_format.seal(_as_first(record))
        times = msgspec.structs.replace(record.times, crc=whole.times.crc)
        return msgspec.structs.replace(record, crc=whole.crc, times=times)
    bare = first_format.seal(msgspec.structs.replace(record, study=msgspec.UNSET))
    if not record.study:
        return bare
    study = msgspec.structs.replace(record.study, crc="")
    return msgspec.structs.replace(bare, study=msgspec.structs.replace(study, crc=first_format.checksum(study)))


def studied(record: Record, study: GameStudy | None) -> Record:
    """Return a copy of a record with this study, or without any; its format is the present one, which has studies."""
    return sealed(msgspec.structs.replace(record, format=FORMAT, study=study or msgspec.UNSET))


SHARED = (
    "format", "game", "rules", "players", "seed", "number", "clock", "scores", "winners", "reason", "detail", "crc",
)  # fmt: skip
"""Fields that both formats have."""


def _of_first(first: first_format.FirstRecord) -> Record:
    between = tuple(
        Between(what.plies, what.seat, "left", str(what.reason), what.detail)
        if isinstance(what, Departure)
        else Between(*what, "lost")
        for what in first_format.order_events(first)
    )
    return Record(
        **{name: getattr(first, name) for name in SHARED},
        movers=tuple(seat for seat, _ in first.moves),
        moves=tuple(numbers for _, numbers in first.moves),
        between=between,
        times=Times(
            first.times.started,
            first.times.ms,
            first.times.lag_ms or 0,
            tuple(Note(*note) for note in first.times.notes or ()),
            crc=first.times.crc,
        ),
    )


def _as_first(record: Record) -> first_format.FirstRecord:
    times = record.times
    return first_format.FirstRecord(
        **{name: getattr(record, name) for name in SHARED},
        moves=record.played,
        skipped=tuple((what.plies, what.seat) for what in record.between if what.event == LOST) or msgspec.UNSET,
        departures=record.departures,
        times=first_format.FirstTimes(
            times.started,
            times.ms,
            times.lag_ms or msgspec.UNSET,
            tuple((note.ply, note.text) for note in times.notes) or msgspec.UNSET,
            times.crc,
        ),
    )
