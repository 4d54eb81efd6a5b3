"""In which form a graph is written: as its first lines say where they do, else as its name ends, else as it is built.

A form is known by what no other has: a beginning, an ending of names, or a structure that holds in the whole file.
What is known and not read is told by name, in ``files``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import msgspec

from hinterland.errors import BadText, UnknownName
from hinterland.graph.formats.counted import counted, is_counted
from hinterland.graph.formats.dimacs import dimacs, is_dimacs
from hinterland.graph.formats.files import PAGE, UNREAD, looks
from hinterland.graph.formats.foreign import READERS as FOREIGN
from hinterland.graph.formats.found import Found
from hinterland.graph.formats.gdf import SECTION, gdf
from hinterland.graph.formats.graphml import graphml
from hinterland.graph.formats.lgl import is_lgl, lgl
from hinterland.graph.formats.lists import edge_list, holds_fractions, is_adjlist
from hinterland.graph.formats.matrices import is_matrix, matrix, matrix_market
from hinterland.graph.formats.metis import is_metis, metis
from hinterland.graph.formats.pajek import pajek
from hinterland.graph.formats.tgf import is_tgf, tgf

HEAD = 65_536
"""Letters in which the beginning of a form is seen."""


class Form(msgspec.Struct, frozen=True):
    """One form of graph files."""

    title: str
    """What messages call it."""
    read: Callable[[str, str], Found]
    """Takes the name of a file and its text. Raises BadText."""
    endings: tuple[str, ...] = ()
    """How names of its files end."""
    begins: Callable[[str], object] | None = None
    """Says whether the head of a file begins as those of this form do, and no others."""
    is_built: Callable[[str], bool] | None = None
    """Says whether a text, which might be a list of edges otherwise, is built as this form is."""
    is_lines: bool = False
    """Whether a text may have it by chance: where it looks like something else, it is not believed to have it."""


def _begins(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern, re.IGNORECASE).match


def _xml(tag: str) -> Callable[[str], object]:
    return re.compile(rf"\s*<(.*?<)??([\w.-]+:)?{tag}\b", re.DOTALL).match


LIST = "edges"
FORMS: dict[str, Form] = {
    LIST: Form(
        "a list of edges", edge_list, ("csv", "tsv", "edges", "edgelist", "edge_list", "weighted", "ncol"),
        is_lines=True,
    ),
    "graphml": Form("GraphML", graphml, ("graphml",), _xml("graphml")),
    "gexf": Form("GEXF", FOREIGN["gexf"], ("gexf",), _xml("gexf")),
    "json": Form("JSON", FOREIGN["json"], ("json", "cyjs", "jgf"), re.compile(r"\s*[{\[]\s*[\"{\[}\]\d]").match),
    "gml": Form("GML", FOREIGN["gml"], ("gml",), re.compile(
        r"(\s*#.*\n|\s*(Creator|Version|Comment|comment|directed|label)\b.*\n)*\s*graph\s*\["
    ).match),
    "pajek": Form("Pajek", pajek, ("net", "paj", "pajek"), _begins(r"(\s*%.*\n)*\s*\*(vertices|network)\b")),
    "leda": Form("LEDA", FOREIGN["leda"], ("leda", "gw", "lgr"), _begins(r"(\s*#.*\n)*\s*LEDA\.GRAPH\b")),
    "gdf": Form("GDF", gdf, ("gdf",), SECTION.match),
    "matrix_market": Form("Matrix Market", matrix_market, ("mtx", "mm"), _begins("%%MatrixMarket")),
    "multiline_adjlist": Form(
        "a multiline adjacency list", FOREIGN["multiline_adjlist"], ("multiline_adjlist", "madj"),
        re.compile(
            r"(\s*#.*\n)*\s*(?!#)\S+ \d+[ \t]*\n([^\n{]+ \d+[ \t]*\n)*[^\n{]+ \{.*\}[ \t]*(\n|$)"
        ).match,
        is_lines=True,
    ),
    "graph6": Form("graph6", FOREIGN["graph6"], ("g6", "graph6"), _begins(">>graph6<<")),
    "sparse6": Form("sparse6", FOREIGN["sparse6"], ("s6", "sparse6"), _begins(">>sparse6<<")),
    "dimacs": Form("DIMACS", dimacs, ("dimacs", "col", "gr", "clq"), is_dimacs),
    "tgf": Form("TGF", tgf, ("tgf",), is_built=is_tgf),
    "lgl": Form("LGL", lgl, ("lgl",), is_built=is_lgl),
    "metis": Form("METIS", metis, ("metis", "graph", "chaco"), is_built=is_metis),
    "matrix": Form("a matrix", matrix, (), is_built=is_matrix),
    "adjlist": Form(
        "an adjacency list", FOREIGN["adjlist"], ("adjlist", "adj"), is_built=is_adjlist, is_lines=True,
    ),
    "counted": Form("a list of edges under a line of counts", counted, (), is_built=is_counted),
}  # fmt: skip
"""Every form by name, in the order in which they are tried."""
SUFFIXES = {ending: name for name, form in FORMS.items() for ending in form.endings}
"""What the ends of names say."""
AS_BUILT = {"graph"}
"""Endings that several forms have: the structure comes first."""
WORDS = re.compile(r"[^\s,;]+([ \t]*[,;\t][ \t]*|[ \t]+)[^\s,;]+|\"")
"""A line of a list has two words at least."""


def form_of(path: str, text: str, asked: str | None = None) -> str:
    """Return the form of a file. Raises UnknownName for an unknown one, BadText that says what the file looks like."""
    if asked is not None:
        if asked not in FORMS:
            raise UnknownName("form of a graph file", asked, FORMS)
        return asked
    head = text[:HEAD]
    for name, form in FORMS.items():
        if form.begins is not None and form.begins(head):
            return name
    if PAGE.match(text):
        raise BadText(f"it looks like {looks(text)}")
    return _form_by_name(path.rpartition(".")[2].lower(), text)


def _form_by_name(ending: str, text: str) -> str:
    """Return the form of a text that does not begin as any does."""
    named = SUFFIXES.get(ending)
    if named is not None and not FORMS[named].is_lines and ending not in AS_BUILT:
        return named
    if ending in UNREAD:
        raise BadText(f"its name says {UNREAD[ending]}")
    if named in (None, LIST) or ending in AS_BUILT:
        for name, form in FORMS.items():
            if form.is_built is not None and form.is_built(text):
                return name
    is_list = _is_list(text)
    if is_list and named in (None, LIST) and holds_fractions(text):
        raise BadText(
            "its first two columns are numbers with fractions, where a list of edges has the names of vertices; "
            "--board-format edges takes them for names"
        )
    if named is not None and (is_list or not FORMS[named].is_lines):
        return named
    if is_list:
        return LIST
    raise BadText(f"it looks like {looks(text)}")


def reader_of(name: str, heading: bool | None) -> Callable[[str, str], Found]:
    """Return the reader of a form. ``heading``: as ``lists.edge_list`` takes it. Raises BadText for other forms."""
    if heading is None:
        return FORMS[name].read
    if name != LIST:
        raise BadText(f"heading goes with a list of edges; this is {FORMS[name].title}")
    return partial(edge_list, heading=heading)


def _is_list(text: str) -> bool:
    """Say whether a text may be a list: its first line that is no comment has two words or more, and no mark-up."""
    if not text.strip():
        return True
    first = next((line for line in text[:HEAD].splitlines() if line.strip() and line.lstrip()[0] not in "#%"), "")
    return bool(WORDS.match(first.strip())) and looks(text).startswith("a text")
