"""Pages in other languages: whole catalogues, the language of who asks, and everything that the arena says in it."""

import re
import time

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from translations import faults, is_sentence, sentences, template
from web_play import HTML, Viewer, start

from hinterland.web.languages.catalogue import FOLDER, languages
from hinterland.web.languages.reader import _accepted_languages
from hinterland.web.languages.sentences import MAX_SENTENCE_CHARACTERS, Sentences

GERMAN = {**HTML, "Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
CATALOGUES = sorted(path.stem for path in FOLDER.glob("*.po"))


@pytest.fixture(scope="module")
def said():
    return template()


@pytest.mark.parametrize("code", CATALOGUES)
def test_a_catalogue_says_everything_that_pages_can_say_and_nothing_else(said, code):
    with (FOLDER / f"{code}.po").open("rb") as file:
        assert faults(read_po(file, locale=code), said) == []


def test_all_kinds_of_sources_are_looked_through(said):
    known = {message.id: {path.partition("/")[0] for path, _ in message.locations} for message in said}
    assert known["Play now"] == {"web"}  # a template
    assert known["Your turn: {instruction}"] == {"web"}  # a script
    assert known["{count} stone", "{count} stones"] == {"web"}
    assert known["Standings"] == {"contest"}
    assert known["{row},{col} is too close to stone {number}: {distances}"] == {"gravity"}  # a refusal
    assert known["Mostly random."] == {"dots", "graph", "gravity"}  # a level


@pytest.mark.parametrize(
    ("told", "flags", "fault"),
    [
        ({"{count} moves": "{count} Züge"}, (), "'{name} wins' is not translated"),
        ({"{name} wins": "", "{count} moves": "{count} Züge"}, (), "'{name} wins' is not translated"),
        ({"{name} wins": "{nme} gewinnt", "{count} moves": "{count} Züge"}, (), "has other places"),
        ({"{name} wins": "{name} gewinnt", "{count} moves": "<b>{count}</b> Züge"}, (), "has other places"),
        ({"{name} wins": "{name} gewinnt", "{count} moves": "{count} Züge", "gone": "weg"}, (), "said nowhere"),
        ({"{name} wins": "{name} gewinnt", "{count} moves": "{count} Züge"}, ("fuzzy",), "is fuzzy"),
    ],
)
def test_a_planted_fault_of_a_catalogue_is_found(told, flags, fault):
    assert any(fault in found for found in faults_of(told, flags, "a.js"))


def faults_of(told, flags, place):
    wanted, kept = Catalog(), Catalog(locale="de")
    for text in ("{name} wins", "{count} moves"):
        wanted.add(text, locations=[("a.js", None)])
    for text, other in told.items():
        kept.add(text, other, flags=flags, locations=[(place, None)])
    return faults(kept, wanted)


def test_a_text_that_has_moved_to_another_script_is_found():
    whole = {"{name} wins": "{name} gewinnt", "{count} moves": "{count} Züge"}
    assert faults_of(whole, (), "a.js") == []
    assert [found.rpartition("' ")[2] for found in faults_of(whole, (), "b.js")] == ["is said in other files"] * 2


def test_sentences_are_found_in_code_with_names_for_their_values():
    code = '''
def refuse(name, others):
    """Refuse with a sentence that nobody reads."""
    log.error("%s was refused by us", name)
    raise BadText(f"{shown(name)} is one of {len(others)} names, not {others[0].name}; try again")
'''
    assert sentences(code) == ["{name} is one of {others} names, not {others2}; try again"]
    assert not is_sentence('{"key": …, "to_all": true}')


def test_a_sentence_is_known_again_by_what_it_was_made_of():
    german = Sentences(
        {
            "{name} is {what}": "{name} ist {what}", "{name} is to move": "{name} ist am Zug", "gone": "weg", "new": "",
            "the stone": "der Stein", "Ann {word} all": "Ann hat alle {word}", "won": "gewonnen",
        }
    )
    assert german.translate("Ann is to move") == "Ann ist am Zug"  # the one that says more by itself
    assert german.translate("the stone is heavy") == "der Stein ist heavy"  # a value may be one, too
    assert german.translate("Ann won all") == "Ann hat alle gewonnen"
    assert german.translate("gone is here") == "gone ist here"  # but for single words, which may be names
    assert german.translate("Ann is to move.") == "Ann ist am Zug."
    assert german.translate("gone · Ann is to move") == "weg · Ann ist am Zug"
    assert [german.translate(text) for text in ("new", "what is said by nobody?", "")] == [
        "new", "what ist said by nobody?", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("de, en;q=0.5", ["de", "en"]),
        ("en;q=0.5, de;q=0.9", ["de", "en"]),
        ("fr;q=0, de", ["de"]),
        ("", []),
        ("de;q=much, ;, en", ["en"]),
    ],
)
def test_a_browser_says_which_languages_are_dear_to_it(header, names):
    assert _accepted_languages(header) == names


