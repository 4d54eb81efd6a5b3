"""Studies: variations of a finished game of this arena, or of a game file.

The server judges each variation. The browser keeps the study, in a link or in a game file.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.exceptions import ClientException, HTTPException
from litestar.response import Template
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE as TOO_LARGE

from hinterland import catalog
from hinterland.contract import Game, Position, read_json
from hinterland.errors import BadText, HinterlandError, RecordError, quote
from hinterland.referee import verification
from hinterland.referee.diary import Note
from hinterland.referee.game_study import GameStudy, check_study, position_at_node
from hinterland.referee.record import Record, read_line, studied, to_line
from hinterland.storage.archive import make_record
from hinterland.web.api.forms import read_body, read_form
from hinterland.web.api.game_api import find_live_game, find_requested_game
from hinterland.web.api.game_request import check_board
from hinterland.web.arena import arena_of
from hinterland.web.board_drawings import encode_drawing_data
from hinterland.web.disconnects import cancel_on_disconnect
from hinterland.web.gallery import Gallery
from hinterland.web.guards import asker_of, limit_rate
from hinterland.web.http_errors import conflict, not_here
from hinterland.web.languages.reader import gettext
from hinterland.web.live.arena_game import ArenaGame
from hinterland.web.live.opened_records import POSITION_SIZE_FACTOR, Upload, record_id, replay
from hinterland.web.settings import MAX_BODY_BYTES

CANDIDATES = 3
MAX_NAME_CHARACTERS = 100
"""Length of the longest name of a player in a record sent for study."""
MAX_LINE_MOVES = 500
FORM = 'a line is asked for with {"ply": …, "moves": [[…], …], "best": true}'
STUDY_FORM = 'a study is {"moves": [{"after": …, "move": […]}], "comments": [{"node": …, "text": …}], "marks": […]}'


class LineRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST …/line and …/expectation."""

    ply: int
    """Number of the game's moves before the variation.

    If a variation begins after the last move, players that gave up after this move play on in the variation.
    """
    moves: list[list[int]] = []
    """Moves of the variation."""
    best: bool = False
    """Whether to return the best moves after the variation."""


class StudiedGame(msgspec.Struct, frozen=True):
    """A game under study."""

    id: str
    game: Game
    position: Position[Any, Any]
    """The last position."""
    notes: tuple[Note, ...]
    """The players' notes on moves."""
    make_record: Callable[[], Record]


@get(["/study", "/study/{game_id:str}"])
async def study(request: Request[Any, Any, Any]) -> Template:
    """Show the study of a finished game, or the form that opens a game file."""
    if "game_id" not in request.path_params:
        return Template("study.html", context={"page_data": {}, "id": None, "game": None})
    live_game = await find_live_game(request, request.path_params["game_id"])
    _check_over(live_game)
    game = live_game.setup.game
    data = {"game": game.name, "id": live_game.id}
    context = {"game": game.name, "title": gettext(game.title), "id": live_game.id}
    return Template("study.html", context={**context, "page_data": data})


@post("/api/studies", status_code=200, media_type=MediaType.JSON, request_max_body_size=MAX_BODY_BYTES)
async def open_study(request: Request[Any, Any, Any]) -> bytes:
    """Judge the moves in a game file again, and keep the game in memory for a while."""
    arena = arena_of(request)
    limit_rate(request, arena.opening, "too many game files; try again in a moment")
    text, limit_s = await _read_large_body(request, "a record"), arena.settings.limits.record_s
    workers = arena.reviews.workers.share_for(asker_of(request))
    upload = await cancel_on_disconnect(request, workers.run(arena.reviews.background.run, open_record, text, limit_s))
    arena.uploads.keep(upload)
    return msgspec.json.encode(upload.to_page())


@get("/api/studies/{upload_id:str}/drawing-data", media_type=MediaType.JSON)
async def get_upload_drawing(request: Request[Any, Any, Any]) -> bytes:
    """Return the data that a page needs to draw the board of an opened game file."""
    found = await find_studied_game(request)
    key, what = (found.id,), (found.game, found.position.rules)
    drawing = arena_of(request).gallery.show(asker_of(request), key, encode_drawing_data, *what)
    drawn: bytes = await cancel_on_disconnect(request, drawing)
    return drawn


@post(
    ["/api/games/{game_id:str}/line", "/api/studies/{upload_id:str}/line"], status_code=200, media_type=MediaType.JSON
)
async def judge_line(request: Request[Any, Any, Any]) -> bytes:
    """Judge the moves of a variation. The answer 400 names an illegal move and says why."""
    return await _ask(request, arena_of(request).gallery, judge)


@post(
    ["/api/games/{game_id:str}/expectation", "/api/studies/{upload_id:str}/expectation"],
    status_code=200,
    media_type=MediaType.JSON,
)
async def expect_end(request: Request[Any, Any, Any]) -> bytes:
    """Return the result that the strongest player expects from a variation.

    The calculation can take a second. It runs in the processes for reviews, so that it delays no ``judge_line``.
    """
    return await _ask(request, arena_of(request).reviews, expect)


