"""A board of what was found: vertices numbered, edges one a pair, values drawn where there are none."""

from __future__ import annotations

from typing import Any

import msgspec

from hinterland.contract import several, silent
from hinterland.dice import Dice
from hinterland.errors import RulesError, quote
from hinterland.graph.formats.found import Found, is_whole
from hinterland.graph.formats.lengths import lengths_of
from hinterland.graph.formats.values import values_of
from hinterland.graph.graphs.board_spec import BoardSpec, Note
from hinterland.graph.graphs.edges import LONGEST, Edge
from hinterland.graph.graphs.vertex_labels import is_place

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
    value: str | None = None
    """The attribute of the vertices that is their value; "none" to draw values."""
    undirected: bool = False
    """Whether directed edges are taken both ways."""
    note: Note = silent
    """Gets what people should know."""


def board_of(found: Found, options: Options, form: str = "") -> BoardSpec:
    """Make a board. ``form``: what the file was read as. Raises BadText or RulesError, which name the file."""
    found.go_both_ways(undirected=options.undirected)
    _put_in_order(found)
    told = f"{len(found.names):,} vertices, {several(len(found.ends), 'edge')}"
    edges = _one_a_pair(found, lengths_of(found, options.length))
    values = values_of(found, options.value)
    if form:
        found.remarks.insert(0, f"read as {form}: {told}" + ("; values are drawn" if values is None else ""))
    count = len(found.names)
    if values is None:
        values = Dice(options.seed).below(MOST_VALUE + 1, count).tolist()
    names = () if found.names == _numbers(count) else tuple(found.names)
    return BoardSpec(
        tuple(edges), tuple(values), options.players, options.tokens, _distinct(found.places), names,
        found.source, tuple(found.remarks), options.note,
    )  # fmt: skip


def _numbers(count: int) -> list[str]:
    return list(map(str, range(count)))


def _put_in_order(found: Found) -> None:
    """Put vertices in the order of their names where these are the numbers from 0."""
    numbers = _numbers(len(found.names))
    if found.names == numbers or set(found.names) != set(numbers):
        return
    called = list(map(int, found.names))
    order = sorted(range(len(called)), key=called.__getitem__)
    found.names = numbers
    found.ends = [(called[first], called[second]) for first, second in found.ends]
    found.values = found.values and [found.values[vertex] for vertex in order]
    found.traits = {name: [column[vertex] for vertex in order] for name, column in found.traits.items()}
    found.places = found.places and [found.places[vertex] for vertex in order]


def _one_a_pair(found: Found, lengths: list[Any]) -> list[Edge]:
    """Leave out loops, which no path takes, and of several edges between two vertices all but the shortest."""
    kept: dict[tuple[int, int], Edge] = {}
    loops = 0
    for edge, ((first, second), length) in enumerate(zip(found.ends, lengths, strict=True), start=1):
        if type(length) not in (int, float) or not 0 < length <= LONGEST:
            ends = f"edge {edge} from {_said(found, first)} to {_said(found, second)}"
            raise RulesError(
                f"{found.source}: {ends} must have a length above 0, at most {LONGEST:g}, not {quote(length)}"
            )
        if first == second:
            loops += 1
            continue
        pair = (first, second) if first < second else (second, first)
        known = kept.setdefault(pair, (first, second, float(length)))
        if length < known[2]:
            kept[pair] = (*known[:2], float(length))
    if loops:
        found.remarks.append(f"{_counted(loops, 'loop')} left out, no path takes one")
    if parallel := len(found.ends) - loops - len(kept):
        beside = "left out beside another of the same two vertices, the shortest counts"
        found.remarks.append(f"{_counted(parallel, 'edge')} {beside}")
    return list(kept.values())


def _said(found: Found, vertex: int) -> str:
    """Write a vertex in a message: its number where it is called so."""
    name = found.names[vertex]
    return name if is_whole(name) else quote(name)


def _counted(count: int, what: str) -> str:
    return f"one {what} is" if count == 1 else f"{count:,} {what}s are"


def _distinct(places: list[Any] | None) -> tuple[Any, ...]:
    """Return the places of the vertices, none where all have the same."""
    if places is None:
        return ()
    is_one = all(map(is_place, places)) and len(set(places)) == 1  # as Pajek's are where nobody drew anything
    return () if is_one else tuple(places)
