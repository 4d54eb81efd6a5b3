"""Reads from a URL's query which boards of an atlas to show. An atlas holds all boards of some small sizes.

Every fault is reported in one clear line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.errors import BadText
from hinterland.web.api.forms import read_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hinterland.contract import Atlas, AtlasBoard, Game

    Query = Mapping[str, str]

BOARDS_PER_PAGE = 60
"""Boards per page."""


class AtlasRequest(msgspec.Struct, frozen=True):
    """Which boards to show."""

    size: int
    """Number of dots on each board."""
    value: int | None
    """Show only boards of this value; None shows all."""
    features: dict[str, int | None]
    """By feature: the value that the boards shown must have; None allows any value."""
    page: int
    """Number of the page; the first is 1."""


def read_atlas_request(atlas: Atlas, query: Query) -> AtlasRequest:
    """Read the optional parameters ``n`` (the size), ``value`` and ``page``, and the filters of the atlas.

    Raises BadText.
    """
    size, page = read_number(query, "n"), read_number(query, "page")
    wanted = AtlasRequest(
        size=atlas.sizes[-1] if size is None else size,
        value=read_number(query, "value"),
        features={name: read_number(query, name) for name in atlas.filters},
        page=1 if page is None else page,
    )
    _check_size(atlas, wanted.size)
    if wanted.page < 1:
        raise BadText(f"page counts from 1, it cannot be {wanted.page}")
    return wanted


def excerpt(atlas: Atlas, wanted: AtlasRequest) -> tuple[list[AtlasBoard], int]:
    """Return the boards of the requested page, and the number of boards on all pages.

    Raises BadText for a page after the last.
    """
    found = [
        board
        for board in atlas.boards(wanted.size)
        if wanted.value in (None, board.value)
        and all(number in (None, board.features[name]) for name, number in wanted.features.items())
    ]
    pages = max(1, -(-len(found) // BOARDS_PER_PAGE))
    if wanted.page > pages:
        raise BadText(f"page must be from 1 to {pages} for these boards, not {wanted.page}")
    return found[(wanted.page - 1) * BOARDS_PER_PAGE : wanted.page * BOARDS_PER_PAGE], len(found)


def find_board_options(game: Game, query: Query) -> dict[str, Any] | None:
    """Return the options of rules that choose a board of the atlas: the board that the query names.

    The result is None if the query names no board.

    The parameter ``n`` is the size of the board, ``board`` its number among the boards of that size.

    Raises BadText.
    """
    size, number = read_number(query, "n"), read_number(query, "board")
    if size is None and number is None:
        return None
    if game.atlas is None:
        raise BadText(f"there is no atlas of {game.title}, from which n and board could name a board")
    if size is None or number is None:
        raise BadText("a board of the atlas is named by n and board, both of them")
    _check_size(game.atlas, size)
    boards = game.atlas.boards(size)
    if not 0 <= number < len(boards):
        raise BadText(f"board must be from 0 to {len(boards) - 1} for {size} {game.atlas.unit}, not {number}")
    return game.atlas.options(boards[number])


def _check_size(atlas: Atlas, size: int) -> None:
    if size not in atlas.sizes:
        raise BadText(f"the atlas has boards of {atlas.sizes[0]} to {atlas.sizes[-1]} {atlas.unit}, not of {size}")
