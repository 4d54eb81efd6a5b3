"""Journals of games and of hosted matches: append-only files. A line is on the disk before anybody sees its content.

The first line of a journal is the set-up; each further line is an entry. Reading the lines restores the game or the
match. Nobody has seen the content of an incomplete last line, so the line is dropped. In a game's journal an entry is a
decision of the judge. A match's journal holds its seats and the ids of its games; the moves are in the journals of
these games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from hinterland.contract import Position
from hinterland.errors import HinterlandError, RecordError
from hinterland.referee import judge
from hinterland.referee.clock import NS_PER_MS, Clocks, TimeControl
from hinterland.referee.diary import Note, NoteMark
from hinterland.referee.verdicts import Departure, Illegal
from hinterland.storage.append_file import AppendFile
from hinterland.storage.game_setup import Setup

LeftMs = tuple[int | None, ...]


class Entry(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A line of a journal after the first."""


class Moved(Entry, frozen=True, tag="move", omit_defaults=True):
    """A move was made; ``plies`` is the number of moves, this one included."""

    plies: int
    seat: int
    move: tuple[int, ...]
    ms: int
    scores: tuple[int, ...]
    left_ms: LeftMs
    note: str = ""
    """The player's note on the move."""
    marks: tuple[NoteMark, ...] = ()
    """What the player marked on the board."""


class Back(Entry, frozen=True, tag="back"):
    """Moves were taken back; ``plies`` moves remain."""

    plies: int
    scores: tuple[int, ...]
    left_ms: LeftMs


class Departed(Entry, frozen=True, tag="departed"):
    """A seat left the game."""

    plies: int
    seat: int
    reason: judge.Verdict
    detail: str
    scores: tuple[int, ...]
    left_ms: LeftMs


class Lost(Entry, frozen=True, tag="skip"):
    """A seat lost its turn."""

    plies: int
    seat: int
    detail: str
    scores: tuple[int, ...]
    left_ms: LeftMs


class Helped(Entry, frozen=True, tag="help"):
    """For the first time in the game, a player saw what a move would gain."""

    plies: int


class Clocked(Entry, frozen=True, tag="clock"):
    """The clocks of a game that was removed from memory in the middle of a turn."""

    left_ms: LeftMs


class Over(Entry, frozen=True, tag="ended"):
    """The game is over."""

    plies: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    detail: str
    lag_ns: int = 0
    """Sum of the referee's own delays in this game, in nanoseconds."""


class Recorded(Entry, frozen=True, tag="recorded"):
    """The record of the game is in the file of records."""


GameLine = Moved | Back | Departed | Lost | Helped | Clocked | Over | Recorded


class MatchSetup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a match's journal: all that is fixed about the match."""

    format: Literal["hinterland-match/1"] = "hinterland-match/1"
    id: str
    game: str
    rules: dict[str, Any]
    control: TimeControl
    illegal: Illegal | None
    seed: int | None
    protocol: str
    house: tuple[str, ...]
    """Specs of the built-in players."""
    tokens: dict[str, str] | None
    """SHA-256 of each bot's token, by the bot's name; None if bots need no token."""
    port: int
    """Port for bots; 0: none."""
    key_sha256: str
    """SHA-256 of the key with which the match can be closed."""
    is_challenge: bool = False
    """Whether the match is a challenge between people: it has no port, and the people decide how many games they
    play."""


class Seated(Entry, frozen=True, tag="seated"):
    """A player took a seat."""

    number: int
    name: str
    key_sha256: str | None = None
    """SHA-256 of the key with which a person plays; None for a bot."""
    guest: str = ""
    """SHA-256 of a person's browser cookie."""


class GaveUp(Entry, frozen=True, tag="left"):
    """A person left a seat before the match began."""

    number: int


class Offered(Entry, frozen=True, tag="offered"):
    """The maker of a challenge opened it to everybody, or closed it again."""

    to_all: bool


class Begun(Entry, frozen=True, tag="begun"):
    """The match began; ``players`` lists the players that are not built in."""

    players: tuple[Seated, ...]


