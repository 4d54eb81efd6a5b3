"""``hinterland match``: players of the house against each other, in this process."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from hinterland.cli.console import plain, print_json, print_table, progress, table
from hinterland.errors import BadText, RulesError

if TYPE_CHECKING:
    from hinterland.contract import Game, Rules
    from hinterland.referee.match import Result
    from hinterland.referee.record import Record

__all__ = ["match"]


def match(
    game: str,
    /,
    *players: str,
    clock: float = 120.0,
    seed: int | None = None,
    record: Path | None = None,
    quiet: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    **rules: Annotated[
        str, Parameter(help="Rules of the game, such as --size 500 --stones 5; `hinterland games` lists them.")
    ],
) -> int:
    """Play a match: one game a player, seats rotated so that each starts once, scores added.

    Parameters
    ----------
    game
        The game's name.
    players
        Two or more players, such as `random reply`; options after a colon: `name:option=value,…`.
    clock
        Seconds each player has for a whole game.
    seed
        The same seed plays the same match; drawn at random when left out.
    record
        Append each game to this file, one line of JSON a game.
    quiet
        Print only the winners' names.
    json
        Print one JSON object.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.referee import match as matches  # noqa: PLC0415
    from hinterland.referee import record as records  # noqa: PLC0415
    from hinterland.referee.clock import TimeControl  # noqa: PLC0415
    from hinterland.referee.shell import local  # noqa: PLC0415

    found = catalog.game(game)
    made = [catalog.player(found, spec) for spec in players]
    chosen = rules_of(found, len(made), rules)
    control = TimeControl.of_seconds(clock)
    seed = _seed(seed)
    if record is not None:
        records.check_writable(record)
    names = matches.distinct(players)
    with progress(quiet=quiet or json) as bars:
        bar = bars.add_task("preparing kernels (the first time only)", total=None)
        found.warm_up()
        bars.update(bar, description="playing", total=len(made))

        def keep(kept: Record) -> None:
            if record is not None:
                records.append(record, kept)
            bars.advance(bar)

        played = local.play_match(found, chosen, made, names, control, seed, keep)
    result = matches.result(found.name, names, played, None if record is None else str(record))
    if json:
        print_json({**_told(result), "seed": seed})
    elif quiet:
        sys.stdout.write(" ".join(map(plain, result.winners)) + "\n")
    else:
        _print(result, played, chosen, seed)
    return 0


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
    return game.rules.from_json({**values, "players": players})


def _seed(seed: int | None) -> int:
    if seed is None:
        return secrets.randbelow(2**31)
    if not 0 <= seed < 2**63:
        raise BadText(f"a seed is a whole number from 0 to {2**63 - 1}, not {seed}")
    return seed


def _told(result: Result) -> dict[str, Any]:
    return {
        "game": result.game,
        "players": [{"name": p.name, "scores": p.scores, "total": p.total} for p in result.players],
        "winners": result.winners,
        "record": result.record,
    }


def _print(result: Result, played: list[Record], rules: Rules, seed: int) -> None:
    games = [f"game {number}" for number in range(1, len(played) + 1)]
    listed = table("player", *games, "sum", "share")
    whole = sum(player.total for player in result.players) or 1
    for player in result.players:
        share = f"{100 * player.total / whole:.1f} %"
        listed.add_row(plain(player.name), *(f"{score:,}" for score in player.scores), f"{player.total:,}", share)
    sys.stdout.write(f"{rules} · seed {seed}\n")
    print_table(listed)
    for number, record in enumerate(played, start=1):
        for left in record.departures:
            sys.stdout.write(f"game {number}: {plain(record.players[left.seat])} left: {plain(left.detail)}\n")
    verb = "wins" if len(result.winners) == 1 else "share the win"
    sys.stdout.write(f"{' and '.join(map(plain, result.winners))} {verb}\n")
    if result.record is not None:
        sys.stdout.write(f"recorded in {result.record}\n")
