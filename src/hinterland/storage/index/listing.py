"""What is asked of the index: a page of games, how many there are, and where their records lie.

Pages go on behind the last game of the page before (keyset paging), so that the thousandth costs what the first costs.
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
    ARRAYS,
    FACES,
    GAMES,
    NAMES,
    PLAYERS,
    Kind,
    ListedGame,
    State,
    folded,
    guest,
    played_by,
)

MOST_COUNTED = 1000
"""More games than so many are not counted."""
LATEST = 500
"""Among so many of the latest games it is looked which rules and names are common."""
OFFERED = 40


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """The last game of a page; the next page goes on behind it."""

    started: int
    id: str

    def __str__(self) -> str:
        return f"{self.started}.{self.id}"

    @classmethod
    def read(cls, text: str) -> Cursor:
        """Read what ``str`` has written. Raises BadText."""
        started, dot, game_id = text.partition(".")
        if not (dot and started.lstrip("-").isdecimal() and len(started) <= 12 and 1 <= len(game_id) <= 64):
            raise BadText("this is no place in the list of games; begin at its first page")
        return cls(int(started), game_id)


class GameFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which games are wanted; None and empty: whichever."""

    state: State = State.FINISHED
    game: str | None = None
    player: str | None = None
    """A name in any letters."""
    rules: str | None = None
    """In words, as the list shows them."""
    since: int | None = None
    """The first second in which it may have begun."""
    until: int | None = None
    """The first second in which it may not have begun any more."""
    kind: Kind | None = None
    guest: str | None = None
    """The digest of the cookie of a browser that played it."""
    slug: str | None = None
    """Of a player that is known."""


class GameCard(ListedGame, kw_only=True, frozen=True):
    """A game in a list."""

    contest: str
    """Its name; empty for games of the arena itself."""
    version: int
    """Another whenever something has happened in it."""


def page(connection: Connection, wanted: GameFilter, after: Cursor | None, count: int) -> list[GameCard]:
    """Return the games that are wanted, behind one of them, the latest first."""
    return [_card(row) for row in connection.execute(_page(wanted, after, count))]


def find(connection: Connection, url: str) -> tuple[GameCard, RecordPlace | None] | None:
    """Return a game by its address, and its record where it has one."""
    row = connection.execute(select(GAMES).where(GAMES.c.url == url)).first()
    return None if row is None else (_card(row), _place(row))


def place_of(connection: Connection, game_id: str) -> RecordPlace | None:
    """Return where the record of a game lies, or None where none is known."""
    row = connection.execute(select(GAMES).where(GAMES.c.id == game_id)).first()
    return None if row is None else _place(row)


def count_of(connection: Connection, wanted: GameFilter) -> int:
    """Count the games that are wanted, to one more than ``MOST_COUNTED``."""
    table = _table(wanted)
    some = select(table.c.id).where(*_conditions(table, wanted)).limit(MOST_COUNTED + 1)
    return connection.scalar(select(func.count()).select_from(some.subquery())) or 0


def record_places(
    connection: Connection, wanted: GameFilter, after: Cursor | None, count: int
) -> list[tuple[Cursor, RecordPlace | None]]:
    """Return where the records of so many games lie, as ``page`` would list them; None of one that has none."""
    return [(Cursor(row.started, row.id), _place(row)) for row in connection.execute(_page(wanted, after, count))]


class Choices(msgspec.Struct, frozen=True):
    """What may be chosen from, of what was played lately, the most frequent first."""

    rules: dict[str, list[str]]
    """In words, by game."""
    names: list[str]
    """Of players."""


def choices(connection: Connection) -> Choices:
    """Look at the latest games: which rules and whose names are common."""
    latest = (
        select(GAMES.c.game, GAMES.c.rules, GAMES.c.players)
        .where(GAMES.c.state == State.FINISHED)
        .order_by(GAMES.c.started.desc(), GAMES.c.id.desc())
        .limit(LATEST)
    )
    rules: Counter[tuple[str, str]] = Counter()
    names: Counter[str] = Counter()
    for row in connection.execute(latest):
        rules[row.game, row.rules] += 1
        names.update(set(json.loads(row.players)))
    by_game: dict[str, list[str]] = {}
    for (game, words), _ in rules.most_common(OFFERED):
        by_game.setdefault(game, []).append(words)
    return Choices(by_game, [name for name, _ in names.most_common(OFFERED)])


def player(connection: Connection, slug: str) -> Identity | None:
    """Return a player without what proves it, or None where nobody has that slug."""
    row = connection.execute(select(PLAYERS).where(PLAYERS.c.slug == slug)).first()
    return None if row is None else Identity(PlayerKind(row.kind), row.name, row.contest)


def rated_counts(connection: Connection) -> dict[tuple[str, str], tuple[int, int]]:
    """Return by game and rules how many games count for their ladder, and when the latest began."""
    which = (GAMES.c.game, GAMES.c.rules)
    counts = select(*which, func.count(), func.max(GAMES.c.started)).where(GAMES.c.rated.is_not(None)).group_by(*which)
    return {(game, rules): (count, latest) for game, rules, count, latest in connection.execute(counts)}


def names_like(connection: Connection, name: str) -> list[str]:
    """Return other names in which a name is found."""
    inside = folded(name).removeprefix("name:")
    like = (NAMES.c.who.contains(inside, autoescape=True), NAMES.c.who != folded(name))
    return list(connection.scalars(select(NAMES.c.name).where(*like).order_by(NAMES.c.who).limit(5)))


def _page(wanted: GameFilter, after: Cursor | None, count: int) -> Select[Any]:
    table = _table(wanted)
    conditions = list(_conditions(table, wanted))
    if after is not None:
        conditions.append(tuple_(table.c.started, table.c.id) < tuple_(after.started, after.id))
    order = (table.c.started.desc(), table.c.id.desc())
    chosen = select(table.c.id).where(*conditions).order_by(*order).limit(count).subquery()
    rows = select(GAMES).join(chosen, chosen.c.id == GAMES.c.id)
    return rows.order_by(GAMES.c.started.desc(), GAMES.c.id.desc())


def _table(wanted: GameFilter) -> Table:
    """Return where to look: among games, or among those who played them."""
    return GAMES if wanted.player is wanted.guest is wanted.slug is None else FACES


def _conditions(table: Table, wanted: GameFilter) -> Iterator[ColumnElement[bool]]:
    yield table.c.state == wanted.state
    who = [] if wanted.guest is None else [guest(wanted.guest)]
    who += [] if wanted.slug is None else [played_by(wanted.slug)]
    who += [] if wanted.player is None else [folded(wanted.player)]
    if who:
        yield table.c.who == who[0]
    for one in who[1:]:
        other = FACES.alias()
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
    told = {name: row._mapping[name] for name in ListedGame.__struct_fields__}
    told |= {name: json.loads(told[name]) for name in ARRAYS}
    return msgspec.convert(told | {"contest": row.source, "version": row.journal_bytes}, GameCard)


def _place(row: Row[Any]) -> RecordPlace | None:
    if row.record_at is None:
        return None
    return RecordPlace(row.source, row.record_at, row.record_bytes)
