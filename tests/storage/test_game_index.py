"""The index of games agrees with the files, on SQLite and PostgreSQL, whatever happens to the database."""

import contextlib
import gc
import os
import random
import sqlite3
import threading
import time
from pathlib import Path

import msgspec
import pytest
from kept_index import kept_up, until
from played_games import Played, finished, setup_of
from sqlalchemy import create_engine, text

from hinterland.errors import ArenaError, BadText
from hinterland.referee import record, verification
from hinterland.referee.record import ContestPlace
from hinterland.storage.game_setup import Seat
from hinterland.storage.identities import identify_entrant
from hinterland.storage.index import database, game_index, index_writer, listing, record_source
from hinterland.storage.index.game_rows import GameRow
from hinterland.storage.index.listing import Cursor, GameFilter
from hinterland.storage.index.tables import Kind, State

DAY = 24 * 3600


def page(index, after=None, count=100, **wanted):
    return index.query(listing.list_games, GameFilter(**wanted), after, count)


def ids(index, **wanted):
    return [card.id for card in page(index, **wanted)]


def test_a_game_is_listed_while_it_goes_on_and_when_it_is_over(archive, url):
    with kept_up(archive, url) as index:
        game = Played(archive, setup_of("Ann", "Bob"))
        (card,) = page(index, state=State.LIVE)
        assert (card.url, card.plies, card.players) == (f"/games/{game.setup.id}", 0, ("Ann", "Bob"))
        assert card.rules == "2 stones · spacing 1 · 6 × 6"
        game.move()
        (card,) = page(index, state=State.LIVE)
        assert (card.plies, card.scores) == (1, game.game.position.scores)
        game.finish()
        assert ids(index, state=State.LIVE) == []
        (card,) = page(index)
        ending = game.game.ending
        assert (card.scores, card.winners, card.reason) == (ending.scores, ending.winners, "complete")
        assert (card.state, card.kind, card.contest) == (State.FINISHED, Kind.PAGE, "")


def test_each_record_is_found_whole(archive, url):
    twins = [setup_of("Ann", "Bob") for _ in range(3)]  # began in the same second, with the same moves
    with kept_up(archive, url) as index:
        for setup in twins:
            Played(archive, setup).finish()
        for number in range(5):
            finished(archive, "Ann", "Bob", number=number, seed=number)
        places = index.query(listing.list_record_places, GameFilter(), None, 100)
        lines = [record_source.read_line_at(archive.records.path, place) for _, place in places]
    written = archive.records.path.read_bytes().splitlines(keepends=True)
    assert sorted(lines) == sorted(written)
    for line in lines:
        verification.verify(record.read_line(line))


def test_filters(archive, url):
    with kept_up(archive, url) as index:
        old = finished(archive, "Ann", "reply", started="2026-05-01T23:59:59+00:00").id
        new = finished(archive, "ann", "reply#2", started="2026-05-02T00:00:00+00:00", table="T" * 16, guests=("g",)).id
        first = 1777593600  # 2026-05-01, 00:00 in UTC
        assert ids(index) == [new, old]
        assert ids(index, player="ANN") == ids(index, player="reply") == [new, old]
        assert ids(index, player="An") == []
        assert ids(index, guest="g") == ids(index, guest="g", player="reply") == [new]
        assert ids(index, guest="g", player="Bob") == ids(index, guest="name:ann") == []
        assert ids(index, kind=Kind.MATCH) == [new]
        assert ids(index, kind=Kind.PAGE) == [old]
        assert ids(index, game="gravity", rules="2 stones · spacing 1 · 6 × 6") == [new, old]
        assert ids(index, game="dots") == ids(index, rules="no") == []
        assert ids(index, since=first, until=first + DAY) == [old]
        assert ids(index, since=first + DAY) == [new]
        choices = index.query(listing.find_common_choices)
        assert choices.rules == {"gravity": ["2 stones · spacing 1 · 6 × 6"]}
        assert set(choices.names) == {"Ann", "ann", "reply", "reply#2"}
        assert index.query(listing.find_similar_names, "EPL") == ["reply"]
        assert index.query(listing.find_similar_names, "%") == index.query(listing.find_similar_names, "Reply") == []


