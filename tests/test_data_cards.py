"""Published data: every file has its card, and matches it."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from hinterland import catalog
from hinterland.cli import run
from hinterland.contest import matches
from hinterland.contest.folder import UnsavedContest
from hinterland.contest.plan_file import read
from hinterland.referee import verification
from hinterland.storage import records
from more_of_the_same import first_shows

ROOT = Path(__file__).parents[1]
LEVELS = ROOT / "docs" / "levels"
PUBLISHED = ("src/hinterland/**/*.gz", "docs/levels/*/*", "docs/research/data/*")
REPEATED = 3
"""Matches of each contest that are played again."""


def cards():
    """Return the cards of the page by title, each with its rows by name."""
    text = (ROOT / "docs" / "data.md").read_text().partition("## Data cards\n")[2]
    parts = [part.partition("\n") for part in text.split("\n### ")[1:]]
    return {title: dict(re.findall(r"^\| ([^|`-][^|]*) \| (.+) \|$", rest, re.MULTILINE)) for title, _, rest in parts}


def test_every_file_is_the_one_that_its_card_speaks_of():
    page = (ROOT / "docs" / "data.md").read_text()
    told = dict(re.findall(r"^\| `(\S+)` \| `(\w{64})` \|$", page, re.MULTILINE))
    files = {file for pattern in PUBLISHED for file in ROOT.glob(pattern)}
    assert told == {file.relative_to(ROOT).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_every_card_says_what_it_is_and_how_it_was_made():
    found = cards()
    checksums = found.pop("Checksums")
    assert checksums.pop("file") == "checksum"
    assert not checksums
    assert len(found) >= 4
    for card in found.values():
        assert {"what", "how made"} <= set(card)
        assert re.search(r"`[^`]*\b(hinterland|python -m) ", card["how made"]), "a command"


@pytest.mark.jit
@pytest.mark.once
@pytest.mark.parametrize("name", first_shows(*catalog.GAMES))
def test_games_of_a_contest_are_those_of_its_plan(name):
    pytest.importorskip("pyarrow")
    plan = read(LEVELS / f"{name}-players")[0]
    tasks = {task.place: task for task in UnsavedContest(plan, None, lambda _: None).played.missing()}
    kept = {(one.contest, one.number): one for _, one in records.read(LEVELS / f"{name}-players" / "games.parquet")}
    assert kept.keys() == {(place, game + 1) for place, task in tasks.items() for game in task.missing}
    for one in kept.values():
        verification.verify(one)
    repeatable = [task for task in tasks.values() if not any("seconds" in spec for spec in task.players)]
    for task in repeatable[:: len(repeatable) // REPEATED]:
        for one in matches.play_task(task):
            assert one.crc == kept[one.contest, one.number].crc, "of all but the times"


@pytest.mark.jit
@pytest.mark.once
@pytest.mark.parametrize("name", catalog.GAMES)
def test_tables_of_levels_are_those_of_the_games(name, capsys):
    pytest.importorskip("pyarrow")
    assert run(["rate", str(LEVELS / f"{name}-players" / "games.parquet"), "--json"]) == 0
    rows = [
        f"| {one['name']} | {one['elo']:.0f} | {one['low']:.0f} to {one['high']:.0f} | {one['points']:.1f} | "
        f"{100 * one['share']:.1f} % |\n"
        for one in json.loads(capsys.readouterr().out)["players"]
    ]
    assert "".join(rows) in (ROOT / "docs" / "levels.md").read_text()
