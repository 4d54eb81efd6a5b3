"""Counts which games of a contest have been played, from its records alone.

A record names its game by the plan's hash, the round, the match and the number of the game in the match. Records may
come in any order, and more than once; each game counts once. A match counts when all of its games have come, a round
when all of its matches count. One bit for each game says whether it has come, so that a million games take little
memory.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from hinterland.contest.pairings.rounds import Round, TableResult
from hinterland.contest.schedule import RoundTasks, Task
from hinterland.contest.scoring import score_match
from hinterland.errors import RecordError, quote
from hinterland.referee.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hinterland.contest.pairings.rounds import Format
    from hinterland.contest.plan import Plan
    from hinterland.contest.scoring import Score
    from hinterland.referee.record import Record


class FinishedMatch(msgspec.Struct, frozen=True):
    """A match whose games have all been played."""

    task: Task
    records: tuple[Record, ...]
    """Records of the games, in order."""
    score: Score


class _TableSums:
    """Sums over the matches that a table has finished in the current round."""

    def __init__(self, players: int, matches: int) -> None:
        self.matches = 0
        self.half_points = [0] * players
        self.shares = [0] * players
        self.pentanomial = bytearray(matches) if players == 2 else bytearray()

    def result(self, table: tuple[int, ...]) -> TableResult:
        return TableResult(
            table, self.matches, tuple(self.half_points), tuple(self.shares), bytes(self.pentanomial)
        )


class Played:
    """The state of a contest. ``hear`` is called with each match when its last game is counted."""

    def __init__(
        self,
        plan: Plan,
        form: Format,
        hear: Callable[[FinishedMatch], None] = lambda _: None,
        versions: Mapping[str, str] = {},
    ) -> None:
        """``versions``: the present version of each program, by the player's name."""
        self.plan = plan
        self.rounds: list[Round] = []
        """Complete rounds."""
        self.tasks = RoundTasks(plan, 0, ())
        """Matches of the current round; none when the contest is over."""
        self.is_over = False
        self.games = 0
        """Number of games that count."""
        self.doubled = 0
        """Number of records whose games had been counted before."""
        self.void: list[Record] = []
        """Records of void games, in which the referee or its machine failed. Each is played again."""
        self.apart = 0
        """Number of records of games with a version of a program that is not the present one."""
        self.changed: set[str] = set()
        """Names of the players whose programs had other versions in such games."""
        self.strays = 0
        """Number of records of games that this contest does not have."""
        self.hear = hear
        self._form = form
        self._versions = versions
        self._lineage = plan.lineage
        self._later: dict[int, list[Record]] = defaultdict(list)
        self._begin_round()

    def count(self, record: Record) -> bool:
        """Count the game of a record, or keep it for a later round; return whether the game counts from now on.

        Raises RecordError for a game of another contest.
        """
        place = record.contest
        if place is msgspec.UNSET:
            raise RecordError("a game of no contest")
        if place.plan not in self._lineage:
            raise RecordError(f"a game of another plan: its hash is {quote(place.plan)}, not {self.plan.hash}")
        if changed := find_changed(record, self._versions):
            self.apart += 1
            self.changed.update(changed)
            return False
        if record.reason == Verdict.VOID:
            self.void.append(record)
            return False
        if place.round > len(self.rounds) and not self.is_over:
            self._later[place.round].append(record)
            return False
        if place.round < len(self.rounds):
            self.doubled += 1
            return False
        return not self.is_over and self._count_now(record)

    def missing(self) -> Iterator[Task]:
        """Yield the incomplete matches of the current round, each with its missing games."""
        tasks = self.tasks
        for number in range(len(tasks)):
            if self.tasks is not tasks:
                return
            seats = len(tasks.players_of(number))
            lacking = tuple(game for game in range(seats) if not self._is_here(number, game))
            if lacking:
                yield msgspec.structs.replace(tasks[number], missing=lacking)

    def wants(self, record: Record) -> bool:
        """Say whether to keep the record of a game just played.

        Yes if the game is void, has not been counted yet, or was played by another version than the present one.
        """
        place = record.contest
        assert not isinstance(place, msgspec.UnsetType)
        is_now = place.round == len(self.rounds) and not self.is_over
        is_new = is_now and not self._is_here(place.task, record.number - 1)
        return record.reason == Verdict.VOID or is_new or bool(find_changed(record, self._versions))

    @property
    def left(self) -> int:
        """Number of unfinished matches in the current round."""
        return self._left

    def tables_so_far(self) -> list[TableResult]:
        """Return each table's results so far in the current round."""
        return [sums.result(table) for sums, table in zip(self._sums, self.tasks.tables, strict=True)]

    def _count_now(self, record: Record) -> bool:
        place = record.contest
        assert not isinstance(place, msgspec.UnsetType)
        game = record.number - 1
        if not (0 <= place.task < len(self.tasks) and self._belongs(record, place.task, game)):
            self.strays += 1
            return False
        if self._is_here(place.task, game):
            self.doubled += 1
            return False
        self._mark(place.task, game)
        self.games += 1
        halves = self._begun[place.task]
        halves[game] = record
        if len(halves) == len(self.tasks.players_of(place.task)):
            del self._begun[place.task]
            self._complete(place.task, tuple(halves[number] for number in sorted(halves)))
        return True

    def _belongs(self, record: Record, task: int, game: int) -> bool:
        """Say whether a game has the players of its match in the right seats."""
        players = self.tasks.players_of(task)
        names = [self.plan.players[player].name for player in players]
        return 0 <= game < len(names) and list(record.players) == names[game:] + names[:game]

    def _complete(self, number: int, records: tuple[Record, ...]) -> None:
        task: Task = self.tasks[number]
        worth = score_match(task.names, records)
        sums = self._sums[task.table]
        sums.matches += 1
        for player, half_points in enumerate(worth.half_points):
            sums.half_points[player] += half_points
            sums.shares[player] += worth.shares[player]
        if len(task.names) == 2:
            pairing, _, variation = self.tasks.locate(number)
            sums.pentanomial[pairing * len(self.plan.variations) + variation] = _half_points_of_games(task, records)
        self.hear(FinishedMatch(task, records, worth))
        self._left -= 1
        if not self._left:
            self._end_round()

    def _end_round(self) -> None:
        self.rounds.append(tuple(self.tables_so_far()))
        self._begin_round()

    def _begin_round(self) -> None:
        tables = self._form.tables(self.rounds)
        while tables is not None and not any(len(table) > 1 for table in tables):
            self.rounds.append(tuple(TableResult(table, 0, (0,), (0,)) for table in tables))
            tables = self._form.tables(self.rounds)
        self.is_over = tables is None
        self.tasks = RoundTasks(self.plan, len(self.rounds), tables or ())
        each = self.plan.pairings * len(self.plan.variations)
        self._sums = [_TableSums(len(table), each) for table in self.tasks.tables]
        self._begun: dict[int, dict[int, Record]] = defaultdict(dict)
        self._bits = bytearray((len(self.tasks) * self.tasks.seats + 7) // 8)
        self._left = len(self.tasks)
        for record in self._later.pop(len(self.rounds), ()):
            self.count(record)

    def _is_here(self, task: int, game: int) -> bool:
        bit = task * self.tasks.seats + game
        return bool(self._bits[bit >> 3] & (1 << (bit & 7)))

    def _mark(self, task: int, game: int) -> None:
        bit = task * self.tasks.seats + game
        self._bits[bit >> 3] |= 1 << (bit & 7)


def find_changed(record: Record, versions: Mapping[str, str]) -> list[str]:
    """Return the players of a game whose programs were not the present ones, as far as their versions are known.

    ``versions``: the present version of each program, by the player's name.
    """
    pairs = zip(record.players, record.versions, strict=False)
    return [name for name, version in pairs if version and versions.get(name, version) != version]


def _half_points_of_games(task: Task, records: Sequence[Record]) -> int:
    """Return the first player's half points in a match of two games: the sum of those in each game, 0 to 4."""
    return sum(score_match(task.names, [record]).half_points[0] for record in records)