def test_pages_hold_every_game_once_in_order(archive, url):
    rng = random.Random(1)
    started = [f"2026-05-01T10:00:{rng.randrange(3):02d}+00:00" for _ in range(23)]
    made = [finished(archive, "Ann", "Bob", started=when, seed=number) for number, when in enumerate(started)]
    with kept_up(archive, url) as index:
        seen, after = [], None
        while games := page(index, after, 4, player="Bob"):
            seen += games
            after = Cursor.read(str(Cursor(games[-1].started, games[-1].id)))
        assert [card.id for card in seen] == ids(index)
        assert sorted(card.id for card in seen) == sorted(setup.id for setup in made)
        order = [(card.started, card.id) for card in seen]
        assert order == sorted(order, reverse=True)
        assert index.query(listing.count_games, GameFilter(player="Bob")) == 23


def test_what_happened_while_nobody_kept_it_up_is_found(archive, url):
    with kept_up(archive, url) as index:
        gone = finished(archive, "Ann", "Bob")
        on = Played(archive, setup_of("Cas", "Dan"))
        assert len(ids(index)) == len(ids(index, state=State.LIVE)) == 1
    on.finish()
    later = finished(archive, "Eve", "Fay")
    (archive.directory / "games" / f"{gone.id}.jsonl").unlink()
    with kept_up(archive, url) as index:
        assert sorted(ids(index)) == sorted([on.setup.id, later.id])
        assert ids(index, state=State.LIVE) == ids(index, player="Ann") == []
        assert all(place for _, place in index.query(listing.list_record_places, GameFilter(), None, 9))


def test_games_nobody_goes_on_with_are_set_apart(archive, url):
    game = Played(archive, setup_of("Ann", "Bob"))
    void = Played(archive, setup_of("Cas", "Dan"))
    void.void()
    path = archive.directory / "games" / f"{game.setup.id}.jsonl"
    old = time.time() - index_writer.ABANDONED_S - 1
    os.utime(path, (old, old))
    with kept_up(archive, url) as index:
        assert sorted(ids(index, state=State.ABANDONED)) == sorted([game.setup.id, void.setup.id])
        assert ids(index, state=State.ABANDONED, player="Ann") == [game.setup.id]
        assert ids(index, state=State.LIVE) == ids(index, state=State.LIVE, player="Ann") == []
        archive.load(game.setup.id)[2].close()
        assert path.stat().st_mtime == pytest.approx(old, abs=1), "who looks at it does not go on with it"
        game.book = archive.load(game.setup.id)[2]
        game.commit._journal.close()
        game.commit._journal = game.book
        game.move()
        assert ids(index, state=State.LIVE, player="Ann") == [game.setup.id]
        game.close()


class League:
    """A contest as the index knows it."""

    def __init__(self, folder, name="league"):
        self.name, self.path, self.plan = name, folder / f"{name}.jsonl", "p"
        self.path.touch()

    def stamp(self):
        return self.plan

    def identity(self, name):
        return identify_entrant(self.name, name, "cmd:./it", ())

    def url_of(self, found):
        place = found.contest
        return f"/contests/{self.name}/games/{place.task}.{found.number}" if place and place.plan == self.plan else None

    def add(self, archive, *tasks, plan="p"):
        last = record.read_line(archive.records.path.read_bytes().splitlines()[-1])
        lines = (record.to_line(record.placed(last, ContestPlace(plan, 0, task))) for task in tasks)
        with self.path.open("ab") as file:
            file.write(b"".join(lines))


