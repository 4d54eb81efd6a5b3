"""The sample clients against the real referee, as anyone would start them."""

import contextlib
import re
import subprocess
import sys
import threading

import pytest
from small_referee import PATIENCE_S

from hinterland.referee import record, verification
from more_of_the_same import first_shows

PAIRS = [
    ("hps", "python hps", "java hps", []),
    ("hps", "cpp hps", "python hps", ["--weight", "40"]),
    ("json", "python json", "javascript json", []),
    ("json", "javascript json", "python json", ["--weight", "40", "--law", "nearest"]),
]
BOARD = {"--size": "12", "--spacing": "3"}


@contextlib.contextmanager
def running(command, **options):
    """Run a program; it is killed when it takes too long, and in the end in any case."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options) as process:
        timer = threading.Timer(PATIENCE_S * 2, process.kill)
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            process.kill()


def wait_for(process, pattern):
    """Read what a program says on standard error until it says this; return the match."""
    said = []
    for line in process.stderr:
        said.append(line)
        if found := re.search(pattern, line):
            return found
    raise AssertionError(f"{pattern} was never said: {said}")


def words(options):
    return [word for option in options.items() for word in option]


@pytest.mark.parametrize(("protocol", "first", "second", "more"), first_shows(*PAIRS))
def test_two_clients_play_a_match(protocol, first, second, more, command_of, tmp_path):
    kept = tmp_path / "games.jsonl"
    asked = ["--players", "2", "--port", "0", "--protocol", protocol, "--stones", "3", *words(BOARD), *more]
    start = [sys.executable, "-m", "hinterland", "referee", "gravity", *asked, "--record", str(kept)]
    with running(start) as referee, contextlib.ExitStack() as players:
        port = wait_for(referee, r"127\.0\.0\.1:(\d+)")[1]
        told = words(BOARD) if protocol == "hps" else []
        started = []
        for client, name in ((first, "mia"), (second, "ben")):
            command = [*command_of(client), "127.0.0.1", port, name, *told]
            started.append(players.enter_context(running(command)))
            wait_for(referee, rf"is {name}\b")
        assert [player.wait(PATIENCE_S) for player in started] == [0, 0]
        assert referee.wait(PATIENCE_S) == 0, referee.stderr.read()
        assert [player.stderr.read().count("scores are") for player in started] == [2, 2]
    games = [record.read_line(line) for line in kept.read_text().splitlines()]
    assert [game.players for game in games] == [("mia", "ben"), ("ben", "mia")]
    for game in games:
        verification.verify(game)
        assert game.reason == "complete"
        assert game.departures == ()
