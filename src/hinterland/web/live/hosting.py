"""Tables of the arena, at which people, bots from outside, programs and players of the catalogue play matches.

Who made a table may close it. A match is kept move by move: where the server ends in the middle of one, the next server
opens its table again, and the game goes on when its players are back, people with the key that their browser has, bots
with their token.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
import time
from collections.abc import Sequence

import msgspec

from hinterland import catalog
from hinterland.errors import ArenaError, HinterlandError
from hinterland.host.commit import JournalCommit
from hinterland.host.live_match import MatchConfig, Resumed
from hinterland.host.lobby import AdmissionLimits, hashed_token
from hinterland.host.match_host import HostConfig, MatchHost
from hinterland.host.network.tcp import listen
from hinterland.host.players.person import Person
from hinterland.host.players.player_connection import PlayerConnection
from hinterland.host.thread_pools import Workers
from hinterland.referee import match, record
from hinterland.referee.verdicts import Verdict
from hinterland.storage.archive import Archive, record_of
from hinterland.storage.game_journal import Journal
from hinterland.storage.game_setup import Seat, Setup, digest, new_id, new_key
from hinterland.storage.match_journal import Begun, GameBegun, GaveUp, MatchSetup, MatchSoFar, Seated
from hinterland.web.live.match_show import MatchShow
from hinterland.web.server import reached_at
from hinterland.web.settings import Settings

log = logging.getLogger("hinterland.web")
ADMISSION = AdmissionLimits(connections=64, connections_per_address=64)
SWEEP_S = 5.0
STOP_S = 1.2
"""How long a table that is closed may take to say goodbye."""
MOST_OVER = 8
"""Tables kept for those who want to see the result."""


class HostedCard(msgspec.Struct, frozen=True):
    """A table in a list."""

    url: str
    game: str
    title: str
    address: str
    protocol: str
    over: bool


class MatchFiles:
    """Keeps the match of one table on the disk: the ``MatchStore`` of its host."""

    def __init__(
        self, setup: MatchSetup, journal: Journal, archive: Archive, threads: Workers, games: dict[str, str]
    ) -> None:
        """Make ready. ``games``: the table of each game that goes on, for all tables."""
        self.setup = setup
        self.journal = journal
        self.persons: dict[int, str] = {}
        """The digest of each person's key, by number."""
        self._archive = archive
        self._threads = threads
        self._games = games

    async def write(self, line: msgspec.Struct) -> None:
        """Add a line. Raises ArenaError where the disk does not take it."""
        await self._threads.run(self.journal.write, [line])

    async def begun(self, players: Sequence[PlayerConnection]) -> None:
        """Note who plays from outside."""
        guests = players[: len(players) - len(self.setup.house)]
        await self.write(Begun(tuple(Seated(one.number, one.name, self.persons.get(one.number)) for one in guests)))

    async def begin_game(
        self, number: int, players: Sequence[PlayerConnection], started: str
    ) -> tuple[str, JournalCommit]:
        """Begin the journal of a game, from 1; return its id and what commits it."""
        game_id = new_id()
        seats = (Seat("person" if isinstance(one, Person) else "bot", one.name) for one in players)
        setup = Setup(
            id=game_id, game_name=self.setup.game, rules_json=self.setup.rules, seats=tuple(seats),
            control=self.setup.control, seed=self.setup.seed, key_sha256=self.setup.key_sha256, started=started,
            table=self.setup.id, number=number,
        )  # fmt: skip
        self._games[game_id] = self.setup.id
        try:
            book = await self._threads.run(self._archive.create, setup)
            await self.write(GameBegun(number, game_id))
        except ArenaError:
            self._games.pop(game_id, None)
            raise
        return game_id, self._commit(setup, book)

    def _commit(self, setup: Setup, book: Journal) -> JournalCommit:
        return JournalCommit(
            setup, self._threads, book, self._archive.finish, dropped=lambda: self._games.pop(setup.id, None)
        )

    def resumed(self, so_far: MatchSoFar) -> tuple[Resumed, list[tuple[record.Record, tuple[int, ...], str]]]:
        """Read the games of a match: how far it has come, and what its page shows of the games before."""
        over, going_on = [], Resumed()
        for number, game_id in enumerate(so_far.games):
            loaded = self._archive.load(game_id)
            if loaded is None:
                raise ArenaError(f"game {game_id} is not there")
            setup, restored, book = loaded
            if restored.game.ending is None:
                self._games[game_id] = self.setup.id
                going_on = Resumed(
                    game_id=game_id, judged=restored.game, started=setup.started, commit=self._commit(setup, book)
                )
                break
            book.close()
            if restored.game.ending.reason != Verdict.VOID:
                over.append((record_of(setup, restored.game), match.seating(number, len(setup.seats)), game_id))
        return msgspec.structs.replace(going_on, records=tuple(played[0] for played in over)), over

    def close(self, *, is_over: bool) -> None:
        """Let go of the match, and where it is over of its journal: its games stay."""
        self.journal.close()
        if is_over:
            self._archive.forget_match(self.setup.id)


