"""Files of the pages: kept for ever under their version, asked for again otherwise, compressed, no more than needed."""

import gzip
import re
from importlib import resources
from pathlib import Path

import pytest
from web_play import start

from hinterland.web.pages.static_files import StaticFiles, static_files
from hinterland.web.script_sources import COMMENT

STATIC = Path(str(resources.files("hinterland.web").joinpath("static")))
GZIP, PLAIN = {"Accept-Encoding": "gzip"}, {"Accept-Encoding": "identity"}


def links(page):
    return re.findall(r'(?:href|src)="(/static/[^"]+)"', page)


def test_a_versioned_file_is_kept_for_ever_and_any_other_asked_for_again(client):
    files = static_files()
    kept = client.get(files.url("js/base/dom.js"), headers=GZIP)
    asked = client.get("/static/js/base/dom.js", headers=GZIP)
    old = client.get("/static/0123456789abcdef/js/base/dom.js", headers=GZIP)
    assert kept.headers["cache-control"] == "max-age=31536000, immutable"
    assert asked.headers["cache-control"] == old.headers["cache-control"] == "no-cache"
    assert kept.text == asked.text == old.text
    again = client.get("/static/js/base/dom.js", headers={"If-None-Match": asked.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/static/js/base/dom.js", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [("gzip", True), ("deflate, gzip;q=0.5", True), ("gzip;q=0", False), ("br", False), ("identity", False)],
)
def test_files_are_compressed_for_who_takes_it(client, accepted, packed):
    answer = client.get("/static/css/base.css", headers={"Accept-Encoding": accepted})
    assert ("content-encoding" in answer.headers) == packed
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "--ground" in answer.text


def test_pages_are_compressed(client):
    answer = client.get("/", headers=GZIP)
    assert answer.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in client.get("/", headers=PLAIN).headers


def test_the_version_changes_with_a_file(tmp_path):
    (tmp_path / "a.js").write_text("one")
    first = StaticFiles((tmp_path,)).version
    assert StaticFiles((tmp_path,)).version == first
    (tmp_path / "a.js").write_text("two")
    assert StaticFiles((tmp_path,)).version != first


@pytest.mark.parametrize(
    "name",
    ["css/base+nothing.css", "css/base+base.css", "css/base+../../app.css", "css/+.css", "js/base/dom+format.js"],
)
def test_only_style_sheets_that_there_are_come_together(client, name):
    assert client.get(f"/static/{name}").status_code == 404


def test_style_sheets_come_together_in_order(client):
    alone = [client.get(f"/static/css/{name}.css").text for name in ("base", "controls")]
    assert client.get("/static/css/base+controls.css").text == "\n".join(alone)


def test_all_that_a_page_names_is_there_and_nothing_else_is_needed(client):
    """Every module that is imported by one that was named is named as well, and comes but once."""
    game, _ = start(client)
    for path in ("/", "/play/gravity", "/host/dots", "/rules/graph", f"/games/{game}", "/games", "/contests"):
        named = links(client.get(path).text)
        modules = [link for link in named if link.endswith(".js")]
        for link in named:
            answer = client.get(link)
            assert answer.status_code == 200, link
            for target in re.findall(r"""(?:from |import )["'](\.[^"']+)["']""", answer.text) if ".js" in link else ():
                assert str((Path(link).parent / target).resolve()) in modules, (path, link, target)
        text = client.get(path).text
        assert [link for link in modules if text.count(link) != 1 and f'src="{link}"' not in text] == [], path


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("path", "most"), [("/play/gravity", 60_000), ("/play/graph", 60_000), ("GAME", 100_000)])
def test_pages_weigh_little(client, path, most, language):
    """Compressed, with what each answer's headers weigh."""
    path = f"/games/{start(client)[0]}" if path == "GAME" else path
    page = client.get(path, headers={**GZIP, "Accept-Language": language})
    answers = [page, *(client.get(link, headers=GZIP) for link in set(links(page.text)))]
    bodies = sum(len(gzip.compress(answer.content, 9)) for answer in answers)
    heads = sum(len(f"{name}: {value}\r\n") for answer in answers for name, value in answer.headers.items())
    assert bodies + heads <= most


def test_comments_are_the_only_thing_that_is_left_out():
    """Nothing that looks like a comment stands in a string, a template or a pattern."""
    for path in [*STATIC.rglob("*.js"), *STATIC.rglob("*.css")]:
        source = path.read_text()
        for comment in COMMENT.finditer(source.encode()):
            before = source.encode()[: comment.start()].decode().rpartition("\n")[2]
            assert before.strip() == "" or re.search(r"[\s(\[=,;{]$", before), (path, before)
            assert all(before.count(quote) % 2 == 0 for quote in "\"'`"), (path, before)
