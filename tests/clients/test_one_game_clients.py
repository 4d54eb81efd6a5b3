"""Clients of October 2017, which play one game and hang up: the greater area wins, whatever the order of hanging up."""

import asyncio
import subprocess

import pytest

from hinterland.gravity import Rules
from hinterland.host import live_match
from referee_clients import PATIENCE_S, Table, make_admission, make_plan

LANGUAGES = ["python", "java", "cpp", "javascript"]
LEAVING_S = 1.5


async def matched(commands, rules, naps):
    """Let clients play that hang up so long after their first game, in the order of connecting."""
    async with Table(make_plan(rules, illegal=None, admission=make_admission(pause_s=0.2))) as table:
        running = []
        words = ["127.0.0.1", str(table.port), str(rules.size), str(rules.spacing), "once"]
        for count, (command, nap) in enumerate(zip(commands, naps, strict=True), start=1):
            argv = [*command, *words, str(nap)]
            running.append(await asyncio.create_subprocess_exec(*argv, stderr=subprocess.PIPE))
            await table.log.until("came", count)
        async with asyncio.timeout(3 * PATIENCE_S):
            await asyncio.shield(table.task)
            said = [(await process.communicate())[1] for process in running]
        assert [process.returncode for process in running] == [0] * len(commands), said
        return table.verified(), table.log.results[0]


def assert_greater_area_wins(records, result, unplayed):
    game = next(kept for kept in records if kept.reason != "void")
    assert [kept.reason for kept in records if kept is not game] in ([], ["void"])
    assert (game.reason, game.departures) == ("complete", ())
    best = max(game.scores)
    assert result.winners == tuple(name for name, score in zip(game.players, game.scores, strict=True) if score == best)
    assert {player.name: player.scores for player in result.players} == {
        name: (score,) for name, score in zip(game.players, game.scores, strict=True)
    }
    assert result.unplayed.startswith(unplayed)


@pytest.mark.parametrize("naps", [(0, 0.5), (0.5, 0), (0, 1.0)], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_greater_area_wins_in_either_order_of_hanging_up(language, naps, old_client, monkeypatch):
    monkeypatch.setattr(live_match, "OTHERS_LEAVING_S", LEAVING_S)
    rules = Rules(size=30, stones=3, spacing=2)
    records, result = asyncio.run(matched([old_client(language)] * 2, rules, naps))
    assert_greater_area_wins(records, result, "game 2 was not played: old once")


@pytest.mark.parametrize("naps", [(0, 0.5, 1.0), (1.0, 0.5, 0), (0.5, 0, 0)], ids=str)
def test_three_of_them_in_three_languages(naps, old_client, monkeypatch):
    monkeypatch.setattr(live_match, "OTHERS_LEAVING_S", LEAVING_S)
    rules = Rules(size=30, stones=3, spacing=2, players=3)
    commands = [old_client(language) for language in ("python", "cpp", "javascript")]
    records, result = asyncio.run(matched(commands, rules, naps))
    assert_greater_area_wins(records, result, "games 2, 3 were not played: old once")
