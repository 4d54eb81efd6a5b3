"""What of a contest's plan is said on the command line."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from hinterland.cli.console import typed, whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hinterland.contest.plan import Plan

USUAL_PAIRINGS = {"sprt": 16}
"""Matches of a table in a round, where it is not one."""
OF_FORMATS = ("table", "rounds", "batch", "elo0", "elo1", "alpha", "beta")


@Parameter(name="*")
@dataclass(kw_only=True)
class PlanOptions:
    """All but the game, the players and the rules.

    Parameters
    ----------
    format
        Who meets whom: round-robin, gauntlet (the first player against all others), swiss, knockout, melee (tables of
        --table players), adaptive (the pairings that tell most), sprt (is the first player better than the second?).
    table
        Players at a table, for melee.
    rounds
        Rounds of swiss, melee or adaptive; batches of sprt at most. Left out, as many as the format needs.
    batch
        Tables of a round of adaptive.
    elo0
        What sprt tests against: the first player is better by so many Elo at most.
    elo1
        What sprt tests for: it is better by so many Elo at least.
    alpha
        How often sprt may say yes where elo0 holds.
    beta
        How often sprt may say no where elo1 holds.
    pairings
        Matches of each pair or table in a round; in a match each player starts once. Left out, it is 1, in sprt 16.
    vary
        An option of the rules and the values to go through, such as `stones=3,5`; each table plays them all.
    jitter
        So many first moves of a match are drawn at random, the same in each of its games. Left out, it is 1, or 0 for
        a single pairing and where each pairing has another board (graph and dots without --board-seed).
    openings
        A file of first moves instead: on each line a list of moves, such as `[[5, 5], [9, 2]]`.
    clock
        Seconds each player has for a whole game.
    seed
        The same seed draws the same boards, openings and lots.
    sandbox
        Start programs in bubblewrap: no network, nothing of this machine but what they need to run.
    memory
        MiB of memory that each program may use, with all its processes. Default: half of this machine's,
        at most 8192.
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
    clock: float = 120.0
    seed: int = 0
    sandbox: bool = False
    memory: int | None = None


def plan_of(
    game: str, players: Sequence[str], options: PlanOptions, rules: Mapping[str, str]
) -> tuple[Plan, dict[str, str]]:
    """Make a plan, and tokens for those who will connect. Raises HinterlandError."""
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.cli.contests.arena_test import varied_rules  # noqa: PLC0415
    from hinterland.contest import plan as contest  # noqa: PLC0415
    from hinterland.contest.openings import read_openings  # noqa: PLC0415
    from hinterland.host.processes.process_limits import ProcessLimits  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415

    pairings = options.pairings if options.pairings is not None else USUAL_PAIRINGS.get(options.format, 1)
    whole("pairings", pairings, 1, contest.MOST_PAIRINGS)
    found, given = catalog.game(game), typed(rules)
    plan = contest.Plan(
        game=found.name,
        players=tuple(map(contest.Entrant.parse, players)),
        format=options.format,
        options={name: value for name in OF_FORMATS if (value := getattr(options, name)) is not None},
        pairings=pairings,
        rules=given,
        vary=varied_rules(options.vary, given),
        clock=TimeControl.of_seconds(options.clock),
        openings=() if options.openings is None else read_openings(options.openings, found),
        seed=options.seed,
        sandbox=options.sandbox,
        limits=None if options.memory is None else ProcessLimits.of_memory(options.memory),
    )
    plan.check()
    first = contest.form_of(plan).tables(()) or ()
    plan = contest.with_beginnings(plan, max(map(len, first), default=2), options.jitter)
    plan.check()
    plan.check_programs(Path())
    connecting = [one.name for one in plan.players if one.spec == contest.CONNECT]
    return plan, {name: secrets.token_urlsafe(9) for name in connecting}
