"""A program that is a level of its game is called so wherever people read, and by its spec wherever programs do."""

import re

import pytest
from test_game_lists import finish, ids, until
from test_ladder_pages import CLUB, LADDER, page, seeded  # noqa: F401
from web_play import HTML, start

from hinterland import catalog
from hinterland.storage.game_setup import Seat
from hinterland.storage.identities import operator_proof, slug_of_seat, spec_proof
from hinterland.web.languages.seat_names import display_name, display_names, level_called, name_of_spec

NOVICE = catalog.game("gravity").levels[1].spec
GERMAN = {**HTML, "Accept-Language": "de"}


def program(spec):
    return {"kind": "program", "player": spec}


@pytest.mark.parametrize(
    ("seat", "name"),
    [
        (Seat("program", NOVICE), "Novice"),
        (Seat("bot", NOVICE, spec_proof(NOVICE)), "Novice"),
        (Seat("bot", "Robo", spec_proof(NOVICE)), "Robo"),
        (Seat("bot", NOVICE, operator_proof(NOVICE)), NOVICE),
        (Seat("person", NOVICE), NOVICE),
        (Seat("person", NOVICE, "0" * 64), NOVICE),
        (Seat("program", "lloyd"), "lloyd"),
        (Seat("program", catalog.game("dots").levels[0].spec), catalog.game("dots").levels[0].spec),
    ],
)
def test_only_a_level_of_the_game_goes_by_its_title(seat, name):
    assert display_names("gravity", [seat]) == (name,)
    assert display_name("no game", seat.name, slug_of_seat(seat)) == seat.name


def test_the_second_of_a_level_is_told_from_the_first():
    seats = [Seat("program", NOVICE), Seat("person", "Novice"), Seat("program", NOVICE)]
    assert display_names("gravity", seats) == ("Novice", "Novice#2", "Novice#3")
    assert display_name("gravity", f"{NOVICE}#2", slug_of_seat(seats[0])) == "Novice#2"


def test_names_are_read_back():
    assert [name_of_spec(NOVICE), name_of_spec("Ann")] == ["Novice", "Ann"]
    assert [level_called(" NOVICE "), level_called("Ann")] == ["novice", "Ann"]


def test_a_game_against_a_level_is_shown_and_found_by_its_title(client):
    game = finish(client, program(NOVICE), program("lloyd"))
    told = client.get(f"/api/games/{game}").json()["seats"]
    assert [(seat["name"], seat["given"]) for seat in told] == [("Novice", NOVICE), ("lloyd", "lloyd")]
    german = client.get(f"/api/games/{game}", headers=GERMAN).json()["seats"][0]["name"]
    assert german != "Novice"
    assert 'content="Novice v lloyd · Gravity"' in page(client, f"/games/{game}")
    until(lambda: game in ids(client))
    for asked in ("Novice", "novice", NOVICE):
        card = client.get("/games", params={"player": asked}, headers=HTML).text
        assert [">Novice</a>" in card, "Novice against lloyd" in card] == [True, True], asked
    spoken = client.get("/games", params={"player": german}, headers=GERMAN).text
    assert f">{german}</a>" in spoken
    assert f'<option value="{german}">' in spoken
    assert ids(client, player="Master") == set()
    record = client.get(f"/games/{game}.jsonl").text
    assert NOVICE in record
    assert "Novice" not in record


def test_posters_name_levels_as_pages_do(client):
    game, _ = start(client, program(NOVICE), {"kind": "person", "name": "Ann"})
    assert re.search(r">Novice<", client.get(f"/games/{game}.poster.svg").text)


def test_a_ladder_names_levels(seeded):  # noqa: F811
    row = re.compile(f'title="{CLUB}">([^<]+)</a> <span class="faint kind">([^<]+)<')
    told = until(lambda: row.search(page(seeded, LADDER)), 60)
    assert (told[1], told[2]) == ("Club", "Level 5")