class Hosted:
    """One table and its host. It belongs to the event loop."""

    def __init__(self, plan: HostConfig, listener: socket.socket, host_name: str, files: MatchFiles) -> None:
        """Begin to host. ``host_name``: by which the port is reached."""
        self.address = reached_at(host_name, listener.getsockname()[1])
        self.table = MatchShow(plan, self.address, table_id=files.setup.id)
        self.table.keeps_games = True
        self.files = files
        self._listener = listener
        self._host = MatchHost(plan, self.table, store=files)
        self.table.lobby = self._host.lobby
        self._from: dict[int, str] = {}
        """The address of each person who sits here, by number."""
        self._is_put_away = False
        self._serving: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Let players in."""
        self._serving = asyncio.get_running_loop().create_task(self._serve(self._listener))

    async def go_on(self, so_far: MatchSoFar, threads: Workers) -> None:
        """Take the match up where it was. Raises HinterlandError where what is on the disk does not tell."""
        resumed, over = await threads.run(self.files.resumed, so_far) if so_far.has_begun else (Resumed(), [])
        self.table.played_before = over
        if so_far.has_begun:
            seated = [(one.number, one.name, one.key_sha256 is not None) for one in so_far.seated]
            persons = self._host.resume(seated, resumed)
        else:
            persons = await self._seat_again(so_far.seated)
        for one in so_far.seated:
            if one.key_sha256 is not None:
                self._keep(persons[one.number], one.key_sha256)
        self.begin()

    async def _seat_again(self, seated: Sequence[Seated]) -> dict[int, Person]:
        """Seat the people who waited; who waited for a bot that is gone moves up."""
        persons = {one.number: self._host.lobby.seat_person(one.name) for one in seated}
        for one in seated:
            await self.files.write(GaveUp(one.number))
        for one in seated:
            person = persons[one.number]
            await self.files.write(Seated(person.number, person.name, one.key_sha256))
        return persons

    def _keep(self, person: Person, key_sha256: str) -> None:
        self.table.persons[key_sha256] = person
        self.files.persons[person.number] = key_sha256

    async def take_seat(self, name: str, address: str = "", most: int = 0) -> tuple[int, str]:
        """Seat a person; return the number and the key. Raises ArenaError where no seat is free.

        ``most``: how many from one address may sit here; 0: any number.
        """
        if address and 0 < most <= list(self._from.values()).count(address):
            raise ArenaError(f"{most} people from your address sit at this table already")
        person, key = self._host.lobby.seat_person(name), new_key()
        self._from[person.number] = address
        self._keep(person, digest(key))
        await self.files.write(Seated(person.number, person.name, digest(key)))
        return person.number, key

    async def leave_seat(self, key: str) -> None:
        """Let a person go. Raises ArenaError once the match has begun, or for a key that is nobody's."""
        person = self.table.person_of(key)
        if person is None:
            raise ArenaError("this key belongs to no seat here")
        self._host.lobby.unseat(person)
        del self.table.persons[digest(key)], self.files.persons[person.number]
        self._from.pop(person.number, None)
        await self.files.write(GaveUp(person.number))

    async def _serve(self, listener: socket.socket) -> None:
        detail, is_over = "all that was planned has been played", False
        try:
            await self._host.serve(listener)
            is_over = not self._is_put_away
        except asyncio.CancelledError:
            is_over = not self._is_put_away
            raise
        except HinterlandError as error:  # it goes on when the server is started anew
            detail = f"the referee had to stop: {error}"
            log.warning("table %s: %s", self.table.id, detail)
        except Exception:
            detail = "the referee failed; it has been noted"
            log.exception("table %s failed", self.table.id)
        finally:
            self.table.close(detail)
            self.files.close(is_over=is_over)

    def opens(self, key: str) -> bool:
        """Say whether a key closes this table."""
        return secrets.compare_digest(digest(key), self.files.setup.key_sha256)

    async def stop(self, detail: str, *, put_away: bool = False) -> None:
        """Send the players away. A running game has no result; with ``put_away`` the match goes on another time."""
        if self._serving is not None and not self._serving.done():
            self._is_put_away = put_away
            self.table.close(detail)
            if put_away:
                await self._host.put_away()
            else:
                self._host.abort(detail)
            _, late = await asyncio.wait([self._serving], timeout=STOP_S)
            for task in late:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    @property
    def card(self) -> HostedCard:
        """The table in a list."""
        table = self.table
        kind = table.plan.config.kind
        return HostedCard(
            f"/tables/{table.id}", kind.title, table.title, self.address, table.plan.protocol, table.is_over
        )


