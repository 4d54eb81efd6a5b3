"""Which games count for a ladder, who their players are, and that a ladder equals ``rate`` on their records."""

import random
import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_index import kept_up
from played_games import SMALL, Played, setup_of
from sqlalchemy import select

from hinterland import catalog
from hinterland.contest.rated_records import RatedRecords
from hinterland.evidence.plackett_luce import rate_tally
from hinterland.ladder.calculation import build_ladder, compute_ladder
from hinterland.ladder.played_matches import keep_busiest_players
from hinterland.storage import records
from hinterland.storage.game_setup import Seat, hash_key
from hinterland.storage.identities import (
    Identity,
    PlayerKind,
    identify_entrant,
    identify_seat,
    operator_proof,
    spec_proof,
)
from hinterland.storage.index import listing
from hinterland.storage.index.listing import GameFilter
from hinterland.storage.index.tables import GAMES
from more_of_the_same import first_shows

WORDS = "2 stones · spacing 1 · 6 × 6"
HIGH, LOW = (catalog.game("gravity").levels[number] for number in (4, 1))
REPLY, MIRROR = Seat("program", HIGH.spec), Seat("program", LOW.spec)


def person(name, browser=None):
    return Seat("person", name, hash_key(browser or name))


ANN, BOB = person("Ann"), person("Bob")
NAMED, SEATED = Seat("bot", "robo", operator_proof("robo")), Seat("bot", "search-2", spec_proof(HIGH.spec))


def counts(archive, url):
    """Return the ids of the games that count."""
    counted = select(GAMES.c.id).where(GAMES.c.rated.is_not(None))
    with kept_up(archive, url) as index:
        return set(index.query(lambda connection: connection.scalars(counted).all()))


def play(archive, *seats, plies=4, **others):
    """Play ``plies`` moves of a game."""
    game = Played(archive, setup_of(seats=seats, **others))
    for _ in range(plies):
        game.move()
    if game.game.ending is not None:
        game.close()
    return game


def test_a_game_that_was_played_to_its_end_counts(archive, url):
    pairs = [(ANN, REPLY), (ANN, BOB), (ANN, NAMED), (NAMED, SEATED), (ANN, SEATED)]
    whole = {play(archive, *pair).setup.id for pair in pairs}
    given_up = play(archive, ANN, REPLY, plies=2).resign(0).id
    four = msgspec.structs.replace(SMALL, players=3, stones=1)
    melee = play(archive, ANN, BOB, REPLY, plies=3, rules=four).setup.id
    assert counts(archive, url) == {*whole, given_up, melee}


def test_what_excludes_a_game(archive, url):
    play(archive, ANN, person("Kim", "Ann"))  # two guests in one browser
    play(archive, ANN, person("ann", "Ann"), seed=1)  # one guest twice: another case of letters, but the same browser
    play(archive, ANN, Seat("person", "Bob"))  # a browser that sent no cookie
    play(archive, person("Player 1"), REPLY)  # a default name
    play(archive, person("Spieler 2"), REPLY)
    play(archive, ANN, Seat("bot", "reply"))  # a bot that names itself
    play(archive, REPLY, MIRROR)  # the maker of the game chose its players
    play(archive, ANN, REPLY, is_casual=True)
    play(archive, ANN, REPLY, plies=1).close()  # it goes on
    play(archive, ANN, REPLY, plies=1).resign(1)  # left before its first move
    play(archive, ANN, REPLY, plies=2).void()
    helped = play(archive, ANN, REPLY, plies=2)
    helped.help()
    helped.finish()
    regretted = play(archive, ANN, REPLY, plies=3)
    regretted.take_back(2)
    regretted.finish()
    assert counts(archive, url) == set()


