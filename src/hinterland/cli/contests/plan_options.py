"""The options of a contest's plan on the command line."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from hinterland.cli.console import check_whole_number, read_typed_values
from hinterland.cli.options import Clock, SandboxOptions
from hinterland.errors import BadText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hinterland.contest.plan import Plan
    from hinterland.contract import Game

USUAL_PAIRINGS = {"sprt": 16}
"""Default of ``pairings``, by format; 1 for all formats that are not listed."""
MAX_SEED = 2**63 - 1
MAX_OPENINGS_BYTES = 16 * 1024 * 1024
OPENING_FORM = "an opening is a list of moves, such as [[5, 5], [9, 2]]"
FORMAT_OPTIONS = ("table", "rounds", "batch", "elo0", "elo1", "alpha", "beta")


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """All options but the game, the players and the rules.

    Parameters
    ----------
    format
        The pairings: round-robin, gauntlet (the first player against all others), swiss, knockout, melee (groups of
        --table players), adaptive (the most informative pairings), sprt (is the first player better than the second?).
    table
        Players of a group, for melee.
    rounds
        Rounds of swiss, melee or adaptive; for sprt the largest number of batches. Default: as many as the format
        needs.
    batch
        Number of groups in a round of adaptive.
    elo0
        The hypothesis that sprt tests against: the first player is better by this many Elo at most.
    elo1
        The hypothesis that sprt tests for: it is better by this many Elo at least.
    alpha
        How often sprt may say yes if elo0 holds.
    beta
        How often sprt may say no if elo1 holds.
    pairings
        Matches of each pair or group in a round; in a match each player starts once. Default: 1, in sprt 16.
    vary
        An option of the rules and its values, such as `stones=3,5`; each group plays all of them.
    jitter
        First moves of a match that are drawn at random, the same in each of its games. Default: 1, or 0 for a single
        pairing and if each pairing has another board (graph and dots without --board-seed).
    openings
        A file of first moves instead: each line is a list of moves, such as `[[5, 5], [9, 2]]`.
    seed
        The same seed draws the same boards, openings and lots. Default: a random seed, which the plan shows.
    """

    format: str = "round-robin"
    table: int | None = None
    rounds: int | None = None
    batch: int | None = None
    elo0: float | None = None
    elo1: float | None = None
    alpha: float | None = None
    beta: float | None = None
    pairings: int | None = None
    vary: tuple[str, ...] = ()
    jitter: int | None = None
    openings: Path | None = None
    clock: Clock = 120.0
    seed: int | None = None
    programs: SandboxOptions = SandboxOptions()


def make_plan(
    game: str, players: Sequence[str], options: PlanOptions, rules: Mapping[str, str]
) -> tuple[Plan, dict[str, str]]:
    """Make a plan, and a token for each player that will connect. Raises HinterlandError."""
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.cli.contests.arena_test import read_varied_rules  # noqa: PLC0415
    from hinterland.contest import plan as contest  # noqa: PLC0415
    from hinterland.host.processes.process_limits import ProcessLimits  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415

    pairings = options.pairings if options.pairings is not None else USUAL_PAIRINGS.get(options.format, 1)
    check_whole_number("pairings", pairings, 1, contest.MAX_PAIRINGS)
    found, given = catalog.game(game), read_typed_values(rules)
    plan = contest.Plan(
        game=found.name,
        players=tuple(map(contest.Entrant.parse, players)),
        format=options.format,
        options={name: value for name in FORMAT_OPTIONS if (value := getattr(options, name)) is not None},
        pairings=pairings,
        rules=given,
        vary=read_varied_rules(options.vary, given),
        clock=TimeControl.of_seconds(options.clock),
        openings=() if options.openings is None else read_openings(options.openings, found),
        seed=secrets.randbelow(MAX_SEED + 1) if options.seed is None else options.seed,
        sandbox=options.programs.sandbox,
        limits=None if options.programs.memory is None else ProcessLimits.of_memory(options.programs.memory),
    )
    plan.check()
    first = contest.make_format(plan).tables(()) or ()
    plan = contest.vary_beginnings(plan, max(map(len, first), default=2), options.jitter)
    plan.check()
    plan.check_programs(Path())
    connecting = [one.name for one in plan.players if one.spec == contest.CONNECT]
    return plan, {name: secrets.token_urlsafe(9) for name in connecting}


def read_openings(path: Path, game: Game) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Read the openings of a file; skip empty lines. Raises BadText that names the wrong line."""
    from hinterland.contract import read_json  # noqa: PLC0415

    try:
        if path.stat().st_size > MAX_OPENINGS_BYTES:
            raise BadText(f"{path} is larger than {MAX_OPENINGS_BYTES // 2**20} MiB, too large for openings")
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadText(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    found = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                moves = read_json(line, list[list[int]], OPENING_FORM)
                found.append(tuple(game.move.from_numbers(move).numbers for move in moves))
            except BadText as error:
                raise BadText(f"{path}, line {number}: {error}") from None
    if not found or not all(found):
        raise BadText(f"{path} holds no opening, or an empty one; {OPENING_FORM}, one a line")
    return tuple(found)
