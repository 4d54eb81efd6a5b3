"""``hinterland match --record`` between a good program and a hostile one, and whether the record is whole."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import itertools
import json
import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.control_game import SCRIPTS, python
from conformance.measurements import left_behind
from conformance.roles.player_run import PATIENCE_S, SETTLE_S, tag_of
from hinterland.errors import RecordError
from hinterland.referee import verification
from hinterland.storage import records

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from conformance.fault_rows import FaultRow, Way
    from conformance.run_case import Surroundings
    from hinterland.referee.record import Record

__all__ = ["MatchStarter", "RecordedRun"]

TESTS = Path(__file__).parents[2]
STARTER = ("-m", "conformance.roles.match_starter")
WRONG_USE = 2
STOOD_STILL = "this machine stood still"
"""A line that may be printed at any time on a busy machine."""
LOOK_S = 0.005
TRIES = 5
ONE_RECORD_BYTES = 1200
"""Room for the record of one game of the suite, not for two."""


class MatchStarter:
    """The process that starts commands of hinterland."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = itertools.count()
        self._ending: dict[int, asyncio.Future[int]] = {}

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls) -> AsyncIterator[MatchStarter]:
        """Start it."""
        pipe = asyncio.subprocess.PIPE
        program, environment = (sys.executable, *STARTER), {**os.environ, "PYTHONPATH": str(TESTS)}
        process = await asyncio.create_subprocess_exec(*program, stdin=pipe, stdout=pipe, env=environment)
        starter = cls(process)
        listening = asyncio.create_task(starter._listen())
        try:
            yield starter
        finally:
            assert process.stdin is not None
            process.stdin.close()
            await listening
            await process.wait()

    def start(self, argv: list[str], out: Path, file_bytes: int = 0) -> asyncio.Future[int]:
        """Start a command; return a future of its exit status. ``file_bytes``: most bytes of a file."""
        assert self._process.stdin is not None
        number = next(self._numbers)
        order = {"number": number, "argv": argv, "out": str(out), "file_bytes": file_bytes}
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._ending[number] = asyncio.get_running_loop().create_future()
        return self._ending[number]

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            number, code = map(int, line.split())
            if not self._ending[number].done():
                self._ending[number].set_result(code)


