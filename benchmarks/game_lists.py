"""The time of a page of the list of games, among 100,000 games. Run on an idle machine:

    python -m benchmarks.game_lists
    python -m benchmarks.game_lists --games 20000 sqlite

Each list is queried as the page does: the games, their number, and the choices. It runs on SQLite and on a PostgreSQL
that it starts (tests/real_postgresql.py). It exits with 1 if a list takes longer than 50 ms.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import msgspec
from sqlalchemy import Connection, Engine, text
from tests import real_postgresql

from hinterland.storage.game_setup import hash_key
from hinterland.storage.identities import Identity, PlayerKind
from hinterland.storage.index import database, index_writer, listing
from hinterland.storage.index.game_rows import GameRow, RatedGame
from hinterland.storage.index.listing import Cursor, GameFilter
from hinterland.storage.index.tables import Kind, State

MOST_MS = 50.0
NOW = 1_790_000_000
YEAR_S = 365 * 24 * 3600
PLAYERS = ("reply", "search", "mcts", "careful", "perfect", "gain", *(f"guest {number}" for number in range(2000)))
RULES = {
    "gravity": ("10 stones · spacing 66", "3 stones · spacing 66", "5 stones · spacing 60 · 500 × 500"),
    "graph": ("60 vertices · 5 tokens", "100 vertices · 10 tokens"),
    "dots": ("10 dots", "12 dots", "24 dots"),
}
RARE_RULES = "7 stones · spacing 7"
"""Rules of the oldest game alone."""


def row(number: int, rng: random.Random, kind: Kind | None = None) -> GameRow:
    """Draw a game: six in ten are of contests, one in twenty is not finished, few programs have half of the seats.

    ``kind``: its kind, if that is not to be drawn.
    """
    kind = kind or rng.choices(list(Kind), (3, 1, 6))[0]
    state = State.FINISHED if kind == Kind.CONTEST else rng.choices(list(State), (1, 19, 2))[0]
    game = "dots" if number == 0 else rng.choice(list(RULES))
    names = tuple(rng.choice(PLAYERS[:6] if rng.random() < 0.5 else PLAYERS) for _ in range(2))
    started = NOW - YEAR_S if number == 0 else NOW - int(YEAR_S * rng.random())
    known = tuple(map(player, names))
    facts = RatedGame(f"{number:x}", 1, ("", ""), f"{number:024x}", is_official=True)
    return GameRow(
        id=f"{number:016d}", url=f"/games/{number:016d}", source="league" if kind == Kind.CONTEST else "", state=state,
        kind=kind, game=game, rules=RARE_RULES if number == 0 else rng.choice(RULES[game]), started=started,
        touched=started, plies=20, players=names, scores=(500_000 + rng.randrange(-9, 9), 500_000),
        winners=(rng.randrange(2),),
        reason="complete", fingerprint=f"{number:x}", record_at=number * 2000, record_bytes=2000,
        guests=(f"{rng.randrange(500):064d}",) if kind == Kind.PAGE else (),
        known=known, pages=tuple(one.slug for one in known), rated=facts if len(set(names)) == 2 else None,
    )  # fmt: skip


@cache
def player(name: str) -> Identity:
    return Identity(PlayerKind.HOUSE, name) if name in PLAYERS[:6] else Identity(PlayerKind.GUEST, name, hash_key(name))


def fill(engine: Engine, games: int, kind: Kind | None = None) -> None:
    """Fill an index with games, of one kind or of all."""
    rng = random.Random(7)
    database.prepare(engine, is_own=True)
    for start in range(0, games, 1000):
        with engine.begin() as connection:
            numbers = range(start, min(start + 1000, games))
            index_writer.upsert_games(connection, [row(number, rng, kind) for number in numbers])
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ANALYZE"))  # as its own autovacuum does a minute later


def lists() -> dict[str, tuple[GameFilter, Cursor | None]]:
    """Return the queries, easy and hard."""
    day = 24 * 3600
    middle = Cursor(NOW - YEAR_S // 2, "")
    last = Cursor(NOW - YEAR_S + 60, "")
    all_of = GameFilter
    guest = f"{77:064d}"
    return {
        "the latest": (all_of(), None),
        "half way down": (all_of(), middle),
        "the oldest": (all_of(), last),
        "going on": (all_of(state=State.LIVE), None),
        "abandoned": (all_of(state=State.ABANDONED), None),
        "one game": (all_of(game="dots"), None),
        "one game, half way": (all_of(game="dots"), middle),
        "hosted matches": (all_of(kind=Kind.MATCH), None),
        "rules played once": (all_of(rules=RARE_RULES), None),
        "rules that another game has": (all_of(game="graph", rules=RULES["dots"][0]), None),
        "a day in spring": (all_of(since=NOW - 200 * day, until=NOW - 199 * day), None),
        "nothing in a month": (all_of(rules=RARE_RULES, since=NOW - 200 * day, until=NOW - 170 * day), None),
        "a frequent player": (all_of(player="Reply"), None),
        "a frequent player, nowhere": (all_of(player="reply", rules=RARE_RULES, kind=Kind.MATCH), None),
        "a guest": (all_of(player="guest 77"), None),
        "nobody": (all_of(player="nobody"), None),
        "mine": (all_of(guest=guest), None),
        "mine against a frequent player": (all_of(guest=guest, player="search"), None),
        "all at once": (all_of(game="gravity", player="reply", since=NOW - 90 * day, guest=guest), None),
    }


def ask(connection: Connection, wanted: GameFilter, after: Cursor | None) -> int:
    """Run all queries of a page."""
    found = listing.list_games(connection, wanted, after, 25)
    listing.count_games(connection, wanted)
    going_on = msgspec.structs.replace(wanted, state=State.LIVE)
    listing.list_games(connection, going_on, None, 12)
    listing.find_common_choices(connection)
    if wanted.player is not None:
        listing.find_similar_names(connection, wanted.player)
    return len(found)


def measure(engine: Engine, repeats: int) -> float:
    """Print the time of each list; return the longest median in milliseconds."""
    longest = 0.0
    for name, (wanted, after) in lists().items():
        took, count = time_query(engine, lambda connection, w=wanted, a=after: ask(connection, w, a), repeats)  # type: ignore[misc]
        longest = max(longest, took[0])
        print(f"  {name:32} {took[0]:6.1f} ms, at most {took[1]:6.1f} ms  ({count} games)")
    return longest


def time_query(engine: Engine, question: Callable[[Connection], int], repeats: int) -> tuple[tuple[float, float], int]:
    """Return the median and the longest time of some tries in milliseconds, and the answer."""
    tries = []
    for _ in range(repeats):
        began = time.perf_counter()
        with engine.connect() as connection:
            answer = question(connection)
        tries.append(1000 * (time.perf_counter() - began))
    return (statistics.median(tries), max(tries)), answer


@contextlib.contextmanager
def open_database(kind: str) -> Iterator[Engine]:
    """Yield an empty database."""
    with contextlib.ExitStack() as stack:
        if kind == "sqlite":
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            url = database.default_url(Path(folder))
        else:
            url = database.read_url(stack.enter_context(real_postgresql.started()).url)
        engine = database.make_engine(url)
        yield engine
        engine.dispose()


def main() -> int:
    """Measure; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=11)
    given = parser.parse_args()
    worst = 0.0
    for kind in given.databases:
        with open_database(kind) as engine:
            began = time.perf_counter()
            fill(engine, given.games)
            print(f"{kind}: {given.games:,} games put in within {time.perf_counter() - began:.1f} s")
            worst = max(worst, measure(engine, given.repeats))
    print(f"the longest takes {worst:.1f} ms, of {MOST_MS:g} ms")
    return worst > MOST_MS


if __name__ == "__main__":
    sys.exit(main())
