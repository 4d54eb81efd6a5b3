"""The atlas of a game as pages: every board as a thumbnail with its value."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any
from urllib.parse import urlencode

from litestar import Request, get
from litestar.response import Template

from hinterland.contract import Atlas, AtlasBoard, Game
from hinterland.web.api.atlas_request import BOARDS_PER_PAGE, AtlasRequest, excerpt, read_atlas_request
from hinterland.web.http_errors import not_here
from hinterland.web.languages.reader import gettext as _
from hinterland.web.languages.reader import ngettext, number
from hinterland.web.pages.game_pages import find_game

PICTURE_SIDE, PICTURE_MARGIN = 100, 8
"""Side of a picture, and its margin, in units of the SVG."""


@get("/atlas/{name:str}")
async def atlas(request: Request[Any, Any, Any]) -> Template:
    """Show the boards of one size that match the filters."""
    game = find_game(request.path_params["name"])
    if game.atlas is None:
        raise not_here(f"there is no atlas of {game.title}")
    wanted = read_atlas_request(game.atlas, request.query_params)
    context = await asyncio.to_thread(_context, game, game.atlas, wanted)
    return Template("atlas.html", context=context)


def _context(game: Game, atlas: Atlas, wanted: AtlasRequest) -> dict[str, Any]:
    boards, count = excerpt(atlas, wanted)
    everything = atlas.boards(wanted.size)
    values = Counter(board.value for board in everything)
    first = (wanted.page - 1) * BOARDS_PER_PAGE
    return {
        "game": game.name,
        "title": _(game.title),
        "unit": _(atlas.unit),
        "sizes": atlas.sizes,
        "wanted": wanted,
        "summary": summary(values, wanted.size, _(atlas.unit)),
        "values": [(value, signed(value), values[value]) for value in sorted(values, reverse=True)],
        "filters": {
            name: sorted(Counter(board.features[name] for board in everything).items()) for name in atlas.filters
        },
        "cards": [_card(game, atlas, wanted.size, board) for board in boards],
        "count": count,
        "first": first + 1,
        "last": first + len(boards),
        "before": _address(game, wanted, wanted.page - 1) if wanted.page > 1 else None,
        "after": _address(game, wanted, wanted.page + 1) if first + BOARDS_PER_PAGE < count else None,
    }


def summary(values: Counter[int], size: int, unit: str) -> str:
    """Summarise the boards of a size by value, the most frequent value first."""
    total = values.total()
    if total == 1:
        return _("One board of {size} {unit}, worth {value}.").format(
            size=size, unit=unit, value=signed(next(iter(values)))
        )
    if len(values) == 1:
        return _("{total} boards of {size} {unit}, all worth {value}.").format(
            total=number(total), size=size, unit=unit, value=signed(next(iter(values)))
        )
    often = sorted(values.items(), key=lambda pair: (-pair[1], -pair[0]))
    parts = [
        ngettext("one worth {value}", "{times} worth {value}", times).format(times=number(times), value=signed(value))
        for value, times in often
    ]
    return _("{total} boards of {size} {unit}: {values}.").format(
        total=number(total), size=size, unit=unit, values=", ".join(parts)
    )


def signed(value: int) -> str:
    """Format a value with its sign, with U+2212 as the minus; 0 gets no sign."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def _card(game: Game, atlas: Atlas, size: int, board: AtlasBoard) -> dict[str, Any]:
    """Describe a board for the page: its address, its points as ``x,y``, and their outline."""
    place = _fit_points(board)
    return {
        "board": board,
        "url": f"/play/{game.name}?{urlencode({'n': size, 'board': board.number})}",
        "value": signed(board.value),
        "places": [place[point] for point in board.points],
        "outline": " ".join(place[point] for point in atlas.outline(board)),
    }


def _fit_points(board: AtlasBoard) -> dict[tuple[int, int], str]:
    """Return the position ``x,y`` of each point in the picture: scaled to fit, centred, with y downwards."""
    left, right = (far(x for x, _ in board.points) for far in (min, max))
    bottom, top = (far(y for _, y in board.points) for far in (min, max))
    scale = (PICTURE_SIDE - 2 * PICTURE_MARGIN) / max(right - left, top - bottom)
    middle = PICTURE_SIDE / 2
    return {
        (x, y): f"{middle + (x - (left + right) / 2) * scale:.1f},{middle - (y - (bottom + top) / 2) * scale:.1f}"
        for x, y in board.points
    }


def _address(game: Game, wanted: AtlasRequest, page: int) -> str:
    query = {"n": wanted.size, "value": wanted.value, **wanted.features, "page": page}
    return f"/atlas/{game.name}?{urlencode({name: value for name, value in query.items() if value is not None})}"
