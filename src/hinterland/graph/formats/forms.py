"""Detects the form (file format) of a graph: by the file's first lines, else its name's ending, else its structure.

A form is recognised by what no other form has: a beginning, an ending of file names, or a structure of the whole text.
``files`` names forms that are recognised but not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import msgspec

from hinterland.errors import BadText, UnknownName
from hinterland.graph.formats.files import HTML_PAGE, UNREAD_FORMS, describe_text
from hinterland.graph.formats.foreign import READERS as FOREIGN
from hinterland.graph.formats.graphml import read_graphml
from hinterland.graph.formats.lists import has_fractions, is_adjlist, is_counted, read_counted, read_edge_list
from hinterland.graph.formats.matrices import is_matrix, read_matrix, read_matrix_market
from hinterland.graph.formats.named import GDF_SECTION, is_lgl, is_tgf, read_gdf, read_lgl, read_tgf
from hinterland.graph.formats.numbered import is_dimacs, is_metis, read_dimacs, read_metis, read_pajek
from hinterland.graph.formats.raw_graph import RawGraph

HEAD_LETTERS = 65_536
"""Number of letters at the beginning of a file that ``Form.begins`` receives."""


class Form(msgspec.Struct, frozen=True):
    """One form of graph files."""

    title: str
    """Its name in messages."""
    read: Callable[[str, str], RawGraph]
    """Takes the name of a file and its text, and returns a graph. Raises BadText."""
    endings: tuple[str, ...] = ()
    """Endings of file names."""
    begins: Callable[[str], object] | None = None
    """Says whether a text begins as only a text of this form does."""
    is_built: Callable[[str], bool] | None = None
    """Says whether a text has the structure of this form, and so is no list of edges."""
    is_weak: bool = False
    """Whether a text may look like this form by chance, so that any other form wins."""


def _match_start(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern, re.IGNORECASE).match


def _xml(tag: str) -> Callable[[str], object]:
    return re.compile(rf"\s*<(.*?<)??([\w.-]+:)?{tag}\b", re.DOTALL).match


EDGE_LIST = "edges"
FORMS: dict[str, Form] = {
    EDGE_LIST: Form(
        "a list of edges", read_edge_list, ("csv", "tsv", "edges", "edgelist", "edge_list", "weighted", "ncol"),
        is_weak=True,
    ),
    "graphml": Form("GraphML", read_graphml, ("graphml",), _xml("graphml")),
    "gexf": Form("GEXF", FOREIGN["gexf"], ("gexf",), _xml("gexf")),
    "json": Form("JSON", FOREIGN["json"], ("json", "cyjs", "jgf"), re.compile(r"\s*[{\[]\s*[\"{\[}\]\d]").match),
    "gml": Form("GML", FOREIGN["gml"], ("gml",), re.compile(
        r"(\s*#.*\n|\s*(Creator|Version|Comment|comment|directed|label)\b.*\n)*\s*graph\s*\["
    ).match),
    "pajek": Form("Pajek", read_pajek, ("net", "paj", "pajek"), _match_start(r"(\s*%.*\n)*\s*\*(vertices|network)\b")),
    "leda": Form("LEDA", FOREIGN["leda"], ("leda", "gw", "lgr"), _match_start(r"(\s*#.*\n)*\s*LEDA\.GRAPH\b")),
    "gdf": Form("GDF", read_gdf, ("gdf",), GDF_SECTION.match),
    "matrix_market": Form("Matrix Market", read_matrix_market, ("mtx", "mm"), _match_start("%%MatrixMarket")),
    "multiline_adjlist": Form(
        "a multiline adjacency list", FOREIGN["multiline_adjlist"], ("multiline_adjlist", "madj"),
        re.compile(
            r"(\s*#.*\n)*\s*(?!#)\S+ \d+[ \t]*\n([^\n{]+ \d+[ \t]*\n)*[^\n{]+ \{.*\}[ \t]*(\n|$)"
        ).match,
        is_weak=True,
    ),
    "graph6": Form("graph6", FOREIGN["graph6"], ("g6", "graph6"), _match_start(">>graph6<<")),
    "sparse6": Form("sparse6", FOREIGN["sparse6"], ("s6", "sparse6"), _match_start(">>sparse6<<")),
    "dimacs": Form("DIMACS", read_dimacs, ("dimacs", "col", "gr", "clq"), is_dimacs),
    "tgf": Form("TGF", read_tgf, ("tgf",), is_built=is_tgf),
    "lgl": Form("LGL", read_lgl, ("lgl",), is_built=is_lgl),
    "metis": Form("METIS", read_metis, ("metis", "graph", "chaco"), is_built=is_metis),
    "matrix": Form("a matrix", read_matrix, (), is_built=is_matrix),
    "adjlist": Form(
        "an adjacency list", FOREIGN["adjlist"], ("adjlist", "adj"), is_built=is_adjlist, is_weak=True,
    ),
    "counted": Form("a list of edges under a line of counts", read_counted, (), is_built=is_counted),
}  # fmt: skip
"""Every form by name, in the order in which they are tried."""
SUFFIXES = {ending: name for name, form in FORMS.items() for ending in form.endings}
"""The name of a form by the ending of a file's name."""
SHARED_ENDINGS = {"graph"}
"""Endings that several forms share; for these the structure of the text decides first."""
TWO_WORDS = re.compile(r"[^\s,;]+([ \t]*[,;\t][ \t]*|[ \t]+)[^\s,;]+|\"")
"""Matches the beginning of a line with at least two words, as a list has."""


