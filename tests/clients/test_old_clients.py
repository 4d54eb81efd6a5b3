"""Clients that behave as the courses' own do: no game is lost that the course would not have taken."""

import asyncio
import shlex
import subprocess
from collections import Counter

import pytest

from hinterland.gravity import Rules
from hinterland.host.specs import play_match
from referee_clients import PATIENCE_S, AdmissionLimits, Log, Table, make_admission, make_plan

LANGUAGES = ["python", "java", "cpp", "javascript"]
MANNERS = ["bare", "forgetful", "slow", "extra"]
"""Without line ends; forgets its own stones; reads again only some time after its last stone; says more than asked."""
NAP_S, PAUSE_S = 0.1, 0.4
BOARD = {"size": 30, "spacing": 2}
every_language = pytest.mark.parametrize("language", LANGUAGES)
pytestmark = pytest.mark.jit  # whole matches of four on a board that plain Python judges too slowly for their clocks


async def matched(command, manners, rules, admission, clock_ms=20_000, nap_s=NAP_S):
    """Play a match between old clients, one a manner; return its records and what the observer heard."""
    async with Table(make_plan(rules, illegal=None, admission=admission, clock_ms=clock_ms)) as table:
        words = ["127.0.0.1", str(table.port), str(rules.size), str(rules.spacing)]
        running = []
        for count, manner in enumerate(manners, start=1):
            argv = [*command, *words, manner, str(nap_s)]
            running.append(await asyncio.create_subprocess_exec(*argv, stderr=subprocess.PIPE))
            await table.log.until("came", count)
        async with asyncio.timeout(3 * PATIENCE_S):
            await asyncio.shield(table.task)
            said = [(await process.communicate())[1] for process in running]
        assert [process.returncode for process in running] == [0] * len(manners), said
        return table.verified(), table.log


def played(*arguments, **options):
    records, log = asyncio.run(matched(*arguments, **options))
    assert [(kept.reason, kept.departures) for kept in records] == [("complete", ())] * len(records)
    return records, Counter(game.names[effect.seat] for game, effect, _ in log.all("Refused"))


@pytest.mark.thorough
@every_language
@pytest.mark.parametrize("stones", [3, 10])
def test_four_old_clients_play_a_whole_match(language, stones, old_client):
    rules = Rules(players=4, stones=stones, **BOARD)
    records, refused = played(old_client(language), MANNERS, rules, make_admission(pause_s=PAUSE_S))
    assert [len(kept.moves) for kept in records] == [4 * stones] * 4
    assert set(refused) <= {"old forgetful"}
    assert refused or stones == 3, "who forgets its stones was asked again"


@every_language
@pytest.mark.parametrize("stones", [3, pytest.param(10, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("manners", [("bare", "extra"), ("slow", "forgetful")], ids=" and ".join)
def test_two_old_clients_play_a_whole_match(language, stones, manners, old_client):
    records, _ = played(old_client(language), manners, Rules(stones=stones, **BOARD), make_admission(pause_s=PAUSE_S))
    assert [len(kept.moves) for kept in records] == [2 * stones] * 2


@every_language
@pytest.mark.parametrize(("stones", "weight"), [(3, 40), pytest.param(10, 40, marks=pytest.mark.thorough)])
def test_a_weight_of_nothing_counts_as_one(language, stones, weight, old_client):
    rules = Rules(stones=stones, weight=weight, **BOARD)
    records, _ = played(old_client(language), ("zero", "extra"), rules, make_admission(pause_s=PAUSE_S))
    for kept in records:
        assert len(kept.moves) == 2 * stones
        assert {(*numbers, 1)[2] for numbers in kept.moves} == {1}


def test_a_client_that_reads_again_after_a_second_and_a_half_plays_under_the_usual_pause(old_client):
    records, _ = played(old_client("python"), ("slow", "bare"), Rules(stones=3, **BOARD), AdmissionLimits(), nap_s=1.5)
    assert len(records) == 2


def test_without_a_pause_who_reads_two_packets_as_one_misses_a_request(old_client):
    """The fault that the pause is for: here it costs the game on time."""
    rules = Rules(stones=3, **BOARD)
    command, admission = old_client("python"), make_admission(pause_s=0, late_reply_s=0.1)
    records, _ = asyncio.run(matched(command, ("plain", "slow"), rules, admission, clock_ms=1500))
    assert [[left.reason for left in kept.departures] for kept in records] == [[], ["time"]]


@every_language
def test_old_clients_are_started_as_players(language, old_client):
    rules = Rules(stones=3, **BOARD)
    where = shlex.join([*old_client(language), "{host}", "{port}", "30", "2"])
    specs = [f"hps:{where} forgetful 0", f"hps:{where} bare 0"]
    log = Log()
    config = make_plan(rules, illegal=None).config
    records = asyncio.run(play_match(config, specs, ["one", "two"], log))
    assert [(kept.reason, kept.departures) for kept in records] == [("complete", ())] * 2
    assert log.all("went") == []
