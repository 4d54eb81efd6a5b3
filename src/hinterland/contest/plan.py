"""The plan of a contest: players, rules, format, number of matches, and seed.

A plan is a frozen value. All matches follow from the plan and the results of finished rounds. Each record holds the
hash of the plan under which its game was played. Players that are added later play extra rounds after the existing
ones, so earlier records still count: ``lineage`` has the hash of the present plan, and the hashes of the plan before
each addition.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from hinterland import catalog
from hinterland.contest.pairings import format_names
from hinterland.contest.pairings.static import never_decided
from hinterland.contract import Game, Rules, is_timed, silent
from hinterland.errors import BadText, HinterlandError, RulesError, UnknownName, quote
from hinterland.evidence.sprt import Scale, Sprt, walk
from hinterland.host import specs
from hinterland.host.processes.process_limits import ProcessLimits
from hinterland.referee.clock import TimeControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.contest.pairings.rounds import Format

VERSION = "hinterland-contest/1"
MAX_PLAYERS, MAX_PAIRINGS, MAX_JITTER = 1000, 10_000_000, 1000
MAX_VARIATIONS = 10_000
MAX_ROUND_MATCHES = 20_000_000
"""Greatest number of matches in a round. Reading a contest takes a byte of memory for each match and a bit for each
game."""
HASH_DIGITS = 16
SCALES = get_args(Scale)
NAMED_SPEC = re.compile(r"([^:=\s][^:=]{0,39})=(.+)", re.DOTALL)
"""Pattern of ``name=spec``. A name has no colon, so that ``search:seed=1`` is a spec without a name."""


class Entrant(msgspec.Struct, frozen=True):
    """A player of a contest."""

    name: str
    """Name; no two players have the same."""
    spec: str
    """A built-in player, a program (``./bot.py``, ``cmd:…``, ``hps:…``), or ``connect``: a bot that has a token."""

    @classmethod
    def parse(cls, text: str) -> Entrant:
        """Parse ``name=spec``, or a spec alone, which is then also the name."""
        if found := NAMED_SPEC.fullmatch(text):
            return cls(found[1], found[2])
        return cls(text, text)


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The plan of a contest."""

    game: str
    """Name of the game."""
    players: tuple[Entrant, ...]
    """Players in the order of their seeding, the one expected to be strongest first."""
    added: int = 0
    """Number of the last players in ``players`` that were added after games had been played."""
    format: str = "round-robin"
    """Name of the format; see ``pairings.format_names``."""
    options: dict[str, Any] = {}
    """Options of the format."""
    pairings: int = 1
    """Number of matches that each table plays in a round, for each of the ``variations``."""
    rules: dict[str, Any] = {}
    """Options of the rules that all matches share."""
    vary: dict[str, tuple[Any, ...]] = {}
    """Options of the rules that vary, each with its values; each table plays every combination of these values."""
    clock: TimeControl = TimeControl()
    """Time control of every game."""
    jitter: int = 0
    """Number of random first moves in each match, the same in all its games."""
    openings: tuple[tuple[tuple[int, ...], ...], ...] = ()
    """Openings, which pairings use in turn in place of random first moves. An opening is a tuple of moves."""
    boards: bool = False
    """Whether each pairing has a board of its own, drawn from the pairing's seed (``schedule``)."""
    seed: int = 0
    """Seed of the contest."""
    secret: str | msgspec.UnsetType = msgspec.UNSET
    """The secret from which boards, openings and lots follow in place of ``seed``, if it is hidden."""
    sandbox: bool = False
    """Whether programs run in a sandbox."""
    limits: ProcessLimits | None = None
    """Limits of each program; None: the default limits."""

    @property
    def hash(self) -> str:
        """Hash of the plan, in hexadecimal digits."""
        # A secret that is not there is left out, so that plans keep the hashes that they had before there were secrets.
        digest = hashlib.sha256(msgspec.json.encode((VERSION, self), order="deterministic"))
        return digest.hexdigest()[:HASH_DIGITS]

    @property
    def lineage(self) -> frozenset[str]:
        """Hashes of this plan, and of the plan as it was before each player was added."""
        last = len(self.players)
        return frozenset(
            msgspec.structs.replace(self, players=self.players[: last - back], added=self.added - back).hash
            for back in range(self.added + 1)
        )

    @property
    def variations(self) -> list[dict[str, Any]]:
        """Combinations of the values in ``vary``; an empty one if nothing varies. Raises BadText for too many."""
        count = math.prod(map(len, self.vary.values()))
        if count > MAX_VARIATIONS:
            lengths = " x ".join(str(len(values)) for values in self.vary.values())
            raise BadText(f"vary makes {lengths} combinations; {MAX_VARIATIONS:,} are the most: list fewer values")
        return [dict(zip(self.vary, values, strict=True)) for values in product(*self.vary.values())]

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(player.name for player in self.players)

    @property
    def timed(self) -> tuple[str, ...]:
        """Names of the players whose moves depend on the load of the machine."""
        game = catalog.game(self.game)
        return tuple(
            one.name for one in self.players
            if one.spec == CONNECT or specs.is_program(one.spec) or is_timed(catalog.player(game, one.spec))
        )  # fmt: skip

    def check(self) -> None:
        """Raise HinterlandError for a plan that cannot be played. Boards and openings: see ``schedule.check``."""
        game = catalog.game(self.game)
        _check_names(self.names)
        bounds = {"pairings": (1, MAX_PAIRINGS), "jitter": (0, MAX_JITTER), "seed": (0, 2**63 - 1)}
        for name, (least, most) in bounds.items():
            if not least <= getattr(self, name) <= most:
                raise BadText(f"{name} is a whole number from {least} to {most}, not {getattr(self, name)}")
        if self.jitter and self.openings:
            raise BadText("jitter draws the first moves and openings give them; leave one of them out")
        if not 0 <= self.added < max(len(self.players), 1):
            raise BadText(f"added counts the last of {len(self.players)} players, not all of them; not {self.added}")
        for name, values in self.vary.items():
            if not values or len(set(map(repr, values))) < len(values):
                raise BadText(f"vary lists different values of {name}, not {quote(list(values))}")
            if name in self.rules:
                raise BadText(f"{name} is given twice: as a rule, and among those that vary")
        make_format(self)
        self._check_size()
        for player in self.players:
            check_entrant(game, player, sandbox=self.sandbox)

    def check_programs(self, folder: Path) -> None:
        """Raise HinterlandError for a program that cannot be started; relative paths begin at ``folder``."""
        for player in self.players:
            check_entrant(catalog.game(self.game), player, sandbox=self.sandbox, folder=folder)

    def _check_size(self) -> None:
        """Raise BadText if a round would have too many matches, without making a round."""
        players, variations = len(self.players), len(self.variations)
        tables = {
            "round-robin": players * (players - 1) // 2, "sprt": 1, "tables": len(self.options.get("given", ())),
            "adaptive": max(self.options.get("batch") or 0, players),
        }  # fmt: skip
        most = tables.get(self.format, players)
        if most * self.pairings * variations > MAX_ROUND_MATCHES:
            raise BadText(
                f"{most:,} tables x {self.pairings:,} pairings x {variations:,} variations are more than"
                f" {MAX_ROUND_MATCHES:,} matches in a round: choose fewer pairings, or fewer players"
            )


