"""The file of ``replay --html``, opened from the disk: it steps, it fits on a phone, it needs no network."""

import pytest
from playwright.sync_api import expect

from hinterland import catalog
from hinterland.prints.game_page import draw_game_page
from told_games import COMMENT, NAMES, NOTE, make_rules, play

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DARK = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"}
LAST = 7
COLOURS = """() => {
  const style = getComputedStyle(document.documentElement);
  return [style.backgroundColor, style.color].map((colour) => colour.match(/\\d+/g).map(Number));
}"""


@pytest.fixture
def opened(page, tmp_path):
    """Open the page of a melee; fail if it asks for anything, or if a script of a name or a note has run."""
    file = tmp_path / "a game.html"
    game = play(make_rules("melee"))
    file.write_bytes(draw_game_page(catalog.game(game.game), game))
    asked, spoken = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (spoken.append(dialog.message), dialog.dismiss()))
    page.goto(file.as_uri())
    yield page
    assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
    assert {url.partition("#")[0] for url in asked if url.startswith("file:")} == {file.as_uri()}
    assert spoken == []
    assert page.title() != "1"


def shown(page):
    """Return the number of the position that is shown; everything that tells of it has to agree."""
    (number,) = page.locator("figure.shown").evaluate_all("all => all.map(one => Number(one.id.slice(5)))")
    boards = page.locator("figure img")
    assert [place for place in range(boards.count()) if boards.nth(place).is_visible()] == [number]
    assert boards.nth(number).evaluate("image => image.naturalWidth") > 0
    assert page.locator("tr.shown").get_attribute("data-step") == str(number)
    assert page.locator("input[type=range]").input_value() == str(number)
    assert page.locator("output").inner_text() == f"{number} / {LAST}"
    assert page.url.endswith(f"#move-{number}")
    return number


def test_buttons_keys_the_slider_and_the_list_step(opened):
    assert shown(opened) == LAST
    opened.get_by_role("button", name="Back").click()
    assert shown(opened) == LAST - 1
    opened.get_by_role("button", name="Next").click()
    assert shown(opened) == LAST
    expect(opened.get_by_role("button", name="Next")).to_be_disabled()
    opened.keyboard.press("Home")
    assert shown(opened) == 0
    opened.keyboard.press("ArrowLeft")
    assert shown(opened) == 0
    for _ in range(2):
        opened.keyboard.press("ArrowRight")
    assert shown(opened) == 2
    slider = opened.get_by_role("slider", name="Move")
    slider.focus()
    opened.keyboard.press("ArrowRight")  # one step, not two
    assert shown(opened) == 3
    slider.fill("6")
    assert shown(opened) == 6
    opened.locator("tr[data-step='4'] a").click()
    assert shown(opened) == 4
    opened.get_by_role("button", name="First position").click()
    assert shown(opened) == 0
    opened.get_by_role("button", name="Last position").click()
    assert shown(opened) == LAST


def test_an_address_names_a_position(opened):
    opened.evaluate("location.hash = 'move-2'")
    expect(opened.locator("figure.shown")).to_have_id("move-2")
    assert shown(opened) == 2
    opened.reload()
    assert shown(opened) == 2
    opened.evaluate("location.hash = 'move-99'")
    expect(opened.locator("figure.shown")).to_have_id(f"move-{LAST}")


def test_notes_comments_marks_and_departures_are_shown_with_their_move(opened):
    for step, words in ((2, NOTE), (2, COMMENT), (5, "left the game (crash)"), (4, "lost a turn")):
        opened.evaluate(f"location.hash = 'move-{step}'")
        expect(opened.locator("figure.shown figcaption")).to_contain_text(words)
        expect(opened.locator("figure:not(.shown) figcaption").first).to_be_hidden()
    opened.evaluate("location.hash = 'move-2'")
    expect(opened.locator("figure.shown .marks circle")).to_be_visible()
    expect(opened.get_by_role("listitem").nth(0)).to_contain_text(NAMES[0])


@pytest.mark.parametrize("page", [PHONE, DARK], indirect=True, ids=["phone", "dark"])
def test_it_is_readable_on_a_phone_and_in_the_dark(opened):
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("First position", "Back", "Next", "Last position"):
        box = opened.get_by_role("button", name=name).bounding_box()
        assert min(box["width"], box["height"]) >= 40
    is_dark = opened.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    ground, ink = opened.evaluate(COLOURS)
    assert (max(ground) < 40 < 200 < min(ink)) if is_dark else (max(ink) < 40 < 200 < min(ground))


def test_on_paper_stand_all_positions_and_no_buttons(opened):
    opened.emulate_media(media="print")
    assert all(one.is_visible() for one in opened.locator("figure img").all())
    expect(opened.locator(".controls")).to_be_hidden()
    expect(opened.locator("tr[data-step]")).to_have_count(LAST + 1)


def test_without_scripts_all_positions_stand_there(chromium, tmp_path):
    file = tmp_path / "game.html"
    file.write_bytes(draw_game_page(catalog.game("dots"), play(make_rules("dots"))))
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert all(one.is_visible() for one in page.locator("figure img").all())
    assert not page.locator(".controls").is_visible()
    context.close()
