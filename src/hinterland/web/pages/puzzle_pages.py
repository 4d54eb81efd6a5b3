"""The pages of puzzles: the puzzle of the day, the puzzles of a game, and one puzzle on its board."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Request, get
from litestar.response import Redirect, Template

from hinterland import catalog
from hinterland.contract import Game
from hinterland.errors import UnknownName
from hinterland.puzzles import collection
from hinterland.puzzles.puzzle import Puzzle, kind_of
from hinterland.web.api.puzzle_api import find_puzzle
from hinterland.web.http_errors import not_here
from hinterland.web.languages.reader import gettext as _
from hinterland.web.pages.game_pages import find_game, game_page

DAY_S = 86_400
SEATS = ("Blue", "Vermilion")


@get("/puzzles")
async def puzzles() -> Template:
    """Show the puzzle of the day, and the puzzles of each game."""
    return await asyncio.to_thread(_overview, *today())


@get("/puzzles/today")
async def puzzle_of_the_day() -> Redirect:
    """Redirect to the puzzle of the day."""
    name, number = await asyncio.to_thread(today)
    return Redirect(f"/puzzles/{name}/{number}", status_code=303)


@get("/puzzles/{name:str}")
async def puzzles_of_a_game(request: Request[Any, Any, Any]) -> Template:
    """List all puzzles of a game."""
    name = request.path_params["name"]
    try:
        found = await asyncio.to_thread(collection.collection, name)
    except UnknownName as error:
        raise not_here(str(error)) from None
    game = find_game(name)
    return game_page("puzzle_list.html", game, {"game": name}, bands=bands(found), count=len(found))


@get("/puzzles/{name:str}/{number:str}")
async def one_puzzle(request: Request[Any, Any, Any]) -> Template:
    """Show a puzzle on its board."""
    name, number, puzzle = await asyncio.to_thread(find_puzzle, request)
    return await asyncio.to_thread(_page, catalog.game(name), number, puzzle)


def today() -> tuple[str, int]:
    """Return the game and the number of the puzzle of the day; days begin at midnight UTC."""
    return collection.of_the_day(int(time.time() // DAY_S))


def bands(found: Sequence[Puzzle]) -> dict[str, list[tuple[int, Puzzle]]]:
    """Return the puzzles by difficulty, each with its number."""
    listed: dict[str, list[tuple[int, Puzzle]]] = {difficulty: [] for difficulty in collection.DIFFICULTIES}
    for number, puzzle in enumerate(found, start=1):
        listed[collection.difficulty(number, len(found))].append((number, puzzle))
    return listed


def _overview(name: str, number: int) -> Template:
    daily = _puzzle_data(catalog.game(name), number, collection.puzzle(name, number))
    games = [(catalog.game(other), bands(collection.collection(other))) for other in collection.names()]
    ranges = {
        game.name: {difficulty: [band[0][0], band[-1][0]] for difficulty, band in found.items()}
        for game, found in games
    }
    data = {"daily": daily, "ranges": ranges}
    return Template("puzzles.html", context={"daily": daily, "games": games, "ranges": ranges, "page_data": data})


def _page(game: Game, number: int, puzzle: Puzzle) -> Template:
    data = _puzzle_data(game, number, puzzle)
    return game_page("puzzle.html", game, data, puzzle=data)


def _puzzle_data(game: Game, number: int, puzzle: Puzzle) -> dict[str, Any]:
    """Return the data of a puzzle's page, without its answer."""
    position = puzzle.position(game)
    drawing = game.page.drawing_data
    seat = position.to_move or 0
    count = len(collection.collection(game.name))
    goal = kind_of(game).goals[puzzle.goal]
    return {
        "game": game.name,
        "title": _(game.title),
        "number": number,
        "count": count,
        "difficulty": collection.difficulty(number, count),
        "rating": puzzle.rating,
        "goal": _(goal.title),
        "task": _(goal.task),
        "unit": _(kind_of(game).unit),
        "is_gain": kind_of(game).is_gain,
        "rules": game.page.rules(position.rules),
        "drawing_data": None if drawing is None else drawing(position.rules),
        "moves": [{"seat": who, "move": msgspec.to_builtins(move.numbers)} for who, move in position.moves],
        "seat": seat,
        "seat_name": SEATS[seat],
        "names": [_("You") if who == seat else _(name) for who, name in enumerate(SEATS)],
    }
