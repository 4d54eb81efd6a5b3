"""``hinterland match``: players of the house and programs against each other."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from hinterland.cli.console import plain, print_json, progress, quitting_at_once
from hinterland.cli.result import print_result, told
from hinterland.errors import BadText, RulesError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hinterland.contract import Game, Rules
    from hinterland.referee.record import Record
    from hinterland.referee.shell.play import Terms

__all__ = ["match", "play", "rules_of"]


def match(
    game: str,
    /,
    *players: str,
    clock: float = 120.0,
    seed: int | None = None,
    record: Path | None = None,
    sandbox: Annotated[bool, Parameter(negative="")] = False,
    quiet: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    **rules: Annotated[
        str,
        Parameter(
            help="Rules of the game, such as --size 500 --stones 5; `hinterland games` lists them. A graph "
            "can come from a file: --board karate.gml --length weight; --length 1 makes all edges equally long."
        ),
    ],
) -> int:
    """Play a match: one game a player, seats rotated so that each starts once, scores added.

    Parameters
    ----------
    game
        The game's name.
    players
        Two or more players, such as `random reply`; options after a colon: `name:option=value,…`. A player
        `cmd:./mybot --flag` is a program: it is started and spoken to over its pipes, in protocol json. `hps:./mybot`
        is one that speaks hps and connects to the host and port at the end of its command line; `hps:9001` waits for
        one.
    clock
        Seconds each player has for a whole game.
    seed
        The same seed plays the same match; drawn at random when left out.
    record
        Append each game to this file, one line of JSON a game.
    sandbox
        Start programs in bubblewrap: no network, nothing of this machine but what they need to run.
    quiet
        Print only the winners' names.
    json
        Print one JSON object.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.referee import match as matches  # noqa: PLC0415
    from hinterland.referee import record as records  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415
    from hinterland.referee.shell import seats  # noqa: PLC0415
    from hinterland.referee.shell.play import Terms  # noqa: PLC0415
    from hinterland.referee.shell.steady import get_ready  # noqa: PLC0415

    found = catalog.game(game)
    for spec in players:
        seats.check_spec(found, spec, sandbox=sandbox)
    chosen = rules_of(found, len(players), rules)
    terms = Terms(kind=found, rules=chosen, control=TimeControl.of_seconds(clock), seed=_seed(seed))
    if record is not None:
        records.check_writable(record)
    names = matches.distinct(players)
    with progress(quiet=quiet or json) as bars:
        bar = bars.add_task("preparing kernels (the first time only)", total=None)
        with quitting_at_once():
            get_ready(found)
        bars.update(bar, description="playing", total=len(players))

        def keep(kept: Record) -> None:
            if record is not None:
                records.append(record, kept)
            bars.advance(bar)

        played = play(terms, players, names, keep, sandbox=sandbox)
    result = matches.result(found.name, names, played, None if record is None else str(record))
    if json:
        print_json({**told(result), "seed": terms.seed})
    elif quiet:
        sys.stdout.write(" ".join(map(plain, result.winners)) + "\n")
    else:
        print_result(result, played, f"{chosen.summary} · seed {terms.seed}")
    return 0


def play(
    terms: Terms, specs: Sequence[str], names: Sequence[str], keep: Callable[[Record], None], *, sandbox: bool
) -> list[Record]:
    """Play a match: in this process, as long as nobody needs another one. ``keep`` gets each record."""
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.cli.terminal import Asides  # noqa: PLC0415
    from hinterland.referee.shell import local, seats  # noqa: PLC0415

    if any(map(seats.is_program, specs)):
        import asyncio  # noqa: PLC0415

        return asyncio.run(seats.play_match(terms, specs, names, Asides(), keep, sandbox=sandbox))
    made = [catalog.player(terms.kind, spec) for spec in specs]
    seed = terms.seed or 0
    return local.play_match(
        terms.kind, terms.rules, made, names, terms.control, seed, keep,
        lambda _, effect: Asides().delayed(effect), opening=terms.opening,
    )  # fmt: skip


def rules_of(game: Game, players: int, options: dict[str, str]) -> Rules:
    """Read rules options for a number of players. Raises HinterlandError that names the wrong one."""
    from hinterland.contract import read_value  # noqa: PLC0415

    if players < 2:
        raise RulesError(
            f"a match needs at least 2 players, not {players}; `hinterland players {game.name}` lists them"
        )
    if "players" in options:
        raise BadText("the number of players follows from the players named; --players is no option of a match")
    values: dict[str, Any] = {name.replace("-", "_"): read_value(text) for name, text in options.items()}
    return game.rules.from_options({**values, "players": players}, may_read=True, note=_note)


def _note(line: str) -> None:
    """Tell people what was made of a file."""
    sys.stderr.write(f"{plain(line)}\n")


def _seed(seed: int | None) -> int:
    if seed is None:
        return secrets.randbelow(2**31)
    if not 0 <= seed < 2**63:
        raise BadText(f"a seed is a whole number from 0 to {2**63 - 1}, not {seed}")
    return seed
