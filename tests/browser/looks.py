"""Sizes and colours in which pages are looked at, and what must hold in each; ``make test`` takes one size, CI all."""

import pytest
from axe_playwright_python.sync_playwright import Axe

DESK = {"viewport": {"width": 1440, "height": 900}}
HAND = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WALL = {"viewport": {"width": 1920, "height": 1080}}
BY_HAND = pytest.mark.parametrize("page", [HAND], indirect=True)


def looks(**sizes):
    """Return the mark of a test of a page in sizes: the first of them, thorough in all."""
    params = [
        pytest.param(size, id=name, marks=[pytest.mark.thorough] * (number > 0))
        for number, (name, size) in enumerate(sizes.items())
    ]
    return pytest.mark.parametrize("page", params, indirect=True)


EVERY_LOOK = looks(desk=DESK, hand=HAND)


def no_violations(page):
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def unfold(page):
    """Open what is folded away where a game is set up: its rules in full, and its seats."""
    page.locator("details.fold").evaluate_all("folds => folds.forEach(fold => (fold.open = true))")


def overflowing(page):
    """Return what makes a page scroll sideways, nothing where it does not."""
    return page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width) return [];
          const all = [...document.querySelectorAll("body *")];
          const wide = all.filter((e) => e.getBoundingClientRect().right > width + 1);
          return ["the page", ...wide.map((e) => e.outerHTML.slice(0, 90))];
        }"""
    )


def everybody_can_read(page):
    """See to it that axe has nothing to say against a page, dark or light, and that it does not scroll sideways."""
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        no_violations(page)
    assert overflowing(page) == []