def test_games_of_contests_are_listed_once(archive, url, tmp_path):
    finished(archive, "Ann", "Bob")
    league = League(tmp_path)
    shown = [league]
    league.add(archive, 1, 2, 1)
    league.add(archive, 3, plan="another")
    with kept_up(archive, url, lambda: shown) as index:
        contest = GameFilter(kind=Kind.CONTEST)
        urls = lambda: sorted(card.url[-3:] for card in index.query(listing.list_games, contest, None, 9))  # noqa: E731
        assert urls() == ["1.1", "2.1"]
        league.add(archive, 2, 4)
        until(lambda: urls() == ["1.1", "2.1", "4.1"])
        card, place = index.query(listing.find_game, "/contests/league/games/4.1")
        assert (card.contest, card.players) == ("league", ("Ann", "Bob"))
        assert record.read_line(record_source.read_line_at(league.path, place)).contest.task == 4
        league.plan = "another"
        until(lambda: urls() == ["3.1"])
        shown.clear()
        until(lambda: urls() == [])
        assert len(ids(index)) == 1


def test_work_that_outlasts_its_end_lets_go_of_the_file(archive, tmp_path, monkeypatch):
    finished(archive, "Ann", "Bob")
    league, begun, goes_on = League(tmp_path), threading.Event(), threading.Event()
    league.add(archive, 1)
    monkeypatch.setattr(league, "url_of", lambda _: begun.set() or (goes_on.wait(20) and None))
    monkeypatch.setattr(game_index, "CLOSING_WAIT_S", 0.0)
    index = game_index.GameIndex(archive.directory, None, lambda: [league])
    index.start()
    assert begun.wait(20)
    index.close()
    gc.disable()  # which would close it some time
    try:
        goes_on.set()
        index._thread.join(20)
        held = {entry.resolve() for entry in Path("/proc/self/fd").iterdir()}
    finally:
        gc.enable()
    assert archive.directory.resolve() / "index.sqlite" not in held


@pytest.mark.thorough
def test_it_is_made_again_at_will_and_when_it_is_of_another_version(archive, url):
    setup = finished(archive, "Ann", "Bob")
    with kept_up(archive, url) as index:
        before = page(index)
        engine = database.make_engine(url or database.default_url(archive.directory))
        with engine.begin() as connection:
            connection.execute(text("UPDATE hinterland_games SET players = '[\"nonsense\"]'"))
        assert page(index)[0].players == ("nonsense",)
        database.request_rebuild(engine)
        until(lambda: page(index) == before)
        with engine.begin() as connection:
            connection.execute(text("UPDATE hinterland_marks SET value = '0' WHERE name = 'version'"))
            connection.execute(text("DROP TABLE hinterland_faces"))
        until(lambda: index.left is None and index.fault is None and is_listed(index, setup.id))
        engine.dispose()


def is_listed(index, game_id):
    """Say whether a game is listed; False while tables are missing."""
    with contextlib.suppress(ArenaError):
        return ids(index, player="Ann") == [game_id]
    return False


@pytest.mark.parametrize("damage", ["garbage", "a torn head", "a page overwritten", "empty", "missing"])
def test_a_damaged_file_is_made_again(archive, damage, caplog):
    made = sorted(finished(archive, "Ann", "Bob", seed=number).id for number in range(40))
    file = archive.directory / database.DEFAULT_FILE
    with kept_up(archive) as index:
        assert sorted(ids(index)) == made
    data = bytearray(file.read_bytes())
    if damage == "garbage":
        data = random.Random(1).randbytes(50_000)
    elif damage == "a torn head":
        data = data[:50]
    elif damage == "a page overwritten":
        data[4096 : 4 * 4096] = b"\xa5" * (3 * 4096)
    elif damage == "empty":
        data = b""
    file.unlink() if damage == "missing" else file.write_bytes(data)
    with kept_up(archive) as index:
        assert sorted(ids(index)) == made
    assert ("damaged" in caplog.text) == (damage not in ("missing", "empty"))


def test_a_file_that_is_damaged_in_use_is_made_again(archive):
    setup = finished(archive, "Ann", "Bob")
    with kept_up(archive) as index:
        assert ids(index) == [setup.id]
        for end in ("", "-wal"):
            file = archive.directory / f"{database.DEFAULT_FILE}{end}"
            file.write_bytes(b"\xa5" * 40_000)
        later = finished(archive, "Cas", "Dan")

        def is_back():
            with contextlib.suppress(ArenaError):
                return sorted(ids(index)) == sorted([setup.id, later.id])

        until(is_back)