def detect_form(path: str, text: str, asked: str | None = None) -> str:
    """Return the name of a file's form, which is ``asked`` if a person named one.

    Raises UnknownName for an unknown ``asked``. Raises BadText, with what the file looks like, if no form fits.
    """
    if asked is not None:
        if asked not in FORMS:
            raise UnknownName("form of a graph file", asked, FORMS)
        return asked
    head = text[:HEAD_LETTERS]
    for name, form in FORMS.items():
        if form.begins is not None and form.begins(head):
            return name
    if HTML_PAGE.match(text):
        raise BadText(f"it looks like {describe_text(text)}")
    return _form_by_name(path.rpartition(".")[2].lower(), text)


def _form_by_name(ending: str, text: str) -> str:
    """Return the form of a text that begins like none, by its structure and the ending of the file's name."""
    named = SUFFIXES.get(ending)
    if named is not None and not FORMS[named].is_weak and ending not in SHARED_ENDINGS:
        return named
    if ending in UNREAD_FORMS:
        raise BadText(f"its name says {UNREAD_FORMS[ending]}")
    if named in (None, EDGE_LIST) or ending in SHARED_ENDINGS:
        for name, form in FORMS.items():
            if form.is_built is not None and form.is_built(text):
                return name
    is_list = _is_list(text)
    if is_list and named in (None, EDGE_LIST) and has_fractions(text):
        raise BadText(
            "its first two columns are numbers with fractions, where a list of edges has the names of vertices; "
            "--board-format edges takes them for names"
        )
    if named is not None and (is_list or not FORMS[named].is_weak):
        return named
    if is_list:
        return EDGE_LIST
    raise BadText(f"it looks like {describe_text(text)}")


def choose_reader(name: str, heading: bool | None) -> Callable[[str, str], RawGraph]:
    """Return the reader of a form.

    ``heading``, unless None, is passed to ``lists.read_edge_list``; for any other form it raises BadText.
    """
    if heading is None:
        return FORMS[name].read
    if name != EDGE_LIST:
        raise BadText(f"heading goes with a list of edges; this is {FORMS[name].title}")
    return partial(read_edge_list, heading=heading)


def _is_list(text: str) -> bool:
    """Say whether a text may be a list: its first line that is no comment has two words or more, without mark-up."""
    if not text.strip():
        return True
    first = next(
        (line for line in text[:HEAD_LETTERS].splitlines() if line.strip() and line.lstrip()[0] not in "#%"), ""
    )
    return bool(TWO_WORDS.match(first.strip())) and describe_text(text).startswith("a text")
