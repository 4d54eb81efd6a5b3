"""The messages of viewers over a live connection."""

from __future__ import annotations

import msgspec

from hinterland.errors import BadText, quote
from hinterland.web.friends.agreement import Matter


class ViewerHello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message: the key of the game, or None to watch."""

    key: str | None = None


class ViewerMove(msgspec.Struct, frozen=True, tag_field="type", tag="move"):
    """A move, and the number of moves made before it."""

    ply: int
    move: list[int]


class ViewerUndo(msgspec.Struct, frozen=True, tag_field="type", tag="undo"):
    """Take back the last own move."""


class ViewerResign(msgspec.Struct, frozen=True, tag_field="type", tag="resign"):
    """Resign."""


class ViewerWish(msgspec.Struct, frozen=True, tag_field="type", tag="wish"):
    """Make or withdraw a wish among people who play one another."""

    matter: Matter
    yes: bool


class ViewerRest(msgspec.Struct, frozen=True, tag_field="type", tag="rest"):
    """Stop or resume the own clock while the rules are open."""

    on: bool


class ViewerPong(msgspec.Struct, frozen=True, tag_field="type", tag="pong"):
    """An answer to a ping; none is required."""


ViewerMessage = ViewerHello | ViewerMove | ViewerUndo | ViewerResign | ViewerWish | ViewerRest | ViewerPong
KINDS = "hello, move, undo, resign, wish or rest"


def read_message(text: str) -> ViewerMessage:
    """Read a message. Raises BadText."""
    try:
        message: ViewerMessage = msgspec.json.decode(text, type=ViewerMessage)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise BadText(f"{quote(text)} is not a message of type {KINDS}: {error}") from None
    return message
