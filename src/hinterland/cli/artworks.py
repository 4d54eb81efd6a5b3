"""``hinterland referee --artworks DIR``: saves a picture of every finished board while games go on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from hinterland.host.observer import Observer
from hinterland.referee.verdicts import Verdict
from hinterland.web.gallery import check_folder, save_artwork

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, Self

    from hinterland.contract import Game, Position
    from hinterland.host.live_game import LiveGame
    from hinterland.referee.record import Record


class ArtworkSaver(Observer):
    """Saves the board of each game that counts; leaving the context waits for the last picture."""

    def __init__(self, folder: Path, tell: Callable[[str], object]) -> None:
        """Make ready. ``tell`` gets a line for each picture that could not be saved.

        Raises ArenaError for a useless folder.
        """
        check_folder(folder)
        self._folder, self._tell = folder, tell
        self._drawing = ThreadPoolExecutor(1, "artworks")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._drawing.shutdown()

    def on_game_over(self, game: LiveGame, record: Record) -> None:
        """Draw the board on a thread, while the next game begins."""
        if record.reason == Verdict.VOID:
            return
        day, _, time = record.times.started.partition("T")
        name = f"{day}-{record.game}-{time[:8].replace(':', '')}-match{game.match}-game{record.number}"
        self._drawing.submit(self._save, name, game.terms.game, game.judged.position)

    def _save(self, name: str, kind: Game, position: Position[Any, Any]) -> None:
        try:
            save_artwork(self._folder, name, kind, position)
        except Exception as error:
            self._tell(f"the picture {name}.png could not be saved: {error}\n")
