"""A review: in numbers, in sentences, and as a picture that can be read from a distance.

The picture shows the scores after each move, and below them what each move lost. Both panels share the moves as their x
axis. The first stones or tokens of a game own nearly the whole board for a moment. So the scale fits the scores from
the moment on when every player has moved.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec
from PIL import Image, ImageDraw, ImageFont

from hinterland.drawing.charts import choose_step
from hinterland.drawing.figures import make_figure, make_picture
from hinterland.drawing.palette import GROUND, INK, RGB, mix, region, stone
from hinterland.drawing.shapes import Canvas

SUPERSAMPLING = 2
WIDTH, HEIGHT = 1600 * SUPERSAMPLING, 900 * SUPERSAMPLING
LEFT_MARGIN, RIGHT_MARGIN, BOTTOM_MARGIN = 340, 80, 104
LOSSES_HEIGHT = 432
"""Height of the lower panel, in pixels."""
PANEL_GAP = 148
FAINT: RGB = mix(INK, GROUND, 0.38)
GRID_COLOUR: RGB = mix(INK, GROUND, 0.86)
LARGE, MEDIUM, SMALL = 76, 54, 44
"""Heights of letters, in pixels."""
MAX_TICKS = 24
MAX_NAME_LENGTH = 24
MAX_MOVES_NAMED = 5
"""Most losing moves of a player that a sentence names; the picture marks all of them."""
MAX_OTHERS_NAMED = 2
"""Players that lost without a losing move are named if they are at most this many."""


class MoveReview(msgspec.Struct, frozen=True):
    """What one move was worth."""

    number: int
    """The number of the move, from 1."""
    seat: int
    """The seat that moved."""
    move: tuple[int, ...]
    """The numbers of the move."""
    gain: int
    """The immediate change of the mover's score."""
    best: tuple[int, ...] | None
    """The numbers of a best move, which is the move played if none was better; null if unknown."""
    best_gain: int | None
    """The immediate gain of ``best``; null if unknown."""
    loss: int | None
    """How much worse the move was than ``best``, by ``Review.measure``; null if unknown."""
    instead: tuple[int, ...] | None
    """The final scores with ``best`` instead of the move and all other moves unchanged; null if there is no such
    replay."""
    swing: int | None
    """By how much ``best`` would have raised the mover's final lead over the best of the others; see
    ``annotations``."""
    losing: bool
    """Whether ``swing`` is at least what the mover lacked to win in the end."""
    scores: tuple[int, ...]
    """The scores after the move."""


class Review(msgspec.Struct, frozen=True):
    """What the moves of a game were worth."""

    game: str
    """The game's name in the catalogue."""
    rules: str
    """The rules in a line."""
    players: tuple[str, ...]
    """Names of the players, in the order of the seats."""
    scores: tuple[int, ...]
    """The final scores; 0 for seats that left."""
    winners: tuple[int, ...]
    """The seats that won."""
    behind: tuple[int | None, ...]
    """Points that each seat lacked to win, 0 for winners; null for a seat that left, or if the game does not count."""
    measure: Literal["gain", "value"]
    """The measure of losses: the immediate gain, or the exact value."""
    losing: tuple[int, ...]
    """The numbers of the losing moves, the greatest swing first."""
    moves: tuple[MoveReview, ...]
    """All moves, in order of play."""

    def _repr_html_(self) -> str:
        words = " ".join(write_verdicts(self))
        return make_figure(make_picture(draw(self), words), words)


