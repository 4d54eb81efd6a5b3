"""A board of what was found: vertices numbered, edges one a pair, values drawn where there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from hinterland.contract import silent
from hinterland.dice import Dice
from hinterland.errors import BadText, RulesError, shown
from hinterland.graph.formats.found import Found, is_whole, plain
from hinterland.graph.formats.lengths import lengths_of
from hinterland.graph.graphs.board_spec import BoardSpec, Note
from hinterland.graph.graphs.edges import LONGEST
from hinterland.graph.graphs.vertex_names import LONGEST as LONGEST_NAME
from hinterland.graph.graphs.vertex_names import is_name
from hinterland.graph.graphs.vertex_places import is_place

__all__ = ["Options", "board_of"]

if TYPE_CHECKING:
    from hinterland.graph.graphs.edges import Edge

MOST_VALUE = 99


class Options(msgspec.Struct, frozen=True):
    """What people choose, whatever the graph."""

    seed: int = 0
    """Draws the values where the graph has none."""
    players: int = 2
    """Seats."""
    tokens: int = 10
    """How many tokens each player places."""
    length: str | int | None = None
    """The attribute of the edges that is their length; 1 for edges all of length 1."""
    note: Note = silent
    """Gets what people should know."""


def board_of(found: Found, options: Options) -> BoardSpec:
    """Make a board. Raises BadText or RulesError, which name the file."""
    lengths = lengths_of(found, options.length)
    _check_names(found)
    edges = _one_a_pair(found, lengths)
    order = _order(found.names)
    if order is not None:
        number = {old: new for new, old in enumerate(order)}
        edges = [(number[first], number[second], length) for first, second, length in edges]
        found = _reordered(found, order)
    values = _drawn(len(found.names), options.seed) if found.values is None else _whole_values(found)
    names = () if all(name == str(vertex) for vertex, name in enumerate(found.names)) else tuple(found.names)
    return BoardSpec(
        tuple(edges), tuple(values), options.players, options.tokens, _distinct(found.places), names,
        found.source, tuple(found.remarks), options.note,
    )  # fmt: skip


def _check_names(found: Found) -> None:
    if len(set(found.names)) < len(found.names):
        seen: set[str] = set()
        twice = next(name for name in found.names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise BadText(f"{found.source}: a vertex is there twice, {shown(twice)}; each has a name of its own")
    for name in found.names:
        if not is_name(name):
            wanted = f"a line of 1 to {LONGEST_NAME} letters, none of which steers a terminal"
            raise BadText(f"{found.source}: the name of a vertex is {wanted}, not {shown(name)}")


def _one_a_pair(found: Found, lengths: list[Any]) -> list[Edge]:
    """Leave out loops, which no path takes, and of several edges between two vertices all but the shortest."""
    shortest: dict[tuple[int, int], int] = {}
    kept: list[Edge] = []
    loops = parallel = 0
    for edge, ((first, second), length) in enumerate(zip(found.ends, lengths, strict=True), start=1):
        if type(length) not in (int, float) or not 0 < length <= LONGEST:
            ends = f"edge {edge} from {_said(found, first)} to {_said(found, second)}"
            raise RulesError(
                f"{found.source}: {ends} must have a length above 0, at most {LONGEST:g}, not {shown(length)}"
            )
        if first == second:
            loops += 1
            continue
        place = shortest.setdefault((first, second) if first < second else (second, first), len(kept))
        if place == len(kept):
            kept.append((first, second, float(length)))
        else:
            parallel += 1
            if length < kept[place][2]:
                kept[place] = (*kept[place][:2], float(length))
    if loops:
        found.remarks.append(f"{_counted(loops, 'loop')} left out, no path takes one")
    if parallel:
        beside = "left out beside another of the same two vertices, the shortest counts"
        found.remarks.append(f"{_counted(parallel, 'edge')} {beside}")
    return kept


def _said(found: Found, vertex: int) -> str:
    """Write a vertex in a message: its number where it is called so."""
    name = found.names[vertex]
    return name if is_whole(name) else shown(name)


def _counted(count: int, what: str) -> str:
    return f"one {what} is" if count == 1 else f"{count:,} {what}s are"


def _order(names: list[str]) -> list[int] | None:
    """Return the vertices in order of their names where these are the numbers from 0; None where they are not."""
    if not all(name.isascii() and name.isdigit() for name in names):
        return None
    place = {name: vertex for vertex, name in enumerate(names)}
    order = [place.get(str(number), -1) for number in range(len(names))]
    return None if -1 in order or order == list(range(len(names))) else order


def _reordered(found: Found, order: list[int]) -> Found:
    def sort(column: list[Any] | None) -> list[Any] | None:
        return None if column is None else [column[old] for old in order]

    names = [found.names[old] for old in order]
    return msgspec.structs.replace(found, names=names, values=sort(found.values), places=sort(found.places))


def _drawn(count: int, seed: int) -> list[int]:
    drawn: list[int] = Dice(seed).below(MOST_VALUE + 1, count).tolist()
    return drawn


def _whole_values(found: Found) -> list[Any]:
    values = list(map(plain, found.values or ()))
    for vertex, value in enumerate(values):
        if value is None:
            raise BadText(f"{found.source}: vertex {shown(found.names[vertex])} has no value, though others have")
    return [int(value) if type(value) is float and value.is_integer() else value for value in values]


def _distinct(places: list[Any] | None) -> tuple[Any, ...]:
    """Return the places of the vertices, none where all have the same."""
    if places is None:
        return ()
    is_one = all(map(is_place, places)) and len(set(places)) == 1  # as Pajek's are where nobody drew anything
    return () if is_one else tuple(places)
