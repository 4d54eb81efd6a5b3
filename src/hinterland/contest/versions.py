"""The versions of a contest's programs: which one of each player counts now, and what the others played.

A folder's ``versions.jsonl`` has a line for each version that a player had, the last one being its present one. A game
counts for the standings only if all of its programs were the present ones, so two programs under one name are never
mixed. The games of earlier versions stay in the file of records. A program that returns to an earlier version gets its
games of that version back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hinterland.contest import plan_file
from hinterland.contest.plan import CONNECT
from hinterland.contract import silent
from hinterland.errors import HinterlandError, RecordError
from hinterland.host import specs
from hinterland.host.processes.command import ProgramOptions
from hinterland.host.processes.player_file import is_player_file
from hinterland.host.processes.program_version import find_file_version, find_version
from hinterland.storage.append_file import AppendFile
from hinterland.storage.records import RecordFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hinterland.contest.plan import Plan
    from hinterland.referee.record import Record

MISSING = "missing"
"""Version of a program that has never been there."""
VERSIONS_FILE, RECORDS_FILE = "versions.jsonl", "records.jsonl"
IN_USE = "{} is being played by another process; `hinterland contest status` shows how far it is"
"""The message if another process holds the lock on the records."""
SHOWN_DIGITS = 6
"""How many digits of a version people are shown."""


class VersionLine(msgspec.Struct, frozen=True):
    """A line of the file: from this moment on, a player had this version."""

    player: str
    version: str
    since: str
    """When it was first seen, ISO 8601 in UTC."""


def read_lines(folder: Path) -> list[VersionLine]:
    """Return the lines of a contest's file of versions; none without the file. Raises RecordError for a broken line."""
    path = folder / VERSIONS_FILE
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.endswith(b"\n"):  # cut short by a crash, and written again by the next run
            break
        try:
            found.append(msgspec.json.decode(line, type=VersionLine))
        except msgspec.DecodeError as error:
            raise RecordError(f"{path}, line {number}: not the version of a player: {error}") from None
    return found


def present_versions(lines: Iterable[VersionLine]) -> dict[str, str]:
    """Return the present version of each player that has one, by name."""
    return {line.player: line.version for line in lines}


def note_versions(folder: Path, tell: Callable[[str], None] = silent) -> None:
    """Write the present versions of a contest's programs into its folder, before the contest is played.

    ``tell`` is called with a line for each program that has changed. A program that is missing keeps its version.
    Raises HinterlandError if the plan cannot be read, the file cannot be written, or another process plays the contest.
    """
    plan, _ = plan_file.read(folder)
    named = plan_file.find_paths_folder(folder)
    places = (Path.cwd(), folder.absolute()) if named is None else (named,)  # the later one counts, as in the engine
    with RecordFile(folder / RECORDS_FILE, in_use_message=IN_USE):
        found: dict[str, str] = {}
        for place in places:
            here = find_versions(plan, place)
            found |= {name: now for name, now in here.items() if now != MISSING or name not in found}
        _write_changes(folder, found, tell)


def _write_changes(folder: Path, found: Mapping[str, str], tell: Callable[[str], None]) -> None:
    before = present_versions(read_lines(folder))
    changed = {
        name: now for name, now in found.items() if before.get(name) != now and not (name in before and now == MISSING)
    }
    for name, now in changed.items():
        if name in before:
            tell(
                f"{name} has changed ({shorten_version(before[name])} is now {shorten_version(now)}): games of the old"
                " version are kept apart, and those that the new one lacks are played"
            )
    if changed:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        with AppendFile(folder / VERSIONS_FILE) as file:
            if torn := file.read_torn_tail():
                file.truncate(file.size - len(torn))
            lines = (VersionLine(name, version, since) for name, version in changed.items())
            file.append(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def find_versions(plan: Plan, paths: Path) -> dict[str, str]:
    """Return the version of each program that the contest starts itself, by name; MISSING if it cannot be read."""
    programs = [player for player in plan.players if player.spec != CONNECT and specs.is_program(player.spec)]
    return {player.name: _find_version(player.spec, paths) for player in programs}


def _find_version(spec: str, paths: Path) -> str:
    try:
        return find_version(specs.make_command(spec, ProgramOptions(folder=str(paths))))
    except HinterlandError:  # whoever starts it says why it cannot be started
        try:
            return find_file_version(paths / spec) if is_player_file(spec) else MISSING
        except HinterlandError:
            return MISSING


def shorten_version(version: str) -> str:
    """Return the part of a version that people are shown."""
    return version[:SHOWN_DIGITS] or "unknown"


class VersionRow(msgspec.Struct):
    """What a version of a player has played: games, and those won alone, shared and lost."""

    player: str
    version: str
    is_present: bool
    games: int = 0
    won: int = 0
    shared: int = 0
    lost: int = 0


def count_by_version(lines: Sequence[VersionLine], records: Iterable[Record]) -> list[VersionRow]:
    """Return what each version of each program has played, by player, the oldest version first."""
    rows: dict[tuple[str, str], VersionRow] = {}
    present = present_versions(lines)
    for line in lines:
        key = (line.player, line.version)
        rows[key] = VersionRow(*key, present[line.player] == line.version)
    for record in records:
        for seat, (name, version) in enumerate(zip(record.players, record.versions, strict=True)):
            if version:
                row = rows.setdefault((name, version), VersionRow(name, version, present.get(name) == version))
                row.games += 1
                row.won += record.winners == (seat,)
                row.shared += len(record.winners) > 1 and seat in record.winners
                row.lost += seat not in record.winners
    return sorted(rows.values(), key=lambda row: row.player)
