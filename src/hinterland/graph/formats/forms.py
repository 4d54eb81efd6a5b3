"""In which form a graph is written: as its first lines say where they do, else as the name of the file ends."""

from __future__ import annotations

import re
from collections.abc import Callable

from hinterland.errors import BadText, UnknownName
from hinterland.graph.formats.dimacs import dimacs, is_dimacs
from hinterland.graph.formats.files import PAGE, looks
from hinterland.graph.formats.foreign import READERS as FOREIGN
from hinterland.graph.formats.found import Found
from hinterland.graph.formats.graphml import graphml
from hinterland.graph.formats.lists import edge_list

LIST = "edges"
FORMS: dict[str, Callable[[str, str], Found]] = {LIST: edge_list, "graphml": graphml, "dimacs": dimacs, **FOREIGN}
"""Every form by name: its reader takes the name of a file and its text."""
SUFFIXES = {
    "csv": LIST, "tsv": LIST, "edges": LIST, "edgelist": LIST, "edge_list": LIST, "weighted": LIST,
    "adjlist": "adjlist", "adj": "adjlist", "multiline_adjlist": "multiline_adjlist", "madj": "multiline_adjlist",
    "graphml": "graphml", "gml": "gml", "gexf": "gexf", "json": "json",
    "dimacs": "dimacs", "col": "dimacs", "gr": "dimacs", "clq": "dimacs",
    "net": "pajek", "paj": "pajek", "pajek": "pajek", "leda": "leda", "gw": "leda", "lgr": "leda",
    "g6": "graph6", "graph6": "graph6", "s6": "sparse6", "sparse6": "sparse6",
}  # fmt: skip
"""What the ends of names say."""
LINES = {LIST, "adjlist", "multiline_adjlist"}
"""Forms that a text may have by chance: where it looks like something else, it is not believed to have them."""
MARKS = {
    "graphml": re.compile(r"\s*<(.*?<)??([\w.-]+:)?graphml\b", re.DOTALL),
    "gexf": re.compile(r"\s*<(.*?<)??([\w.-]+:)?gexf\b", re.DOTALL),
    "json": re.compile(r"\s*[{\[]\s*[\"{\[}\]\d]"),
    "gml": re.compile(r"(\s*#.*\n|\s*(Creator|Version|Comment|comment|directed|label)\b.*\n)*\s*graph\s*\["),
    "pajek": re.compile(r"(\s*%.*\n)*\s*\*(vertices|network)\b", re.IGNORECASE),
    "leda": re.compile(r"(\s*#.*\n)*\s*LEDA\.GRAPH\b"),
    "multiline_adjlist": re.compile(
        r"(\s*#.*\n)*\s*(?!#)\S+ \d+[ \t]*\n([^\n{]+ \d+[ \t]*\n)*[^\n{]+ \{.*\}[ \t]*(\n|$)"
    ),
    "graph6": re.compile(r">>graph6<<"),
    "sparse6": re.compile(r">>sparse6<<"),
}
"""How files of these forms begin, and no others."""
HEAD = 65_536
"""Letters in which that is seen."""
WORDS = re.compile(r"[^\s,;]+([ \t]*[,;\t][ \t]*|[ \t]+)[^\s,;]+")
"""A line of a list has two words at least."""


def form_of(path: str, text: str, asked: str | None = None) -> str:
    """Return the form of a file. Raises UnknownName for an unknown one, BadText that says what the file looks like."""
    if asked is not None:
        if asked not in FORMS:
            raise UnknownName("form of a graph file", asked, FORMS)
        return asked
    head = text[:HEAD]
    for form, mark in MARKS.items():
        if mark.match(head):
            return form
    if is_dimacs(head):
        return "dimacs"
    ending = path.rpartition(".")[2].lower()
    is_list = _is_list(text)
    if not PAGE.match(text):
        if ending in SUFFIXES and (is_list or SUFFIXES[ending] not in LINES):
            return SUFFIXES[ending]
        if is_list:
            return LIST
    raise BadText(f"it looks like {looks(text)}")


def _is_list(text: str) -> bool:
    """Say whether a text may be a list: its first line that is no comment has two words or more, and no mark-up."""
    if not text.strip():
        return True
    first = next((line for line in text[:HEAD].splitlines() if line.strip() and line.lstrip()[0] not in "#%"), "")
    return bool(WORDS.match(first.strip())) and looks(text).startswith("a text")
