"""The SQL tables of the index: games, appearances of players in games, and how far files have been read.

``GAMES`` has a row for each game. ``APPEARANCES`` has a row for each name, browser and identity that played a game.
Every list is sorted by ``started``, the latest first, and by ``id`` within a second. Both tables hold all columns by
which lists are filtered. Each of them has an index of these columns, so that a query reads the rows of no other games
than those that match.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

import msgspec
from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, SmallInteger, String, Table, Text

VERSION = "3"
"""Version of these tables; an index of another version is rebuilt."""
EXACT = String().with_variant(String(collation="C"), "postgresql")
"""Text compared byte by byte, in both databases."""


class State(IntEnum):
    """State of a game."""

    LIVE = 0
    FINISHED = 1
    ABANDONED = 2


class Kind(StrEnum):
    """Place where a game was played."""

    PAGE = "page"
    MATCH = "match"
    CONTEST = "contest"


class ListedGame(msgspec.Struct, kw_only=True, frozen=True):
    """A game in the index and in lists; the columns of ``GAMES`` explain the fields."""

    id: str
    url: str
    state: State
    kind: Kind
    game: str
    rules: str
    started: int
    touched: int
    plies: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...] = ()
    reason: str = ""
    pages: tuple[str, ...] = ()


ARRAY_COLUMNS = ("players", "scores", "winners", "pages")
"""Columns that hold JSON arrays with one element for each seat."""
METADATA = MetaData()
GAMES = Table(
    "hinterland_games", METADATA,
    Column("id", EXACT, primary_key=True),
    Column("url", EXACT, nullable=False),
    Column("source", EXACT, nullable=False),  # empty: the arena's own games; else the contest's name
    Column("state", SmallInteger, nullable=False),
    Column("kind", EXACT, nullable=False),
    Column("game", EXACT, nullable=False),
    Column("rules", EXACT, nullable=False),  # in words
    Column("started", BigInteger, nullable=False),  # seconds since 1970
    Column("touched", BigInteger, nullable=False),  # seconds since 1970, when the game's journal was last written
    Column("plies", Integer, nullable=False),
    Column("players", Text, nullable=False),  # this and the next three are ``ARRAY_COLUMNS``
    Column("scores", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("pages", Text, nullable=False),  # for each seat the player's slug; empty without an identity
    Column("rated", Text),  # JSON of ``RatedGame``; NULL for a game that does not count
    Column("reason", Text, nullable=False),  # why the game ended; empty while it goes on
    Column("journal_bytes", BigInteger, nullable=False),  # bytes read of its journal
    Column("print", EXACT, key="fingerprint", nullable=False),  # shared with its record
    Column("record_at", BigInteger),  # offset of the game's record in the file of ``source``
    Column("record_bytes", BigInteger),
)  # fmt: skip
APPEARANCES = Table(
    "hinterland_faces", METADATA,
    Column("id", EXACT, primary_key=True),
    Column("who", EXACT, primary_key=True),  # search key, made by ``name_key``, ``browser_key`` or ``player_key``
    Column("state", SmallInteger, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("kind", EXACT, nullable=False),
    Column("game", EXACT, nullable=False),
    Column("rules", EXACT, nullable=False),
)  # fmt: skip
NAMES = Table(
    "hinterland_names", METADATA, Column("who", EXACT, primary_key=True), Column("name", Text, nullable=False)
)
PLAYERS = Table(
    "hinterland_players", METADATA,
    Column("slug", EXACT, primary_key=True),
    Column("kind", EXACT, nullable=False),
    Column("name", Text, nullable=False),
    Column("contest", Text, nullable=False),  # empty unless the player is an entrant
)  # fmt: skip
INDEX_VALUES = Table(
    "hinterland_marks", METADATA, Column("name", EXACT, primary_key=True), Column("value", Text, nullable=False)
)
IS_RATED = GAMES.c.rated.is_not(None)
FILTER_COLUMNS = ("started", "id", "game", "rules", "kind")
Index("hinterland_games_listed", GAMES.c.state, *(GAMES.c[name] for name in FILTER_COLUMNS))
Index(
    "hinterland_games_rated", GAMES.c.game, GAMES.c.rules, GAMES.c.started,
    sqlite_where=IS_RATED, postgresql_where=IS_RATED,
)  # fmt: skip
Index("hinterland_games_recorded", GAMES.c.source, GAMES.c.fingerprint)
Index("hinterland_games_found", GAMES.c.url, unique=True)
Index(
    "hinterland_faces_listed", APPEARANCES.c.who, APPEARANCES.c.state,
    *(APPEARANCES.c[name] for name in FILTER_COLUMNS),
)  # fmt: skip


def name_key(name: str) -> str:
    """Return the search key of a name: in lower case, and without ``#2``, the suffix of a second player of the name."""
    stem, sign, number = name.rpartition("#")
    return f"name:{(stem if sign and number.isdecimal() else name).strip().casefold()}"


def browser_key(digest: str) -> str:
    """Return the search key of a browser, from the digest of its cookie."""
    return f"guest:{digest}"


def player_key(slug: str) -> str:
    """Return the search key of an identity."""
    return f"player:{slug}"
