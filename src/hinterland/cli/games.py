"""``hinterland games`` and ``hinterland players``: what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from hinterland.cli.console import print_json, print_table, table

if TYPE_CHECKING:
    from hinterland.contract import Game

__all__ = ["games", "players"]


def games(*, json: Annotated[bool, Parameter(negative="")] = False) -> None:
    """List the games, their rules options and defaults.

    Parameters
    ----------
    json
        Print one JSON array.
    """
    from hinterland import catalog  # noqa: PLC0415

    known = [catalog.game(name) for name in catalog.GAMES]
    if json:
        print_json([_told(game) for game in known])
        return
    listed = table("game", "what it is", "rules options and defaults", numbers=False)
    for game in known:
        options = "\n".join(
            f"--{name} {'(none)' if value is None else value}" for name, value in _defaults(game).items()
        )
        listed.add_row(game.name, game.summary, options)
    print_table(listed)


def players(game: str, /, *, json: Annotated[bool, Parameter(negative="")] = False) -> None:
    """List the players of a game, and their options.

    Parameters
    ----------
    game
        The game's name.
    json
        Print one JSON array.
    """
    from hinterland import catalog  # noqa: PLC0415

    found = catalog.game(game)
    told: list[dict[str, Any]] = [
        {"name": name, "summary": catalog.summary_of(kind), "options": list(getattr(kind, "__struct_fields__", ()))}
        for name, kind in found.players.items()
    ]
    if json:
        print_json(told)
        return
    listed = table("player", "what it does", "options", numbers=False)
    for row in told:
        listed.add_row(row["name"], row["summary"], ", ".join(row["options"]) or "-")
    print_table(listed)


def _defaults(game: Game) -> dict[str, Any]:
    """Return the rules options but for the number of players, which follows from who plays."""
    import msgspec  # noqa: PLC0415

    fields = msgspec.structs.fields(game.rules)
    return {field.name: field.default for field in fields if field.name != "players" and not field.required}


def _told(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "rules": _defaults(game),
        "players": list(game.players),
        "max_players": game.max_players,
    }