def test_each_player_has_a_page_of_its_own(archive, url):
    other_ann = person("Ann", "another browser")
    for number, (one, two) in enumerate([(ANN, REPLY), (other_ann, REPLY), (ANN, other_ann), (ANN, SEATED)]):
        play(archive, one, two, seed=number)
    slugs = {seat: identify_seat(seat).slug for seat in (ANN, other_ann, REPLY, SEATED)}
    assert slugs[REPLY] == slugs[SEATED]
    assert len(set(slugs.values())) == 3
    with kept_up(archive, url) as index:
        games = {seat: index.query(listing.list_games, GameFilter(slug=slug), None, 9) for seat, slug in slugs.items()}
        assert [len(games[seat]) for seat in (ANN, other_ann, REPLY)] == [3, 2, 3]
        assert index.query(listing.find_player, slugs[other_ann]) == Identity(PlayerKind.GUEST, "Ann")
        assert index.query(listing.find_player, "ann-000000000000") is None
        assert {card.pages for card in games[other_ann]} == {
            (slugs[other_ann], slugs[REPLY]), (slugs[ANN], slugs[other_ann])
        }  # fmt: skip


@given(st.text(max_size=10_000), st.sampled_from(PlayerKind), st.text(max_size=70))
def test_every_name_has_a_harmless_address(name, kind, proof):
    slug = Identity(kind, name, proof).slug
    assert slug.isascii()
    assert slug.replace("-", "").isalnum()
    assert len(slug) <= 37
    assert slug == Identity(kind, name, proof).slug
    assert slug != Identity(kind, name + "x", proof).slug
    assert slug != Identity(kind, name, proof + "x").slug


def test_players_of_contests_are_theirs_alone_unless_they_are_of_the_house():
    own, other = (identify_entrant(contest, "robo", "cmd:./robo", ["reply"]) for contest in ("spring", "autumn"))
    assert own.slug != other.slug
    house = identify_entrant("spring", "strong", "reply:x=1", ["reply"])
    assert house == Identity(PlayerKind.HOUSE, "reply:x=1")


def evening(archive, seed):
    """Play many games of many kinds; return the records that count, by what tells them apart, and the slugs by name."""
    rng = random.Random(seed)
    seats = [person(name) for name in ("Ann", "Bob", "Cas", "Dan")] + [REPLY, MIRROR, NAMED]
    counted = set()
    for number in range(60):
        one = rng.choice(seats[:4])
        pair = rng.sample([one, rng.choice([seat for seat in seats if seat != one])], 2)
        kind, started = rng.randrange(5), f"2026-05-01T10:{number:02d}:00+00:00"
        if kind == 0:
            play(archive, *pair, plies=2, seed=number, started=started).resign(rng.randrange(2))
        elif kind == 1:
            game = play(archive, *pair, plies=1, seed=number, started=started)
            game.help()
            game.finish()
            continue
        elif kind == 2:
            for game in (1, 2):
                at_table = {"table": f"T{number}", "number": game}
                setup = setup_of(seats=pair, seed=number, started=started, **at_table)
                Played(archive, setup).finish(rng.randrange(10_000))
                pair.reverse()
        else:
            Played(archive, setup_of(seats=pair, seed=number, started=started)).finish(rng.randrange(10_000))
        counted.add(number)
    return counted, {seat.name: identify_seat(seat).slug for seat in seats}


