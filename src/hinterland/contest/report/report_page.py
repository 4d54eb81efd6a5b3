"""Renders a contest as one HTML file, without scripts or network access. The same records give the same file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hinterland.contest.report import plan_words
from hinterland.contest.report.bracket_chart import make_bracket_chart
from hinterland.contest.report.contest_view import make_crosstable
from hinterland.contest.report.forest_plot import make_forest_plot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hinterland.contest.report.contest_view import ContestView, GamePlayed, PairView
    from hinterland.contest.report.fault_details import FaultDetails
    from hinterland.contest.standings import GameLeft

FOLDER = Path(__file__).parent
TEMPLATES, STATIC = FOLDER / "templates", FOLDER / "static"
"""Folders of templates and static files, also for servers that show contests among other pages."""
MAX_COLOURED_PLAYERS = 12
"""Greatest number of players that get a colour each; if there are more, no colours are shown."""
MAX_ROWS, MAX_TABLES, MAX_LISTED_GAMES = 200, 80, 1500
"""Greatest numbers of rows in a table, of tables in a round, and of games that a page lists."""
MAX_PAGE_BYTES = 480_000
"""Largest size of a report; a report that would be larger lists fewer games, and shows fewer boards and logs."""


class Links:
    """Addresses to which a page links. This class links only to places within the page; servers subclass it."""

    def __init__(self, *, lists_games: bool = True) -> None:
        self._lists_games = lists_games

    def pair(self, pair: PairView) -> str | None:
        """Return the address of two players' games, or None if they are not listed."""
        return "#games-{}-{}".format(*pair.players) if self._lists_games else None

    def player(self, _: int) -> str | None:
        """Return the address of the player with a number in the plan, or None."""
        return None

    def game(self, _: GamePlayed | GameLeft) -> str | None:
        """Return the address of a game, or None."""
        return None

    def fault(self, _: GameLeft) -> FaultDetails | None:
        """Return what this page shows of a game that a player left, or None."""
        return None


def make_context(view: ContestView, links: Links) -> dict[str, Any]:
    """Return the values that the templates use, by name."""
    return {
        "view": view,
        "links": links,
        "words": plan_words,
        "coloured": len(view.names) <= MAX_COLOURED_PLAYERS,
        "forest": make_forest_plot(view.ratings[:MAX_ROWS]),
        "cross": make_crosstable(view),
        "bracket": make_bracket_chart(view) if view.has_bracket else None,
        "most_rows": MAX_ROWS,
        "most_tables": MAX_TABLES,
    }


class ReportLinks(Links):
    """Links of a report, which shows the games that players left on the page itself."""

    def __init__(self, faults: Mapping[str, FaultDetails], *, lists_games: bool) -> None:
        """``faults``: what is known of such games, by round, match and game."""
        super().__init__(lists_games=lists_games)
        self._faults = faults

    def fault(self, left: GameLeft) -> FaultDetails | None:
        """Return what is known of a game that a player left, or None."""
        return self._faults.get(left.address)


def render(view: ContestView, faults: Mapping[str, FaultDetails] = {}) -> str:
    """Render the report as HTML. ``faults``: games that players left, by round, match and game."""
    shown = make_crosstable(view).rows
    best = {row.player for row in shown}
    pairs = [pair for pair in view.pairs.values() if best.issuperset(pair.players)]
    styles = "".join((STATIC / "css" / name).read_text("utf-8") for name in ("report-house.css", "contest.css"))
    template = _environment().get_template("contest_report.html")
    listed = games_per_pair(pairs)
    while True:
        values = make_context(view, ReportLinks(faults, lists_games=listed > 0))
        page = template.render(values, styles=styles, pairs=pairs if listed else [], listed=listed)
        if len(page.encode()) <= MAX_PAGE_BYTES or not (listed or faults):
            return page
        listed //= 2
        faults = dict(list(faults.items())[: len(faults) // 2])


def games_per_pair(pairs: list[PairView], most: int = MAX_LISTED_GAMES) -> int:
    """Return how many games of each pair can be listed if ``most`` games can be listed in all."""
    each = max((len(pair.kept) for pair in pairs), default=0)
    while sum(min(each, len(pair.kept)) for pair in pairs) > most:
        each -= 1
    return each


@cache
def _environment() -> Environment:
    """Make the Jinja environment of a report file, in English; servers use the same templates with translations."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"],
    )  # fmt: skip
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_null_translations(newstyle=True)  # type: ignore[attr-defined]
    environment.filters.update(said=str, decimal=str, number="{:,}".format)
    return environment
