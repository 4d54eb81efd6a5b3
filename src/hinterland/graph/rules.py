"""The rules of the Voronoi game on graphs: each vertex scores its value for the player of the nearest token.

Of equally near tokens the one placed first counts; a vertex that no token reaches belongs to nobody. A position is its
rules and its tokens; distances, owners and gains are computed from them on demand.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from hinterland import contract
from hinterland.contract.rules import load_game
from hinterland.errors import IllegalMove, RulesError, quote
from hinterland.graph.graphs.edges import Edge, check_edges, round_to_grid
from hinterland.graph.graphs.numbering import number_vertices
from hinterland.graph.graphs.ranges import RANGES, check_whole
from hinterland.graph.graphs.vertex_labels import Place, check_names, check_places, find_vertex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy as np

    from hinterland.graph.distances.board import Board, ScratchBoard
    from hinterland.graph.distances.network import Network


class Token(contract.Move, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A token on a vertex; in JSON it is [vertex]."""

    vertex: int
    """The vertex's number, from 0: the index of its value in ``Rules.values``."""

    def __post_init__(self) -> None:
        if type(self.vertex) is not int:
            self._make_whole()


class Rules(contract.Rules, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The frozen parameters of one game on a graph. Impossible parameters raise RulesError.

    Vertices are numbered from 0; there are as many as ``values``. Edges go both ways. All lengths are rounded to
    multiples of one power of two. This power is so small that no length changes on boards of usual size, and so large
    that sums along paths are exact. So distances are compared without rounding; ``edges`` holds the rounded lengths.

    Edges may come from networkx: ``G.edges()``, which gives each the length 1, ``G.edges(data="weight")``, or
    ``G.edges(data=True)`` if edges have an attribute ``length``. Vertices with names are numbered in the order of
    ``names``; else of ``values``, if this maps names to values; else in the order in which they occur.
    """

    game: ClassVar[str] = "graph"
    drawn_by: ClassVar[str | None] = "board_seed"

    edges: tuple[Edge, ...] = ()
    """(vertex, vertex, length) for each edge; no two edges join the same pair."""
    values: tuple[int, ...] = ()
    """The value of each vertex; 1 each if only edges are given."""
    players: int = 2
    """The number of seats."""
    tokens: int = 10
    """The number of tokens that each player places."""
    places: tuple[Place, ...] = ()
    """(x, y) of each vertex in pictures, y downwards; if empty, the board is laid out by its distances."""
    names: tuple[str, ...] = ()
    """The name of each vertex; empty if vertices are called by their numbers."""

    def __post_init__(self) -> None:
        for name in ("players", "tokens"):
            msgspec.structs.force_setattr(self, name, check_whole(name, getattr(self, name), *RANGES[name]))
        edges, worths, names = number_vertices(self.edges, self.values, self.names, RANGES["edges"][1])
        values = _check_values(worths)
        needed = self.players * self.tokens
        if len(values) < needed:
            raise RulesError(
                f"{self.players} players with {self.tokens} tokens each need at least {needed} vertices, "
                f"this graph has {len(values)}"
            )
        edges = check_edges(edges, len(values), RANGES["edges"][1])
        msgspec.structs.force_setattr(self, "values", values)
        msgspec.structs.force_setattr(self, "edges", round_to_grid(edges, len(values)))
        msgspec.structs.force_setattr(self, "places", check_places(self.places, len(values)))
        msgspec.structs.force_setattr(self, "names", check_names(names, len(values)))

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return len(self.values)

    @property
    def total_score(self) -> int:
        """The sum of all values."""
        return sum(self.values)

    @property
    def most_moves(self) -> int:
        """The number of tokens of all players together."""
        return self.players * self.tokens

    @property
    def place_ranges(self) -> dict[str, int]:
        return {"vertex": self.vertices}

    @property
    def actions(self) -> tuple[int, ...]:
        """The number of vertices."""
        return (self.vertices,)

    def _factors_of(self, move: contract.Move) -> tuple[int, ...] | None:
        return (move.vertex,) if isinstance(move, Token) else None

    def _move_of(self, *factors: int) -> Token:
        return Token(*factors)

    def called(self, vertex: int) -> str:
        """Return the name of a vertex, or its number if it has none."""
        return self.names[vertex] if self.names else str(vertex)

    def vertex(self, text: str) -> int:
        """Return the vertex that a person means by its name or number. Raises BadText if there is no such vertex."""
        return find_vertex(text, self.names, self.vertices)

    def told(self, move: contract.Move) -> str:
        """Write a move for people, as the name of the token's vertex."""
        (vertex,) = move.numbers
        return self.called(vertex)

    @cached_property
    def network(self) -> Network:
        """The graph in arrays for kernels."""
        from hinterland.graph.distances import network  # noqa: PLC0415

        return network.lay_out(self.edges, self.values)

    @cached_property
    def distances(self) -> np.ndarray | None:
        """The distance between any two vertices, int64 (n, n), in units of ``network``; None on a large board."""
        from hinterland.graph.distances import shortest_paths  # noqa: PLC0415

        return (
            shortest_paths.compute_all_distances(self.network)
            if self.vertices <= shortest_paths.MAX_TABLE_VERTICES
            else None
        )

    @cached_property
    def drawing(self) -> Any:
        """The places and lines by which the board is drawn: a ``DrawingData``."""
        return load_game(type(self)).pictures.lay_out(self)

    @classmethod
    def from_options(
        cls, options: Mapping[str, object], *, may_read: bool = False, note: Callable[[str], None] = contract.silent
    ) -> Rules:
        """Draw a board by name with its options, read a board from a file, or take edges and values as they are.

        With neither ``board`` nor ``edges`` or ``values``, the default board is drawn; the class method ``options()``
        lists its options. Raises UnknownName, RulesError, or BadText for a file.
        """
        from hinterland.graph import board_options  # noqa: PLC0415

        if "board" not in options and ("edges" in options or "values" in options):
            return cls.from_json(options)
        return board_options.read(options, may_read=may_read, note=note).make_rules(cls)

    @classmethod
    def options(cls) -> dict[str, Any]:
        """List the options of the default board; other boards have other options."""
        from hinterland.graph import board_options  # noqa: PLC0415

        return board_options.default_options()

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """List the boards by name."""
        from hinterland.graph import board_options  # noqa: PLC0415

        return {"board": board_options.boards_and_files(may_read=True)}

    @property
    def summary(self) -> str:
        """The game in a line for people, with the number of connected parts of the graph."""
        parts = self.network.parts
        whole = "connected" if parts == 1 else f"in {parts:,} parts that no edge joins"
        equal = " of length 1" if self.is_unweighted else ""
        graph = f"{self.vertices:,} vertices, {len(self.edges):,} edges{equal}, {whole}"
        tokens = "one token" if self.tokens == 1 else f"{self.tokens} tokens"
        return f"{self.game}: {self.players} players, {tokens} each · {graph}"

    @cached_property
    def is_unweighted(self) -> bool:
        """Whether all edges have length 1."""
        return bool(self.edges) and {length for _, _, length in self.edges} == {1.0}

    def start(self) -> Position:
        """Return the empty board."""
        return Position(self)

    def _written_fields(self) -> Iterator[tuple[str, object]]:
        return (pair for pair in super()._written_fields() if pair not in (("places", ()), ("names", ())))


def _check_values(values: object) -> tuple[int, ...]:
    if not isinstance(values, (tuple, list)):
        raise RulesError(f"values must be a list of whole numbers, one a vertex, not {quote(values)}")
    least, most = RANGES["vertices"]
    if not least <= len(values) <= most:
        raise RulesError(f"a graph has from {least} to {most} vertices, one for each value, not {len(values)}")
    low, high = RANGES["value"]
    if set(map(type, values)) == {int} and min(values) >= low and max(values) <= high:
        return tuple(values)
    return tuple(check_whole(f"the value of vertex {at}", value, low, high) for at, value in enumerate(values))


class Position(contract.Position[Rules, Token], frozen=True, dict=True):
    """Rules and the tokens so far. Build one with ``Rules.start()`` and ``play``."""

    rules_type: ClassVar[type[Rules]] = Rules
    move_type: ClassVar[type[Token]] = Token

    @cached_property
    def to_move(self) -> int | None:
        return self._find_next_seat(lambda seat: self.tokens_left(seat) > 0)

    @cached_property
    def taken(self) -> frozenset[int]:
        """The vertices that hold a token."""
        return frozenset(token.vertex for _, token in self.moves)

    @cached_property
    def board(self) -> Board:
        """Distances and owners of this position. Do not place tokens on this board; use ``scratch``."""
        return self.new_board()

    def new_board(self) -> Board:
        """Return a new board with the distances and owners of this position, on which tokens may be placed."""
        from hinterland.graph.distances.board import Board  # noqa: PLC0415

        rules = self.rules
        board = Board(rules.network, rules.distances, rules.players)
        for seat, token in self.moves:
            board.place(token.vertex, seat)
        return board

    @property
    def scores(self) -> tuple[int, ...]:
        """The sum of the values of each seat's vertices."""
        return self.board.scores

    @property
    def owners(self) -> np.ndarray:
        """The owner of each vertex: int8[n], the seat or -1 for nobody."""
        return self.board.owner.copy()

    def gains(self, seat: int | None = None) -> np.ndarray:
        """Return what a token on each vertex would add to the score of a seat, by default the one to move.

        int64[n]; -1 if the vertex has a token. Raises IllegalMove when the game is over, RulesError for a wrong seat.
        """
        from hinterland.graph.distances import gain  # noqa: PLC0415

        return gain.compute_gains(self.board, self._seat(seat))

    def swings(self, seat: int | None = None) -> np.ndarray:
        """Return what a token on each vertex would add to the lead of a seat over the sum of all others.

        By default the seat is the one to move. int64[n]; -1 if the vertex has a token. What is taken from another seat
        counts twice. Raises IllegalMove when the game is over, RulesError for a wrong seat.
        """
        from hinterland.graph.distances import gain  # noqa: PLC0415

        return gain.compute_swings(self.board, self._seat(seat))

    def _seat(self, seat: int | None) -> int:
        """Return a seat that was checked; by default the seat to move."""
        if seat is not None:
            return check_whole("seat", seat, 0, self.rules.players - 1)
        return self.mover

    def tokens_left(self, seat: int) -> int:
        """Count the tokens that a seat may still place; a lost turn used one up."""
        return self.rules.tokens - self.turns_of(seat)

    @property
    def legal_moves(self) -> LegalTokens:
        return LegalTokens(self)

    @property
    def end_reason(self) -> contract.EndReason:
        """COMPLETE, since the rules ensure that there is room for all tokens."""
        return contract.EndReason.COMPLETE

    def check(self, move: Token) -> None:
        """Raise IllegalMove unless the seat to move may place this token.

        Codes: game_over, not_a_token, not_whole, outside, taken.
        """
        if not isinstance(move, Token):
            raise IllegalMove("not_a_token", f"a move of this game is Token(vertex), not {quote(move)}")
        vertex = move.vertex
        if type(vertex) is not int:
            raise IllegalMove("not_whole", f"vertex must be a whole number, not {quote(vertex)}")
        _ = self.mover
        if not 0 <= vertex < self.rules.vertices:
            raise IllegalMove(
                "outside", f"vertex {quote(vertex)} is not on the board, they go from 0 to {self.rules.vertices - 1}"
            )
        if vertex in self.taken:
            number = [token.vertex for _, token in self.moves].index(vertex) + 1
            called = f", {quote(self.rules.called(vertex))}," if self.rules.names else ""
            raise IllegalMove("taken", f"token {number} stands on vertex {vertex}{called} already")

    def read_move(self, text: str) -> Token:
        """Read a token that a person typed: the name of a vertex, or its number if no name is a number."""
        return Token(self.rules.vertex(text))

    def scratch(self) -> ScratchBoard:
        from hinterland.graph.distances.board import ScratchBoard  # noqa: PLC0415

        return ScratchBoard(self)


class LegalTokens(contract.LegalMoves[Token]):
    """The tokens that may be placed: all vertices without one, in order of their numbers."""

    _position: Position

    def __iter__(self) -> Iterator[Token]:
        taken = self._position.taken
        for vertex in range(self._position.rules.vertices if self else 0):
            if vertex not in taken:
                yield Token(vertex)

    def __len__(self) -> int:
        return self._position.rules.vertices - len(self._position.taken) if self else 0

    def sample(self, rng: np.random.Generator) -> Token:
        _ = self._position.mover
        vertex = int(rng.integers(len(self)))
        for other in sorted(self._position.taken):
            vertex += other <= vertex
        return Token(vertex)

    def _mask(self) -> contract.Mask:
        import numpy as np  # noqa: PLC0415

        free = np.ones(self._position.rules.vertices, dtype=np.bool_)
        free[list(self._position.taken)] = False
        return free
