"""A player in Java with the heap that Java takes by itself: it plays, and where memory ends the verdict names it."""

import asyncio
import shlex
from pathlib import Path

import pytest

from conftest import build, tool
from hinterland.cli import run
from hinterland.graph import Rules
from hinterland.host.live_match import MatchConfig
from hinterland.host.observer import Observer
from hinterland.host.processes.command import ProgramOptions
from hinterland.host.processes.process_limits import ProcessLimits
from hinterland.host.specs import play_match
from hinterland.referee import verification
from hinterland.referee.clock import TimeControl
from more_of_the_same import first_shows
from programs import need_sandbox

SOURCE = Path(__file__).parents[1] / "java" / "GraphBot.java"
RULES = Rules.from_options({"vertices": 20, "tokens": 4, "players": 2}, may_read=False)
CLOCK_MS = 20_000
HEAP = "java.lang.OutOfMemoryError: Java heap space"
MANNERS = {
    "hoards": f"crash: the program ended: exit status 1, out of memory: 'Exception in thread \"main\" {HEAP}'",
    "prints": f"crash: the program ended: exit status 1, out of memory: '{HEAP}'",
    "catches": f"protocol: not JSON: Expecting value at character 1; out of memory: 'cannot go on: {HEAP}'",
    "survives": f"crash: out of memory, and no answer: '{HEAP}'",
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("graph_bot")
    made.chmod(0o755)  # in the sandbox, programs of root are users of their own
    build(tool("javac"), "-Xlint:all", "-Werror", "-d", str(made), str(SOURCE))
    return made


@pytest.fixture(params=[False, True], ids=["bare", "sandbox"])
def is_sandboxed(request):
    if request.param:
        need_sandbox()
    return request.param


def play(folder, *words, options=(), is_sandboxed=False, clock_ms=CLOCK_MS, memory_mib=None):
    """Play a match of the bot against a built-in player; return why it left each game."""
    java = [tool("java"), "-XX:TieredStopAtLevel=1", *options, "-cp", str(folder)]
    spec = "cmd:" + shlex.join([*java, "GraphBot", *words])
    config = MatchConfig(rules=RULES, control=TimeControl(budget_ms=clock_ms), seed=1)
    programs = ProgramOptions(sandbox=is_sandboxed, limits=ProcessLimits.of_memory(memory_mib))
    played = play_match(config, [spec, "random"], ["java", "random"], Observer(), programs=programs)
    records = asyncio.run(played)
    for kept in records:
        verification.verify(kept)
    return [f"{left.reason}: {left.detail}" for kept in records for left in kept.departures]


@pytest.mark.thorough
def test_with_the_default_heap_it_plays_all_games(folder, is_sandboxed):
    assert play(folder, is_sandboxed=is_sandboxed) == []


@pytest.mark.thorough
@pytest.mark.parametrize("manner", first_shows(*MANNERS, shown=2))
def test_who_outgrows_its_own_heap_is_told_so(manner, folder, is_sandboxed):
    clock_ms = 2_000 if manner == "survives" else CLOCK_MS
    left = play(folder, manner, options=["-Xmx40m"], is_sandboxed=is_sandboxed, clock_ms=clock_ms)
    assert left == [MANNERS[manner]] * 2


@pytest.mark.thorough
def test_who_takes_more_than_it_may_is_told_so(folder, is_sandboxed):
    left = play(folder, "hoards", is_sandboxed=is_sandboxed, memory_mib=200)
    words = "crash: the program was ended: it uses more than 200 MiB of memory (--memory sets how much it may)"
    assert left == [words] * 2


def test_a_heap_larger_than_the_machine_is_one_clear_line(folder, capsys):
    spec = "cmd:" + shlex.join([tool("java"), "-Xmx900000g", "-cp", str(folder), "GraphBot"])
    assert run(["match", "graph", spec, "random", "--vertices", "20"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith("out of memory: 'Could not reserve enough space for 943718400000KB object heap'")
