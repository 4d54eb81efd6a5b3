"""The matches of a round. Each match is computed from its number, so that a million need no more memory than ten.

A round has tables, and each table plays ``Plan.pairings`` matches under each variation of the rules. Pairing k consists
of the k-th match of every table under every variation. Its matches have one seed, and so one board or opening: no table
has a luckier board than another. All tables play pairing 1 before pairing 2, so that a contest that is stopped early
has games of every table.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from hinterland import catalog
from hinterland.contest.plan import CONNECT, derive_number, make_rules
from hinterland.contract import Game, Move, Rules, silent
from hinterland.errors import BadText, HinterlandError
from hinterland.host.live_match import MatchConfig
from hinterland.host.processes.command import USUAL_LIMITS, ProgramOptions
from hinterland.referee.record import ContestPlace

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.contest.plan import Plan

Table = tuple[int, ...]
"""Players that meet, by their numbers in the plan."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One match, with all that a worker needs to play it."""

    game: str
    """Name of the game."""
    names: tuple[str, ...]
    """Names of the players at the table."""
    players: tuple[str, ...]
    """Specs of the players."""
    rules: dict[str, Any]
    """Options of the rules."""
    clock: Any
    """A ``TimeControl``."""
    seed: int
    """Seed of the pairing."""
    jitter: int = 0
    """Number of random first moves."""
    opening: tuple[tuple[int, ...], ...] = ()
    """First moves to play instead of random ones."""
    sandbox: bool = False
    """Whether programs run in a sandbox."""
    limits: Any = USUAL_LIMITS
    """``ProcessLimits`` of each program."""
    place: ContestPlace = ContestPlace("", 0, 0)
    """Place in the contest."""
    table: int = 0
    """Number of the table in the round."""
    variation: int = 0
    """Number of the variation of the rules, its place in ``Plan.variations``."""
    missing: tuple[int, ...] = ()
    """Numbers of the games to play; the first game of a match is 0."""
    folder: str = "."
    """Folder at which relative paths of commands and boards begin."""
    versions: tuple[str, ...] = ()
    """Present versions of the players' programs; empty for other players."""
    logs: str = ""
    """Folder to which the logs of the games go; empty if none are kept."""

    @property
    def needs_network(self) -> bool:
        """Whether a player connects over the network."""
        return CONNECT in self.players

    @property
    def programs(self) -> ProgramOptions:
        """Options for starting the match's programs."""
        return ProgramOptions(folder=self.folder, sandbox=self.sandbox, limits=self.limits, must_start=False)

    def config(self, note: Callable[[str], None] = silent) -> MatchConfig:
        """Make the match's configuration; ``note`` is called with lines about files read. Raises HinterlandError."""
        game = catalog.game(self.game)
        rules = _make_rules(msgspec.json.encode((self.game, len(self.players), self.rules, self.folder)), note)
        opening = self._opening(game, rules)
        return MatchConfig(rules=rules, control=self.clock, seed=self.seed, opening=opening)

    def _opening(self, game: Game, rules: Rules) -> tuple[Move, ...]:
        """Return the first moves, given or drawn. Raises HinterlandError if a move is illegal, or ends the game."""
        # Players draw from (seed, game, player), where game < players: so none of them draws from this generator.
        rng = np.random.default_rng([self.seed, rules.players, 0])
        given = tuple(game.move.from_numbers(numbers) for numbers in self.opening)
        position, moves = rules.start(), len(given) or self.jitter
        while position.to_move is not None:
            done = len(position.moves)
            if done == moves:
                return tuple(move for _, move in position.moves)
            position = position.play(given[done] if given else position.legal_moves.sample(rng))
        what = f"the opening {self.opening}" if given else f"--jitter {self.jitter}"
        raise BadText(f"{what} leaves the players no move: {rules.summary} can be over after {len(position.moves)}")


@lru_cache(maxsize=4)
def _make_rules(options: bytes, note: Callable[[str], None]) -> Rules:
    """Make rules once for all tasks with the same rules, since drawing a board may take long."""
    name, players, values, folder = msgspec.json.decode(options)
    return make_rules(catalog.game(name), players, values, note, folder)


class RoundTasks(Sequence[Task]):
    """The matches of a round, in the order in which they begin."""

    def __init__(self, plan: Plan, number: int, tables: Sequence[Table]) -> None:
        """Make the matches of round ``number``, counted from 0. A table of one player is a bye and has no match."""
        self.plan, self.number = plan, number
        self.tables = tuple(tables)
        self._playing = [place for place, table in enumerate(self.tables) if len(table) > 1]
        self._variations = plan.variations
        self._drawn_by = catalog.game(plan.game).rules.drawn_by if plan.boards else None
        self._hash = plan.hash
        self.seats = max(map(len, self.tables), default=0)
        """Number of players at the largest table, and so of games in its matches."""

    def __len__(self) -> int:
        return self.plan.pairings * len(self._playing) * len(self._variations)

    def locate(self, number: int) -> tuple[int, int, int]:
        """Return the numbers of a match's pairing, table and variation."""
        rest, variation = divmod(number, len(self._variations))
        pairing, table = divmod(rest, len(self._playing))
        return pairing, self._playing[table], variation

    def players_of(self, number: int) -> Table:
        """Return the players of a match."""
        return self.tables[self.locate(number)[1]]

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < len(self):
            raise IndexError(number)
        plan = self.plan
        pairing, table, variation = self.locate(number)
        seed = pairing_seed(plan.seed, self.number, pairing, plan.secret or "")
        players = self.tables[table]
        board = {} if self._drawn_by is None else {self._drawn_by: seed}
        return Task(
            game=plan.game,
            names=tuple(plan.players[player].name for player in players),
            players=tuple(plan.players[player].spec for player in players),
            rules={**plan.rules, **self._variations[variation], **board},
            clock=plan.clock,
            seed=seed,
            jitter=plan.jitter,
            opening=plan.openings[pairing % len(plan.openings)] if plan.openings else (),
            sandbox=plan.sandbox,
            limits=plan.limits or USUAL_LIMITS,
            place=ContestPlace(self._hash, self.number, number),
            table=table,
            variation=variation,
            missing=tuple(range(len(players))),
        )


def pairing_seed(seed: int, round_: int, pairing: int, secret: str = "") -> int:
    """Return a pairing's seed.

    The first pairing has the contest's own seed, so that it begins like the command ``match`` with this seed. If the
    contest has a ``secret``, its pairings' seeds tell nothing of one another.
    """
    if secret:
        return derive_number(secret, f"round {round_} pairing {pairing}")
    if round_ == pairing == 0:
        return seed
    return int(np.random.SeedSequence([seed, round_, pairing]).generate_state(1)[0] >> 1)


def check(plan: Plan, tables: Sequence[Table], note: Callable[[str], None] = silent, folder: str = ".") -> None:
    """Raise HinterlandError if a variation or an opening cannot be played at the first table.

    ``note`` is called with lines about files read. ``folder``: where relative paths begin.
    """
    tasks, variations = RoundTasks(plan, 0, tables), len(plan.variations)
    a_pairing = len(tasks) // plan.pairings
    for pairing in range(min(plan.pairings, max(len(plan.openings), 1))):
        for number in range(pairing * a_pairing, pairing * a_pairing + min(variations, a_pairing)):
            try:
                task = msgspec.structs.replace(tasks[number], folder=folder)
                task.config(note if number == 0 else silent)
            except HinterlandError as error:
                if not plan.openings:
                    raise
                raise BadText(f"opening {pairing + 1}: {error}") from None