class Hosting:
    """All tables. It belongs to the event loop."""

    def __init__(self, settings: Settings, archive: Archive, threads: Workers, games: dict[str, str]) -> None:
        """Host at a place. ``threads`` judge and write; ``games``: filled with the table of each game that goes on."""
        self._settings = settings
        self._archive = archive
        self._threads = threads
        self._games = games
        self._tables: dict[str, Hosted] = {}
        self._opening = asyncio.Lock()
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def open_tables(self) -> int:
        """How many tables have a match that goes on or is waited for."""
        return sum(not hosted.table.is_over for hosted in self._tables.values())

    async def start(self) -> None:
        """Take up the matches that went on when the last server ended, and begin to close deserted tables."""
        for so_far, journal in list(self._archive.unfinished_matches()):
            try:
                await self._go_on(so_far, journal)
            except HinterlandError as error:
                log.warning("the match of table %s cannot go on: %s", so_far.setup.id, error)
                journal.close()
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def _go_on(self, so_far: MatchSoFar, journal: Journal) -> None:
        setup = so_far.setup
        kind = catalog.game(setup.game)
        config = MatchConfig(
            kind=kind, rules=kind.rules.from_json(setup.rules), control=setup.control, illegal=setup.illegal,
            seed=setup.seed,
        )  # fmt: skip
        plan = HostConfig(
            config=config, protocol=setup.protocol, house=setup.house,  # type: ignore[arg-type]
            programs=self._settings.programs, tokens=setup.tokens, admission=ADMISSION,
        )  # fmt: skip
        plan.check()
        files = MatchFiles(setup, journal, self._archive, self._threads, self._games)
        hosted = self._add(plan, self._listen(setup.port), files)
        await hosted.go_on(so_far, self._threads)

    async def stop(self) -> None:
        """Put all matches away; may be called twice."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        words = "the arena is stopping; the match goes on when it is back"
        await asyncio.gather(*(hosted.stop(words, put_away=True) for hosted in self._tables.values()))
        for hosted in self._tables.values():
            hosted.table.audience.dismiss(1012, "the arena is stopping")

    async def open(self, plan: HostConfig, port: int, key: str) -> Hosted:
        """Open a table. Raises ArenaError where there are too many, or no port is free."""
        async with self._opening:
            return await self._open(plan, port, key)

    async def _open(self, plan: HostConfig, port: int, key: str) -> Hosted:
        self._check_room()
        listener = self._listen_within(port)
        setup = MatchSetup(
            id=new_id(), game=plan.config.kind.name, rules=msgspec.to_builtins(plan.config.rules),
            control=plan.config.control, illegal=plan.config.illegal, seed=plan.config.seed, protocol=plan.protocol,
            house=plan.house, tokens=_hashed(plan.tokens), port=listener.getsockname()[1], key_sha256=digest(key),
        )  # fmt: skip
        try:
            journal = await self._threads.run(self._archive.create_match, setup)
        except ArenaError:
            listener.close()
            raise
        hosted = self._add(plan, listener, MatchFiles(setup, journal, self._archive, self._threads, self._games))
        hosted.begin()
        return hosted

    def _check_room(self) -> None:
        most = self._settings.limits.hosted_tables
        if self.open_tables >= most:
            raise ArenaError(f"all {most} tables for programs are taken; try again when one is over")

    def _listen_within(self, port: int) -> socket.socket:
        """Take a port, within the range in which tables may be. Raises ArenaError."""
        ports = self._settings.openness.table_ports
        if ports is None:
            return self._listen(port)
        first, last = ports
        if port and not first <= port <= last:
            raise ArenaError(f"tables are at ports {first} to {last} here, not at {port}; 0 takes a free one")
        for chosen in (port,) if port else range(first, last + 1):
            with contextlib.suppress(ArenaError):
                return self._listen(chosen)
        raise ArenaError(f"port {port} is in use" if port else f"no port from {first} to {last} is free")

    def _listen(self, port: int) -> socket.socket:
        try:
            return listen(self._settings.host, port)
        except ArenaError as error:
            raise ArenaError(str(error).partition("; choose another")[0]) from None

    def _add(self, plan: HostConfig, listener: socket.socket, files: MatchFiles) -> Hosted:
        hosted = Hosted(plan, listener, self._settings.host, files)
        self._tables[hosted.table.id] = hosted
        self._forget()
        return hosted

    def find(self, table_id: str) -> Hosted | None:
        """Return a table, or None."""
        return self._tables.get(table_id)

    def cards(self) -> list[HostedCard]:
        """List the tables, the latest first."""
        return [hosted.card for hosted in reversed(self._tables.values())]

    def _forget(self) -> None:
        """Let go of the oldest results."""
        over = [table_id for table_id, hosted in self._tables.items() if hosted.table.is_over]
        for table_id in over[:-MOST_OVER]:
            self._tables.pop(table_id).table.audience.dismiss(1000, "this table is no more")

    async def _sweep(self) -> None:
        patience_s = self._settings.limits.deserted_s
        while True:
            await asyncio.sleep(min(SWEEP_S, patience_s))
            for hosted in list(self._tables.values()):
                table = hosted.table
                if not table.is_over and table.is_deserted and time.monotonic() - table.seen_s > patience_s:
                    minutes = f"{patience_s / 60:g} minutes"
                    await hosted.stop(f"nobody came within {minutes}")
            self._forget()


def _hashed(tokens: dict[str, str] | None) -> dict[str, str] | None:
    """Return tokens as they may lie on the disk."""
    return None if tokens is None else {name: hashed_token(token) for name, token in tokens.items()}
