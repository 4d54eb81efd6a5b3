"""The files of a hosted match: the journals of the match and of its games.

From these files the next server resumes the match.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from hinterland.errors import ArenaError
from hinterland.host.commit import JournalCommit
from hinterland.host.live_match import Resumed
from hinterland.host.match_host import PROGRAM_PREFIX
from hinterland.host.player_connection import PlayerConnection
from hinterland.host.players.person import Person
from hinterland.host.thread_pools import Workers
from hinterland.referee import match, record
from hinterland.referee.verdicts import Verdict
from hinterland.storage.archive import Archive, make_record
from hinterland.storage.game_setup import Seat, Setup, new_id
from hinterland.storage.identities import operator_proof, spec_proof
from hinterland.storage.journal import Begun, GameBegun, Journal, MatchSetup, MatchSoFar, Seated


class MatchFiles:
    """Writes the files of one match. This is the ``MatchStore`` of the match's host."""

    def __init__(
        self, setup: MatchSetup, journal: Journal, archive: Archive, threads: Workers, games: dict[str, str]
    ) -> None:
        """``games``: match id of each live game, by game id, for all matches of the arena."""
        self.setup = setup
        self.journal = journal
        self.persons: dict[int, str] = {}
        """Digest of each person's key, by player number."""
        self.guests: dict[int, str] = {}
        """Digest of the cookie of each person's browser, by player number."""
        self._archive = archive
        self._threads = threads
        self._games = games

    async def write(self, line: msgspec.Struct) -> None:
        """Append a line to the match's journal. Raises ArenaError if the line cannot be written."""
        await self._threads.run(self.journal.write, [line])

    async def record_players(self, players: Sequence[PlayerConnection]) -> None:
        """Write the players from outside."""
        guests = players[: len(players) - len(self.setup.house)]
        await self.write(Begun(tuple(self.seat_entry(one.number, one.name) for one in guests)))

    def seat_entry(self, number: int, name: str) -> Seated:
        """Return the journal's line for the player in a seat."""
        return Seated(number, name, self.persons.get(number), self.guests.get(number, ""))

    async def begin_game(
        self, number: int, players: Sequence[PlayerConnection], started: str
    ) -> tuple[str, JournalCommit]:
        """Begin the journal of a game. Return the game's id, and the commit that writes to the journal.

        Games are numbered from 1.
        """
        game_id = new_id()
        setup = Setup(
            id=game_id, game_name=self.setup.game, rules_json=self.setup.rules,
            seats=tuple(self._seat(one, len(players)) for one in players),
            control=self.setup.control, seed=self.setup.seed, key_sha256=self.setup.key_sha256, started=started,
            table=self.setup.id, number=number,
            guests=tuple(self.guests[one.number] for one in players if one.number in self.guests),
        )  # fmt: skip
        self._games[game_id] = self.setup.id
        try:
            journal = await self._threads.run(self._archive.create, setup)
            await self.write(GameBegun(number, game_id))
        except ArenaError:
            self._games.pop(game_id, None)
            raise
        return game_id, self._commit(setup, journal)

    def _seat(self, player: PlayerConnection, players: int) -> Seat:
        """Return the seat of a player.

        The proof of who sits there is: for a person, the digest of the browser's cookie; for a built-in player, its
        spec; for a program, or for a bot with a token, the name that the match's host gave it.
        """
        if isinstance(player, Person):
            return Seat("person", player.name, self.guests.get(player.number, ""))
        place = player.number - (players - len(self.setup.house))
        if place >= 0:
            spec = self.setup.house[place]
            is_ours = not spec.startswith(PROGRAM_PREFIX)
            return Seat(
                "bot", player.name, spec_proof(spec) if is_ours else operator_proof(spec.removeprefix(PROGRAM_PREFIX))
            )
        return Seat("bot", player.name, operator_proof(player.name) if player.name in (self.setup.tokens or ()) else "")

    def _commit(self, setup: Setup, journal: Journal) -> JournalCommit:
        return JournalCommit(
            setup, self._threads, journal, self._archive.finish, dropped=lambda: self._games.pop(setup.id, None)
        )

    def read_games(self, so_far: MatchSoFar) -> tuple[Resumed, list[tuple[record.Record, tuple[int, ...], str]]]:
        """Read the games of a match.

        Return the match's progress and, for its page, (record, players' numbers by seat, id) of each finished game.
        """
        over, going_on = [], Resumed()
        for number, game_id in enumerate(so_far.games):
            loaded = self._archive.load(game_id)
            if loaded is None:
                raise ArenaError(f"game {game_id} is not there")
            setup, restored, journal = loaded
            if restored.game.ending is None:
                self._games[game_id] = self.setup.id
                going_on = Resumed(
                    game_id=game_id, judged=restored.game, started=setup.started, commit=self._commit(setup, journal)
                )
                break
            journal.close()
            if restored.game.ending.reason != Verdict.VOID:
                over.append((make_record(setup, restored.game), match.seating(number, len(setup.seats)), game_id))
        return msgspec.structs.replace(going_on, records=tuple(played[0] for played in over)), over

    def close(self, *, is_over: bool) -> None:
        """Close the files. If the match is over, also archive the match's journal; the journals of its games stay."""
        self.journal.close()
        if is_over:
            self._archive.end_match(self.setup.id)
