"""Keeps the ladders of a running arena, and computes a ladder again in the background when it has new games.

Pages only read the ladders computed last. A thread regularly asks the index how many rated games each ladder has. After
a computation the thread rests many times as long as the computation took, so that ladders of very many games do not
slow down live games.
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
from hinterland.ladder.calculation import compute_ladder
from hinterland.ladder.preset_ladders import PresetLadder, list_all_ladders
from hinterland.ladder.standing import Ladder, LadderPlayer
from hinterland.storage.index import listing
from hinterland.storage.index.game_index import GameIndex

log = logging.getLogger("hinterland.ladder")
START_DELAY_S = 3.0
"""Seconds from the start of an arena to the first computation, so that the first pages need not wait."""
POLL_S = 1.0
"""Seconds between two checks for new games."""
REST_FACTOR = 20.0
"""Rest after a computation, as a multiple of its duration."""
RETRY_S = 10.0
CLOSE_S = 1.0


class LadderPlace(msgspec.Struct, frozen=True):
    """The place of a player on one ladder."""

    ladder: PresetLadder
    player: LadderPlayer
    place: int | None
    """Rank on the ladder, from 1; None while the rating is provisional."""
    players: dict[str, LadderPlayer]
    """All players of the ladder, by slug: the last part of the address of a player's page."""


class LadderKeeper:
    """Keeps all ladders of an arena. Any thread may call its methods, which take almost no time."""

    def __init__(self, index: GameIndex, background: Background) -> None:
        """Prepare the thread. ``background``: where ladders are computed."""
        self.background = background
        self._index = index
        self._ladders: dict[PresetLadder, Ladder] = {}
        self._counted: dict[tuple[str, str], object] = {}
        """For each (game, rules) the number of games, as the index counted them, when the ladder was last computed."""
        self._is_stopping = Event()
        self._thread = Thread(target=self._keep_up, name="ladders", daemon=True)
        self.is_ready = False
        """Whether the ladders include all games that were played before the arena started."""

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop computing; may be called twice."""
        self._is_stopping.set()
        self.background.end()
        if self._thread.ident is not None:
            self._thread.join(CLOSE_S)

    def ladder(self, which: PresetLadder) -> Ladder | None:
        """Return a ladder as last computed; None if it has no games yet."""
        return self._ladders.get(which)

    def find_places(self, slug: str) -> Iterator[LadderPlace]:
        """Yield a player's place on each ladder that lists this player."""
        for which in list_all_ladders():
            found = self._ladders.get(which)
            if found is not None and slug in found.players:
                player = found.players[slug]
                place = next((number for number, one in enumerate(found.ranked, 1) if one.slug == slug), None)
                yield LadderPlace(which, player, place, found.players)

    # The thread's work

    def _keep_up(self) -> None:
        seen, rest_s = "", START_DELAY_S
        while not self._is_stopping.wait(rest_s or POLL_S):
            rest_s, version = 0.0, self._index.version
            if version == seen or self._index.left is not None:
                continue
            began = time.monotonic()
            try:
                self._update_changed_ladders()
                seen, self.is_ready = version, True
                rest_s = max(POLL_S, REST_FACTOR * (time.monotonic() - began))
            except (HinterlandError, SQLAlchemyError) as error:
                log.debug("ladders cannot be computed now: %s", error)
                rest_s = RETRY_S
            except Exception:
                log.exception("the ladders failed")
                rest_s = RETRY_S

    def _update_changed_ladders(self) -> None:
        counted = self._index.query(listing.count_rated_games)
        for which in list_all_ladders():
            key = which.game, which.rules
            if counted.get(key) == self._counted.get(key) or self._is_stopping.is_set():
                continue
            self._ladders[which] = self.background.run(compute_ladder, self._index.url, *key)
            self._counted[key] = counted.get(key)
