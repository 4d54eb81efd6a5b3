"""What the index holds: a row a game, a row for each name and browser that played it, and how far files were read.

Every list is in the order of ``started``, the latest first, and of ``id`` where games began in the same second. Both
tables carry all that lists are filtered by, and one index each begins with what every question names and holds the
rest: a page that is hard to find is looked for in the index alone.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

import msgspec
from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, SmallInteger, String, Table, Text

VERSION = "3"
"""Of these tables; an index of another is made again."""
EXACT = String().with_variant(String(collation="C"), "postgresql")
"""Text in the order of its bytes, in both databases."""


class State(IntEnum):
    """How far a game is."""

    LIVE = 0
    FINISHED = 1
    ABANDONED = 2


class Kind(StrEnum):
    """Where a game was played."""

    PAGE = "page"
    MATCH = "match"
    CONTEST = "contest"


class ListedGame(msgspec.Struct, kw_only=True, frozen=True):
    """What the index and every list of it tell of a game; the columns of ``GAMES`` say what the fields mean."""

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


ARRAYS = ("players", "scores", "winners", "pages")
"""Kept in JSON, by seat."""
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
    Column("touched", BigInteger, nullable=False),  # when its file was last written, the same
    Column("plies", Integer, nullable=False),
    Column("players", Text, nullable=False),  # this and the next three are ``ARRAYS``
    Column("scores", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("pages", Text, nullable=False),  # of each seat, the slug of who sat there; empty where that is not known
    Column("rated", Text),  # what ladders want to know; nothing of a game that does not count
    Column("reason", Text, nullable=False),  # why it ended; empty while it goes on
    Column("journal_bytes", BigInteger, nullable=False),  # how much of its journal was read
    Column("print", EXACT, nullable=False),  # by which its record is known, where it has one
    Column("record_at", BigInteger),  # where its record is in the file of its source
    Column("record_bytes", BigInteger),
)  # fmt: skip
FACES = Table(
    "hinterland_faces", METADATA,
    Column("id", EXACT, primary_key=True),
    Column("who", EXACT, primary_key=True),  # a name or a level's title, folded, a cookie's digest, or a slug
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
    Column("contest", Text, nullable=False),  # of an entrant
)  # fmt: skip
MARKS = Table(
    "hinterland_marks", METADATA, Column("name", EXACT, primary_key=True), Column("value", Text, nullable=False)
)
RATED = GAMES.c.rated.is_not(None)
FILTERED = ("started", "id", "game", "rules", "kind")
Index("hinterland_games_listed", GAMES.c.state, *(GAMES.c[name] for name in FILTERED))
Index(
    "hinterland_games_rated", GAMES.c.game, GAMES.c.rules, GAMES.c.started, sqlite_where=RATED, postgresql_where=RATED
)
Index("hinterland_games_recorded", GAMES.c.source, GAMES.c.print)
Index("hinterland_games_found", GAMES.c.url, unique=True)
Index("hinterland_faces_listed", FACES.c.who, FACES.c.state, *(FACES.c[name] for name in FILTERED))


def folded(name: str) -> str:
    """Return a player's name as it is looked for: in letters of any size, the second of a name like the first."""
    stem, sign, number = name.rpartition("#")
    return f"name:{(stem if sign and number.isdecimal() else name).strip().casefold()}"


def guest(digest: str) -> str:
    """Return a browser as it is looked for, by the digest of its cookie."""
    return f"guest:{digest}"


def played_by(slug: str) -> str:
    """Return a player that is known as it is looked for."""
    return f"player:{slug}"
