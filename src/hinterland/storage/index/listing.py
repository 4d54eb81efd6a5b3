"""Queries of the index: pages of games, their number, and the places of their records.

A page continues after the last game of the page before (keyset pagination): the thousandth page costs no more than the
first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, Table, func, select, tuple_

from hinterland.errors import BadText
from hinterland.storage.identities import Identity, PlayerKind
from hinterland.storage.index.record_source import RecordPlace
from hinterland.storage.index.tables import (
    APPEARANCES,
    ARRAY_COLUMNS,
    GAMES,
    NAMES,
    PLAYERS,
    Kind,
    ListedGame,
    State,
    browser_key,
    name_key,
    player_key,
)

MAX_COUNTED = 1000
"""Greatest number of games that is counted exactly."""
SAMPLED_GAMES = 500
"""Number of latest games among which common rules and names are counted."""
MAX_CHOICES = 40
"""Greatest number of common rules, and of common names, that a filter offers."""


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """The last game of a page; the next page continues after it."""

    started: int
    id: str

    def __str__(self) -> str:
        return f"{self.started}.{self.id}"

    @classmethod
    def read(cls, text: str) -> Cursor:
        """Parse the output of ``str``. Raises BadText."""
        started, dot, game_id = text.partition(".")
        if not (dot and started.lstrip("-").isdecimal() and len(started) <= 12 and 1 <= len(game_id) <= 64):
            raise BadText("this is no place in the list of games; begin at its first page")
        return cls(int(started), game_id)


class GameFilter(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for games. A field that is None is not used."""

    state: State = State.FINISHED
    game: str | None = None
    player: str | None = None
    """Name of a player; case does not matter."""
    rules: str | None = None
    """Rules in words, as the list shows them."""
    since: int | None = None
    """Earliest start, in seconds since 1970."""
    until: int | None = None
    """Seconds since 1970; games that started in this second or later are left out."""
    kind: Kind | None = None
    guest: str | None = None
    """Digest of the cookie of a browser that played."""
    slug: str | None = None
    """Slug of a player's identity."""


class GameCard(ListedGame, kw_only=True, frozen=True):
    """A game in a list."""

    contest: str
    """Name of the game's contest; empty for games of the arena itself."""
    version: int
    """A number that changes with every change of the game."""


def list_games(connection: Connection, wanted: GameFilter, after: Cursor | None, count: int) -> list[GameCard]:
    """Return ``count`` games of a filter after a cursor, the latest first."""
    return [_card(row) for row in connection.execute(_select_page(wanted, after, count))]


def find_game(connection: Connection, url: str) -> tuple[GameCard, RecordPlace | None] | None:
    """Return the game with the address ``url``, and the place of its record; None if there is no such game.

    The place is None if the index knows no record of the game.
    """
    row = connection.execute(select(GAMES).where(GAMES.c.url == url)).first()
    return None if row is None else (_card(row), _record_place(row))


def find_record(connection: Connection, game_id: str) -> RecordPlace | None:
    """Return the place of a game's record, or None."""
    row = connection.execute(select(GAMES).where(GAMES.c.id == game_id)).first()
    return None if row is None else _record_place(row)


def count_games(connection: Connection, wanted: GameFilter) -> int:
    """Count the games of a filter. A result of ``MAX_COUNTED + 1`` means more than ``MAX_COUNTED``."""
    table = _searched_table(wanted)
    some = select(table.c.id).where(*_conditions(table, wanted)).limit(MAX_COUNTED + 1)
    return connection.scalar(select(func.count()).select_from(some.subquery())) or 0


def list_record_places(
    connection: Connection, wanted: GameFilter, after: Cursor | None, count: int
) -> list[tuple[Cursor, RecordPlace | None]]:
    """Return a cursor for each game that ``list_games`` would return, and the place of its record.

    The place is None if the index knows no record of the game.
    """
    rows = connection.execute(_select_page(wanted, after, count))
    return [(Cursor(row.started, row.id), _record_place(row)) for row in rows]


class CommonChoices(msgspec.Struct, frozen=True):
    """Common rules and names of the latest games, the most frequent first."""

    rules: dict[str, list[str]]
    """Rules in words, by game."""
    names: list[str]
    """Names of players."""


