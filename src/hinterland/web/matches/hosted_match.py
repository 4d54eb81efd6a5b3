"""A match that the arena hosts for people, bots that connect, programs and built-in players."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Sequence

import msgspec

from hinterland.errors import ArenaError, HinterlandError
from hinterland.host.live_match import Resumed
from hinterland.host.match_host import HostConfig, MatchHost
from hinterland.host.network.tcp import Listener
from hinterland.host.observer import Observer, Observers
from hinterland.host.players.person import Person
from hinterland.host.thread_pools import Workers
from hinterland.storage.game_setup import hash_key, new_key
from hinterland.storage.journal import GaveUp, MatchSoFar, Offered, Seated
from hinterland.web.matches.match_files import MatchFiles
from hinterland.web.matches.match_show import LINGER_S, MatchShow
from hinterland.web.server import reachable_address
from hinterland.web.settings import Limits

log = logging.getLogger("hinterland.web")
CLOSE_TIMEOUT_S = 1.2
"""Seconds within which a closed match must have sent its last messages."""
PLAYERS_LEFT = "its players have left"


class HostedCard(msgspec.Struct, frozen=True):
    """A hosted match in a list."""

    url: str
    game: str
    title: str
    address: str
    protocol: str
    over: bool
    waits: bool
    """Whether the match has not begun, so that players can still join."""


class HostedMatch:
    """One hosted match and its host. Call the methods only in the event loop."""

    def __init__(
        self, plan: HostConfig, listener: Listener | None, host_name: str, files: MatchFiles, observer: Observer
    ) -> None:
        """``host_name``: host to which players connect; ``observer``: observes the match besides ``MatchShow``."""
        self.address = "" if listener is None else reachable_address(host_name, listener.port)
        linger_s = 0.0 if plan.is_open_ended else LINGER_S  # players who want another game have already seen this end
        self.show = MatchShow(plan, self.address, match_id=files.setup.id, linger_s=linger_s)
        self.show.keeps_games = True
        self.files = files
        self._listener = listener
        agreed = self.show.agreement
        another = None if agreed is None else agreed.another_game
        self._host = MatchHost(plan, Observers([self.show, observer]), store=files, another=another)
        self.show.lobby = self._host.lobby
        self._from: dict[int, str] = {}
        """By player number: the client's address from which a person took the seat."""
        self._is_suspended = False
        self._serving: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Admit players."""
        self._serving = asyncio.get_running_loop().create_task(self._serve(self._listener))

    async def go_on(self, so_far: MatchSoFar, threads: Workers) -> None:
        """Resume the match from its files. Raises HinterlandError if the files do not suffice."""
        resumed, over = await threads.run(self.files.read_games, so_far) if so_far.has_begun else (Resumed(), [])
        self.show.played_before = over
        self.show.is_offered = so_far.is_offered
        if so_far.has_begun:
            seated = [(one.number, one.name, one.key_sha256 is not None) for one in so_far.seated]
            persons = self._host.resume(seated, resumed)
        else:
            persons = await self._seat_again(so_far.seated)
        for one in so_far.seated:
            if one.key_sha256 is not None:
                self._keep(persons[one.number], one.key_sha256, one.guest)
        self.begin()

    async def _seat_again(self, seated: Sequence[Seated]) -> dict[int, Person]:
        """Seat the people who were waiting. Bots connect later, so the people may get lower numbers than before."""
        persons = {one.number: self._host.lobby.seat_person(one.name) for one in seated}
        for one in seated:
            await self.files.write(GaveUp(one.number))
        for one in seated:
            person = persons[one.number]
            await self.files.write(Seated(person.number, person.name, one.key_sha256, one.guest))
        return persons

    def _keep(self, person: Person, key_sha256: str, guest: str) -> None:
        self.show.people.seat(person, key_sha256)
        self.files.persons[person.number] = key_sha256
        if guest:
            self.files.guests[person.number] = guest

    async def take_seat(
        self, name: str, address: str = "", most: int = 0, *, key: str = "", guest: str = ""
    ) -> tuple[int, str]:
        """Seat a person; return the player number and the key. Raises ArenaError if no seat is free.

        ``most``: limit of people per address, 0 for none; ``key``: the person's key, "" for a new one; ``guest``: the
        digest of the browser's cookie.
        """
        if address and 0 < most <= list(self._from.values()).count(address):
            raise ArenaError(f"{most} people from your address are in this match already")
        person, key = self._host.lobby.seat_person(name), key or new_key()
        self._from[person.number] = address
        self._keep(person, hash_key(key), guest)
        await self.files.write(self.files.seat_entry(person.number, person.name))
        return person.number, key

    def find_person(self, key: str) -> Person:
        """Return the person who holds a key. Raises ArenaError for an unknown key."""
        person = self.show.people.find_person(key)
        if person is None:
            raise ArenaError("this key belongs to no seat here")
        return person

    async def rename(self, key: str, name: str) -> None:
        """Rename a person. Raises ArenaError once the match has begun, or for an unknown key."""
        person = self.find_person(key)
        self._host.lobby.rename(person, name)
        await self.files.write(self.files.seat_entry(person.number, person.name))

    async def offer(self, *, to_all: bool) -> None:
        """Open the free seats to anybody, or only to those who have the link."""
        self.show.is_offered = to_all
        self.show.show_current()
        await self.files.write(Offered(to_all))

    async def leave_seat(self, key: str) -> None:
        """Release a person's seat. Raises ArenaError once the match has begun, or for an unknown key."""
        person = self.find_person(key)
        self._host.lobby.unseat(person)
        self.show.people.unseat(key)
        del self.files.persons[person.number]
        self.files.guests.pop(person.number, None)
        self._from.pop(person.number, None)
        await self.files.write(GaveUp(person.number))

    async def _serve(self, listener: Listener | None) -> None:
        detail, is_over = "all that was planned has been played", False
        try:
            await self._host.serve(listener)
            detail = PLAYERS_LEFT if self.is_challenge else detail
            is_over = not self._is_suspended
        except asyncio.CancelledError:
            is_over = not self._is_suspended
            raise
        except HinterlandError as error:  # the next server resumes the match
            detail = f"the referee had to stop: {error}"
            log.warning("table %s: %s", self.show.id, detail)
        except Exception:
            detail = "the referee failed; it has been logged"
            log.exception("table %s failed", self.show.id)
        finally:
            self.show.close(detail)
            self.files.close(is_over=is_over)

    @property
    def is_challenge(self) -> bool:
        """Whether people made the match to play one another."""
        return self.show.plan.is_open_ended

    def is_abandoned(self, limits: Limits) -> bool:
        """Say whether the match has waited longer than ``limits`` allow."""
        idle_s, show = time.monotonic() - self.show.seen_s, self.show
        if self.is_challenge:
            return not show.audience and idle_s > limits.challenge_s
        return show.is_deserted and idle_s > limits.deserted_s

    def can_close(self, key: str) -> bool:
        """Say whether a key closes this match."""
        return secrets.compare_digest(hash_key(key), self.files.setup.key_sha256)

    async def stop(self, detail: str, *, suspend: bool = False) -> None:
        """Close the match. If ``suspend``, the next server resumes the match; if not, a running game has no result."""
        if self._serving is not None and not self._serving.done():
            self._is_suspended = suspend
            self.show.close(detail)
            if suspend:
                await self._host.suspend()
            else:
                self._host.abort(detail)
            _, late = await asyncio.wait([self._serving], timeout=CLOSE_TIMEOUT_S)
            for task in late:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    @property
    def card(self) -> HostedCard:
        """The entry of the match in a list."""
        show = self.show
        kind = show.plan.config.kind
        return HostedCard(
            f"/tables/{show.id}", kind.title, show.title, self.address, show.plan.protocol, show.is_over,
            show.match.state == "waiting",
        )  # fmt: skip
