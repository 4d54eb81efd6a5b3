"""Posters, cards and films: everything that is told stands on them, sizes are kept, what is too much is refused."""

import sys
from io import BytesIO
from xml.etree import ElementTree

import av
import numpy as np
import pytest
from PIL import Image

from hinterland import catalog, gravity
from hinterland.drawing import film
from hinterland.drawing.shapes import Words
from hinterland.errors import BadText, UnknownName
from hinterland.gravity.drawing.outlines import contours
from hinterland.prints import films, lettering
from hinterland.prints.films import SIZES, Film, choose_plies, draw_film
from hinterland.prints.frames import lay_out_frame
from hinterland.prints.poster import PAPERS, Poster, describe_day, draw_poster
from hinterland.prints.sheet import Scene

BOARDS = {
    "gravity": {"size": 24, "stones": 2, "spacing": 3},
    "graph": {"vertices": 12, "tokens": 2},
    "dots": {"dots": 6},
}
STONES = [(5, 5), (18, 18), (5, 18)]


def scene(name="gravity", names=("Ann", "Bob"), title="", moves=2):
    game = catalog.game(name)
    position = game.rules.from_options(BOARDS[name]).start()
    for _ in range(moves):
        position = position.play(game.pictures.best(position, {})[0])
    return Scene(game, position, names, title, moves)


@pytest.mark.parametrize("law", ["gravity", "nearest"])
def test_contours_lie_where_the_greatest_pull_is_the_same(law):
    position = gravity.Rules(size=24, stones=2, spacing=3, law=law).start()
    for row, col in STONES:
        position = position.play(gravity.Stone(row, col))

    def pull(col, row):
        pulls = [[], []]
        for seat, stone in position.moves:
            pulls[seat].append(1 / ((col - stone.col - 0.5) ** 2 + (row - stone.row - 0.5) ** 2))
        combine = max if law == "nearest" else sum
        return max(combine(one) for one in pulls)

    loops = list(contours(position))
    assert len(loops) > 4
    settled = 0
    for loop in loops:
        levels = np.log2([pull(col, row) for col, row in loop])
        settled += np.ptp(levels) < 0.1
    assert settled > 0.7 * len(loops)  # where two colours meet, a line bends, and a corner may miss it


def test_an_empty_board_has_no_contours():
    assert list(contours(gravity.Rules(size=24, stones=2, spacing=3).start())) == []


@pytest.mark.parametrize("name", BOARDS)
def test_a_poster_tells_everything(name):
    shown = scene(name, ("<Ann> & Co", "Bob\0\x1b[2J"), "Final & more")
    root = ElementTree.fromstring(draw_poster(Poster(shown, "svg", "a3", describe_day("2026-11-03T10:00:00Z"))))
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Final & more" in texts
    assert "<Ann> & Co" in texts
    assert "Bob[2J" in texts  # nothing that cannot be seen
    assert {f"{score:,}" for score in shown.position.scores} <= set(texts)
    assert any("3 November 2026" in text for text in texts)
    assert root.get("width") == f"{PAPERS['a3']}mm"


def test_a_poster_of_gravity_has_contours_and_its_picture_has_none():
    shown = scene()
    assert b"contours" in draw_poster(Poster(shown))
    assert "contours" not in shown.game.pictures.svg(shown.position)
    plain, rich = (draw(shown.position, 300) for draw in (shown.game.pictures.image, shown.game.pictures.poster_image))
    assert plain.tobytes() != rich.tobytes()


def test_a_poster_to_print_says_how_fine_it_is():
    image = Image.open(BytesIO(draw_poster(Poster(scene("dots"), "png", "a5"))))
    assert image.size == (1748, round(1748 * 297 / 210))
    assert round(image.info["dpi"][0]) == 300


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [2, 5, 12])
def test_everything_stays_within_its_frame(size, seats):
    game = catalog.game("gravity")
    position = game.rules.from_options({"size": 60, "stones": 1, "spacing": 3, "players": seats}).start()
    width, height = SIZES[size]
    names = tuple(f"{k} " + "name" * 30 for k in range(seats))
    sheet = lay_out_frame(Scene(game, position, names, "T" * 80), width, height)
    for mark in sheet.marks:
        assert 0 <= mark.y <= height
        if isinstance(mark, Words):
            begin = {"start": 0, "end": -1}[mark.anchor] * lettering.measure_width(mark.text, mark.size)
            assert mark.x + begin >= 0
            assert mark.x + begin + lettering.measure_width(mark.text, mark.size) <= width
    assert sheet.board.x >= 0
    assert sheet.board.y + sheet.board.side <= height


@pytest.mark.parametrize("name", BOARDS)
def test_a_film_is_as_large_and_as_long_as_it_should_be(name):
    shown = scene(name)
    image = Image.open(BytesIO(draw_film(Film(shown, "gif", "small"))))
    assert (image.size, image.n_frames) == (SIZES["small"], 3)
    with av.open(BytesIO(draw_film(Film(shown, "mp4", "small")))) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.width, stream.height) == ("h264", *SIZES["small"])
        assert len(list(container.decode(video=0))) == 2 * 9 + 40


def test_each_frame_says_which_move_it_is():
    seen = []
    paint, films.paint = films.paint, lambda sheet, pixels: seen.append(sheet) or paint(sheet, pixels)
    try:
        draw_film(Film(scene(title="Cup"), "gif", "small"))
    finally:
        films.paint = paint
    said = [[mark.text for mark in sheet.marks if isinstance(mark, Words)] for sheet in seen]
    assert all(words[0] == "Cup" for words in said)
    assert sorted(words[1] for words in said) == ["after 2 moves", "move 0 of 2", "move 1 of 2"]


def test_long_films_are_thinned_out():
    assert choose_plies(3) == [0, 1, 2, 3]
    assert choose_plies(119) == list(range(120))
    thinned = choose_plies(4800)
    assert (len(thinned), thinned[0], thinned[-1]) == (120, 0, 4800)
    assert thinned == sorted(set(thinned))


def test_impossible_films_and_posters_are_refused_in_one_line(monkeypatch):
    with pytest.raises(UnknownName, match="unknown size 'huge'; known: small"):
        Film(scene(), "gif", "huge")
    with pytest.raises(UnknownName, match="unknown paper 'b4'; known: a5"):
        Poster(scene(), "svg", "b4")
    monkeypatch.setattr(films, "choose_plies", lambda _: list(range(120)))
    with pytest.raises(BadText, match="120 frames of 1920 x 1080 are too many for a GIF: take a smaller size, or MP4"):
        Film(scene(), "gif", "full-hd")
    Film(scene(), "mp4", "full-hd")
    for title in ("x" * 81, "a\nb", "\x1b[2J"):
        with pytest.raises(BadText, match="a title has at most 80 printable characters"):
            lettering.read_title(title)


def test_without_pyav_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(BadText, match=r"MP4 needs PyAV: pip install 'hinterland\[video\]'; GIF needs nothing more"):
        film.encode_mp4([], Image.new("RGB", (16, 16)))


def test_letters_missing_in_pillows_font_are_written_all_the_same(monkeypatch):
    assert lettering.choose_font("Ann") == ("Ann", lettering.PILLOW_FONT)
    monkeypatch.setattr(lettering, "SYSTEM_FONTS", ())
    assert lettering.choose_font("Müller \u4e2d") == ("Muller ?", lettering.PILLOW_FONT)
    assert lettering.shorten_to_fit("name" * 100, 10, 60).endswith("…")
