"""The pages of contests: the list, a contest, the games of two players, and the replay of a game."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from litestar import Request, Response, get
from litestar.response import Template

from hinterland.contest.report import report_page
from hinterland.contest.report.contest_view import ContestView, GamePlayed, PairView
from hinterland.contest.standings import GameLeft
from hinterland.contest.versions import RECORDS_FILE
from hinterland.errors import HinterlandError
from hinterland.host.log_keeper import fault_of
from hinterland.referee.record import Record
from hinterland.storage.identities import Identity
from hinterland.storage.index.game_rows import id_of_url
from hinterland.storage.log_folder import shorten_log
from hinterland.web.api.find_games import replay_record
from hinterland.web.arena import arena_of
from hinterland.web.guards import asker_of
from hinterland.web.http_errors import STATUS_MESSAGES, not_here
from hinterland.web.languages.reader import tag_for_reader
from hinterland.web.lists.game_list import player_url
from hinterland.web.live.contest_library import ContestLibrary, ShownContest, contest_game_url
from hinterland.web.pages.game_pages import game_page

log = logging.getLogger("hinterland.web")
PAIR = re.compile(r"(\d{1,6})-(\d{1,6})")
NO_CARD: dict[str, Any] = {"name": "", "url": "", "when": "", "error": "", "view": None}
NAMELESS = "the name of its folder is not UTF-8; rename the folder"
PLACE = re.compile(r"([1-9]\d{0,8})\.([1-9]\d{0,8})\.([1-9]\d{0,3})")


class ContestLinks(report_page.Links):
    """Links of a contest's page."""

    def __init__(self, name: str, known: Mapping[str, Identity] = {}, base: str = "") -> None:
        """``known``: the identities of the players by name, in the order of the plan; ``base``: the arena's path."""
        super().__init__()
        self._base = base
        self._pages = [base + player_url(player.slug) for player in known.values()]
        self.root = f"/contests/{quote(name, safe='')}"

    def pair(self, pair: PairView) -> str:
        """Return the address of the games of two players."""
        return "{}{}/pairs/{}-{}".format(self._base, self.root, *pair.players)

    def player(self, player: int) -> str | None:
        """Return the address of a player's page; None before the first game."""
        return self._pages[player] if self._pages else None

    def game(self, game: GamePlayed | GameLeft) -> str:
        """Return the address of a game's replay."""
        return f"{self._base}{self.root}/games/{game.address}"


@get("/contests")
async def contests(request: Request[Any, Any, Any]) -> Template:
    """List the contests, the most recently played first."""
    library = arena_of(request).contests
    cards = await asyncio.to_thread(_cards, library)
    cards.sort(key=lambda card: (card["when"], card["name"]), reverse=True)
    return Template("contests.html", context={"cards": cards, "is_open": library.is_open})


@get("/contests/{name:str}")
async def contest(request: Request[Any, Any, Any]) -> Template:
    """Show a contest."""
    version, view, links = await _find_view(request)
    context = report_page.make_context(view, links)
    return Template(
        "contest.html", context={**context, "version": version, "page_data": {"version": tag_for_reader(version)}}
    )


@get("/contests/{name:str}/now")
async def contest_now(request: Request[Any, Any, Any]) -> Response[Any]:
    """Return the content of a contest's page, or answer 304 if it has not changed."""
    version, view, links = await _find_view(request)
    headers = {"ETag": tag_for_reader(version)}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(None, status_code=304, headers=headers)
    return Template("contest_view.html", context=report_page.make_context(view, links), headers=headers)


@get("/contests/{name:str}/pairs/{pair:str}")
async def pair_games(request: Request[Any, Any, Any]) -> Template:
    """List the games of two players."""
    _, view, links = await _find_view(request)
    found = PAIR.fullmatch(request.path_params["pair"])
    pair = view.pairs.get((int(found[1]), int(found[2]))) if found else None
    if pair is None:
        raise not_here(f"{view.title} has no such pair of players")
    context = report_page.make_context(view, links)
    return Template("contest_pair.html", context={**context, "pair": pair, "games": pair.kept})


@get("/contests/{name:str}/games/{place:str}")
async def contest_game(request: Request[Any, Any, Any]) -> Template:
    """Show a game of a contest move by move."""
    arena, shown = arena_of(request), _find_contest(request)
    place = request.path_params["place"]
    record = await _find_record(shown, place)
    known = await asyncio.to_thread(shown.identities)
    game_id = id_of_url(contest_game_url(shown.name, place))
    game = await replay_record(arena, game_id, asker_of(request), record, known)
    links = ContestLinks(shown.name)
    log_text = await asyncio.to_thread(shown.log, place, record)
    return game_page(
        "game.html", game.setup.game, {}, id=game.id, contest=shown.name, contest_url=links.root,
        log=shorten_log(log_text or ""), log_url=f"{links.root}/games/{place}/log.txt",
        has_fault=bool(fault_of(record)),
    )  # fmt: skip


@get("/contests/{name:str}/games/{place:str}/log.txt", media_type="text/plain")
async def contest_log(request: Request[Any, Any, Any]) -> str:
    """Return the whole log of a game of a contest."""
    shown, place = _find_contest(request), request.path_params["place"]
    record = await _find_record(shown, place)
    text = await asyncio.to_thread(shown.log, place, record)
    if text is None:
        raise not_here(f"{shown.name} has no log of game {place}")
    return text


async def _find_record(shown: ShownContest, place: str) -> Record:
    """Return the record of the game at a place such as 1.12.2, or answer 404."""
    found = PLACE.fullmatch(place)
    if found is None:
        raise not_here("a game of a contest is found by its round, match and number, such as 1.12.2")
    round_, task, number = map(int, found.groups())
    record = await asyncio.to_thread(shown.game, round_ - 1, task - 1, number)
    if record is None:
        raise not_here(f"{shown.name} has no game {place} yet")
    return record


def _find_contest(request: Request[Any, Any, Any]) -> ShownContest:
    """Return the contest that the URL names, or answer 404."""
    found = arena_of(request).contests.find(request.path_params["name"])
    if found is None:
        raise not_here("there is no such contest here")
    return found


async def _find_view(request: Request[Any, Any, Any]) -> tuple[str, ContestView, ContestLinks]:
    """Return the entity tag, the current view and the links of the contest that the URL names, or answer 404."""
    shown = await asyncio.to_thread(_find_contest, request)
    version, view = await asyncio.to_thread(shown.view)
    known = await asyncio.to_thread(shown.identities) if view.games else {}
    return version, view, ContestLinks(shown.name, known, arena_of(request).settings.openness.base)


def _cards(library: ContestLibrary) -> list[dict[str, Any]]:
    cards = [_card(shown) for shown in library.all()]
    return [*cards, *({**NO_CARD, "name": name, "error": NAMELESS} for name in library.nameless())]


def _card(shown: ShownContest) -> dict[str, Any]:
    """Describe a contest for the list, or say why the contest cannot be read."""
    card = {**NO_CARD, "name": shown.name, "url": ContestLinks(shown.name).root}
    try:
        _, view = shown.view()
        card |= {"view": view, "when": _when(shown)}
    except HinterlandError as error:
        card["error"] = str(error)
    except Exception:
        log.exception("contest %s cannot be shown", shown.name)
        card["error"] = STATUS_MESSAGES[500]
    return card


def _when(shown: ShownContest) -> str:
    """Return the date and time in UTC at which the contest was last played; "" if never."""
    try:
        return datetime.fromtimestamp((shown.folder / RECORDS_FILE).stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
    except (OSError, ValueError, OverflowError):  # missing, or out of range
        return ""
