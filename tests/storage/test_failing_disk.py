"""An arena's files on a disk that fails, or loses power, at each call in turn: nothing that was reported is lost."""

import contextlib
import os
import shutil
import sys

import msgspec
import pytest
from failing_disk import FailingDisk

import judged_games as games
from hinterland.contest import plan_file
from hinterland.contest.folder import ContestFolder, create
from hinterland.contest.plan import Entrant, Plan
from hinterland.errors import HinterlandError
from hinterland.referee import judge
from hinterland.storage import append_file
from hinterland.storage.archive import Archive
from hinterland.storage.backup import back_up, restore
from hinterland.storage.game_setup import Seat, Setup
from hinterland.storage.journal import Begun, GameBegun, MatchSetup, Seated, journal_lines
from hinterland.storage.records import read

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the disk that fails needs /proc")
GAME, MATCH, NEXT = "g" * 16, "m" * 16, "n" * 16
FATES = ("before", "after", "power and names", "power")
RULES = games.SMALL[2]
PLAN = Plan(game="dots", players=(Entrant("ann", "random"), Entrant("bob", "closer")), pairings=1, rules={"dots": 4})
SETUP = Setup(
    id=GAME, game_name="gravity", rules_json=msgspec.to_builtins(RULES), control=games.SECOND, seed=None, key_sha256="",
    seats=(Seat("person", "Ann"), Seat("person", "Bob")), started="2026-01-01T00:00:00+00:00",
)  # fmt: skip
MATCH_SETUP = MatchSetup(
    id=MATCH, game="gravity", rules=msgspec.to_builtins(RULES), control=games.SECOND, illegal=None, seed=None,
    protocol="json", house=(), tokens=None, port=9000, key_sha256="",
)  # fmt: skip


def steps():
    """Yield the states of a short game after each event, and the journal lines of the event."""
    table = games.Table(RULES)
    table.send(judge.Begin())
    while table.game.ending is None:
        asked = table.asked
        effects = table.send(judge.Answer(asked.seat, asked.turn, games.legal_move(table.game, 0)), 7)
        yield table.game, journal_lines(effects, table.game)


STEPS = tuple(steps())


def again(action):
    """Do something; if it fails, do it once more, as a live game that gets a move again."""
    try:
        return action()
    except HinterlandError:
        return action()


class Live:
    """An arena that plays one game of a match, and all that it has reported."""

    def __init__(self, folder):
        self.folder, self.told, self.match_lines = folder / "data", [], 0
        self.is_over = self.is_put_away = False

    def play(self):
        with contextlib.ExitStack() as stack:  # the end of a process closes its files
            self._play(lambda action: stack.enter_context(contextlib.closing(again(action))))

    def _play(self, opened):
        archive = opened(lambda: Archive(self.folder))
        match = opened(lambda: archive.create_match(MATCH_SETUP))
        journal = opened(lambda: archive.create(SETUP))
        players = (Seated(0, "Ann"), Seated(1, "Bob"))
        for line in (*players, Begun(players), GameBegun(1, GAME)):
            again(lambda line=line: match.write([line]))
            self.match_lines += 1
        for game, lines in STEPS:
            again(lambda lines=lines: journal.write(lines))
            self.told.append(game)
        self.is_over = True
        with contextlib.suppress(HinterlandError):  # the next start repairs it
            archive.finish(SETUP, STEPS[-1][0], journal)
        archive.end_match(MATCH)
        self.is_put_away = True

    def check(self):
        """Start an arena on the remaining files: all that was reported is there, and the game's record exactly once."""
        archive = Archive(self.folder)
        try:
            loaded = archive.load(GAME)
            if self.told:
                assert loaded is not None, "the game is lost"
                _, restored, journal = loaded
                journal.close()
                there, told = restored.game.position.moves, self.told[-1].position.moves
                assert there[: len(told)] == told, "a move that was told is lost"
                assert len(there) <= len(told) + 1, "a move that nobody made"
                assert (restored.game.ending is not None) or not self.is_over
            file = self.folder / "records.jsonl"
            count = len(list(read(file))) if file.stat().st_size else 0
            over = loaded is not None and loaded[1].game.ending is not None
            assert count == over, "the record of a game that is over is there once, and of no other"
            matches = list(archive.unfinished_matches())
            for match, journal in matches:
                assert match.has_begun or self.match_lines < 3
                assert match.games == (GAME,) or self.match_lines < 4
                journal.close()
            over = archive.finished_match(MATCH)
            assert matches or over or not self.match_lines, "the match is lost"
            assert not (self.is_put_away and matches) or over is None, "the match begins again"
        finally:
            archive.close()