def write_verdicts(found: Review) -> list[str]:
    """Say which moves lost the game for whom: a sentence for each player with losing moves, and one for the others."""
    if not found.winners:
        return ["the game does not count: nobody lost it"]
    sentences, others = [], []
    for seat, behind in enumerate(found.behind):
        if behind and (numbers := _name_losing_moves(found, seat)):
            sentences.append(f"{found.players[seat]} lost by {behind:,}; {numbers}")
        elif behind:
            others.append(f"{found.players[seat]} (lost by {behind:,})")
    if others:
        is_known = all(move.loss is not None for move in found.moves)
        whom = _join_names(others) if len(others) <= MAX_OTHERS_NAMED else f"anyone{' else' if sentences else ''}"
        sentences.append(f"no single move {'' if is_known else 'is known that '}lost it for {whom}")
    if gone := [found.players[seat] for seat, behind in enumerate(found.behind) if behind is None]:
        sentences.append(f"{_join_names(gone)} left the game")
    return sentences or ["nobody lost"]


def _name_losing_moves(found: Review, seat: int) -> str:
    """Name the losing moves of a seat; empty if it has none."""
    numbers = [str(number) for number in found.losing if found.moves[number - 1].seat == seat]
    more = len(numbers) - MAX_MOVES_NAMED
    if more > 0:
        return f"losing moves {', '.join(numbers[:MAX_MOVES_NAMED])} and {more} more"
    return f"losing move{'s' if len(numbers) > 1 else ''} {_join_names(numbers)}" if numbers else ""


def _join_names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


class Panel(NamedTuple):
    """One of the two panels of the picture, and the values at its lower and upper edge."""

    top: float
    bottom: float
    least: float
    most: float
    moves: int

    def x(self, move: float) -> float:
        """Return the x of a move; the start of the game is move 0."""
        return LEFT_MARGIN + (WIDTH - LEFT_MARGIN - RIGHT_MARGIN) * move / (self.moves + 0.5)

    def y(self, value: float) -> float:
        """Return the y of a value; a value beyond the scale is drawn at the panel's edge."""
        share = (min(max(value, self.least), self.most) - self.least) / ((self.most - self.least) or 1)
        return self.bottom - (self.bottom - self.top) * share


def _write(
    pen: ImageDraw.ImageDraw, x: float, y: float, words: str, height: int, colour: RGB = INK, anchor: str = "lm"
) -> float:
    """Write words with an outline in the ground's colour, to be readable over lines; return their width."""
    font = ImageFont.load_default(height)
    pen.text((x, y), words, colour, font, anchor, stroke_width=3 * SUPERSAMPLING, stroke_fill=GROUND)
    return font.getlength(words)


