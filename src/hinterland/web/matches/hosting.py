"""All hosted matches of the arena: opened, found, and closed if nobody comes.

The person who opened a match may close it. A match is saved move by move. If the server ends during a match, the next
server opens the match again, and the game goes on when its players are back: people with the key in their browser, bots
with their token.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

import msgspec

from hinterland import catalog
from hinterland.errors import ArenaError, HinterlandError
from hinterland.host.live_match import MatchConfig
from hinterland.host.match_host import HostConfig
from hinterland.host.matchmaker import AdmissionLimits, hash_token
from hinterland.host.network.tcp import Listener, listen
from hinterland.host.observer import Observer
from hinterland.host.thread_pools import Workers
from hinterland.storage.archive import Archive
from hinterland.storage.game_setup import hash_key, new_id
from hinterland.storage.journal import Journal, MatchSetup, MatchSoFar
from hinterland.web.matches.hosted_match import HostedCard, HostedMatch
from hinterland.web.matches.match_files import MatchFiles
from hinterland.web.settings import Settings

log = logging.getLogger("hinterland.web")
ADMISSION = AdmissionLimits(connections=64, connections_per_address=64)
SWEEP_S = 5.0
MAX_FINISHED_MATCHES = 64
"""Finished matches kept in memory for their viewers."""


class Hosting:
    """All hosted matches. Call the methods only in the event loop."""

    def __init__(
        self, settings: Settings, archive: Archive, threads: Workers, games: dict[str, str],
        observe: Callable[[str], Observer],
    ) -> None:  # fmt: skip
        """``threads``: judge games and write journals; ``games``: gets the match id of each live game, by game id.

        ``observe``: returns an observer for the match with a given id.
        """
        self.observe = observe
        self._settings = settings
        self._archive = archive
        self._threads = threads
        self._games = games
        self._hosted: dict[str, HostedMatch] = {}
        self._opening = asyncio.Lock()
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def open_matches(self) -> int:
        """Number of hosted matches, except challenges, that are not over."""
        return sum(not hosted.show.is_over for hosted in self._hosted.values() if not hosted.is_challenge)

    def challenges(self) -> list[HostedMatch]:
        """Return the challenges that are not over."""
        return [one for one in self._hosted.values() if one.is_challenge and not one.show.is_over]

    async def start(self) -> None:
        """Resume the matches that the last server left, and begin to close deserted matches."""
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
            rules=kind.rules.from_json(setup.rules), control=setup.control, illegal=setup.illegal,
            seed=setup.seed,
        )  # fmt: skip
        plan = HostConfig(
            config=config, protocol=setup.protocol, own_players=setup.house,  # type: ignore[arg-type]
            programs=self._settings.programs, tokens=setup.tokens, admission=ADMISSION,
            is_open_ended=setup.is_challenge,
        )  # fmt: skip
        plan.check()
        files = MatchFiles(setup, journal, self._archive, self._threads, self._games)
        hosted = self._add(plan, self._listen(setup.port) if setup.port else None, files)
        await hosted.go_on(so_far, self._threads)

    async def stop(self) -> None:
        """Suspend all matches; may be called twice."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        words = "the arena is stopping; the match goes on when it is back"
        await asyncio.gather(*(hosted.stop(words, suspend=True) for hosted in self._hosted.values()))
        for hosted in self._hosted.values():
            hosted.show.audience.dismiss(1012, "the arena is stopping")

    async def open(self, plan: HostConfig, port: int, key: str) -> HostedMatch:
        """Open a match. Raises ArenaError if too many matches are open, or no port is free."""
        async with self._opening:
            self._check_room()
            return await self._open(plan, self._listen_within(port), key)

    async def open_challenge(self, plan: HostConfig, key: str) -> HostedMatch:
        """Open a match for people, without a port. Raises ArenaError if the match's journal cannot be written."""
        return await self._open(plan, None, key)

    async def _open(self, plan: HostConfig, listener: Listener | None, key: str) -> HostedMatch:
        try:
            setup = await self._threads.run(_setup, plan, listener.port if listener else 0, key)
            journal = await self._threads.run(self._archive.create_match, setup)
        except ArenaError:
            if listener is not None:
                listener.close()
            raise
        hosted = self._add(plan, listener, MatchFiles(setup, journal, self._archive, self._threads, self._games))
        hosted.begin()
        return hosted

    def _check_room(self) -> None:
        most = self._settings.limits.hosted_matches
        if self.open_matches >= most:
            raise ArenaError(f"all {most} places for hosted matches are taken; try again when one is over")

    def _listen_within(self, port: int) -> Listener:
        """Listen on a port in the range for matches. Raises ArenaError."""
        ports = self._settings.openness.table_ports
        if ports is None:
            return self._listen(port)
        first, last = ports
        if port and not first <= port <= last:
            raise ArenaError(f"matches here use ports {first} to {last}, not {port}; 0 takes a free one")
        for chosen in (port,) if port else range(first, last + 1):
            with contextlib.suppress(ArenaError):
                return self._listen(chosen)
        raise ArenaError(f"port {port} is in use" if port else f"no port from {first} to {last} is free")

    def _listen(self, port: int) -> Listener:
        try:
            return listen(self._settings.host, port)
        except ArenaError as error:
            raise ArenaError(str(error).partition("; choose another")[0]) from None

    def _add(self, plan: HostConfig, listener: Listener | None, files: MatchFiles) -> HostedMatch:
        plan = msgspec.structs.replace(plan, sandbox=self._settings.sandbox)
        hosted = HostedMatch(plan, listener, self._settings.host, files, self.observe(files.setup.id))
        self._hosted[hosted.show.id] = hosted
        self._forget()
        return hosted

    def find(self, match_id: str) -> HostedMatch | None:
        return self._hosted.get(match_id)

    def cards(self) -> list[HostedCard]:
        """List the hosted matches, except challenges, the latest first."""
        return [hosted.card for hosted in reversed(self._hosted.values()) if not hosted.is_challenge]

    def _forget(self) -> None:
        """Drop the oldest finished matches above ``MAX_FINISHED_MATCHES`` from memory."""
        over = [match_id for match_id, hosted in self._hosted.items() if hosted.show.is_over]
        for match_id in over[:-MAX_FINISHED_MATCHES]:
            self._hosted.pop(match_id).show.audience.dismiss(1000, "this match no longer exists")

    async def _sweep(self) -> None:
        limits = self._settings.limits
        while True:
            await asyncio.sleep(min(SWEEP_S, limits.deserted_s, limits.challenge_s))
            for hosted in list(self._hosted.values()):
                if not hosted.show.is_over and hosted.is_abandoned(limits):
                    patience_s = limits.challenge_s if hosted.is_challenge else limits.deserted_s
                    await hosted.stop(f"nobody came within {patience_s / 60:g} minutes")
            self._forget()


def _setup(plan: HostConfig, port: int, key: str) -> MatchSetup:
    """Return the setup of a planned match, in the form that is stored.

    This computes the rules for pages, which can take long, so call it on a thread.
    """
    config = plan.config
    config.kind.page.rules(config.rules)
    return MatchSetup(
        id=new_id(), game=config.kind.name, rules=msgspec.to_builtins(config.rules),
        control=config.control, illegal=config.illegal, seed=config.seed, protocol=plan.protocol,
        house=plan.own_players, tokens=_hash_tokens(plan.tokens), port=port,
        key_sha256=hash_key(key), is_challenge=plan.is_open_ended,
    )  # fmt: skip


def _hash_tokens(tokens: dict[str, str] | None) -> dict[str, str] | None:
    """Return the digests of tokens, which are stored instead of the tokens."""
    return None if tokens is None else {name: hash_token(token) for name, token in tokens.items()}
