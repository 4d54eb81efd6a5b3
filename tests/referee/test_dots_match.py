"""Join the dots over the JSON protocol: a program over pipes, which gets the rules and all moves, plays matches."""

import sys
import textwrap

from hinterland.cli import run
from hinterland.referee import record

BOT = textwrap.dedent(
    """
    import json, sys
    from hinterland import dots

    print(json.dumps({"type": "join", "name": "mia"}), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "game":
            rules = dots.Rules.from_json(message["rules"])
        if message["type"] == "turn":
            moves = [(seat, dots.Line(*move)) for seat, move in message["moves"]]
            position = dots.Position.replay(rules, moves)
            assert list(position.scores) == message["scores"]
            assert position.to_move == message["seat"]
            first = next(iter(position.legal_moves))
            answer = {"type": "move", "game_id": message["game_id"], "turn": message["turn"]}
            print(json.dumps({**answer, "move": [first.b, first.a]}), flush=True)
    """
)


def test_a_program_plays_whole_games_of_dots(tmp_path, capsys):
    bot, file = tmp_path / "bot.py", tmp_path / "match.jsonl"
    bot.write_text(BOT)
    board = ["--board", "jittered", "--dots", "9", "--board-seed", "2"]
    players = [f"cmd:{sys.executable} {bot}", "careful"]
    assert run(["match", "dots", *players, *board, "--seed", "1", "--record", str(file)]) == 0, capsys.readouterr()
    assert "9 dots" in capsys.readouterr().out
    assert run(["verify", str(file)]) == 0
    kept = [record.read_line(line) for line in file.read_bytes().splitlines()]
    assert [one.reason for one in kept] == ["complete", "complete"]
    assert all(first < second for one in kept for first, second in one.moves), "either order is understood"
