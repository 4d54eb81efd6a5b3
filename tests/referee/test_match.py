"""Matches: rotation, sums, names, and players that fail."""

import msgspec
import pytest

from hinterland import catalog
from hinterland.gravity import Rules, Stone
from hinterland.host import synchronous
from hinterland.referee import judge, match
from hinterland.referee.clock import TimeControl
from hinterland.referee.game_terms import GameTerms

GRAVITY = catalog.game("gravity")


@pytest.mark.parametrize("players", [2, 3, 5])
def test_each_player_starts_once_and_scores_add_up(players):
    rules = Rules(size=12, players=players, stones=1, spacing=2)
    names = match.distinct(["random"] * players)
    made = [catalog.player(GRAVITY, "random")] * players
    kept = []
    records = synchronous.play_match(GameTerms(rules=rules, names=names, seed=1), made, keep=kept.append)
    assert records == kept
    assert [record.players[0] for record in records] == list(names)
    assert sorted(records[1].players) == sorted(names)
    result = match.result("gravity", names, records, None)
    for player in result.players:
        own = [record.scores[record.players.index(player.name)] for record in records]
        assert list(player.scores) == own
        assert player.total == sum(own)
    assert set(result.winners) == {p.name for p in result.players if p.total == max(q.total for q in result.players)}


def test_names_are_told_apart():
    assert match.distinct(["a", "b", "a", "a"]) == ("a", "b", "a#2", "a#3")


class Failing(msgspec.Struct, frozen=True):
    """Fails at its second move."""

    name = "failing"

    def choose(self, position, clock, rng):
        if len(position.moves) > 1:
            raise ZeroDivisionError("by design")
        return position.legal_moves.sample(rng)


class Cheat(msgspec.Struct, frozen=True):
    """Plays outside the board."""

    name = "cheat"

    def choose(self, position, clock, rng):
        return Stone(-1, -1)


@pytest.mark.parametrize(("bad", "verdict"), [(Failing(), "crash"), (Cheat(), "illegal")])
def test_a_player_that_fails_loses_and_the_match_goes_on(bad, verdict):
    rules = Rules(size=12, stones=3, spacing=2)
    seen = []
    records = synchronous.play_match(
        GameTerms(rules=rules, names=("bad", "random"), seed=1), [bad, catalog.player(GRAVITY, "random")],
        watch=lambda number, effect: seen.append((number, effect)),
    )  # fmt: skip
    assert [record.reason for record in records] == [verdict] * 2
    result = match.result("gravity", ("bad", "random"), records, None)
    assert result.winners == ("random",)
    assert result.players[0].departures == 2
    assert sum(isinstance(effect, judge.Ended) for _, effect in seen) == 2


def test_a_player_without_time_loses_on_time():
    class Slow(msgspec.Struct, frozen=True):
        name = "slow"

        def choose(self, position, clock, rng):
            import time

            assert clock.move_ms == 1
            time.sleep(0.005)
            return position.legal_moves.sample(rng)

    rules = Rules(size=12, stones=3, spacing=2)
    random = catalog.player(GRAVITY, "random")
    terms = GameTerms(rules=rules, names=("slow", "random"), clock=TimeControl(budget_ms=None, move_ms=1), seed=1)
    (first, _) = synchronous.play_match(terms, [Slow(), random])
    assert (first.reason, first.winners) == ("time", (1,))
