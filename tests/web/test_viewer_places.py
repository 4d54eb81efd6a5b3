"""Nobody who plays is kept out by those who watch: places by address, in a game, in the arena and at the socket."""

import contextlib
import json
import random
import socket
import time
from pathlib import Path

import httpx
import pytest
from test_server import Browser
from web_play import PERSON, mine
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from hinterland.web.connections import Connections
from hinterland.web.live.audience import CONNECTIONS_PER_KEY, Places
from hinterland.web.rates import Rates, networks_of, widest_share_of
from hinterland.web.settings import Limits

BOB = {"kind": "person", "name": "Bob"}
ATTACKER, OTHER, PLAYER, FOURTH = "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"


class Guest:
    """Somebody who has a place."""

    def __init__(self, share, plays=False):
        self.share, self.plays, self.is_gone = share, plays, False

    def make_way(self):
        self.is_gone = True


def test_the_share_that_has_most_makes_way():
    places = Places()
    crowd = [Guest("a") for _ in range(7)] + [Guest("b") for _ in range(3)]
    assert all(places.take(one, 10, 10) for one in crowd)
    assert not places.take(Guest("a"), 10, 10), "it has most itself"
    assert places.take(Guest("c"), 10, 10)
    assert [one.is_gone for one in crowd] == [False] * 6 + [True] + [False] * 3, "who came last of the largest share"
    assert len(places) == 10


def test_who_plays_takes_the_place_of_who_watches_and_loses_it_to_nobody():
    places = Places()
    player, crowd = Guest("a", plays=True), [Guest("a") for _ in range(4)]
    assert all(places.take(one, 5, 5) for one in (player, *crowd))
    for number in range(4):
        assert places.take(Guest(f"share {number}", plays=True), 5, 5)
    assert (player.is_gone, [one.is_gone for one in crowd]) == (False, [True] * 4)
    assert places.take(Guest("a", plays=True), 5, 5), "where nobody only watches there is one more"
    assert not places.take(Guest("new"), 5, 5)


def test_a_share_has_a_bound_of_its_own_and_leaving_makes_room():
    places = Places()
    crowd = [Guest("a") for _ in range(3)]
    assert [places.take(one, 10, 2) for one in crowd] == [True, True, False]
    places.leave(crowd[0])
    places.leave(crowd[0])
    assert places.take(crowd[2], 10, 2)
    assert len(places) == len(list(places)) == 2


@pytest.mark.parametrize("seed", range(20))
def test_whatever_comes_and_goes_nobody_who_plays_has_to(seed):
    rng, places, here = random.Random(seed), Places(), []
    for _ in range(300):
        if here and rng.random() < 0.3:
            places.leave(here.pop(rng.randrange(len(here))))
        one = Guest(rng.choice("abcde"), plays=rng.random() < 0.2)
        let_in = places.take(one, 12, 8)
        assert let_in or not one.plays
        here = [guest for guest in [*here, one][: None if let_in else -1] if not guest.is_gone]
        assert len(places) == len(here)
        assert sum(not guest.plays for guest in here) <= 12
        assert all(sum(guest.share == share and not guest.plays for guest in here) <= 8 for share in "abcde")


class Carrier:
    """What carries a connection."""

    def __init__(self, shares, address, watches=True):
        self.is_cut_off = False
        shares.enter(self, address)
        if watches:
            shares.upgrade(self)

    def abort(self):
        self.is_cut_off = True


def entered(shares, address, times):
    return [Carrier(shares, address) for _ in range(times) if shares.admit_connection(address)]


def test_two_addresses_that_fill_the_server_keep_no_third_out():
    shares = Connections(Limits(connections_per_address=5, connections_per_second=1e9), 10)
    crowd = entered(shares, "10.0.0.1", 9) + entered(shares, "10.0.0.2", 9)
    assert len(crowd) == shares.total == 10
    shares.keep(crowd[0])
    third = entered(shares, "10.0.0.3", 4)
    assert len(third) == 3, "as many as the others have by then, or one less"
    assert shares.total == 10
    assert not crowd[0].is_cut_off, "somebody plays there"
    assert sorted(sum(one.is_cut_off for one in half) for half in (crowd[:5], crowd[5:])) == [1, 2]
    for one in (*crowd, *third):
        shares.leave(one)  # who was cut off leaves once more
    assert shares.total == shares.count("10.0.0.1") == 0


def test_who_asks_makes_way_for_its_own_address_and_who_watches_does_not():
    shares = Connections(Limits(connections_per_address=4, connections_per_second=1e9), 100)
    crowd = [*entered(shares, "10.0.0.1", 3), Carrier(shares, "10.0.0.1", watches=False)]
    assert shares.admit_connection("10.0.0.1")
    assert [one.is_cut_off for one in crowd] == [False, False, False, True]
    Carrier(shares, "10.0.0.1")
    assert not shares.admit_connection("10.0.0.1")


