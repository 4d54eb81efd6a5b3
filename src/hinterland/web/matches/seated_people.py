"""The people of a match in their browsers: their keys, and their presence."""

from __future__ import annotations

from collections import Counter

from hinterland.errors import IllegalMove
from hinterland.host.players.person import Person
from hinterland.storage.game_setup import hash_key


class SeatedPeople:
    """The people of one match."""

    def __init__(self) -> None:
        self._by_key: dict[str, Person] = {}
        """People by the digest of their key."""
        self._looking: Counter[str] = Counter()

    def seat(self, person: Person, key_sha256: str) -> None:
        """Add a person with a key."""
        self._by_key[key_sha256] = person

    def unseat(self, key: str) -> None:
        """Remove the person of a key."""
        del self._by_key[hash_key(key)]

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the people."""
        return frozenset(person.number for person in self._by_key.values())

    @property
    def away(self) -> frozenset[int]:
        """The numbers of the people who are not looking."""
        return frozenset(person.number for person in self._by_key.values() if not person.is_here.is_set())

    def find_person(self, key: str | None) -> Person | None:
        """Return the person of a key, or None."""
        return None if key is None else self._by_key.get(hash_key(key))

    def require_person(self, key: str | None) -> Person:
        """Return the person of a key. Raises IllegalMove if there is none."""
        person = self.find_person(key)
        if person is None:
            raise IllegalMove("not_yours", "you are watching: only players with a seat can do that")
        return person

    def is_asked(self, number: int) -> bool:
        """Say whether a person has been asked to move."""
        return any(person.number == number and person.is_asked for person in self._by_key.values())

    def arrive(self, key: str | None) -> None:
        """Count a page of a person."""
        person = self.find_person(key)
        if person is not None and key is not None:
            self._looking[hash_key(key)] += 1
            person.is_here.set()

    def leave(self, key: str | None) -> None:
        """Discount a page of a person."""
        person = self.find_person(key)
        if person is not None and key is not None:
            self._looking[hash_key(key)] -= 1
            if self._looking[hash_key(key)] <= 0:
                del self._looking[hash_key(key)]
                person.is_here.clear()