@post(
    ["/api/games/{game_id:str}/record", "/api/studies/{upload_id:str}/record"],
    status_code=200,
    request_max_body_size=MAX_BODY_BYTES,
)
async def export_study(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the record of a game with a study in it. Every command that reads records can read this record."""
    found = await find_studied_game(request)
    wanted: GameStudy = read_json(await _read_large_body(request, "a study"), GameStudy, STUDY_FORM)
    workers = arena_of(request).gallery.workers.share_for(asker_of(request))
    record, background = found.make_record(), arena_of(request).gallery.background
    content = await cancel_on_disconnect(request, workers.run(background.run, put_study, record, wanted))
    headers = {"Content-Disposition": f'attachment; filename="{found.game.name}-{found.id}-study.jsonl"'}
    return Response(content, media_type="application/x-ndjson", headers=headers)


async def _ask(request: Request[Any, Any, Any], gallery: Gallery, answer: Callable[..., bytes]) -> bytes:
    """Return what ``answer`` computes for the requested variation, in a background process of ``gallery``."""
    found = await find_studied_game(request)
    line = await read_form(request, LineRequest, FORM)
    if not 0 <= line.ply <= len(found.position.moves):
        raise BadText(f"ply counts the moves made: it can be 0 to {len(found.position.moves)}, not {line.ply}")
    if len(line.moves) > MAX_LINE_MOVES:
        raise BadText(f"a variation has at most {MAX_LINE_MOVES} moves, not {len(line.moves)}")
    key = (found.id, line.ply, str(line.moves), line.best)
    start = position_at_node(found.position, line.ply)
    encoded: bytes = await cancel_on_disconnect(
        request, gallery.show(asker_of(request), key, answer, found.game, start, line)
    )
    return encoded


def open_record(text: bytes, limit_s: float) -> Upload:
    """Judge the moves of a record again.

    Raises BadText, in one line, if the record is invalid or replaying it takes ``limit_s`` seconds.
    """
    try:
        record = read_line(_one_line(text))
        check_board(catalog.game(record.game), record.rules)
        _check_names(record)
        verification.verify(record)
        last, scores = replay(record, time.monotonic() + limit_s)
    except HinterlandError as error:
        raise BadText(f"this game cannot be opened: {error}") from None
    bare = studied(record, None)
    return Upload(record_id(bare), bare, record.study or None, last, scores, len(text) * POSITION_SIZE_FACTOR)


def _one_line(text: bytes) -> bytes:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        raise RecordError(f"paste one game, a single line of JSON, not {len(lines)} lines")
    return lines[0]


def _check_names(record: Record) -> None:
    for name in record.players:
        if len(name) > MAX_NAME_CHARACTERS or not name.isprintable():
            raise RecordError(
                f"the name of a player has at most {MAX_NAME_CHARACTERS} printable letters, not {quote(name)}"
            )


def judge(game: Game, position: Position[Any, Any], line: LineRequest) -> bytes:
    """Play a variation; return who made each move and the scores after it, and on request the best moves to follow.

    Raises IllegalMove, BadText.
    """
    played = []
    for numbers in line.moves:
        seat = position.to_move
        position = position.play(game.move.from_numbers(numbers))
        played.append({"seat": seat, "scores": position.scores})
    wanted = line.best and position.to_move is not None
    best = game.pictures.candidates(position, CANDIDATES) if wanted else []
    return msgspec.json.encode({
        "moves": played,
        "scores": position.scores,
        "to_move": position.to_move,
        "best": [{"move": move.numbers, "gain": gain} for move, gain in best],
    })  # fmt: skip


def expect(game: Game, position: Position[Any, Any], line: LineRequest) -> bytes:
    """Play a variation; return how the game is expected to end; null in games that make no such forecast.

    Raises IllegalMove, BadText.
    """
    for numbers in line.moves:
        position = position.play(game.move.from_numbers(numbers))
    return msgspec.json.encode(None if game.expectation is None else game.expectation(position))


def put_study(record: Record, wanted: GameStudy) -> bytes:
    """Write a record with a study in it. Raises BadText if the study does not fit the game."""
    try:
        check_study(wanted, verification.final(record))
    except RecordError as error:
        raise BadText(str(error)) from None
    return to_line(studied(record, wanted))


async def find_studied_game(request: Request[Any, Any, Any]) -> StudiedGame:
    """Return the game or game file that the URL names. Answers 404 for an unknown id, 409 while the game is live."""
    if "game_id" in request.path_params:
        live_game = await find_requested_game(request)
        _check_over(live_game)
        setup, judged = live_game.setup, live_game.game
        return StudiedGame(
            live_game.id, setup.game, judged.position, judged.notes, lambda: make_record(setup, judged)
        )
    upload = arena_of(request).uploads.find(request.path_params["upload_id"])
    if upload is None:
        raise not_here("this game file is no longer here; open it again")
    notes = upload.record.times.notes
    return StudiedGame(upload.id, upload.game, upload.position, notes, lambda: upload.record)


async def _read_large_body(request: Request[Any, Any, Any], what: str) -> bytes:
    """Return the whole body; answer 413, with the word ``what``, if the body is too large."""
    most = arena_of(request).settings.limits.record_bytes
    try:
        body = await read_body(request)
    except ClientException as error:
        if error.status_code != TOO_LARGE:
            raise
        body = b" " * (most + 1)
    if len(body) > most:
        raise HTTPException(f"{what} has at most {most // 1024:,} KiB here", status_code=TOO_LARGE)
    return body


def _check_over(live_game: ArenaGame) -> None:
    if live_game.game.ending is None:
        raise conflict("the game is not over; it can be studied when it has ended")
