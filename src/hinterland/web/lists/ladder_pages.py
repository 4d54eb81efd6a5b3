"""The pages of ladders and players, made from the ladder keeper and the index."""

from __future__ import annotations

import re
from typing import Any

from litestar import Request, get
from litestar.response import Template
from sqlalchemy import Connection

from hinterland import catalog
from hinterland.contest.report.contest_view import RatingRow
from hinterland.contest.report.forest_plot import ForestPlot, make_forest_plot
from hinterland.errors import ArenaError, UnknownName, quote
from hinterland.ladder.history_chart import history_chart
from hinterland.ladder.ladder_keeper import LadderPlace
from hinterland.ladder.preset_ladders import PresetLadder, list_ladders
from hinterland.ladder.standing import SURE_ELO, SURE_MATCHES, Ladder, LadderPlayer
from hinterland.storage.identities import Identity, PlayerKind
from hinterland.storage.index import listing
from hinterland.storage.index.listing import GameCard, GameFilter
from hinterland.web.arena import Arena, arena_of
from hinterland.web.http_errors import not_here
from hinterland.web.languages import reader
from hinterland.web.languages.reader import gettext as _
from hinterland.web.languages.seat_names import display_name, levels_of
from hinterland.web.lists.game_list import readers_of
from hinterland.web.lists.game_list_pages import CARD_FUNCTIONS, games_by_name

MAX_RANKED, MAX_PROVISIONAL, MAX_OPPONENTS, MAX_LISTED, LATEST_GAMES = 200, 100, 7, 40, 12
SLUG = re.compile(r"[a-z0-9-]{1,64}")
NO_PLAYER = "there is no such player"


@get(["/ladder", "/ladder/{name:str}"])
async def ladder_page(request: Request[Any, Any, Any]) -> Template:
    """Show the ladder of a game and a preset."""
    name, preset = request.path_params.get("name", next(iter(catalog.GAMES))), request.query_params.get("preset")
    found = await readers_of(request).run(_ladder, arena_of(request), name, preset)
    return Template("ladder.html", context={**TEMPLATE_FUNCTIONS, **found})


def _ladder(arena: Arena, name: str, preset: str | None) -> dict[str, Any]:
    """Return the page's data. Answers 404 for an unknown ladder."""
    try:
        ladders = list_ladders(name)
    except UnknownName as error:
        raise not_here(str(error)) from None
    busiest = max(ladders, key=lambda one: 0 if (its := arena.ladders.ladder(one)) is None else its.games)
    which = next((one for one in ladders if one.preset == preset), None) if preset else busiest
    if which is None:
        raise not_here(f"there is no ladder {quote(preset)}; there are {', '.join(one.preset for one in ladders)}")
    found = arena.ladders.ladder(which) or Ladder(0, 0, {}, 0.0, 0)
    ranked, provisional = found.ranked, found.provisional
    return {
        "games": games_by_name(), "which": which, "ladders": ladders, "ladder": found, "few": SURE_MATCHES,
        "unsure": int(SURE_ELO),
        "ranked": rows_of(ranked[:MAX_RANKED]), "provisional": rows_of(provisional[:MAX_PROVISIONAL]),
        "left_out": found.left_out + max(0, len(ranked) - MAX_RANKED) + max(0, len(provisional) - MAX_PROVISIONAL),
        "is_ready": arena.ladders.is_ready, "fault": arena.index.fault,
    }  # fmt: skip


def rows_of(players: list[LadderPlayer]) -> tuple[list[tuple[LadderPlayer, Any]], ForestPlot]:
    """Return each player with the whisker that shows the interval of its rating, and the plot of all whiskers."""
    plot = make_forest_plot([rating_row(number, player) for number, player in enumerate(players)])
    return list(zip(players, plot.whiskers, strict=True)), plot


def rating_row(number: int, player: LadderPlayer) -> RatingRow:
    """Return a player's rating and its interval in whole Elo."""
    return RatingRow(number, round(player.elo), round(player.low), round(player.high))


