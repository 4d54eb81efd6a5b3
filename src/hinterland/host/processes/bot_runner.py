"""Runs a Python file that defines ``choose(position, clock, rng)``: ``python -P -m MODULE FILE``.

The runner speaks protocol hinterland-json/1 for the file, on the process's first standard input and output. What the
file prints goes to standard error, so that it cannot disturb the protocol. An exception ends the process, with its
trace, as it ends any program.

``choose`` returns a move, or a move with a note for people: ``(move, text)`` or ``(move, text, marks)``. Marks are
written as in the protocol's message ``info``; a move may stand for its place. A fault in a note costs nothing.
"""

from __future__ import annotations

import itertools
import operator
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TypeVar

import msgspec
import numpy as np

from hinterland import catalog
from hinterland.contract import Clock, Game, Move, Position
from hinterland.errors import BadText, quote
from hinterland.referee.diary import MAX_CHARACTERS, MAX_MARKS
from hinterland.referee.protocol import messages

T = TypeVar("T")
Choose = Callable[[Position[Any, Any], Clock, np.random.Generator], Any]
Told = messages.RefereeHello | messages.GameBegins | messages.MoveRequest | messages.IgnoredAnswer
TOLD: dict[str, type[Told]] = {
    "hello": messages.RefereeHello, "game": messages.GameBegins, "turn": messages.MoveRequest,
    "ignored": messages.IgnoredAnswer,
}  # fmt: skip
MARKS_LINE_BYTES = 3000
"""Bytes of marks after which another line begins."""


def main() -> None:
    """Play all games of a match with the file that the command line names."""
    path = Path(sys.argv[1])
    requests, answers = _take_pipes()
    _Match(path, _call_bot(path, lambda: _load(path)), answers).play(requests)


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return the pipes to the referee. From now on the bot reads nothing, and prints to standard error."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def _load(path: Path) -> Choose:
    """Run the file as a module of its own, and return its function ``choose``."""
    sys.path.insert(0, str(path.parent))
    sys.argv = [str(path)]
    name = path.stem if path.stem not in sys.modules else f"{path.stem}_bot"
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = str(path)
    exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    choose: Choose = module.__dict__["choose"]
    return choose


def _call_bot(path: Path, call: Callable[[], T]) -> T:
    """Return what the bot's code returns. If it fails, print its trace, without the runner's lines, and exit."""
    try:
        return call()
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != str(path):
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace or error.__traceback__)
        sys.stderr.flush()
        raise SystemExit(1) from None


class _Match:
    """The games of one match, as the referee's messages tell them."""

    def __init__(self, path: Path, choose: Choose, answers: IO[bytes]) -> None:
        self._path, self._choose, self._answers = path, choose, answers
        self._game: Game
        self._rules: Any = None
        self._rng = np.random.default_rng()
        self._turn: messages.MoveRequest

    def play(self, requests: IO[bytes]) -> None:
        for line in requests:
            told = msgspec.json.decode(line)
            kind = told["type"]
            if kind == "refused":
                self._answer()
            elif kind == "bye":
                return
            elif kind in TOLD:  # later versions may add types
                self._take(msgspec.convert(told, TOLD[kind]))

    def _take(self, told: Told) -> None:
        match told:
            case messages.RefereeHello():
                self._game = catalog.game(told.game)
                self._game.warm_up(self._game.rules.from_json(told.rules), ())  # before any clock runs
                self._say(messages.Join(self._path.stem))
            case messages.GameBegins():
                self._rules = self._game.rules.from_json(told.rules)
                self._rng = np.random.default_rng(None if told.seed is msgspec.UNSET else told.seed)
            case messages.MoveRequest():
                self._turn = told
                self._answer()
            case messages.IgnoredAnswer(detail):
                sys.stderr.write(f"the referee ignored: {detail}\n")

    def _answer(self) -> None:
        turn = self._turn
        position = replay(self._game, self._rules, turn)
        move, text, marks = split_answer(_call_bot(self._path, lambda: self._choose(position, turn.clock, self._rng)))
        try:
            numbers = read_numbers(move, self._game.move)
        except BadText as error:
            sys.exit(str(error))
        note = encode_note(text, marks, len(self._rules.place_ranges))
        self._say(*note, messages.MoveAnswer(turn.game_id, turn.turn, numbers))

    def _say(self, *said: messages.FromPlayer) -> None:
        self._answers.write(b"".join(msgspec.json.encode(message) + b"\n" for message in said))


def replay(game: Game, rules: Any, turn: messages.MoveRequest) -> Position[Any, Any]:
    """Return the position in which a turn's seat is to move."""
    events: list[tuple[int, Any]] = [(seat, game.move.from_numbers(list(numbers))) for seat, numbers in turn.moves]
    for plies, seat, what in reversed(turn.between or ()):
        events.insert(plies, (seat, what))
    position: Position[Any, Any] = rules.start()
    for seat, what in events:
        position = position.happen_unchecked(seat, what)
    return position


def split_answer(answer: Any) -> tuple[Any, str, Sequence[Any]]:
    """Return what ``choose`` returned as the move, the text of its note, and the note's marks."""
    match answer:
        case (move, str() as text):
            return move, text, ()
        case (move, str() as text, list() | tuple() as marks):
            return move, text, marks
    return answer, "", ()


def encode_note(text: str, marks: Sequence[Any], place_size: int) -> list[messages.Info]:
    """Write a note as messages, each of which fits into a line. Marks that cannot be written are left out.

    ``place_size``: how many numbers a place has.
    """
    written: list[bytes] = []
    for mark in itertools.islice(marks, MAX_MARKS + 1):  # one too many, so that the referee says so
        try:
            written.append(msgspec.json.encode(dict(_write_mark(mark, place_size)), enc_hook=_write_value))
        except Exception as error:  # whatever a bot takes for a mark
            sys.stderr.write(f"a mark was left out, {quote(mark)}: {type(error).__name__}: {error}\n")
    return [*([messages.Info(text[: MAX_CHARACTERS + 1])] if text else []), *_fill_lines(written)]


def _write_mark(mark: Any, place_size: int) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a mark, with places where the bot named moves."""

    def places_of(move: Move) -> list[tuple[int, ...]]:
        return [move.numbers[at : at + place_size] for at in range(0, len(move.numbers) - place_size + 1, place_size)]

    for name, value in mark.items():
        if isinstance(value, Move):
            yield name, places_of(value) if name == "line" else places_of(value)[0]
        elif name == "line":
            yield name, [places_of(one)[0] if isinstance(one, Move) else one for one in value]
        else:
            yield name, value


def _write_value(value: Any) -> Any:
    """Return a number or an array of NumPy as plain values."""
    return value.tolist()


def _fill_lines(marks: Iterable[bytes]) -> Iterator[messages.Info]:
    line: list[msgspec.Raw] = []
    size = 0
    for mark in marks:
        if line and size + len(mark) > MARKS_LINE_BYTES:
            yield messages.Info(marks=line)
            line, size = [], 0
        line.append(msgspec.Raw(mark))
        size += len(mark) + 1
    if line:
        yield messages.Info(marks=line)


def read_numbers(answer: Any, kind: type[Move]) -> list[int]:
    """Return the numbers of a move that a bot chose: a move, or its numbers. Raises BadText."""
    if isinstance(answer, Move):
        return list(answer.numbers)
    try:
        return [operator.index(number) for number in answer]
    except TypeError:
        fields = ", ".join(kind.__struct_fields__)
        told = f"choose returned {quote(answer)}, which is no {kind.__name__} and no whole numbers ({fields})"
        raise BadText(told) from None


if __name__ == "__main__":
    main()
