"""Records on a disk that can fail at every call and lose power at any moment: reported ones are there exactly once."""

import contextlib
import random

import msgspec
import pytest
from simulated_disk import Disk

import judged_games as games
from hinterland.errors import HinterlandError
from hinterland.referee import record
from hinterland.storage import append_file
from hinterland.storage.archive import Records
from hinterland.storage.records import RecordFile, read
from more_of_the_same import first_shows

SCHEDULES = 5000
PARTS = 8


@pytest.fixture(scope="module")
def some():
    """Records that all differ."""
    one = games.make_record(games.play_choices(games.SMALL[2], []).game)
    return [record.sealed(msgspec.structs.replace(one, seed=number)) for number in range(24)]


def one_life(chance, file, waiting, told):
    """Open a file of records and add to it, also after failures, until the writer ends.

    A record that could not be added is not tried again, since it may be there; whoever tries again must look first.
    """
    with contextlib.suppress(HinterlandError), RecordFile(file) as kept:
        while waiting and chance.random() > 0.15:
            count = chance.choice((1, 1, 1, 3))
            now, waiting[:count] = waiting[:count], []
            with contextlib.suppress(HinterlandError):
                kept.add_all(now)
                told += now


def check(file, told):
    """After a restart every line is a record, and each reported record is there once."""
    with RecordFile(file):
        pass
    there = [one.seed for _, one in read(file)] if file.stat().st_size else []
    assert len(set(there)) == len(there), "twice"
    assert {one.seed for one in told} <= set(there), "lost"
    assert [seed for seed in there if seed in {one.seed for one in told}] == [one.seed for one in told]


@pytest.mark.parametrize("part", first_shows(*range(PARTS)))
def test_what_was_told_is_there_once_and_whole(part, some, tmp_path, monkeypatch):
    faults = losses = 0
    for number in range(part, SCHEDULES, PARTS):
        chance = random.Random(number)
        folder = tmp_path / str(number)
        folder.mkdir()
        file, waiting, told = folder / "records.jsonl", list(some), []
        while waiting:
            disk = Disk(chance, folder, chance.choice((0, 0.02, 0.1, 0.3)))
            monkeypatch.setattr(append_file, "os", disk)
            one_life(chance, file, waiting, told)
            faults += disk.failed
            if chance.random() < 0.5:
                losses += 1
                disk.lose_power()
            monkeypatch.undo()
            if file.exists() or told:
                check(file, told)
    assert faults > SCHEDULES / PARTS
    assert losses > SCHEDULES / PARTS


def test_who_tries_again_looks_whether_it_is_there(some, tmp_path, monkeypatch):
    """The arena adds the record of each finished game again and again until that succeeds."""
    for number in range(300):
        chance = random.Random(number)
        folder = tmp_path / str(number)
        folder.mkdir()
        wanted = some[:6]
        while wanted:
            disk = Disk(chance, folder, 0.1)
            monkeypatch.setattr(append_file, "os", disk)
            try:
                kept = Records(folder / "records.jsonl")
                while wanted:
                    kept.add(wanted[0], may_be_there=True)
                    wanted = wanted[1:]
            except HinterlandError:
                disk.lose_power()
            monkeypatch.undo()
        assert [one.seed for _, one in read(folder / "records.jsonl")] == [one.seed for one in some[:6]]