def test_what_an_open_connection_remembers_of_a_file_does_not_vouch_for_it(tmp_path, caplog):
    file = tmp_path / "index.sqlite"
    engine = database.make_engine(database.read_url(f"sqlite:///{file}"))
    assert database.prepare(engine, is_own=True)
    assert not database.prepare(engine, is_own=True)
    for end in ("", "-wal"):
        file.with_name(file.name + end).write_bytes(b"\xa5" * 40_000)
    assert database.prepare(engine, is_own=True)
    assert "is damaged; it is rebuilt" in caplog.text
    engine.dispose()


def test_a_connection_in_use_while_the_file_is_checked_is_closed_afterwards(tmp_path):
    engine = database.make_engine(database.read_url(f"sqlite:///{tmp_path / 'index.sqlite'}"))
    assert database.prepare(engine, is_own=True)
    with engine.connect() as connection:
        driver = connection.connection.dbapi_connection
        assert not database.prepare(engine, is_own=True)
        assert connection.scalar(text("SELECT 1")) == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        driver.execute("SELECT 1")
    with engine.connect() as connection:
        later = connection.connection.dbapi_connection
    assert later.execute("SELECT 1").fetchone() == (1,), "the pool keeps it"
    engine.dispose()


def test_a_file_of_somebody_else_is_never_thrown_away(archive, tmp_path):
    foreign = tmp_path / "thesis.txt"
    foreign.write_text("Years of work." * 1000)
    url = database.read_url(f"sqlite:///{foreign}")
    with kept_up(archive, url) as index, pytest.raises(ArenaError, match="is no index of games"):
        page(index)
    assert foreign.read_text() == "Years of work." * 1000


def test_tables_of_somebody_else_are_left_alone(archive, tmp_path):
    file = tmp_path / "theirs.sqlite"
    theirs = create_engine(f"sqlite:///{file}")
    with theirs.begin() as connection:
        connection.execute(text("CREATE TABLE games (score INTEGER)"))
        connection.execute(text("INSERT INTO games VALUES (7)"))
    with kept_up(archive, database.read_url(f"sqlite:///{file}")) as index:
        assert page(index) == []
    with theirs.connect() as connection:
        assert connection.scalar(text("SELECT score FROM games")) == 7
    theirs.dispose()


def test_a_server_that_goes_away_is_said_and_waited_for(archive, server, caplog):
    url = database.read_url(server.url)
    with kept_up(archive, url) as index:
        first = finished(archive, "Ann", "Bob")
        assert first.id in ids(index, player="Ann")
        server.stop()
        try:
            meanwhile = finished(archive, "Cas", "Dan")
            began = time.monotonic()
            for _ in range(5):
                with pytest.raises(ArenaError, match=r"list of games cannot be read now \(.*\); games go on"):
                    page(index)
            assert time.monotonic() - began < 5
        finally:
            server.start()
        until(lambda: index.fault is None)
        until(lambda: meanwhile.id in ids(index, player="Cas"))
    assert caplog.text.count("lists of games are missing") == 1
    assert "there again" in caplog.text


def test_an_arena_begins_without_its_server(archive):
    began = time.monotonic()
    with kept_up(archive, database.read_url("postgresql://nobody@127.0.0.1:9/none")) as index:
        finished(archive, "Ann", "Bob")
        with pytest.raises(ArenaError, match="games go on"):
            page(index)
    assert time.monotonic() - began < 8


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "not at ''"),
        ("games.sqlite", "not at 'games.sqlite'"),
        ("sqlite://", "the index is at sqlite:///FILE or postgresql:"),
        ("sqlite:///:memory:", "the index is at sqlite:///FILE"),
        ("mysql://ann:secret@host/db", r"not at 'mysql://ann:\*\*\*@host/db'"),
    ],
)
def test_a_url_that_is_none(given, words):
    with pytest.raises(BadText, match=words):
        database.read_url(given)