def test_shares_of_ipv6_are_counted_by_what_one_customer_may_have():
    assert networks_of("10.0.0.1") == (("10.0.0.1", 1),)
    assert networks_of("2001:db8:0:1::/64") == (
        ("2001:db8:0:1::/64", 1), ("2001:db8::/56", 2), ("2001:db8::/48", 4),
    )  # fmt: skip
    assert widest_share_of("2001:db8:0:ffff::1") == "2001:db8::/48"
    limits = Limits(connections_per_address=5, connections_per_second=1e9)
    for step, most in ((1, 10), (0x100, 20)):  # houses of one /56, and of one /48
        shares = Connections(limits, 1000)
        let_in = sum(len(entered(shares, f"2001:db8:0:{house * step:x}::1", 5)) for house in range(50))
        assert let_in == most
        assert len(entered(shares, "2001:db8:1::1", 9)) == 5, "another customer"
    assert len(entered(Connections(limits, 1000), "2001:db8::1", 9)) == 5, "one house"


def test_rates_are_of_networks_too():
    rates = Rates(0.001, 10)
    taken = sum(not rates.take(f"2001:db8:0:{house:x}::/64") for house in range(200))
    assert taken == 20
    assert sum(not rates.take(f"2001:db8:0:{house:x}00::/64") for house in range(1, 200)) == 20
    assert not rates.take("2001:db8:1::/64")
    assert not rates.take("10.0.0.1")


@contextlib.contextmanager
def live(server, game, key=None, source=ATTACKER):
    with connect(server.address(game), proxy=None, source_address=(source, 0)) as opened:
        yield Browser(opened, key)


def crowd_of(stack, server, game, count, source=ATTACKER, key=None):
    """Let so many watch, as many as come in."""
    come = [stack.enter_context(live(server, game, key, source)) for _ in range(count)]
    return [one for one in come if seen(one)]


def seen(one):
    """Say whether somebody is shown the game."""
    try:
        return one.hear()["type"] == "snapshot"
    except ConnectionClosed:
        return False


def words(one):
    """Return what somebody is told who is not shown the game, or is no more."""
    told, until = "", time.monotonic() + 20
    with contextlib.suppress(ConnectionClosed):
        while time.monotonic() < until and "too many" not in told:
            told += json.dumps(one.hear())
    return told


@pytest.mark.thorough
def test_no_crowd_keeps_a_player_out_of_her_game(serving):
    """Of 60 who watch from one address, who reloads with her key comes in, and so does a guest of another address."""
    server = serving(viewers_per_game=30).ready()
    game, key = server.start(PERSON, BOB, clock={"budget": 30})
    with contextlib.ExitStack() as stack:
        crowd = crowd_of(stack, server, game, 60)
        assert len(crowd) == 30
        for source in (PLAYER, ATTACKER):  # from elsewhere, and from the same address
            for _ in range(3):  # she reloads
                with live(server, game, key, source) as ann:
                    ann.see(mine)
        with live(server, game, None, OTHER) as guest:
            assert seen(guest)
            with live(server, game, "forged" * 8, ATTACKER) as forger:
                assert "too many are watching this game" in words(forger)
        with live(server, game, key, PLAYER) as ann:
            ann.see(mine)
            ann.move(5, 5, ply=0)


@pytest.mark.thorough
def test_two_addresses_do_not_lock_the_arena(serving):
    server = serving(viewers=20).ready()
    game, key = server.start(PERSON, BOB)
    theirs, forged = server.start(PERSON, BOB)
    with contextlib.ExitStack() as stack:
        assert len(crowd_of(stack, server, theirs, 15)) == 15
        assert len(crowd_of(stack, server, theirs, 15, OTHER)) == 10
        with live(server, game, key, PLAYER) as ann, live(server, game, None, FOURTH) as guest:
            ann.see(mine)
            assert seen(guest)
            ann.move(5, 5, ply=0)
            for forged_or_none in (forged, None):
                with live(server, game, forged_or_none, ATTACKER) as late:
                    assert "too many are watching in this arena" in words(late)
        assert httpx.get(server.url).status_code == 200


@pytest.mark.thorough
def test_where_the_server_is_full_who_plays_keeps_her_connection(serving, monkeypatch):
    """Hers is the oldest of the address that has most, whose others make way."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    server = serving(run="small_arena:run_small", viewers=10, body_s=60).ready()
    game, key = server.start(PERSON, BOB)
    body = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100\r\n\r\n".encode()
    with contextlib.ExitStack() as stack:
        ann = stack.enter_context(live(server, game, key, ATTACKER))
        ann.see(mine)
        for _ in range(40):
            raw = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 10, (ATTACKER, 0)))
            with contextlib.suppress(OSError):
                raw.sendall(body)
        others = httpx.HTTPTransport(local_address=OTHER)
        for _ in range(5):
            with httpx.Client(transport=others, timeout=20) as other:
                assert other.get(server.url).status_code == 200
            others = httpx.HTTPTransport(local_address=OTHER)
        ann.move(5, 5, ply=0)


@pytest.mark.thorough
def test_one_key_has_so_many_tabs(serving):
    server = serving().ready()
    game, key = server.start(PERSON, BOB)
    with contextlib.ExitStack() as stack:
        tabs = [stack.enter_context(live(server, game, key)) for _ in range(CONNECTIONS_PER_KEY + 1)]
        for tab in tabs[1:]:
            tab.see(mine)
        assert "too many are watching" in words(tabs[0])
        tabs[-1].move(5, 5, ply=0)
