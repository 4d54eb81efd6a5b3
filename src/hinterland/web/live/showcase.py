"""The match on the front page: built-in players play while somebody watches. These games are not kept."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import msgspec

from hinterland import catalog
from hinterland.host.commit import JournalCommit
from hinterland.host.synchronous import timestamp
from hinterland.storage.game_setup import NO_CLOCK, Seat, Setup, hash_key, new_id, new_key
from hinterland.storage.journal import restore_game
from hinterland.web.live.arena_game import ArenaGame

if TYPE_CHECKING:
    from hinterland.contract import Game, Rules
    from hinterland.web.live.game_registry import GameRegistry
    from hinterland.web.settings import Show


class Showcase:
    """Plays one game after another; pauses while nobody watches."""

    def __init__(self, registry: GameRegistry, show: Show) -> None:
        self._registry = registry
        self._show = show
        self._game: ArenaGame | None = None
        self._opening = asyncio.Lock()
        self._next: asyncio.Task[None] | None = None
        self._choice = random.Random()

    async def current_game(self) -> ArenaGame:
        """Return the current game."""
        async with self._opening:
            if self._game is None:
                self._game = await self._begin_game()
            return self._game

    async def stop(self) -> None:
        """End the show."""
        if self._next is not None:
            self._next.cancel()

    async def _begin_game(self) -> ArenaGame:
        setup = self._draw()
        restored = await self._registry.judges.run(restore_game, setup, [])
        registry = self._registry
        live_game = ArenaGame(
            setup, restored, JournalCommit(setup, registry.judges), registry.thinkers, registry.lag_monitor,
            asker="the show", pause=self._pause, on_over=self._ended,
        )  # fmt: skip
        self._registry.show(live_game)
        return live_game

    def _draw(self) -> Setup:
        """Choose a game, rules and players at random, as far as the settings leave them open."""
        self._registry.preparation.require(*([self._show.game] if self._show.game else ()))
        game = catalog.game(self._show.game or self._choice.choice(list(catalog.GAMES)))
        rules = self._rules(game)
        names = [level.spec for level in game.levels[len(game.levels) // 2 :]]  # the stronger half
        players = self._choice.sample(names, min(len(names), rules.players))
        players += self._choice.choices(names, k=rules.players - len(players))
        return Setup(
            id=new_id(),
            game_name=game.name,
            rules_json=msgspec.to_builtins(rules),
            seats=tuple(Seat("program", name) for name in players),
            control=NO_CLOCK,
            seed=self._choice.randrange(2**32),
            key_sha256=hash_key(new_key()),
            started=timestamp(),
        )

    def _rules(self, game: Game) -> Rules:
        if self._show.rules is not None:
            return game.rules.from_json(self._show.rules)
        options = self._choice.choice(game.presets).options
        if game.rules.drawn_by is not None:
            options = {**options, game.rules.drawn_by: self._choice.randrange(10**6)}
        return game.rules.from_options(options)

    async def _pause(self) -> None:
        """Wait before a move, and as long as nobody watches."""
        await asyncio.sleep(self._show.move_s)
        if self._game is not None:
            await self._game.audience.has_viewers.wait()

    def _ended(self, live_game: ArenaGame, _: bool) -> None:
        if live_game is self._game:
            self._next = asyncio.get_running_loop().create_task(self._go_on(live_game))

    async def _go_on(self, old: ArenaGame) -> None:
        """After a rest begin the next game, and move the viewers of the front page to it."""
        await asyncio.sleep(self._show.rest_s)
        await old.audience.has_viewers.wait()
        async with self._opening:
            new = self._game = await self._begin_game()
        old.next_url = f"/games/{new.setup.id}"
        for viewer in old.audience:
            if viewer.follows:
                old.audience.leave(viewer)
                viewer.view = new
                new.audience.join(viewer)
                viewer.wake()
        old.audience.wake()
        await new.begin()
