"""The game on graphs over the JSON protocol: the sample client, over TCP and over pipes, against built-in players."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from hinterland.cli import run
from hinterland.graph import boards
from hinterland.graph.game import GAME
from hinterland.host.live_match import MatchConfig
from hinterland.host.match_host import HostConfig
from hinterland.referee import record, verification
from hinterland.referee.clock import TimeControl
from referee_clients import PATIENCE_S, Table, make_admission

SAMPLE = Path(__file__).parents[2] / "clients" / "python" / "graph_client.py"
ROAD = boards.road(vertices=24, seed=3, tokens=3)
CONTROL = TimeControl(budget_ms=60_000)


async def play_over_tcp(rules, clients, house=()):
    config = MatchConfig(rules=rules, control=CONTROL, seed=1)
    async with Table(
        HostConfig(config=config, protocol="json", own_players=house, admission=make_admission())
    ) as table:
        command = [sys.executable, str(SAMPLE), "127.0.0.1", str(table.port)]
        running = [
            await asyncio.create_subprocess_exec(*command, f"mia{number}", stderr=subprocess.PIPE)
            for number in range(clients)
        ]
        async with asyncio.timeout(3 * PATIENCE_S):
            said = await asyncio.gather(*(process.communicate() for process in running))
        await table.done()
        assert [process.returncode for process in running] == [0] * clients, said
        return table.log.records


@pytest.mark.parametrize(
    ("rules", "clients", "house"),
    [
        (ROAD, 1, ("gain",)),
        (ROAD, 2, ()),
        (boards.grid(rows=5, cols=5, tokens=2, players=3), 2, ("random",)),
        (boards.sparse(vertices=14, density=0.02, tokens=7), 1, ("greedy",)),
    ],
    ids=["against gain", "two of them", "three on a grid of ties", "until the board is full"],
)
def test_the_sample_plays_whole_matches_over_tcp(rules, clients, house):
    records = asyncio.run(play_over_tcp(rules, clients, house))
    assert [kept.reason for kept in records] == ["complete"] * rules.players
    for kept in records:
        verification.verify(record.read_line(record.to_line(kept)))


def test_the_sample_chooses_what_gain_chooses():
    """Both take the vertex of greatest swing, the first of equals: sample against gain is gain against gain."""
    sampled = asyncio.run(play_over_tcp(ROAD, 1, ("gain",)))
    position = ROAD.start()
    while position.to_move is not None:
        position = position.play(GAME.players["gain"]().choose(position, None, None))
    assert all(tuple(kept.moves) == tuple(sampled[0].moves) for kept in sampled)
    assert [tuple(move) for move in sampled[0].moves] == [move.numbers for _, move in position.moves]


def test_the_sample_plays_over_pipes_and_the_record_verifies(tmp_path, capsys):
    file = tmp_path / "match.jsonl"
    bot = f"cmd:{sys.executable} {SAMPLE}"
    board = ["--board", "road", "--vertices", "24", "--board-seed", "3", "--tokens", "3"]
    assert run(["match", "graph", bot, "gain", *board, "--seed", "1", "--record", str(file)]) == 0
    told = capsys.readouterr().out
    assert "24 vertices" in told
    assert run(["verify", str(file)]) == 0
    kept = [record.read_line(line) for line in file.read_bytes().splitlines()]
    assert [one.reason for one in kept] == ["complete", "complete"]


def test_check_bot_passes_the_sample(capsys):
    command = ["check-bot", f"cmd:{sys.executable} {SAMPLE}", "--game", "graph", "--vertices", "24", "--tokens", "3"]
    assert run(command) == 0, capsys.readouterr().out