def failures(folder, make, monkeypatch):
    """Yield (world, call, fate) after each failure of each call of a world, which ``make`` makes in a folder."""
    folder.mkdir()
    world = make(folder / "counted")
    with FailingDisk(monkeypatch, folder / "counted") as disk:
        world.play()
    for place in range(len(disk.calls)):
        for fate in FATES:
            here = folder / f"{place} {fate}"
            world = make(here)
            with FailingDisk(monkeypatch, here, place, fate.split()[0]) as failing:
                world.play()
            if fate.startswith("power"):
                failing.lose_power(names_are_kept=fate != "power")
            yield world, disk.calls[place], fate
            shutil.rmtree(here)


def every_failure(folder, make, monkeypatch):
    """Check a world after each failure of each of its calls; return how many there were."""
    count = 0
    for world, call, fate in failures(folder, make, monkeypatch):
        try:
            world.check()
        except (AssertionError, HinterlandError) as error:
            raise AssertionError(f"failure {count}: {call} failed, {fate}: {error}") from error
        count += 1
    return count


class Saved:
    """An arena's folder, copied into a backup."""

    def __init__(self, folder, data):
        self.folder, self.data, self.is_told = folder, data, False

    def play(self):
        with contextlib.suppress(HinterlandError):
            back_up(self.data, self.folder / "backup")
            self.is_told = True

    def check(self):
        """Check that there is a whole backup, or that it can be made again."""
        file = self.folder / "backup"
        if file.exists() and (self.is_told or file.stat().st_size):
            assert restore(file, self.folder / "restored").games == 1
            return
        assert not self.is_told, "the backup is lost"
        file.unlink(missing_ok=True)
        assert back_up(self.data, file).games == 1


class Restored:
    """A backup, restored into a folder."""

    def __init__(self, folder, backup):
        self.data, self.backup, self.is_told, self.is_refused = folder / "data", backup, False, False

    def play(self):
        try:
            restore(self.backup, self.data)
            self.is_told = True
        except HinterlandError:
            self.is_refused = True

    def check(self):
        """Check that all is there or nothing, or that an arena refuses the half-restored folder."""
        if self.is_refused:
            assert not self.data.exists() or list(self.data.iterdir()) == [], "something is left of what was refused"
        try:
            archive = Archive(self.data)
        except HinterlandError as error:
            assert "was cut short; empty that folder and restore it again" in str(error)
            assert not self.is_told
            return
        loaded = archive.load(GAME)
        count = len(list(read(self.data / "records.jsonl"))) if loaded else 0
        archive.close()
        assert (loaded is not None) or not self.is_told, "the game is lost"
        if loaded is not None:
            loaded[2].close()
            assert count == 1


class Planned:
    """A contest to which a player is added."""

    def __init__(self, folder):
        self.folder, self.told = folder / "contest", 0

    def play(self):
        with contextlib.suppress(HinterlandError):
            create(self.folder, PLAN, {})
            self.told = 2
            ContestFolder(self.folder).add(Entrant("cas", "random"), None)
            self.told = 3

    def check(self):
        """Check that the whole plan is there, the old or the new one."""
        try:
            plan = plan_file.read(self.folder)[0]
        except HinterlandError:
            assert not self.told, "the plan is lost"
            return
        assert len(plan.players) in ((2, 3) if self.told < 3 else (3,))


@pytest.fixture
def data(tmp_path):
    """The folder of an arena with a finished game."""
    Live(tmp_path).play()
    return tmp_path / "data"


def test_backups(data, tmp_path, monkeypatch):
    def make(folder):
        folder.mkdir()
        return Saved(folder, data)

    assert every_failure(tmp_path / "all", make, monkeypatch) > 20


def test_restoring(data, tmp_path, monkeypatch):
    back_up(data, tmp_path / "backup")

    def make(folder):
        folder.mkdir()
        return Restored(folder, tmp_path / "backup")

    assert every_failure(tmp_path / "all", make, monkeypatch) > 50


def test_plans_of_contests(tmp_path, monkeypatch):
    def make(folder):
        folder.mkdir()
        return Planned(folder)

    assert every_failure(tmp_path / "all", make, monkeypatch) > 20


@pytest.mark.parametrize("name", ["fsync", "sync_folder"])
def test_what_is_not_synced_is_found(tmp_path, monkeypatch, name):
    """Planted fault: a file or a folder is no longer synced."""

    class Careless:
        def __getattr__(self, wanted):
            return (lambda *_: None) if wanted == "fsync" else getattr(os, wanted)

    if name == "fsync":
        monkeypatch.setattr(append_file, "os", Careless())
    else:
        monkeypatch.setattr(append_file, "sync_folder", lambda _: None)

    def make(folder):
        folder.mkdir()
        return Live(folder)

    with pytest.raises(AssertionError, match=r"is lost|cut short"):
        every_failure(tmp_path / "all", make, monkeypatch)


@pytest.mark.thorough
def test_the_journals_of_a_live_game_and_its_match(tmp_path, monkeypatch):
    def make(folder):
        folder.mkdir()
        return Live(folder)

    assert every_failure(tmp_path / "all", make, monkeypatch) > 100
