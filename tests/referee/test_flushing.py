"""Players that forget to flush their output are asked about it, in Python as in compiled languages."""

import asyncio
import shutil
import subprocess
import sys

import pytest

from hinterland.cli import run
from hinterland.errors import ArenaError
from hinterland.host.players import program_player, remote_player
from referee_clients import SMALL, HpsPlayer, Table, list_departures, make_admission, make_plan, play_verified_match

DOUBT = "does it flush its output?"
PYTHON = """
import json, sys

flushes = sys.argv[1]
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print('{"type":"join","name":"python"}', flush=flushes != "never")
    elif told["type"] == "turn":
        taken = [move[:2] for _, move in told["moves"]]
        cells = ((row, col) for row in range(12) for col in range(12))
        near = lambda cell: any((cell[0] - row) ** 2 + (cell[1] - col) ** 2 < 9 for row, col in taken)
        answer = {"type": "move", "game_id": told["game_id"], "turn": told["turn"]}
        answer["move"] = next(cell for cell in cells if not near(cell))
        print(json.dumps(answer), flush=flushes == "always" or (flushes == "first moves" and len(taken) < 2))
"""
C = r"""
#include <stdio.h>
#include <string.h>
int main(int count, char **words) {
    static char line[1 << 16];
    printf("{\"type\":\"join\",\"name\":\"c\"}\n");
    if (count > 1) fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        if (strstr(line, "\"type\":\"turn\"")) printf("%s\n", words[0]);
    return 0;
}
"""
JAVA = """
import java.io.*;
import java.net.*;

public class Unflushed {
    public static void main(String[] words) throws IOException {
        Socket socket = new Socket(words[0], Integer.parseInt(words[1]));
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        PrintWriter out = new PrintWriter(socket.getOutputStream());
        in.readLine();
        out.println("java");
        if (words.length > 2) out.flush();
        while (in.readLine() != null) out.println("0 0");
    }
}
"""


def c_program(folder):
    compiler = shutil.which("gcc") or pytest.skip("gcc is missing")
    (folder / "bot.c").write_text(C)
    subprocess.run([compiler, "-o", folder / "bot", folder / "bot.c"], check=True)
    return f"cmd:{folder / 'bot'}"


def python_program(folder, flushes):
    (folder / "bot.py").write_text(PYTHON)
    return f"cmd:{sys.executable} {folder / 'bot.py'} '{flushes}'"


def java_program(folder, *words):
    compiler = shutil.which("javac") or pytest.skip("javac is missing")
    (folder / "Unflushed.java").write_text(JAVA)
    subprocess.run([compiler, "-d", folder, folder / "Unflushed.java"], check=True)
    return f"hps:java -cp {folder} Unflushed {{host}} {{port}} {' '.join(words)}"


def refused(spec):
    with pytest.raises(ArenaError) as refusal:
        play_verified_match([spec, "random"], make_plan(SMALL).config)
    return str(refusal.value)


def first_detail(spec, clock_ms=500):
    records, _ = play_verified_match([spec, "random"], make_plan(SMALL, clock_ms=clock_ms).config)
    assert list_departures(records)[0] == [("p0", "time")]
    return records[0].departures[0].detail


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(program_player, "START_TIMEOUT_S", 2.0)
    monkeypatch.setattr(remote_player, "LATE_REPLY_S", 0.2)


def test_a_program_in_python_that_never_flushes_is_asked(tmp_path):
    assert f"did not introduce itself within 2 s; {DOUBT} it must read lines of JSON" in refused(
        python_program(tmp_path, "never")
    )


def test_a_program_in_c_that_never_flushes_is_asked(tmp_path):
    assert f"did not introduce itself within 2 s; {DOUBT}" in refused(c_program(tmp_path))


@pytest.mark.thorough
def test_a_program_in_java_that_does_not_flush_its_socket_is_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(program_player, "START_TIMEOUT_S", 6.0)
    assert f"did not connect and introduce itself within 6 s; {DOUBT}" in refused(java_program(tmp_path))


@pytest.mark.parametrize("language", ["python", "c", "java"])
def test_so_is_one_that_flushes_its_name_and_no_move(language, tmp_path, monkeypatch):
    monkeypatch.setattr(program_player, "START_TIMEOUT_S", 20.0)
    match language:
        case "python":
            spec = python_program(tmp_path, "its name")
        case "c":
            spec = f"{c_program(tmp_path)} flush"
        case _:
            spec = java_program(tmp_path, "flush")
    assert first_detail(spec).endswith(f"s into its move; {DOUBT}")


@pytest.mark.thorough
def test_one_that_has_moved_before_is_late_without_a_request(tmp_path):
    assert first_detail(python_program(tmp_path, "first moves"), 3000).endswith("s into its move")


def test_one_that_reads_nothing_or_stands_still_is_not_asked(tmp_path):
    (tmp_path / "bot.py").write_text("import time; time.sleep(600)")
    assert DOUBT not in refused(f"cmd:{sys.executable} {tmp_path / 'bot.py'}")


def test_check_bot_asks_too(tmp_path, capsys):
    arguments = ["--game", "gravity", "--size", "12", "--spacing", "3", "--stones", "2", "--clock", "1", "--hello", "2"]
    assert run(["check-bot", python_program(tmp_path, "never"), *arguments]) == 1
    assert f"it did not introduce itself within 2 s; {DOUBT}" in capsys.readouterr().out
    assert run(["check-bot", python_program(tmp_path, "its name"), *arguments]) == 1
    assert DOUBT in capsys.readouterr().out


def test_a_client_over_the_network_is_asked_too():
    async def matched():
        async with Table(make_plan(SMALL, clock_ms=200, admission=make_admission(late_reply_s=0.1))) as table:
            await table.sit("silent")
            player = HpsPlayer(await table.sit("ben"), SMALL)
            await player.play()
            await table.done()
            return table.verified()

    assert asyncio.run(matched())[0].departures[0].detail.endswith(f"s into its move; {DOUBT}")
