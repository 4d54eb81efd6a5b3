"""A hostile person at a table of the arena. ``bad_people.py MISBEHAVIOUR PORT ADDRESS TABLE KEY TAG``.

What becomes of it is printed in a word; nothing where nobody minds. It imports the standard library alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":
    sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")))  # noqa: PTH100, PTH118, PTH120

from conformance.scripts.both_protocols import cell
from conformance.scripts.page_guest import PageGuest, tell

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PEOPLE", "main"]

FOR_EVER_S = 600
LONG = 8000
SIZE = 12
"""Cells a side of a board on which the first moves are legal on every board of the suite."""
REFUSED, CUT_OFF, GONE = "refused", "cut off", "gone"
WHOEVER = {"kind": "person", "name": "x"}
NONSENSE = (b"{", b"[]", b'{"type":"surrender"}', b'{"type":"move","ply":1}', b'{"type":"move","ply":"1","move":[0]}')


class Person:
    """One tab of a person's browser."""

    def __init__(self, guest: PageGuest, key: str) -> None:
        self._live = guest.watch(json.dumps({"type": "hello", "key": key}).encode())

    def say(self, data: bytes) -> None:
        """Send a message."""
        self._live.sendall(data + b"\n")

    def move(self, ply: int) -> None:
        """Make a move that is legal, after so many."""
        self.say(json.dumps({"type": "move", "ply": ply, "move": cell(ply, SIZE)}).encode())

    def hear(self) -> dict[str, Any]:
        """Return the next message. Raises ConnectionAbortedError where there are no more."""
        line = self._live.recv(65536)
        if not line:
            raise ConnectionAbortedError
        told: dict[str, Any] = json.loads(line)
        return told

    def until_plies(self, plies: int) -> None:
        """Wait until so many moves were made."""
        while True:
            told = self.hear()
            if told["type"] == "snapshot" and len(told["moves"]) >= plies:
                return

    def until_refused(self) -> None:
        """Wait until something was refused."""
        while self.hear()["type"] != "error":
            pass

    def close(self) -> None:
        """Leave."""
        self._live.close()


def forged_keys(guest: PageGuest, key: str) -> None:
    """Move, resign and wish with keys that are nobody's."""
    _at_turn(guest, key)
    for forged in ("", "x", key[:-1], key + "x", key.swapcase(), "x" * LONG):
        _is_refused(guest, forged)
    tell(REFUSED)
    time.sleep(FOR_EVER_S)


def a_key_of_elsewhere(guest: PageGuest, key: str) -> None:
    """Move with the key of a game of one's own."""
    _at_turn(guest, key)
    wish = {"game": "gravity", "rules": {"size": SIZE, "spacing": 2}, "seats": [WHOEVER, WHOEVER]}
    made = guest.connect()
    made.sendall(guest.request("/api/games", "POST", json.dumps(wish).encode(), "Connection: close\r\n"))
    heard = b""
    while data := made.recv(65536):
        heard += data
    _is_refused(guest, json.loads(heard.partition(b"\r\n\r\n")[2])["key"])
    tell(REFUSED)
    time.sleep(FOR_EVER_S)


def _is_refused(guest: PageGuest, key: str) -> None:
    """Move, resign and wish; wait until each is refused."""
    other = Person(guest, key)
    other.move(1)
    other.until_refused()
    for message in (b'{"type":"resign"}', b'{"type":"wish","matter":"hints","yes":true}', b'{"type":"undo"}'):
        other.say(message)
        other.until_refused()
    other.close()


def moves_out_of_turn(guest: PageGuest, key: str) -> None:
    """Move for another move than the one that is due; make one, and another at once."""
    person = _at_turn(guest, key)
    for ply in (0, 7):
        person.move(ply)
        person.until_refused()
    person.move(1)
    person.move(2)
    person.until_refused()
    tell(REFUSED)
    time.sleep(FOR_EVER_S)


def bad_json(guest: PageGuest, key: str) -> None:
    """Say what makes no sense, again and again."""
    person = _at_turn(guest, key)
    with contextlib.suppress(ConnectionError):
        for nonsense in NONSENSE * 2:
            person.say(nonsense)
        while True:
            person.hear()
    tell(CUT_OFF)
    time.sleep(FOR_EVER_S)


def two_tabs(guest: PageGuest, key: str) -> None:
    """Make the same move in two tabs at once."""
    tabs = [_at_turn(guest, key) for _ in range(2)]
    for tab in tabs:
        tab.move(1)
    tabs[1].until_refused()
    tell(REFUSED)
    time.sleep(FOR_EVER_S)


def leaves(guest: PageGuest, key: str) -> None:
    """Leave when it is one's turn."""
    _at_turn(guest, key).close()
    tell(GONE)
    time.sleep(FOR_EVER_S)


def _at_turn(guest: PageGuest, key: str) -> Person:
    """Look at the game, and wait for one's first turn."""
    person = Person(guest, key)
    person.until_plies(1)
    return person


PEOPLE: dict[str, Callable[[PageGuest, str], None]] = {
    act.__name__: act for act in (forged_keys, a_key_of_elsewhere, moves_out_of_turn, bad_json, two_tabs, leaves)
}
"""By name, what a hostile person does."""


def main() -> None:
    """Do what the command line names."""
    name, port, address, table, key = sys.argv[1:6]
    with contextlib.suppress(ConnectionError):
        PEOPLE[name](PageGuest(port, address, table), key)


if __name__ == "__main__":
    main()
