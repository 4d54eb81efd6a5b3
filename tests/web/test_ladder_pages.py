"""Ladders and players are shown, kept up while games are played, and lead to one another."""

import re
import time

import msgspec
import pytest
from web_play import HTML, PERSON, REPLY, mine, plies, start, watching

import drawn_records
import seeded_arena
from hinterland.contest.plan import Entrant, Plan
from hinterland.ladder import ladder_keeper
from hinterland.storage.identities import identify_seat
from seeded_arena import guest, program

QUICK = {"stones": 3}
CLUB = "search:playouts=1"
STRENGTHS = {guest("Ann"): 200, guest("<b>Bob</b>"): -100, program(CLUB): 136, program("lloyd"): -132}
LADDER = "/ladder/gravity?preset=quick"


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(ladder_keeper, "START_DELAY_S", 0.05)
    monkeypatch.setattr(ladder_keeper, "POLL_S", 0.05)
    monkeypatch.setattr(ladder_keeper, "REST_FACTOR", 0.0)


@pytest.fixture
def seeded(settings, opened):
    """Open an arena in which 150 games were played."""
    seeded_arena.seed(settings.data, 150, STRENGTHS)
    return opened(settings)


def page(client, address, status=200):
    answer = client.get(address, headers=HTML)
    assert answer.status_code == status, answer.text
    return answer.text


def rated_games(client, address=LADDER):
    """Return how many games the ladder says that it knows."""
    found = re.search(r"([\d,]+) rated games?,", page(client, address))
    return int(found[1].replace(",", "")) if found else 0


def until(there, seconds=120):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not (found := there()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.05)
    return found


def url_of(seat):
    return f"/players/{identify_seat(seat).slug}"


def test_a_ladder_lists_players_with_their_intervals(seeded):
    until(lambda: rated_games(seeded) == 150)
    text = page(seeded, LADDER)
    for seat in STRENGTHS:
        assert f'href="{url_of(seat)}"' in text
    assert "<b>Bob" not in text
    assert "&lt;b&gt;Bob&lt;/b&gt;" in text
    rows = re.findall(r"<b>([−\d,]+)</b> <span class=\"faint under\">([−\d,]+) to ([−\d,]+)<", text)
    values = [[int(value.replace("−", "-").replace(",", "")) for value in row] for row in rows]
    assert len(values) == 4
    assert all(low <= elo <= high for elo, low, high in values)
    assert "Level 5" in text
    assert 'aria-current="page">Gravity</a>' in text
    assert page(seeded, "/ladder") == page(seeded, "/ladder/gravity") == text  # the one on which most is played


def test_presets_are_chosen_without_a_script(seeded):
    until(lambda: rated_games(seeded) == 150)
    text = page(seeded, "/ladder/dots?preset=circle")
    assert re.search(r'<form class="ladder-choice" method="get" action="/ladder/dots"', text)
    assert '<option value="circle" selected>Circle, Double circle: 12 dots</option>' in text
    assert "No rated game of these rules has been finished yet" in text
    assert rated_games(seeded, "/ladder/gravity?preset=course") == 0


def test_a_player_has_a_page(seeded):
    until(lambda: rated_games(seeded) == 150)
    text = page(seeded, url_of(guest("Ann")))
    assert "<h1>Ann</h1>" in text
    for words in ("Guest", "Gravity · Quick", "history-chart", 'class="band"', "Latest games", "Place "):
        assert words in text
    for seat in STRENGTHS:
        assert f'href="{url_of(seat)}"' in text  # head to head, or in a game
    games = re.findall(r'class="game-picture" href="([^"]+)"', text)
    assert len(games) == 12
    slug = identify_seat(guest("Ann")).slug
    listed = page(seeded, f"/games?who={slug}")
    assert set(games) <= set(re.findall(r'class="game-picture" href="([^"]+)"', listed))
    assert "Gravity: Level club" in page(seeded, url_of(program(CLUB)))
    assert page(seeded, url_of(program(CLUB))).count(f"<h1>{CLUB}</h1>") == 1


def test_a_page_speaks_german_whatever_thread_made_it(seeded):
    until(lambda: rated_games(seeded) == 150)
    german = {**HTML, "Accept-Language": "de"}
    text = seeded.get(url_of(guest("Ann")), headers=german).text
    for words in ("Gast", "Gravitation · Schnell", "Letzte Partien", " bis "):
        assert words in text
    assert "Gravitation: Stufe" in seeded.get(url_of(program(CLUB)), headers=german).text
    assert "gibt keine Rangliste" in seeded.get("/ladder/gravity?preset=slow", headers=german).text


def test_names_lead_to_players(seeded):
    until(lambda: rated_games(seeded) == 150)
    (game,) = seeded.get("/api/games", params={"count": 1}).json()["games"]
    assert all(url.startswith("/players/") for url in game["pages"])
    assert f'href="{game["pages"][0]}"' in page(seeded, "/games")
    seats = seeded.get(f"/api/games/{game['id']}").json()["seats"]
    assert [f"/players/{seat['page']}" for seat in seats] == game["pages"]
    for address in game["pages"]:
        page(seeded, address)


