"""The people who play a match in browsers: keys, open pages, and agreements."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Set

from hinterland.errors import IllegalMove
from hinterland.host.players.person import Person
from hinterland.storage.game_setup import hash_key
from hinterland.web.live.page_messages import Matter


class SeatedPeople:
    """The people of one match."""

    def __init__(self) -> None:
        self._by_key: dict[str, Person] = {}
        """Each person, by the digest of their key."""
        self._looking: Counter[str] = Counter()

    def seat(self, person: Person, key_sha256: str) -> None:
        """Add a person with a key."""
        self._by_key[key_sha256] = person

    def unseat(self, key: str) -> None:
        """Remove the person who holds a key."""
        del self._by_key[hash_key(key)]

    @property
    def numbers(self) -> frozenset[int]:
        """The player numbers of the people in the match."""
        return frozenset(person.number for person in self._by_key.values())

    @property
    def away(self) -> frozenset[int]:
        """The player numbers of the people who have no page open."""
        return frozenset(person.number for person in self._by_key.values() if not person.is_here.is_set())

    def find_person(self, key: str | None) -> Person | None:
        """Return the person who holds a key, or None."""
        return None if key is None else self._by_key.get(hash_key(key))

    def require_person(self, key: str | None) -> Person:
        """Return the person who holds a key. Raises IllegalMove if nobody does."""
        person = self.find_person(key)
        if person is None:
            raise IllegalMove("not_yours", "you are watching: only players with a seat can do that")
        return person

    def is_asked(self, number: int) -> bool:
        """Say whether a person has been asked to move."""
        return any(person.number == number and person.request is not None for person in self._by_key.values())

    def arrive(self, key: str | None) -> None:
        """Note that the holder of ``key``, if there is one, has opened a page."""
        person = self.find_person(key)
        if person is not None and key is not None:
            self._looking[hash_key(key)] += 1
            person.is_here.set()

    def leave(self, key: str | None) -> None:
        """Note that the holder of ``key``, if there is one, has closed a page."""
        person = self.find_person(key)
        if person is not None and key is not None:
            self._looking[hash_key(key)] -= 1
            if self._looking[hash_key(key)] <= 0:
                del self._looking[hash_key(key)]
                person.is_here.clear()


class Agreement:
    """The wishes of the people in one match. Programs agree to everything. Call the methods only in one event loop."""

    def __init__(self, people: Callable[[], Set[int]]) -> None:
        """``people``: returns the numbers of the people who must agree."""
        self.left: int | None = None
        """The player who wants no more games; None while there is none."""
        self._people = people
        self._wishes: dict[Matter, set[int]] = {"again": set(), "hints": set()}
        self._changed = asyncio.Event()

    def wishers(self, matter: Matter) -> tuple[int, ...]:
        """Return the players who wish for ``matter``."""
        return tuple(sorted(self._wishes[matter]))

    def is_agreed(self, matter: Matter) -> bool:
        """Say whether all people wish for ``matter``."""
        people = self._people()
        return bool(people) and people <= self._wishes[matter]

    def wish(self, player: int, matter: Matter, *, yes: bool) -> None:
        """Note or withdraw a wish. A player who withdraws the wish for another game leaves the match."""
        (self._wishes[matter].add if yes else self._wishes[matter].discard)(player)
        if matter == "again" and not yes and self.left is None:
            self.left = player
        self._changed.set()

    async def another_game(self) -> bool:
        """Wait until all people want another game, or one person leaves. Say whether there is another game."""
        while self.left is None and not self.is_agreed("again"):
            self._changed.clear()
            await self._changed.wait()
        self._wishes["again"].clear()
        return self.left is None