def hash_secret(secret: str) -> str:
    """Return the commitment to a secret: its SHA-256 in hexadecimal digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def derive_number(secret: str, purpose: str) -> int:
    """Return a number below 2**63 that follows from a secret, and from which the secret cannot be found."""
    return int.from_bytes(hashlib.sha256(f"{secret} {purpose}".encode()).digest()[:8]) >> 1


def make_format(plan: Plan) -> Format:
    """Make the plan's format. Raises HinterlandError if the format is unknown or does not suit the players."""
    last, test = len(plan.players), make_sprt(plan)
    has_decided = never_decided if test is None else partial(_has_decided, test)
    return format_names.make(
        plan.format, last, seed=plan.seed, pairings=plan.pairings * len(plan.variations),
        added=range(last - plan.added, last), has_decided=has_decided,
        options={name: value for name, value in plan.options.items() if test is None or name not in Sprt._fields},
    )  # fmt: skip


def make_sprt(plan: Plan) -> Sprt | None:
    """Make the test that ends a contest of format sprt; None for other formats. Raises BadText for bad options."""
    if plan.format != "sprt":
        return None
    given = {name: value for name, value in plan.options.items() if name in Sprt._fields}
    for name, value in given.items():
        if name != "scale" and not isinstance(value, int | float):
            raise BadText(f"{name} of a test is a number, not {quote(value)}")
    if given.get("scale", SCALES[0]) not in SCALES:
        raise BadText(f"scale of a test is {' or '.join(SCALES)}, not {quote(given['scale'])}")
    return Sprt(**given).checked()


