"""The time to compute ladders of 100,000 games, and to answer their pages. Run on an idle machine:

    python -m benchmarks.ladders
    python -m benchmarks.ladders --games 20000 sqlite

An arena in this process answers, on SQLite and on a PostgreSQL that it starts. Whole answers are timed. It exits with 1
if the median of a page is longer than 50 ms.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from litestar.testing import TestClient

from benchmarks.game_lists import MOST_MS, PLAYERS, fill, open_database, player
from hinterland.host.processes import single_threaded  # noqa: F401  (as the background is)
from hinterland.ladder.calculation import compute_ladder
from hinterland.ladder.preset_ladders import list_all_ladders
from hinterland.storage.index import listing
from hinterland.storage.index.tables import Kind
from hinterland.web.app import create_app
from hinterland.web.arena import Arena
from hinterland.web.settings import Limits, Settings

HTML = {"Accept": "text/html"}
LIMITS = Limits(requests_at_once=1e6)


def time_largest_ladder(url: str, counts: dict[tuple[str, str], tuple[int, int]]) -> None:
    """Print the time of the largest ladder in this process."""
    (game, rules), (games, _) = max(counts.items(), key=lambda one: one[1][0])
    began = time.perf_counter()
    found = compute_ladder(url, game, rules)
    took = time.perf_counter() - began
    print(f"  {game}, {rules}: {games:,} games, {len(found.players)} players rated in {took:.1f} s")


def pages(arena: Arena, client: TestClient, asked: int) -> float:  # type: ignore[type-arg]
    """Print the times of pages once all ladders are computed; return the longest median in milliseconds."""
    rng = random.Random(1)
    began = time.perf_counter()
    while not arena.ladders.is_ready:
        time.sleep(0.1)
    print(f"  all ladders, in the background: {time.perf_counter() - began:.1f} s")
    ladders = [one.url for one in list_all_ladders() if arena.ladders.ladder(one)]
    guests = [f"/players/{player(name).slug}" for name in rng.sample(PLAYERS[6:], 50)]
    programs = [f"/players/{player(name).slug}" for name in PLAYERS[:6]]
    kinds = {"/ladder": ladders, "a guest": guests, "a program": programs}
    return max(time_pages(client, name, addresses, asked) for name, addresses in kinds.items())


def time_pages(client: TestClient, name: str, addresses: list[str], asked: int) -> float:  # type: ignore[type-arg]
    """Print the median and the 99th percentile of some pages; return the median in milliseconds."""
    tries = []
    for number in range(asked):
        began = time.perf_counter()
        answer = client.get(addresses[number % len(addresses)], headers=HTML)
        tries.append(1000 * (time.perf_counter() - began))
        assert answer.status_code == 200, answer.text
    tries.sort()
    median, last = statistics.median(tries), tries[int(0.99 * len(tries))]
    print(f"  {name:12} p50 {median:6.1f} ms, p99 {last:6.1f} ms")
    return median


def main() -> int:
    """Measure; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--asked", type=int, default=200)
    given = parser.parse_args()
    worst = 0.0
    for kind in given.databases:
        with open_database(kind) as engine, tempfile.TemporaryDirectory() as folder:
            fill(engine, given.games, Kind.CONTEST)
            url = engine.url.render_as_string(hide_password=False)
            with engine.connect() as connection:
                counts = listing.count_rated_games(connection)
            print(f"{kind}: {given.games:,} games")
            time_largest_ladder(url, counts)
            app = create_app(Settings(data=Path(folder) / "data", index=url, limits=LIMITS))
            with TestClient(app, base_url="http://127.0.0.1:8000") as client:
                worst = max(worst, pages(app.state.arena, client, given.asked))
    print(f"the longest median is {worst:.1f} ms, of {MOST_MS:g} ms")
    return worst > MOST_MS


if __name__ == "__main__":
    sys.exit(main())
