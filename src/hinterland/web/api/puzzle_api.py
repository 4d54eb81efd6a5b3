"""Judges answers to puzzles."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import MediaType, Request, get, post

from hinterland import catalog
from hinterland.errors import BadText, UnknownName
from hinterland.puzzles import collection
from hinterland.puzzles.puzzle import Puzzle, judge_move
from hinterland.web.api.forms import read_form, read_number
from hinterland.web.arena import arena_of
from hinterland.web.guards import asker_of
from hinterland.web.http_errors import not_here


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a visitor."""

    move: list[int]
    """The move, as numbers."""


@post("/api/puzzles/{name:str}/{number:str}", status_code=200, media_type=MediaType.JSON)
async def judge_answer(request: Request[Any, Any, Any]) -> bytes:
    """Judge an answer exactly. If the answer is right, also return the best move."""
    name, _, puzzle = find_puzzle(request)
    answer = await read_form(request, Answer, 'an answer is an object like {"move": [1, 2]}')
    workers = arena_of(request).board_gallery.workers.share_for(asker_of(request))
    return await workers.run(_judge, name, puzzle, answer)


@get("/api/puzzles/{name:str}/{number:str}/answer", media_type=MediaType.JSON)
async def show_answer(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Show the answer of a puzzle."""
    puzzle = find_puzzle(request)[2]
    return {"best": puzzle.best, "worth": puzzle.worth}


def find_puzzle(request: Request[Any, Any, Any]) -> tuple[str, int, Puzzle]:
    """Return the puzzle that the URL names, with the name of its game and its number, or answer 404."""
    name = request.path_params["name"]
    try:
        number = read_number(request.path_params, "number") or 0
        return name, number, collection.puzzle(name, number)
    except (BadText, UnknownName) as error:
        raise not_here(str(error)) from None


def _judge(name: str, puzzle: Puzzle, answer: Answer) -> bytes:
    """Judge an answer. Raises BadText for a malformed move, IllegalMove for an illegal one."""
    game = catalog.game(name)
    position = puzzle.position(game)
    judgement = judge_move(puzzle, game, position, game.move.from_numbers(answer.move))
    fields = msgspec.to_builtins(judgement)
    return msgspec.json.encode(fields | ({"best": puzzle.best, "most": puzzle.worth} if judgement.right else {}))
