"""What viewers may say over a live connection."""

from __future__ import annotations

import msgspec

from hinterland.errors import BadText, quote
from hinterland.web.friends.agreement import Matter


class ViewerHello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message: the key of the game, or None to watch."""

    key: str | None = None


class ViewerMove(msgspec.Struct, frozen=True, tag_field="type", tag="move"):
    """A move, to be made after so many."""

    ply: int
    move: list[int]


class ViewerUndo(msgspec.Struct, frozen=True, tag_field="type", tag="undo"):
    """Take the last own move back."""


class ViewerResign(msgspec.Struct, frozen=True, tag_field="type", tag="resign"):
    """Give up."""


class ViewerWish(msgspec.Struct, frozen=True, tag_field="type", tag="wish"):
    """Say what is wished for, to people who play one another, or that it is wished for no more."""

    matter: Matter
    yes: bool


class ViewerRest(msgspec.Struct, frozen=True, tag_field="type", tag="rest"):
    """Let the own clock stand while the rules are read, or run again."""

    on: bool


class ViewerPong(msgspec.Struct, frozen=True, tag_field="type", tag="pong"):
    """An answer to a ping; none is needed."""


ViewerMessage = ViewerHello | ViewerMove | ViewerUndo | ViewerResign | ViewerWish | ViewerRest | ViewerPong
KINDS = "hello, move, undo, resign, wish or rest"


def read_message(text: str) -> ViewerMessage:
    """Read what a viewer says. Raises BadText."""
    try:
        message: ViewerMessage = msgspec.json.decode(text, type=ViewerMessage)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise BadText(f"{quote(text)} is not a message of type {KINDS}: {error}") from None
    return message