@pytest.mark.parametrize(
    "address", ["nobody", "ann-000000000000", "%00", "%F0%9F%90%88", "x" * 10_000, "<script>alert(1)<%2Fscript>"]
)
def test_an_address_of_nobody_is_said_to_be(client, address):
    answer = client.get(f"/players/{address}", headers=HTML)
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text


def test_a_ladder_of_nothing_is_said_to_be(client):
    assert "here is no ladder" in page(client, "/ladder/gravity?preset=slow", 404)
    assert "course, quick" in page(client, "/ladder/gravity?preset=slow", 404)
    assert "chess" in page(client, "/ladder/chess", 404)
    assert "<b>x" not in page(client, "/ladder/gravity?preset=<b>x", 404)


def played(client, *seats, turn=lambda viewer, game: None, **others):
    """Play a game of three stones, in which Ann gives up after her first; ``turn`` is what else she does."""
    game, key = start(client, *seats, rules=QUICK, **others)
    with watching(client, game, key) as ann:
        ann.see(mine)
        ann.move(500, 500, ply=0)
        ann.see(plies(2))
        turn(ann, game)
        ann.send(type="resign")
        ann.see_the_end()
    return game


@pytest.mark.jit
def test_a_game_counts_as_soon_as_it_is_over_and_help_spoils_it(client):
    played(client, PERSON, REPLY)
    until(lambda: rated_games(client) == 1)

    def hinted(_, game):
        assert client.get(f"/games/{game}/hint").status_code == 200

    def undone(ann, _):
        ann.send(type="undo")
        ann.see(plies(0))
        ann.move(400, 400, ply=0)
        ann.see(plies(2))

    spoiled = [
        played(client, PERSON, REPLY, turn=hinted), played(client, PERSON, REPLY, turn=undone),
        played(client, PERSON, REPLY, seed=3), played(client, PERSON, REPLY, rated=False),
        played(client, {"kind": "person", "name": "Player 1"}, REPLY),
    ]  # fmt: skip
    until(lambda: {game["id"] for game in client.get("/api/games").json()["games"]} >= set(spoiled))
    time.sleep(0.5)
    assert rated_games(client) == 1
    played(client, PERSON, {"kind": "program", "player": "lloyd"})
    until(lambda: rated_games(client) == 2)


@pytest.mark.jit
def test_while_people_play_only_they_are_helped(client):
    game, key = start(client, PERSON, REPLY, rules=QUICK)
    cookies = dict(client.cookies)
    client.cookies.clear()
    refused = client.get(f"/games/{game}/hint")
    assert (refused.status_code, "only they can ask" in refused.text) == (409, True)
    assert client.get(f"/games/{game}/heat.png").status_code == 409
    for name, value in cookies.items():
        client.cookies.set(name, value)
    with watching(client, game, key) as ann:
        ann.see(mine)
        assert client.get(f"/games/{game}/hint").status_code == 200
        ann.send(type="resign")
        ann.see_the_end()
    client.cookies.clear()
    assert client.get(f"/games/{game}/hint?ply=0").status_code == 200


@pytest.mark.jit
def test_two_browsers_of_one_name_are_two_players(client):
    played(client, PERSON, REPLY)
    first = client.get("/api/games").json()["games"][0]["pages"][0]
    client.cookies.clear()
    played(client, PERSON, REPLY)
    pages = {game["pages"][0] for game in client.get("/api/games").json()["games"]}
    assert len(pages) == 2
    assert first in pages
    for address in pages:
        assert "<h1>Ann</h1>" in page(client, address)


def test_a_contest_leads_to_its_players_and_counts(settings, opened, tmp_path, rng):
    folder = tmp_path / "contests" / "league"
    specs = {"strong": "reply", "ours": "cmd:true", "one": "lloyd", "two": "lloyd"}
    players = tuple(Entrant(*player) for player in specs.items())
    drawn_records.play(folder, Plan(game="gravity", players=players, rules=QUICK, pairings=2), rng)
    client = opened(msgspec.structs.replace(settings, contests=folder.parent))
    until(lambda: rated_games(client) == 24)
    text = page(client, "/contests/league")
    addresses = set(re.findall(r'href="(/players/[^"]+)"', text))
    assert len(addresses) == 4
    assert url_of(program("reply")) in addresses
    for address in addresses:
        assert "Gravity · Quick" in page(client, address)
    assert 'href="/contests/league"' in page(client, next(one for one in addresses if "/ours-" in one))


def test_pages_say_so_when_the_database_is_gone(settings, opened):
    client = opened(msgspec.structs.replace(settings, index="postgresql://nobody@127.0.0.1:9/none"))
    until(lambda: client.app.state.arena.index.fault)
    assert "Game lists are unavailable" in page(client, "/ladder")
    assert "Game lists are unavailable" in page(client, "/players/ann-000000000000", 503)
    assert client.get("/", headers=HTML).status_code == 200