class GameBegun(Entry, frozen=True, tag="game"):
    """A game began; it replaces any earlier game of the same number."""

    number: int
    """Number of the game in the match, from 1."""
    id: str


MatchLine = Seated | GaveUp | Offered | Begun | GameBegun

SETUPS, GAME_LINES = msgspec.json.Decoder(Setup), msgspec.json.Decoder(GameLine)
MATCH_SETUPS, MATCH_LINES = msgspec.json.Decoder(MatchSetup), msgspec.json.Decoder(MatchLine)
"""Decoders, made at import: the interpreter crashes if two threads use a type's decoder for the first time at once."""


class Restored(msgspec.Struct, frozen=True):
    """A game, restored from its journal."""

    game: judge.Judged
    scores_after: tuple[tuple[int, ...], ...]
    """Scores after each move."""
    is_recorded: bool


class MatchSoFar(msgspec.Struct, frozen=True):
    """A match, restored from its journal."""

    setup: MatchSetup
    seated: tuple[Seated, ...]
    has_begun: bool
    games: tuple[str, ...]
    """Ids of the games that have begun; the last may still go on."""
    is_offered: bool = False
    """Whether the match is a challenge that is open to everybody."""


class Journal(AppendFile):
    """An open journal. Only one thread may write at a time."""

    def __init__(self, path: Path, size: int, on_change: Callable[[], object] = lambda: None) -> None:
        """Open a journal, and cut it off after ``size`` bytes. Raises ArenaError.

        ``on_change`` is called whenever lines were written.
        """
        super().__init__(path, locked=None)
        self.lines = 0
        self._on_change = on_change
        try:
            if self.size != size:  # truncating to the same size would still change the file's time
                self.truncate(size)
        except BaseException:
            self.close()
            raise

    def write(self, lines: Iterable[msgspec.Struct]) -> None:
        """Append and sync lines, all or none. Raises ArenaError if the lines cannot be written."""
        encoded = [msgspec.json.encode(line) + b"\n" for line in lines]
        self.append(b"".join(encoded))
        self.lines += len(encoded)
        self._on_change()


def journal_lines(effects: Sequence[judge.Effect], game: judge.Judged) -> list[GameLine]:
    """Convert the effects of a judge's step into journal lines; ``game`` is the game after the step."""
    left = left_ms(game.clocks.left_ns)
    lines: list[GameLine] = []
    for effect in effects:
        match effect:
            case judge.Played():
                plies, move = len(game.position.moves), effect.move.numbers
                said = (effect.note, effect.marks)
                lines.append(Moved(plies, effect.seat, move, effect.ms, effect.scores, left, *said))
            case judge.TakenBack():
                lines.append(Back(effect.plies, game.position.scores, left))
            case judge.Helped():
                lines.append(Helped(len(game.position.moves)))
            case Departure():
                scores = game.position.scores
                lines.append(Departed(effect.plies, effect.seat, effect.reason, effect.detail, scores, left))
            case judge.Skipped():
                lines.append(Lost(effect.plies, effect.seat, effect.detail, game.position.scores, left))
            case judge.Ended(ending):
                plies = len(game.position.moves)
                fields = (ending.scores, ending.winners, ending.reason, ending.detail)
                lines.append(Over(plies, *fields, game.lag_ns))
    return lines


def left_ms(left_ns: Iterable[int | None]) -> LeftMs:
    """Convert clocks from nanoseconds to milliseconds."""
    return tuple(None if left is None else left // NS_PER_MS for left in left_ns)


def read_lines(path: Path) -> tuple[list[bytes], int]:
    """Return the whole lines of a journal and the sum of their bytes. Raises RecordError if the file cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path.name} cannot be read: {error.strerror}") from None
    size = data.rfind(b"\n") + 1
    return data[:size].splitlines(), size


def read_setup(line: bytes) -> Setup:
    """Decode the first line of a game's journal. Raises RecordError."""
    try:
        return SETUPS.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"its first line is not the set-up of a game: {error}") from None