@pytest.mark.parametrize("seed", first_shows(*range(3)))
def test_a_ladder_is_what_rate_makes_of_the_records_of_its_games(archive, url, seed):
    counted, slugs = evening(archive, seed)
    oracle, seen = RatedRecords(), set()
    for _, record in records.read(archive.records.path):
        course = (record.players, record.movers, record.moves)
        if record.seed in counted and course not in seen:
            seen.add(course)
            named = tuple(slugs[name] for name in record.players)
            oracle.add(msgspec.structs.replace(record, players=named))
    tally = oracle.finish()
    expected = rate_tally(tally)
    with kept_up(archive, url) as index:
        ladder = compute_ladder(index.url, "gravity", WORDS)
    assert (ladder.games, ladder.matches) == (tally.games, tally.matches)
    assert set(ladder.players) == set(tally.names)
    levels = {identify_seat(REPLY).slug: HIGH.elo, identify_seat(MIRROR).slug: LOW.elo}
    at = {name: number for number, name in enumerate(tally.names)}
    apart = sum(tally.standings[at[slug]].matches * (elo - expected.elo[at[slug]]) for slug, elo in levels.items())
    assert ladder.shift == pytest.approx(apart / sum(tally.standings[at[slug]].matches for slug in levels))
    for slug, player in ladder.players.items():
        number, standing = at[slug], tally.standings[at[slug]]
        own = (player.elo, player.low, player.high)
        theirs = (expected.elo[number], expected.low[number], expected.high[number])
        assert own == pytest.approx([value + ladder.shift for value in theirs])
        assert (player.games, player.won, player.matches) == (standing.games, standing.games_won, standing.matches)
        assert sum(met.won for met in player.meetings) == player.won  # all games are games of two
        assert sum(met.lost for met in player.meetings) == player.lost
        assert sum(met.drawn for met in player.meetings) == player.drawn
        for met in player.meetings:
            back = next(one for one in ladder.players[met.rival].meetings if one.rival == slug)
            assert (back.won, back.drawn, back.lost) == (met.lost, met.drawn, met.won)
        last = player.history[-1]
        assert (last.elo, last.low, last.high) == own
        assert all(point.low <= point.elo <= point.high for point in player.history)


def test_a_game_that_repeats_another_counts_once_however_often_it_is_played(archive, url):
    for number in range(5):
        play(archive, ANN, REPLY, seed=number)
    play(archive, REPLY, ANN)
    with kept_up(archive, url) as index:
        ladder = index.query(build_ladder, "gravity", WORDS)
    assert ladder.games == 2
    assert {player.games for player in ladder.players.values()} == {2}
    assert all(player.is_provisional for player in ladder.players.values())


def test_who_has_met_nobody_of_the_others_stands_apart(archive, url):
    for number in range(14):
        Played(archive, setup_of(seats=(ANN, REPLY), seed=number)).finish(number)
    cas, dan = person("Cas"), person("Dan")
    Played(archive, setup_of(seats=(cas, dan))).finish()
    with kept_up(archive, url) as index:
        ladder = index.query(build_ladder, "gravity", WORDS)
    apart = {slug for slug, player in ladder.players.items() if player.is_apart}
    assert apart == {identify_seat(cas).slug, identify_seat(dan).slug}
    assert list(ladder.players)[-2:] == sorted(apart, key=lambda slug: -ladder.players[slug].elo)


def test_nobody_has_played(archive, url):
    with kept_up(archive, url) as index:
        assert index.query(build_ladder, "gravity", WORDS).players == {}
        assert index.query(listing.count_rated_games) == {}


def test_of_too_many_players_those_who_play_most_are_rated():
    class Match:
        def __init__(self, *players):
            self.players = players

    matches = [Match("a", "b")] * 3 + [Match("b", "c")] * 2 + [Match("c", "d")]
    kept, left_out = keep_busiest_players(matches, 3)
    assert (kept, left_out) == (matches[:5], 1)
    assert keep_busiest_players(matches, 4) == (matches, 0)


def test_thousands_of_players_are_rated_within_a_minute():
    """The cost of a fit is bounded for all results."""
    from hinterland.evidence.tally import GameResult, MatchResult, Tally

    rng = random.Random(1)
    tally = Tally([f"p{number}" for number in range(500)])
    for number in range(5000):
        one, two = rng.sample(range(500), 2)
        tally.add(MatchResult((GameResult((one, two), rng.choice([(0, 1), (1, 0)]), (1, 1), (), number + 1),)))
    began = time.monotonic()
    found = rate_tally(tally, times=0)
    assert time.monotonic() - began < 60
    assert (found.low <= found.elo).all()
    assert (found.elo <= found.high).all()