def draw(found: Review) -> Image.Image:
    """Draw a review, 1600 by 900 pixels."""
    found = msgspec.structs.replace(found, players=tuple(map(_shorten, found.players)))
    canvas = Canvas(WIDTH // SUPERSAMPLING, HEIGHT // SUPERSAMPLING, SUPERSAMPLING)
    pen = canvas.pen
    below = _header(pen, found)
    split = HEIGHT - BOTTOM_MARGIN - LOSSES_HEIGHT
    least, most = _range(found)
    scores = Panel(below + 88, split - PANEL_GAP, least, most, len(found.moves))
    dearest = max((move.loss or 0 for move in found.moves), default=0)
    losses = Panel(split, HEIGHT - BOTTOM_MARGIN, 0, dearest * 1.16 or 1, len(found.moves))
    what = "of the best gain" if found.measure == "gain" else "against best play"
    _write(pen, LEFT_MARGIN, scores.top - 48, "score after each move", SMALL, FAINT)
    _write(pen, LEFT_MARGIN, losses.top - 48, f"what each move lost {what}; losing moves in full colour", SMALL, FAINT)
    _grid(pen, scores, 6)
    _grid(pen, losses, 4)
    _numbers(pen, losses)
    _lines(pen, scores, found)
    _bars(pen, losses, found)
    return canvas.resample()


def _header(pen: ImageDraw.ImageDraw, found: Review) -> float:
    """Write the players, their scores and the verdicts; return the y of the lower end."""
    x, y = 80.0, 100.0
    height = LARGE if len(found.players) <= 4 else MEDIUM
    for seat, (name, score) in enumerate(zip(found.players, found.scores, strict=True)):
        words = f"{name}  {score:,}{'  won' if seat in found.winners else ''}"
        wide = ImageFont.load_default(height).getlength(words) + height
        if x > 80 and x + wide > WIDTH - 80:
            x, y = 80.0, y + height * 1.6
        pen.circle((x + height * 0.35, y), height * 0.35, stone(seat))
        x += height + _write(pen, x + height, y, words, height) + height * 1.4
    for verdict in write_verdicts(found)[:3]:
        y += MEDIUM * 1.7
        _write(pen, 80, y, verdict, MEDIUM, FAINT)
    return y + MEDIUM


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"


def _range(found: Review) -> tuple[float, float]:
    """Return the least and greatest score to show, with a margin."""
    later = [score for move in found.moves[len(found.players) - 1 :] for score in move.scores]
    shown = later or [score for move in found.moves for score in move.scores] or [0, 1]
    air = (max(shown) - min(shown)) * 0.07 or 1
    return max(min(shown) - air, 0), max(shown) + air


def _grid(pen: ImageDraw.ImageDraw, panel: Panel, lines: int) -> None:
    step = int(choose_step(max((panel.most - panel.least) / lines, 1)))
    value = math.ceil(panel.least / step) * step
    while value <= panel.most:
        y = panel.y(value)
        pen.line([(LEFT_MARGIN, y), (WIDTH - RIGHT_MARGIN, y)], GRID_COLOUR, SUPERSAMPLING)
        _write(pen, LEFT_MARGIN - 32, y, f"{value:,}", SMALL, FAINT, "rm")
        value += step


def _numbers(pen: ImageDraw.ImageDraw, panel: Panel) -> None:
    """Write the numbers of the moves below a panel."""
    step = int(choose_step(max(panel.moves / MAX_TICKS, 1)))
    for move in range(step, panel.moves + 1, step):
        _write(pen, panel.x(move), panel.bottom + 48, str(move), SMALL, FAINT, "mm")


def _lines(pen: ImageDraw.ImageDraw, panel: Panel, found: Review) -> None:
    histories = [[0, *(move.scores[seat] for move in found.moves)] for seat in range(len(found.players))]
    for seat, history in enumerate(histories):
        pen.line([(panel.x(move), panel.y(score)) for move, score in enumerate(history)], stone(seat), 8, "curve")
    for move in _labelled_moves(found):
        x, y = panel.x(move.number), panel.y(move.scores[move.seat])
        for radius, colour in ((26, GROUND), (22, INK), (14, stone(move.seat))):
            pen.circle((x, y), radius, colour)
        _write(pen, x, y - 60, str(move.number), SMALL, INK, "mm")


def _bars(pen: ImageDraw.ImageDraw, panel: Panel, found: Review) -> None:
    width = min((WIDTH - LEFT_MARGIN - RIGHT_MARGIN) / (panel.moves + 0.5) * 0.3, 44)
    for move in found.moves:
        x = panel.x(move.number)
        if move.loss is None:
            _write(pen, x, panel.bottom - 28, "?", SMALL, FAINT, "mm")
        elif move.loss:
            colour = stone(move.seat) if move.losing else region(move.seat)
            pen.rectangle((x - width, panel.y(move.loss), x + width, panel.bottom), colour)
    for move in _labelled_moves(found):
        words = f"{move.number}: -{move.loss:,}"
        half = ImageFont.load_default(SMALL).getlength(words) / 2
        _write(pen, min(panel.x(move.number), WIDTH - 16 - half), panel.y(move.loss or 0) - 30, words, SMALL, INK, "mm")
    pen.line([(LEFT_MARGIN, panel.bottom), (WIDTH - RIGHT_MARGIN, panel.bottom)], FAINT, 3)


def _labelled_moves(found: Review) -> Iterator[MoveReview]:
    """Yield the losing moves that get a label: the three with the greatest swings."""
    for number in found.losing[:3]:
        yield found.moves[number - 1]
