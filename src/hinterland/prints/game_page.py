"""Makes one HTML file that steps through a recorded game. It asks nothing of any network, and works from a disk.

All text from a record is escaped by the template. The page's own style and script are inline; its
Content-Security-Policy names their hashes, so a browser runs no other script and loads nothing. Without scripts all
positions stand below one another, as they do on paper.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hinterland import catalog
from hinterland.contract import Game
from hinterland.drawing import palette
from hinterland.errors import BadText, RecordError, RulesError
from hinterland.prints.poster import describe_day
from hinterland.prints.step_pictures import Track, draw_steps
from hinterland.referee.diary import NoteMark, check_places
from hinterland.referee.record import Record, check_seats, positions
from hinterland.referee.verdicts import Verdict, replace_seats_by_names

TEMPLATES = FileSystemLoader(Path(__file__).parent / "templates")


class Remark(msgspec.Struct, frozen=True):
    """What was said about a position."""

    text: str
    is_comment: bool = False
    """Whether this is a comment of the record's study; else it is the note of the player that made the last move."""


class Mark(msgspec.Struct, frozen=True):
    """A circle, an arrow or a piece of a line on the board."""

    points: tuple[float, ...]
    """Shares of the board's side: x and y of a circle; x, y, x, y of an arrow from tail to head."""
    value: str = ""
    """A number that stands beside the mark."""
    has_head: bool = True
    """Whether a mark with two ends is an arrow."""


class Step(msgspec.Struct, frozen=True):
    """A position of the game, and what is said about it."""

    ply: int
    """Number of moves made so far."""
    scores: tuple[int, ...]
    picture: str
    """Address of the picture."""
    seat: int | None = None
    """The seat that made the last move; None at the start."""
    move: str = ""
    """The last move, in words."""
    seconds: float | None = None
    """Duration of the last move, if it is known."""
    remarks: tuple[Remark, ...] = ()
    marks: tuple[Mark, ...] = ()
    events: tuple[str, ...] = ()
    """Lost turns and departures after the last move, in words."""


def draw_game_page(kind: Game, record: Record, title: str = "", first: int | None = None, track: Track = iter) -> bytes:
    """Return the page of a game.

    ``title``: the heading, by default the game's title. ``first``: number of moves made in the position that the page
    shows first, by default all. Raises HinterlandError for a record that cannot be played, or that contradicts itself.
    """
    played = list(positions(record))
    rules = played[0].rules
    if len(record.players) != rules.players:
        raise RecordError(f"the record names {len(record.players)} players, its rules have {rules.players}")
    check_seats(record)
    if len(record.versions) != rules.players:
        raise RecordError(f"the record has {len(record.versions)} versions of programs for {rules.players} players")
    drawn = draw_steps(kind.pictures, played, track)
    heading = title or kind.title
    style, script = _read_style(), _read("game_page.js")
    page = _environment().get_template("game_page.html").render(
        record=record,
        versions=record.versions,
        steps=_make_steps(record, played, drawn.addresses),
        box=drawn.box,
        side=drawn.side,
        heading=heading,
        window_title="".join(filter(str.isprintable, f"{', '.join(record.players)} · {heading}")),
        rules=kind.page.words(rules),
        summary=rules.summary,
        day=describe_day(record.times.started),
        first=len(played) - 1 if first is None else first,
        is_void=record.reason == Verdict.VOID,
        detail=replace_seats_by_names(record.detail, record.players),
        style=style,
        script=script,
        policy=f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
    )  # fmt: skip
    return page.encode("utf-8", "replace")


def _make_steps(record: Record, played: Sequence[Any], pictures: Sequence[str]) -> list[Step]:
    timed = len(record.times.ms) == len(record.moves)
    steps = []
    for ply, (position, picture) in enumerate(zip(played, pictures, strict=True)):
        step = Step(
            ply, position.scores, picture, remarks=tuple(_find_remarks(record, ply)),
            marks=tuple(_find_marks(record, ply)), events=tuple(_find_events(record, ply)),
        )  # fmt: skip
        if ply:
            step = msgspec.structs.replace(
                step, seat=record.movers[ply - 1], move=position.rules.told(position.moves[-1][1]),
                seconds=record.times.ms[ply - 1] / 1000 if timed else None,
            )  # fmt: skip
        steps.append(step)
    return steps


def _find_remarks(record: Record, ply: int) -> Iterator[Remark]:
    """Yield the notes on the last move and the study's comment on the position."""
    for note in record.times.notes:
        if note.ply == ply - 1:
            yield Remark(note.text)
    if record.study:
        yield from (Remark(comment.text, is_comment=True) for comment in record.study.comments if comment.node == ply)


def _find_marks(record: Record, ply: int) -> Iterator[Mark]:
    """Yield all marks on the position: those of the last mover's note, and those of the record's study."""
    for note in record.times.notes:
        if note.ply == ply - 1:
            yield from _place_marks(record, note.marks)
    if record.study:
        for mark in record.study.marks:
            if mark.node == ply and len(mark.points) in (2, 4):
                yield Mark(mark.points, _write_value(mark.value))


def _place_marks(record: Record, marks: Sequence[NoteMark]) -> Iterator[Mark]:
    """Yield a note's circles and arrows, and its lines piece by piece; marks beside the board are left out."""
    game = catalog.game(record.game)
    rules, locate = game.rules.from_json(record.rules), game.page.locate
    if locate is None:
        return
    for mark in marks:
        try:
            check_places(mark, rules.place_ranges)
            points = locate(rules, mark.places)
        except (BadText, RulesError):
            continue
        value = _write_value(mark.value)
        if len(points) == 1:
            yield Mark(points[0], value)
        for number, (one, other) in enumerate(pairwise(points)):
            yield Mark((*one, *other), "" if number else value, has_head=mark.shape == "arrow")


def _write_value(value: float | msgspec.UnsetType | None) -> str:
    return f"{value:,.6g}" if isinstance(value, int | float) else ""


def _find_events(record: Record, ply: int) -> Iterator[str]:
    for what in record.between:
        if what.plies == ply:
            name = record.players[what.seat]
            detail = replace_seats_by_names(what.detail, record.players)
            yield f"{name} left the game ({what.reason}): {detail}" if what.event == "left" else f"{name} lost a turn"


def _hash(text: str) -> str:
    """Return the source expression of an inline style or script in a Content-Security-Policy."""
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _read_style() -> str:
    """Return the page's style, with the colours that pictures have for each seat."""
    colours = (f".seat-{seat} {{ --seat: {palette.to_hex(colour)} }}" for seat, colour in enumerate(palette.PLAYERS))
    return "\n".join([_read("game_page.css"), *colours, ""])


def _read(name: str) -> str:
    return TEMPLATES.get_source(_environment(), name)[0]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=TEMPLATES, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["seats"] = len(palette.PLAYERS)
    environment.filters["number"] = "{:,}".format
    return environment
