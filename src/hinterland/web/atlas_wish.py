"""Reads which boards of an atlas are wanted, from the query of an address; every fault is one clear line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.errors import BadText, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hinterland.contract import Atlas, AtlasBoard, Game

    Query = Mapping[str, str]

__all__ = ["PAGE", "AtlasWish", "chosen_board", "excerpt", "read_atlas_wish"]

PAGE = 60
"""So many boards are on a page."""
WHOLE = re.compile(r"-?[0-9]{1,6}")


class AtlasWish(msgspec.Struct, frozen=True):
    """Which boards are to be shown."""

    size: int
    """How large they are."""
    value: int | None = None
    """Only those worth so much; None for all."""
    features: dict[str, int | None] = {}
    """Only those with such features; None for all."""
    page: int = 1
    """Which of the pages, from 1."""


def read_atlas_wish(atlas: Atlas, query: Query) -> AtlasWish:
    """Read ``n``, ``value``, ``page`` and the atlas's filters; none of them is needed, and empty ones count as missing.

    Raises BadText.
    """
    size, page = _whole(query, "n"), _whole(query, "page")
    wish = AtlasWish(
        size=atlas.sizes[-1] if size is None else size,
        value=_whole(query, "value"),
        features={name: _whole(query, name) for name in atlas.filters},
        page=1 if page is None else page,
    )
    _check_size(atlas, wish.size)
    if wish.page < 1:
        raise BadText(f"page counts from 1, it cannot be {wish.page}")
    return wish


def excerpt(atlas: Atlas, wish: AtlasWish) -> tuple[list[AtlasBoard], int]:
    """Return the boards of the page that is wanted, and how many there are on all pages.

    Raises BadText for a page after the last.
    """
    found = [
        board
        for board in atlas.boards(wish.size)
        if wish.value in (None, board.value)
        and all(number in (None, board.features[name]) for name, number in wish.features.items())
    ]
    pages = max(1, -(-len(found) // PAGE))
    if wish.page > pages:
        raise BadText(f"page must be from 1 to {pages} for these boards, not {wish.page}")
    return found[(wish.page - 1) * PAGE : wish.page * PAGE], len(found)


def chosen_board(game: Game, query: Query) -> dict[str, Any] | None:
    """Return the options of the board that ``n`` and ``board`` name, None where nothing is named. Raises BadText."""
    size, number = _whole(query, "n"), _whole(query, "board")
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


def _whole(query: Query, name: str) -> int | None:
    text = query.get(name, "")
    if not text:
        return None
    if not WHOLE.fullmatch(text):
        raise BadText(f"{name} is a whole number, not {shown(text)}")
    return int(text)