def _has_decided(test: Sprt, results: bytes) -> bool:
    return walk(test, results).accepted is not None


CONNECT = "connect"
"""Spec of a player that connects over the network and shows its token."""


def check_entrant(game: Game, entrant: Entrant, *, sandbox: bool = False, folder: Path | None = None) -> None:
    """Raise HinterlandError, with the player's name, for a spec that cannot be played with.

    ``folder``: where relative paths begin. Without a folder, it is not checked whether programs exist.
    """
    if entrant.spec == CONNECT:
        return
    try:
        specs.check_spec(game, entrant.spec, sandbox=sandbox, folder=folder)
    except HinterlandError as error:
        if entrant.name in (entrant.spec, entrant.spec.partition(":")[0]):
            raise
        raise type(error)(f"player {entrant.name}: {error}") if not isinstance(error, UnknownName) else error from None


def _check_names(names: Sequence[str]) -> None:
    """Raise BadText for too many players, or if two have the same name."""
    if len(names) > MAX_PLAYERS:
        raise BadText(f"a contest has at most {MAX_PLAYERS} players, not {len(names)}")
    for name in names:
        if names.count(name) > 1:
            raise BadText(f"two players are called {quote(name)}; give one another name, such as {name}-2={name}")


def make_rules(
    game: Game,
    players: int,
    options: Mapping[str, Any],
    note: Callable[[str], None] = silent,
    folder: str = "",
) -> Rules:
    """Make rules from options and a number of players. Raises HinterlandError that names the wrong option.

    ``note`` is called with lines about files that were read. ``folder``: where relative paths begin.
    """
    if players < 2:
        raise RulesError(
            f"a match needs at least 2 players, not {players}; `hinterland players {game.name}` lists them"
        )
    if "players" in options:
        raise BadText("the number of players follows from the players named; --players is no option of a match")
    found = {name: _locate_file(value, folder) for name, value in options.items()}
    return game.rules.from_options({**found, "players": players}, may_read=True, note=note)


def has_paths(plan: Plan) -> bool:
    """Say whether a plan names programs or files."""
    values = [*plan.rules.values(), *(value for several in plan.vary.values() for value in several)]
    has_files = any(isinstance(value, str) and Path(value).suffix for value in values)
    return has_files or any(specs.is_program(player.spec) for player in plan.players)


def _locate_file(value: Any, folder: str) -> Any:
    """Return the path of the file in ``folder`` that an option's value names, or the value if there is no such file."""
    if not folder or not isinstance(value, str) or not Path(value).suffix:
        return value
    path = Path(folder) / value
    return str(path) if path.is_file() else value


def vary_beginnings(plan: Plan, players: int, jitter: int | None) -> Plan:
    """Let each pairing begin differently: on a board of its own if the rules draw boards, else after random moves.

    ``jitter``: number of random moves; None: one if several pairings would begin alike, else none.
    """
    game = catalog.game(plan.game)
    boards = all(can_draw_boards(game, players, {**plan.rules, **one}) for one in plan.variations)
    needed = int(plan.pairings > 1 and not boards and not plan.openings)
    return msgspec.structs.replace(plan, boards=boards, jitter=needed if jitter is None else jitter)


def can_draw_boards(game: Game, players: int, options: Mapping[str, Any]) -> bool:
    """Say whether another seed gives another board: whether the rules draw boards, and no option names a board."""
    name = game.rules.drawn_by
    if name is None or name in options:
        return False
    try:
        first, second = (make_rules(game, players, {**options, name: seed}) for seed in (0, 1))
    except HinterlandError:
        return False
    return first != second