def find_common_choices(connection: Connection) -> CommonChoices:
    """Count the rules and names of the latest games."""
    latest = (
        select(GAMES.c.game, GAMES.c.rules, GAMES.c.players)
        .where(GAMES.c.state == State.FINISHED)
        .order_by(GAMES.c.started.desc(), GAMES.c.id.desc())
        .limit(SAMPLED_GAMES)
    )
    rules: Counter[tuple[str, str]] = Counter()
    names: Counter[str] = Counter()
    for row in connection.execute(latest):
        rules[row.game, row.rules] += 1
        names.update(set(json.loads(row.players)))
    by_game: dict[str, list[str]] = {}
    for (game, words), _ in rules.most_common(MAX_CHOICES):
        by_game.setdefault(game, []).append(words)
    return CommonChoices(by_game, [name for name, _ in names.most_common(MAX_CHOICES)])


def find_player(connection: Connection, slug: str) -> Identity | None:
    """Return a player's identity without its proof, or None if nobody has that slug."""
    row = connection.execute(select(PLAYERS).where(PLAYERS.c.slug == slug)).first()
    return None if row is None else Identity(PlayerKind(row.kind), row.name, row.contest)


def count_rated_games(connection: Connection) -> dict[tuple[str, str], tuple[int, int]]:
    """Return by (game, rules) the number of rated games and the start of the latest."""
    which = (GAMES.c.game, GAMES.c.rules)
    counts = select(*which, func.count(), func.max(GAMES.c.started)).where(GAMES.c.rated.is_not(None)).group_by(*which)
    return {(game, rules): (count, latest) for game, rules, count, latest in connection.execute(counts)}


def find_similar_names(connection: Connection, name: str) -> list[str]:
    """Return up to five other names that contain a name."""
    inside = name_key(name).removeprefix("name:")
    like = (NAMES.c.who.contains(inside, autoescape=True), NAMES.c.who != name_key(name))
    return list(connection.scalars(select(NAMES.c.name).where(*like).order_by(NAMES.c.who).limit(5)))


def _select_page(wanted: GameFilter, after: Cursor | None, count: int) -> Select[Any]:
    table = _searched_table(wanted)
    conditions = list(_conditions(table, wanted))
    if after is not None:
        conditions.append(tuple_(table.c.started, table.c.id) < tuple_(after.started, after.id))
    order = (table.c.started.desc(), table.c.id.desc())
    chosen = select(table.c.id).where(*conditions).order_by(*order).limit(count).subquery()
    rows = select(GAMES).join(chosen, chosen.c.id == GAMES.c.id)
    return rows.order_by(GAMES.c.started.desc(), GAMES.c.id.desc())


def _searched_table(wanted: GameFilter) -> Table:
    """Return the table to search: ``APPEARANCES`` if the filter has a player, guest or slug, else ``GAMES``."""
    return GAMES if wanted.player is wanted.guest is wanted.slug is None else APPEARANCES


def _conditions(table: Table, wanted: GameFilter) -> Iterator[ColumnElement[bool]]:
    yield table.c.state == wanted.state
    who = [] if wanted.guest is None else [browser_key(wanted.guest)]
    who += [] if wanted.slug is None else [player_key(wanted.slug)]
    who += [] if wanted.player is None else [name_key(wanted.player)]
    if who:
        yield table.c.who == who[0]
    for one in who[1:]:
        other = APPEARANCES.alias()
        yield select(other.c.id).where(other.c.id == table.c.id, other.c.who == one).exists()
    for name in ("game", "rules", "kind"):
        value = getattr(wanted, name)
        if value is not None:
            yield table.c[name] == value
    if wanted.since is not None:
        yield table.c.started >= wanted.since
    if wanted.until is not None:
        yield table.c.started < wanted.until


def _card(row: Row[Any]) -> GameCard:
    values = {name: row._mapping[name] for name in ListedGame.__struct_fields__}
    values |= {name: json.loads(values[name]) for name in ARRAY_COLUMNS}
    return msgspec.convert(values | {"contest": row.source, "version": row.journal_bytes}, GameCard)


def _record_place(row: Row[Any]) -> RecordPlace | None:
    if row.record_at is None:
        return None
    return RecordPlace(row.source, row.record_at, row.record_bytes)