@pytest.mark.parametrize("text", ["", "x", "1", "1.", ".a", "1e3.a", "²." + "a" * 16, "1." + "a" * 65, "9" * 20 + ".a"])
def test_a_cursor_that_is_none(text):
    with pytest.raises(BadText, match="no place in the list"):
        Cursor.read(text)


def test_names_that_a_database_does_not_take(archive, url):
    with kept_up(archive, url) as index:
        nul, long = Seat("bot", "a\0b"), Seat("bot", "é" * 5000)
        odd = msgspec.structs.replace(setup_of("x", "y"), seats=(nul, long))
        Played(archive, odd).finish()
        plain = finished(archive, "Ann", "Bob'; DROP TABLE hinterland_games; --")
        assert sorted(ids(index)) == sorted([odd.id, plain.id])
        assert ids(index, player="ab") == [odd.id]
        assert index.fault is None


def test_journals_that_cannot_be_read_are_left_out(archive, url):
    setup = finished(archive, "Ann", "Bob")
    games = archive.directory / "games"
    whole = (games / f"{setup.id}.jsonl").read_bytes()
    (games / f"{'b' * 16}.jsonl").write_bytes(whole)  # of another game
    (games / f"{'c' * 16}.jsonl").write_bytes(b"")
    (games / f"{'d' * 16}.jsonl").write_bytes(b"\xff\n" + whole)
    damages = ((b'"gravity"', b'"chess"'), (b"2026-05-01T", b"someday"), (b'"size":6,', b'"size":-6,'))
    for letter, (known, unknown) in zip("efg", damages, strict=True):
        other = whole.replace(setup.id.encode(), letter.encode() * 16).replace(known, unknown, 1)
        (games / f"{letter * 16}.jsonl").write_bytes(other)
    (games / "notes.txt").write_text("not a game")
    with kept_up(archive, url) as index:
        assert ids(index) == [setup.id]


def test_asking_while_many_games_are_played(archive, url):
    """Each query sees all changes before it, whatever happens meanwhile."""
    finished_ids, faults = [], []
    is_over = threading.Event()

    def look():
        while not is_over.is_set():
            known = list(finished_ids)
            if missing := set(known) - set(ids(index)):
                faults.append(missing)

    with kept_up(archive, url) as index:
        lookers = [threading.Thread(target=look) for _ in range(3)]
        for one in lookers:
            one.start()
        for number in range(40):
            finished_ids.append(finished(archive, "Ann", "Bob", seed=number).id)  # noqa: PERF401
        is_over.set()
        for one in lookers:
            one.join()
        assert faults == []
        assert sorted(ids(index)) == sorted(finished_ids)


def test_a_rare_game_is_looked_for_in_the_index_alone(archive):
    """No list reads rows of games that it does not show: 100,000 of them cost no more than a few."""
    with kept_up(archive) as index:
        with index._engine.begin() as connection:
            index_writer.upsert_games(connection, [_row(number) for number in range(2000)])
        for wanted in (GameFilter(rules="rare"), GameFilter(player="Ann", rules="rare"), GameFilter(kind=Kind.MATCH)):
            with index._engine.connect() as connection:
                query = listing._select_page(wanted, Cursor(10**6, "z"), 25)
                compiled = query.compile(connection, compile_kwargs={"literal_binds": True})
                plan = [row.detail for row in connection.execute(text(f"EXPLAIN QUERY PLAN {compiled}"))]
            table = "faces" if wanted.player else "games"
            chosen = plan[: next(place for place, step in enumerate(plan) if step.startswith("SCAN"))]
            assert any(f"USING COVERING INDEX hinterland_{table}_listed" in step for step in chosen), plan
            assert not any("TEMP B-TREE" in step for step in chosen), plan


def _row(number):
    return GameRow(
        id=f"{number:016d}", url=f"/games/{number:016d}", state=State.FINISHED, kind=Kind.PAGE, game="gravity",
        rules="rare" if number == 7 else "usual", started=number, touched=number, plies=4, players=("Ann", "Bob"),
        scores=(1, 2), fingerprint=str(number),
    )  # fmt: skip
