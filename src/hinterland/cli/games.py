"""``hinterland games``, ``players`` and ``protocol``: list games and players, and print the protocol's schema."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from hinterland.cli.console import make_table, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hinterland.contract import Game


def games(*, json: bool = False) -> None:
    """List the games, with the options of their rules and the defaults.

    Parameters
    ----------
    json
        Print one JSON array.
    """
    from hinterland import catalog  # noqa: PLC0415

    known = [catalog.game(name) for name in catalog.GAMES]
    if json:
        print_json([_encode_game(game) for game in known])
        return
    listed = make_table("game", "what it is", "rules options and defaults", numbers=False)
    for game in known:
        listed.add_row(game.name, game.summary, "\n".join(_options(game)))
    print_table(listed)


def players(game: str, /, *, json: bool = False) -> None:
    """List the players of a game, with their options, and the files that can play.

    Parameters
    ----------
    game
        The game's name.
    json
        Print one JSON array.
    """
    from hinterland import catalog  # noqa: PLC0415
    from hinterland.host.processes.player_file import describe_endings  # noqa: PLC0415

    found = catalog.game(game)
    rows: list[dict[str, Any]] = [
        {"name": name, "summary": catalog.summary_of(kind), "options": list(getattr(kind, "__struct_fields__", ()))}
        for name, kind in found.players.items()
    ]
    if json:
        print_json(rows)
        return
    listed = make_table("player", "what it does", "options", numbers=False)
    for row in rows:
        listed.add_row(row["name"], row["summary"], ", ".join(row["options"]) or "-")
    print_table(listed)
    rated = make_table("level", "player", "Elo", numbers=False)
    for number, level in enumerate(found.levels, start=1):
        rated.add_row(f"{number} {level.title}", level.spec, str(level.elo))
    print_table(rated)
    started = make_table("file", "how it is started", numbers=False)
    for ending, words in describe_endings().items():
        started.add_row(ending, words)
    print_table(started)


def protocol() -> None:
    """Print the JSON Schema of protocol hinterland-json/1, of records and of `analyse --json`."""
    from hinterland.referee.protocol.schema import json_schema  # noqa: PLC0415

    print_json(json_schema())


def _options(game: Game) -> Iterator[str]:
    """Yield each option of the rules as it is typed, with its default and other choices."""
    choices = game.rules.choices()
    for name, value in game.rules.options().items():
        yield f"--{name.replace('_', '-')} {'(none)' if value is None else value}"
        others = [choice for choice in choices.get(name, ()) if choice != value]
        if others:
            yield textwrap.fill(f"or {', '.join(others)}", 36, initial_indent="  ", subsequent_indent="  ")


def _encode_game(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "rules": game.rules.options(),
        "players": list(game.players),
        "max_players": game.max_players,
    }
