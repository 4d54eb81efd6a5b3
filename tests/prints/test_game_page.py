"""The page of a recorded game: it tells all, asks nobody for anything, and takes no text for a part of itself."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import msgspec
import pytest

from hinterland import catalog, gravity
from hinterland.errors import RecordError
from hinterland.jit import JIT_ON
from hinterland.prints.game_page import draw_game_page
from hinterland.prints.poster import _bar
from hinterland.prints.sheet import Scene
from hinterland.prints.step_pictures import draw_steps
from hinterland.referee import record, verification
from hinterland.referee.diary import Note, NoteMark
from hinterland.referee.game_study import Mark
from told_games import BOARDS, COMMENT, NAMES, NOTE, make_rules, play

PAGE_BYTES = 2_000_000
ADDRESSES = {"src", "href", "srcset", "action", "data", "poster"}
VOID = {"meta", "link", "img", "input", "circle", "line", "path"}


class Reader(HTMLParser):
    """Collects the tags, addresses and text of a page; each tag that is opened has to be closed."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.addresses, self.ids, self.metas, self.text, self.code, self.open = [], [], [], {}, "", {}, []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.tags.append(tag)
        self.addresses += [
            known[name] for name in ("src", "href", "srcset", "action", "data", "poster") if name in known
        ]
        self.ids += [known["id"]] if "id" in known else []
        if "http-equiv" in known:
            self.metas[known["http-equiv"]] = known["content"]
        assert not [name for name in known if name.startswith("on") or name == "style"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("style", "script"):
            self.code[self.open[-1]] = self.code.get(self.open[-1], "") + data
        else:
            self.text += data


def read_page(game, **options):
    page = draw_game_page(catalog.game(game.game), game, **options)
    assert len(page) < PAGE_BYTES
    return Reader(page.decode())


@pytest.mark.parametrize("board", BOARDS)
def test_a_page_shows_every_position_and_asks_for_nothing(board):
    game = play(make_rules(board))
    verification.verify(game)
    found = read_page(game)
    count = len(game.moves) + 1
    assert found.tags.count("figure") == found.tags.count("img") == count
    assert [one for one in found.ids if one.startswith("move-")] == [f"move-{ply}" for ply in range(count)]
    for address in found.addresses:
        assert (
            address.startswith(("data:image/svg+xml;base64,", "data:image/webp;base64,", "#move-"))
            or address == "data:,"
        )
    assert not re.search(r"url\((?!#)|@import|https?:", "".join(found.code.values()) + found.text)
    for name in game.players:
        assert name in found.text
    for seat, move in zip(game.movers, verification.final(game).moves, strict=True):
        assert move[0] == seat
        assert make_rules(board).told(move[1]) in found.text
    for score in {f"{score:,}" for position in record.positions(game) for score in position.scores}:
        assert score in found.text


@pytest.mark.parametrize("board", ["melee", "dots"])
def test_text_of_others_stays_text(board):
    found = read_page(play(make_rules(board)))
    for tag, most in (("script", 1), ("style", 1), ("b", 100), ("i", 0), ("u", 0)):
        assert found.tags.count(tag) <= most
    for text in (NOTE, COMMENT, NAMES[0], NAMES[1]):
        assert text in found.text
    assert "49" not in [word.strip() for word in found.text.split("\n")]


def test_the_policy_names_the_one_script_and_the_one_style_by_their_hashes():
    found = read_page(play(make_rules("dots")))
    policy = dict(part.split(" ", 1) for part in found.metas["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["img-src"] == "data:"
    for kind in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(found.code[kind].encode()).digest()).decode()
        assert policy[f"{kind}-src"] == f"'sha256-{digest}'"


def test_lost_turns_and_departures_are_told_with_names():
    text = " ".join(read_page(play(make_rules("melee"))).text.split())
    gone = f"{NAMES[0]} left the game (crash): {NAMES[0]}: its program ended"
    assert f"After 5 moves {gone}" in text
    assert f"After 4 moves {NAMES[1]} lost a turn" in text
    assert text.count(gone) == 3  # above, below the board, and among the moves
    assert "seat 0" not in text


@pytest.mark.parametrize("size", [24, 100])
def test_marks_lie_where_the_board_has_their_places(size):
    rules = gravity.Rules(size=size, stones=2, spacing=3)
    game = play(rules)
    row, col = game.moves[0]
    shares = (col + 0.5) / size, (row + 0.5) / size
    study = msgspec.structs.replace(game.study, marks=(Mark(1, shares),))
    page = draw_game_page(catalog.game("gravity"), msgspec.structs.replace(game, study=study)).decode()
    marks = ElementTree.fromstring(re.search(r'<svg class="marks".*?</svg>', page, re.DOTALL)[0])
    side = float(re.fullmatch(r"scale\((.+)\)", marks[0].get("transform"))[1])
    pictures = [base64.b64decode(one).decode() for one in re.findall(r"svg\+xml;base64,([^\"]+)", page)]
    drawn = ElementTree.fromstring(pictures[1])
    assert drawn.get("viewBox") == marks.get("viewBox")
    (stone,) = drawn.iter("{http://www.w3.org/2000/svg}circle")
    for axis, share in zip(("cx", "cy"), shares, strict=True):
        assert float(marks[0][0].get(axis)) == share
        assert side * share == pytest.approx(float(stone.get(axis)), abs=side / 1000)


def test_marks_of_notes_have_their_shape_and_their_value():
    game = play(make_rules("gravity"))
    marks = (
        NoteMark(at=(0, 0), value=12.5), NoteMark(start=(1, 2), to=(3, 4)),
        NoteMark(line=((0, 0), (0, 9), (9, 9)), value=-7), NoteMark(at=(99, 99), value=1234),
    )  # fmt: skip
    times = msgspec.structs.replace(game.times, notes=(Note(0, "so", marks),))
    bare = msgspec.structs.replace(game, times=times, study=msgspec.UNSET)
    page = draw_game_page(catalog.game("gravity"), bare).decode()
    drawn = ElementTree.fromstring(re.search(r'<svg class="marks".*?</svg>', page, re.DOTALL)[0])
    assert [shape.tag for shape in drawn[0]] == ["circle", "line", "line", "line"]
    assert [shape.get("marker-end") is not None for shape in drawn[0]] == [False, True, False, False]
    assert [text.text for text in drawn.iter("text")] == ["12.5", "-7"]


def test_a_title_and_the_first_position_can_be_chosen():
    game = play(make_rules("dots"))
    page = draw_game_page(catalog.game("dots"), game, "The <cup>", 3).decode()
    assert "The &lt;cup&gt;" in page
    assert '<main data-first="3">' in page
    assert f'<main data-first="{len(game.moves)}">' in draw_game_page(catalog.game("dots"), game).decode()


def test_a_game_without_moves_and_one_that_does_not_count_have_pages():
    bare = msgspec.structs.replace(
        play(make_rules("dots"), ("Ann", "Bob")), movers=(), moves=(), scores=(0, 0), winners=(), reason="void",
        detail="the operator ended it", study=msgspec.UNSET, times=record.Times("yesterday", ()),
    )  # fmt: skip
    found = read_page(bare)
    assert found.tags.count("figure") == 1
    assert "The game does not count: the operator ended it" in found.text


def test_the_place_in_a_contest_and_versions_of_programs_are_told():
    game = play(make_rules("dots"))
    times = msgspec.structs.replace(game.times, versions=record.Versions(("", "<s>0123456789abcdef"), "1.0.0"))
    place = record.ContestPlace("0" * 64, 3, 1)
    page = draw_game_page(catalog.game("dots"), msgspec.structs.replace(game, times=times, contest=place)).decode()
    assert "game 4.2.2 of the contest" in page
    assert page.count("version <bdi") == 1
    assert "&lt;s&gt;0123456789abcdef</bdi>" in page
    assert "<s>" not in page


def test_a_record_that_contradicts_itself_is_refused():
    game = play(make_rules("melee"))
    versioned = msgspec.structs.replace(game.times, versions=record.Versions(("a",), "1.0.0"))
    for changed, words in (
        ({"players": game.players[:2]}, "names 2 players, its rules have 3"),
        ({"scores": game.scores[:2]}, "2 scores for 3 players"),
        ({"times": versioned}, "1 versions of programs for 3 players"),
        ({"winners": (7,)}, "speaks of seat 7; seats go from 0 to 2"),
    ):
        with pytest.raises(RecordError, match=words):
            draw_game_page(catalog.game("gravity"), msgspec.structs.replace(game, **changed))


def test_pictures_that_do_not_fit_as_svg_become_images_that_fit():
    game = catalog.game("graph")
    positions = list(record.positions(play(make_rules("graph"))))
    as_svg = draw_steps(game.pictures, positions)
    assert all(address.startswith("data:image/svg+xml") for address in as_svg.addresses)
    for most in (sum(map(len, as_svg.addresses)) // 2, 40_000):
        drawn = draw_steps(game.pictures, positions, most_bytes=most)
        assert all(address.startswith("data:image/webp") for address in drawn.addresses)
        assert sum(map(len, drawn.addresses)) <= most
        assert (drawn.box, drawn.side) == (as_svg.box, as_svg.side)


@pytest.mark.jit
@pytest.mark.thorough
@pytest.mark.parametrize(
    "rules",
    [
        gravity.Rules(),
        gravity.Rules(players=5, stones=10),
        catalog.game("graph").rules.from_options({}),
        catalog.game("dots").rules.from_options({}),
    ]
    if JIT_ON
    else [],
    ids=str,
)
def test_usual_games_stay_small(rules):
    read_page(play(rules, ("Ann", "Bob", "Cyd", "Dan", "Eve")))


def test_the_shares_of_a_poster_stand_side_by_side():
    position = gravity.Rules(size=24, stones=2, spacing=3).start()
    for cell in ((5, 5), (18, 12)):
        position = position.play(gravity.Stone(*cell))
    _, first, second = _bar(Scene(catalog.game("gravity"), position, ("Ann", "Bob"), "", 2))
    assert second.x == pytest.approx(first.x + first.width)
