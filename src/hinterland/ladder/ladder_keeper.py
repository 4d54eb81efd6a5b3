"""The ladders of a running arena: reckoned in the background when games have been added, and kept until the next time.

Pages only look at what is there. A thread asks the index now and then how many rated games each ladder has, and rests
many times as long as a reckoning took, so that ladders of very many games cost the games that are played nothing.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from threading import Event, Thread

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from hinterland.errors import HinterlandError
from hinterland.host.processes.background import Background
from hinterland.ladder.preset_ladders import PresetLadder, all_ladders
from hinterland.ladder.reckoning import reckon
from hinterland.ladder.standing import Ladder, LadderPlayer
from hinterland.storage.index import listing
from hinterland.storage.index.game_index import GameIndex

log = logging.getLogger("hinterland.ladder")
BEGIN_S = 3.0
"""How long after the start of an arena it begins: first come the first pages."""
LOOK_S = 1.0
"""How often it is asked whether there is anything new."""
REST = 20.0
"""So many times as long as a reckoning took the thread rests after it."""
RETRY_S = 10.0
CLOSE_S = 1.0


class Placed(msgspec.Struct, frozen=True):
    """A player on one of the ladders."""

    ladder: PresetLadder
    player: LadderPlayer
    place: int | None
    """From 1; None while its rating is provisional."""
    players: dict[str, LadderPlayer]
    """All on that ladder, by slug."""


class LadderKeeper:
    """Keeps all ladders of an arena. What it answers may be asked from any thread, and costs next to nothing."""

    def __init__(self, index: GameIndex, background: Background) -> None:
        """Make ready. ``background``: where ladders are reckoned."""
        self.background = background
        self._index = index
        self._ladders: dict[PresetLadder, Ladder] = {}
        self._counted: dict[tuple[str, str], object] = {}
        """What told the games of a ladder, by game and rules, when it was reckoned."""
        self._is_stopping = Event()
        self._thread = Thread(target=self._keep_up, name="ladders", daemon=True)
        self.is_ready = False
        """Whether all that was played before the arena began has been reckoned."""

    def start(self) -> None:
        """Begin to keep them up."""
        self._thread.start()

    def stop(self) -> None:
        """Reckon no more; may be called twice."""
        self._is_stopping.set()
        self.background.end()
        if self._thread.ident is not None:
            self._thread.join(CLOSE_S)

    def ladder(self, which: PresetLadder) -> Ladder | None:
        """Return a ladder as it was reckoned last, None where nothing is on it yet."""
        return self._ladders.get(which)

    def placed(self, slug: str) -> Iterator[Placed]:
        """Yield where a player stands, on each ladder that has it."""
        for which in all_ladders():
            found = self._ladders.get(which)
            if found is not None and slug in found.players:
                player = found.players[slug]
                place = next((number for number, one in enumerate(found.ranked, 1) if one.slug == slug), None)
                yield Placed(which, player, place, found.players)

    # What its thread does

    def _keep_up(self) -> None:
        seen, rest_s = "", BEGIN_S
        while not self._is_stopping.wait(rest_s or LOOK_S):
            rest_s, version = 0.0, self._index.version
            if version == seen or self._index.left is not None:
                continue
            began = time.monotonic()
            try:
                self._reckon_what_is_new()
                seen, self.is_ready = version, True
                rest_s = max(LOOK_S, REST * (time.monotonic() - began))
            except (HinterlandError, SQLAlchemyError) as error:
                log.debug("ladders are not reckoned now: %s", error)
                rest_s = RETRY_S
            except Exception:
                log.exception("the ladders failed")
                rest_s = RETRY_S

    def _reckon_what_is_new(self) -> None:
        """Reckon the ladders whose games have changed, one after another."""
        counted = self._index.ask(listing.rated_counts)
        for which in all_ladders():
            key = which.game, which.rules
            if counted.get(key) == self._counted.get(key) or self._is_stopping.is_set():
                continue
            self._ladders[which] = self.background.run(reckon, self._index.url, *key)
            self._counted[key] = counted.get(key)