@get("/players/{slug:str}")
async def player_page(request: Request[Any, Any, Any]) -> Template:
    """Show a player."""
    arena, slug = arena_of(request), request.path_params["slug"]
    if not SLUG.fullmatch(slug):
        raise not_here(NO_PLAYER)
    try:
        context = await readers_of(request).run(_player, arena, slug)
    except ArenaError as error:
        return Template("player.html", context={"fault": str(error), "who": None}, status_code=503)
    return Template("player.html", context={**TEMPLATE_FUNCTIONS, **context, "fault": None})


def _player(arena: Arena, slug: str) -> dict[str, Any]:
    """Return the page's data. Raises ArenaError, or answers 404 for an unknown player."""

    def ask(connection: Connection) -> tuple[Identity | None, list[GameCard], int]:
        played = GameFilter(slug=slug)
        who = listing.find_player(connection, slug)
        return who, listing.list_games(connection, played, None, LATEST_GAMES), listing.count_games(connection, played)

    who, latest, count = arena.index.query(ask)
    if who is None:
        raise not_here(NO_PLAYER)
    places = sorted(arena.ladders.find_places(slug), key=lambda one: -one.player.matches)
    return {
        "games_url": f"/games?who={slug}", "who": who,
        "ratings": [_rating(place) for place in places],
        "latest": latest, "count": count, "most": listing.MAX_COUNTED, "games": games_by_name(),
        "is_ready": arena.ladders.is_ready,
    }  # fmt: skip


def _rating(place: LadderPlace) -> dict[str, Any]:
    player = place.player
    met = [(place.players.get(one.rival), one) for one in player.meetings]
    return {
        "which": place.ladder, "player": player, "place": place.place,
        "ranked": sum(not one.is_provisional for one in place.players.values()),
        "chart": history_chart(player.history), "met": met[:MAX_OPPONENTS],
        "met_besides": met[MAX_OPPONENTS:MAX_LISTED],
    }  # fmt: skip


def elo(value: float) -> str:
    """Format a rating."""
    return reader.number(round(value)).replace("-", "−")


def between(player: LadderPlayer) -> str:
    """Format the interval of a rating: its lower and its upper bound."""
    return _("%(first)s to %(last)s") % {"first": elo(player.low), "last": elo(player.high)}


def tick(words: str) -> str:
    """Format a label of the plot's axis for the reader."""
    return elo(float(words.replace(",", "").replace("−", "-")))


def titles(ladder: PresetLadder) -> str:
    """Return the titles of a ladder's presets."""
    return ", ".join(_(title) for title in ladder.titles)


def kind_words(who: Identity, game: str) -> str:
    """Describe what kind of player somebody is, such as Bot or Level 3.

    For a player that is known from one contest only, return the contest's name.
    """
    match who.kind:
        case PlayerKind.ENTRANT:
            return who.contest
        case PlayerKind.GUEST:
            return _("Guest")
        case PlayerKind.BOT:
            return _("Bot")
    number, _level = levels_of(game).get(who.slug, (0, None))
    return _("Level {level}").format(level=number) if number else _("Built-in player")


def about(who: Identity) -> str:
    """Describe a player in all games; for a built-in player, name its level in each game."""
    if who.kind != PlayerKind.HOUSE:
        return kind_words(who, next(iter(catalog.GAMES)))
    kinds = [catalog.game(name) for name in catalog.GAMES]
    levels = [
        f"{_(kind.title)}: {_('Level {level}').format(level=_(level.title))}"
        for kind in kinds for level in kind.levels if level.spec == who.name
    ]  # fmt: skip
    return " · ".join([_("Built-in player"), *levels])


TEMPLATE_FUNCTIONS = {
    **CARD_FUNCTIONS,
    "about": about, "between": between, "elo": elo, "kind_words": kind_words, "tick": tick, "titles": titles,
    "shown_name": display_name,
}  # fmt: skip
"""Functions that the templates call."""