class RecordedRun:
    """One run of a case whose match is recorded."""

    def __init__(self, row: FaultRow, way: Way, surroundings: Surroundings) -> None:
        assert surroundings.starter is not None
        self._row, self._way, self._surroundings = row, way, surroundings
        self._starter = surroundings.starter
        self._tag = tag_of(surroundings)
        self._folder = tempfile.TemporaryDirectory()
        self._file = Path(self._folder.name) / "games.jsonl"
        self._out = Path(self._folder.name) / "said"
        self._cut_to = 0
        """The size to which the file was cut."""

    async def happen(self) -> tuple[str, float | None]:
        """Play; return the fate that the records tell. They do not tell its moment, which is measured over pipes."""
        for _ in range(TRIES):
            if (verdict := await self._once()) is not None:
                return verdict, None
        return "nothing became of the file before all was written", None

    async def _once(self) -> str | None:
        """Play; return None if this machine stood still until the file could no longer be changed."""
        self._file.unlink(missing_ok=True)
        with self._taken():
            full = ONE_RECORD_BYTES if self._row.misbehaviour == "disk_full" else 0
            ending = self._starter.start(self._argv(), self._out, full)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    is_in_time = self._row.role != "disk" or await self._spoil(ending)
                    code = await asyncio.shield(ending)
                    return self._judge(code) if is_in_time else None
        return "it never ended"

    async def left(self) -> int:
        """Count the processes that are left behind."""
        if not await asyncio.to_thread(left_behind, self._tag):
            return 0
        await asyncio.sleep(SETTLE_S)
        return await asyncio.to_thread(left_behind, self._tag)

    def end(self) -> None:
        """Leave nothing behind."""
        self._folder.cleanup()

    def _argv(self) -> list[str]:
        rules = self._surroundings.rules
        options = {"size": rules.size, "stones": rules.stones, "spacing": rules.spacing}  # type: ignore[attr-defined]
        told = [f"--{name}={value}" for name, value in options.items()]
        sandbox = ["--sandbox"] if self._way == "recorded sandbox" else []
        clock = f"--clock={self._row.clock_ms / 1000:g}"
        return ["match", "gravity", *self._players(), "--record", str(self._file), clock, "--json", *told, *sandbox]

    def _players(self) -> tuple[str, str]:
        good = self._spec("plays")
        if self._row.role == "disk":  # which takes its time, so that something can become of the file meanwhile
            return good, self._spec("plays_slowly")
        if self._row.program:
            return good, f"cmd:{shlex.quote(str(SCRIPTS / self._row.program))}"
        return good, self._spec(self._row.misbehaviour)

    def _spec(self, misbehaviour: str) -> str:
        size = str(self._surroundings.rules.size)  # type: ignore[attr-defined]
        clock_ms = str(self._row.clock_ms)
        return f"cmd:{shlex.join((*python('misbehave.py'), misbehaviour, 'pipes', size, clock_ms, self._tag))}"

    @contextlib.contextmanager
    def _taken(self) -> Iterator[None]:
        """Hold the file as another writer does, if that is the fault."""
        if self._row.misbehaviour != "taken":
            yield
            return
        with self._file.open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield

    async def _spoil(self, ending: asyncio.Future[int]) -> bool:
        """Change the file as the row says, once it holds a record; return whether another record was still to come."""
        while not (written := self._written()) and not ending.done():
            await asyncio.sleep(LOOK_S)
        if written == self._games:
            return False
        if ending.done():
            return True
        match self._row.misbehaviour:
            case "renamed":
                self._file.rename(self._file.with_suffix(".moved"))
            case "deleted":
                self._file.unlink()
            case "truncated":
                self._cut_to = self._file.stat().st_size // 2
                os.truncate(self._file, self._cut_to)
        return True

    @property
    def _games(self) -> int:
        return len(self._surroundings.rules.start().scores)

    def _written(self) -> int:
        return self._file.read_bytes().count(b"\n") if self._file.exists() else 0

    def _judge(self, code: int) -> str:
        """Return what exit status, output and records tell together."""
        said = self._out.read_text(errors="replace")
        try:
            kept = self._records()
        except RecordError as error:
            return f"the file is damaged: {error}"
        if self._row.role == "disk" or self._row.due == "start" or code == WRONG_USE:
            return self._stopped(code, said, kept)
        if code or len(kept) != self._games:
            return f"exit status {code} and {len(kept)} records: {said[-200:]}"
        return ", ".join(_verdict(record, self._players()[1]) for record in kept)

    def _stopped(self, code: int, said: str, kept: list[Record]) -> str:
        """Describe the end of a match that could not be played, or not be recorded, to its end."""
        lines = [line for line in said.splitlines() if STOOD_STILL not in line]
        if code != WRONG_USE or len(lines) != 1:
            return f"exit status {code}, {len(lines)} lines: {said[-200:]}"
        if self._row.role != "disk":
            return "start" if not kept else f"start, with {len(kept)} records"
        wanted = {"disk_full": 1, "renamed": 1}.get(self._row.misbehaviour, 0)
        if len(kept) != wanted or self._is_written_on():
            return f"{len(kept)} records, and {'more' if self._is_written_on() else 'nothing'} in the place of the file"
        return "refused" if self._row.misbehaviour == "taken" else "stopped"

    def _is_written_on(self) -> bool:
        """Say whether the program wrote at the file's place after the file was changed."""
        size = self._file.stat().st_size if self._file.exists() else 0
        return self._row.misbehaviour in ("renamed", "deleted", "truncated") and size != self._cut_to

    def _records(self) -> list[Record]:
        """Return the records, judged again; nothing for a file that was cut. Raises RecordError."""
        file = self._file.with_suffix(".moved") if self._row.misbehaviour == "renamed" else self._file
        if not file.exists() or self._row.misbehaviour == "truncated" or not file.stat().st_size:
            return []
        kept = [record for _, record in records.read(file)]
        for record in kept:
            verification.verify(record)
        return kept


def _verdict(record: Record, hostile: str) -> str:
    """Return the fate of the hostile program in a game: why it left, or why the game ended."""
    for event in record.between:
        if event.event == "left":
            is_hostile = record.players[event.seat] == hostile
            return event.reason if is_hostile else f"the good program lost by {event.reason}"
    return record.reason