@pytest.mark.parametrize(
    ("asked", "tag"),
    [("de-AT,en;q=0.5", "de"), ("fr, de;q=0.4", "de"), ("en-US,de;q=0.5", "en-GB"), ("fr", "en-GB"), ("*", "en-GB")],
)
def test_pages_are_in_the_language_that_a_browser_asks_for(client, asked, tag):
    answer = client.get("/", headers={**HTML, "Accept-Language": asked})
    assert re.search(r'<html lang="([^"]+)"', answer.text)[1] == tag
    assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", answer.headers["vary"]))
    assert ("Jetzt spielen" in answer.text) == (tag == "de")


def test_a_choice_is_kept_and_leads_back(client):
    page = {"Referer": "http://127.0.0.1:8000/games?state=live", "Origin": "http://127.0.0.1:8000"}
    chosen = client.post("/language/de", headers=page, follow_redirects=False)
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/games?state=live")
    assert '<html lang="de">' in client.get("/", headers=HTML).text
    assert '<html lang="de">' in client.get("/", headers={**HTML, "Accept-Language": "en"}).text
    client.post("/language/en", headers=page)
    assert '<html lang="en-GB">' in client.get("/", headers=GERMAN).text


@pytest.mark.parametrize("before", ["https://elsewhere.example/x", "http://127.0.0.1:8000//elsewhere.example", ""])
def test_a_choice_leads_to_no_other_site(client, before):
    answer = client.post("/language/de", headers={"Referer": before}, follow_redirects=False)
    assert answer.headers["location"] in ("/", "/elsewhere.example")


def test_a_language_that_there_is_not_is_refused(client):
    answer = client.post("/language/tlh")
    assert (answer.status_code, "known: en, de" in answer.json()["error"]) == (400, True)
    assert "set-cookie" not in answer.headers


def test_refusals_are_said_in_the_language_of_who_asks(client):
    game, _ = start(client)
    assert client.get("/api/games/nothing", headers=GERMAN).json() == {"error": "eine solche Partie gibt es hier nicht"}
    assert "Seite nicht gefunden" in client.get("/nowhere", headers=GERMAN).text
    late = client.get(f"/games/{game}.png?ply=99", headers=GERMAN).text
    assert "Ply zählt die gemachten Züge: 0 bis" in late
    assert client.get("/api/games/nothing").json() == {"error": "there is no such game here"}


def test_who_watches_is_told_in_its_own_language(house):
    at = house()
    game, _ = start(at.arena)
    for headers, words in ((GERMAN, "du siehst zu"), (HTML, "you are watching")):
        with at.connect(f"/games/{game}/live", headers=headers) as socket:
            viewer = Viewer(socket, None)
            viewer.send(type="resign")
            told = viewer.hear()
            while told["type"] != "error":
                told = viewer.hear()
            assert told["message"].startswith(words)


@pytest.mark.parametrize(
    ("asked", "said"), [("de", "du siehst zu"), ("en-GB", "you are watching"), ("tlh", "you are watching")]
)
def test_a_connection_speaks_as_its_page_does(house, asked, said):
    at = house()
    game, _ = start(at.arena)
    other = HTML if asked == "de" else GERMAN
    with at.connect(f"/games/{game}/live?language={asked}", headers=other) as socket:
        viewer = Viewer(socket, None)
        viewer.send(type="resign")
        while (told := viewer.hear())["type"] != "error":
            pass
        assert told["message"].startswith(said)


def test_scripts_are_told_what_they_can_say_and_no_more(client):
    german = client.get("/play/dots", headers=GERMAN).text
    (told,) = re.findall(r'<script type="application/json" id="messages">(.*?)</script>', german)
    assert "Kreis: ein Ring" in told
    assert "Gravitation: Anziehung" not in told  # of a game that is not played here
    assert "Klick auf zwei Punkte" in told  # said by what is loaded when the rules are opened
    assert 'id="messages"' not in client.get("/play/dots", headers=HTML).text


def test_lists_that_have_not_changed_are_answered_anew_in_another_language(client):
    for headers, other in ((HTML, GERMAN), (GERMAN, HTML)):
        tag = client.get("/games/now", headers=headers).headers["etag"]
        while (again := client.get("/games/now", headers={**headers, "If-None-Match": tag})).status_code != 304:
            tag = again.headers["etag"]  # somebody has moved meanwhile
        assert client.get("/games/now", headers={**other, "If-None-Match": tag}).status_code == 200


def test_languages_name_themselves():
    assert {code: (one.name, one.tag) for code, one in languages().items()} == {
        "en": ("English", "en-GB"), "de": ("Deutsch", "de"),
    }  # fmt: skip


def test_a_sentence_made_to_be_compared_for_long_is_not():
    german = languages()["de"]
    began = time.process_time()
    for joint in (" boards of x x, all worth ", " of ", ", ", ": ", ".", " · ", " is unknown. "):
        sentence = ("x" + joint * MAX_SENTENCE_CHARACTERS)[: MAX_SENTENCE_CHARACTERS - 1] + "\0"
        assert german.translate_sentence(sentence).endswith("\0")
        assert german.translate_sentence((joint * MAX_SENTENCE_CHARACTERS)[-MAX_SENTENCE_CHARACTERS:])
    assert time.process_time() - began < 1