def peek_game(path: Path) -> tuple[Setup, Restored] | None:
    """Restore a game without opening its journal to write; None if it is empty. Raises RecordError if it is damaged."""
    lines, _ = read_lines(path)
    if not lines:
        return None
    setup = read_setup(lines[0])
    return setup, restore_game(setup, lines[1:])


def restore_game(setup: Setup, lines: Sequence[bytes]) -> Restored:
    """Restore a game from the lines of its journal after the first. Raises RecordError that names a damaged line."""
    replay = _Replay(setup)
    for number, text in enumerate(lines, start=2):
        try:
            replay.add(GAME_LINES.decode(text))
        except (msgspec.DecodeError, UnicodeDecodeError, HinterlandError) as error:
            raise RecordError(f"the file of game {setup.id} is damaged, line {number}: {error}") from None
    return replay.result()


class _Replay:
    """State of a game while its journal is read."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.position: Position[Any, Any] = setup.rules.start()
        self.clocks = Clocks.fresh(setup.control, len(setup.seats))
        self.scores: list[tuple[int, ...]] = []
        self.ms: list[int] = []
        self.notes: tuple[Note, ...] = ()
        self.departures: tuple[Departure, ...] = ()
        self.ending: judge.Ending | None = None
        self.lag_ns = 0
        self.is_helped = False
        self.is_recorded = False

    def add(self, line: GameLine) -> None:
        match line:
            case Moved():
                self._move(line)
            case Back():
                self.position = self.position.after(line.plies)
                del self.scores[line.plies :], self.ms[line.plies :]
                self.notes = tuple(note for note in self.notes if note.ply < line.plies)
            case Departed():
                self.position = self.position.withdraw(line.seat)
                self.departures += (Departure(line.seat, line.reason, line.detail, line.plies),)
            case Lost():
                self.position = self.position.skip()
            case Helped():
                self.is_helped = True
            case Over():
                self.ending = judge.Ending(line.scores, line.winners, line.reason, line.detail)
                self.lag_ns = line.lag_ns
            case Recorded():
                self.is_recorded = True
        if isinstance(line, Moved | Back | Departed | Lost | Clocked):
            self._set_clocks(line.left_ms)

    def _move(self, line: Moved) -> None:
        if line.note or line.marks:
            self.notes += (Note(len(self.position.moves), line.note, line.marks),)
        self.position = self.position.happen(line.seat, self.setup.game.move.from_numbers(list(line.move)))
        self.scores.append(line.scores)
        self.ms.append(line.ms)

    def _set_clocks(self, left: LeftMs) -> None:
        ns = tuple(None if ms is None else ms * NS_PER_MS for ms in left)
        self.clocks = Clocks(self.setup.control, ns)

    def result(self) -> Restored:
        game = judge.Judged(
            position=self.position,
            clocks=self.clocks,
            illegal=(judge.Illegal.RETRY,) * self.position.rules.players,
            move_ms=tuple(self.ms),
            notes=self.notes,
            departures=self.departures,
            ending=self.ending,
            lag_ns=self.lag_ns,
            is_helped=self.is_helped,
        )
        return Restored(game, tuple(self.scores), self.is_recorded)


def restore_match(lines: Sequence[bytes]) -> MatchSoFar:
    """Restore a match from the lines of its journal. Raises RecordError."""
    try:
        setup = MATCH_SETUPS.decode(lines[0] if lines else b"")
        events = [MATCH_LINES.decode(line) for line in lines[1:]]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"its journal is damaged: {error}") from None
    seated: dict[int, Seated] = {}
    games: dict[int, str] = {}
    has_begun = is_offered = False
    for line in events:
        match line:
            case Seated(number):
                seated[number] = line
            case GaveUp(number):
                seated.pop(number, None)
            case Offered(is_offered):
                pass
            case Begun(players):
                has_begun, seated = True, {player.number: player for player in players}
            case GameBegun(number, game_id):
                games[number] = game_id
    begun = tuple(games[number] for number in sorted(games))
    return MatchSoFar(setup, tuple(seated.values()), has_begun, begun, is_offered)
