"""A study of a game: variations, comments, circles and arrows. A record may hold one.

Nodes are numbered: 0 is the start, followed by the game's moves in order, and then by the study's own moves. The
position at a node of the game is the one just before the next move. The position at the last node is the one right
after the last move: in a study, a player who resigned then can play on.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from hinterland.contract import Position
from hinterland.errors import HinterlandError, RecordError

MAX_BRANCHES = 2000
MAX_COMMENT_CHARACTERS = 2000
MAX_COMMENTS = 2000
MAX_MARKS = 4000
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Branch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move of a variation."""

    after: int
    """The node that it follows."""
    move: tuple[int, ...]
    """The numbers of the move."""


class Comment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comment on a node."""

    node: int
    text: str


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A circle or an arrow on the board at a node."""

    node: int
    points: tuple[Share, ...]
    """Fractions of the board's side: x and y of a circle; x, y, x, y of an arrow from tail to head."""
    value: float | msgspec.UnsetType = msgspec.UNSET
    """A number that stands beside the mark, if there is one."""


class GameStudy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The study of a game."""

    moves: tuple[Branch, ...] = ()
    """The moves of all variations; each move makes a node."""
    comments: tuple[Comment, ...] = ()
    """Comments, at most one for each node."""
    marks: tuple[Mark, ...] = ()
    """Circles and arrows, in the order of drawing."""
    crc: str = ""
    """Checksum of the fields above."""


def position_at_node(position: Position[Any, Any], ply: int) -> Position[Any, Any]:
    """Return the position at a node of the game itself. ``position``: the game's last position."""
    return position.before(ply) if ply < len(position.moves) else position.after(ply)


def check_study(study: GameStudy, position: Position[Any, Any]) -> None:
    """Raise RecordError if a study does not fit its game or is too large. ``position``: the game's last position."""
    _check_size(study)
    own: list[Position[Any, Any]] = []
    first = len(position.moves) + 1
    for number, branch in enumerate(study.moves):
        if not 0 <= branch.after < first + number:
            raise RecordError(f"its study: move {number + 1} follows node {branch.after}, which is not before it")
        found = own[branch.after - first] if branch.after >= first else position_at_node(position, branch.after)
        try:
            own.append(found.play(position.move_type.from_numbers(list(branch.move))))
        except HinterlandError as error:
            where = f"move {number + 1} cannot be played after node {branch.after}"
            raise RecordError(f"its study: {where}: {error}") from None
    for node in (*(comment.node for comment in study.comments), *(mark.node for mark in study.marks)):
        if not 0 <= node < first + len(own):
            raise RecordError(f"its study speaks of node {node}, there are nodes 0 to {first + len(own) - 1}")


def _check_size(study: GameStudy) -> None:
    for what, found, most in (
        ("moves", study.moves, MAX_BRANCHES),
        ("comments", study.comments, MAX_COMMENTS),
        ("circles and arrows", study.marks, MAX_MARKS),
    ):
        if len(found) > most:
            raise RecordError(f"its study has {len(found):,} {what}, {most:,} at most")
    for comment in study.comments:
        if len(comment.text) > MAX_COMMENT_CHARACTERS:
            raise RecordError(
                f"its study: the comment at node {comment.node} has {len(comment.text):,} characters, "
                f"{MAX_COMMENT_CHARACTERS:,} at most"
            )
    for mark in study.marks:
        if len(mark.points) not in (2, 4):
            raise RecordError(f"its study: a circle has 2 numbers, an arrow 4, the mark at node {mark.node} has others")
