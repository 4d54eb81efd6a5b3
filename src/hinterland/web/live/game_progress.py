"""The progress of a live game for pages: scores after each move, and moves encoded once for all viewers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from hinterland.host.live_game import LiveGame
from hinterland.referee import judge
from hinterland.web.live.snapshot import encode_list, encode_moves


class GameProgress:
    """Follows one live game."""

    def __init__(
        self, game: LiveGame, places: tuple[int, ...], scores_after: Sequence[tuple[int, ...]] = ()
    ) -> None:
        """Begin to follow. ``places``: see ``GameView``; ``scores_after``: scores after the moves made so far."""
        self.game = game
        self.places = places
        self.scores_after = list(scores_after)
        self._encoded: list[bytes] = []
        self._list: msgspec.Raw | None = None

    def take(self, effects: Sequence[judge.Effect]) -> None:
        """Note effects of the judge."""
        for effect in effects:
            match effect:
                case judge.Played(_, _, _, scores):
                    self.scores_after.append(scores)
                    self._list = None
                case judge.TakenBack(plies):
                    del self.scores_after[plies:], self._encoded[plies:]
                    self._list = None

    def moves_encoded(self) -> msgspec.Raw:
        """Return the moves so far; each is encoded once."""
        if self._list is None:
            self._encoded += encode_moves(self.game.judged, self.scores_after, self.places, len(self._encoded))
            self._list = encode_list(self._encoded)
        return self._list

    def scores(self) -> tuple[int, ...]:
        """Return the current scores by seat; a finished game has those of its ending."""
        ending = self.game.judged.ending
        if ending is not None:
            return ending.scores
        return self.scores_after[-1] if self.scores_after else (0,) * len(self.places)
