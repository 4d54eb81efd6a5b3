"""Reads the text of a file, or says what the file looks like if it is not a graph."""

from __future__ import annotations

import re
from pathlib import Path

from hinterland.contract.board_files import decode_utf8, quote_name, read_bytes
from hinterland.errors import BadText, quote

MAX_BYTES = 64 * 2**20
"""Largest size of a file in bytes."""
BINARY_SIGNATURES = {
    b"\xff\xd8\xff": "a JPEG picture",
    b"\x89PNG": "a PNG picture",
    b"GIF8": "a GIF picture",
    b"RIFF": "a sound, a film or a WebP picture",
    b"%PDF": "a PDF document",
    b"%!PS": "a PostScript document",
    b"PK\x03\x04": "a ZIP archive, as spreadsheets are, too; unpack it or save it as CSV",
    b"\x1f\x8b": "packed with gzip; unpack it",
    b"BZh": "packed with bzip2; unpack it",
    b"\xfd7zXZ": "packed with xz; unpack it",
    b"\x28\xb5\x2f\xfd": "packed with Zstandard; unpack it",
    b"7z\xbc\xaf": "a 7z archive; unpack it",
    b"\x80": "a pickle of Python, which is never read from a file; write the graph as GraphML",
    b"SQLite format 3": "an SQLite database",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "an array of NumPy; write it as CSV",
    b"PAR1": "a Parquet table; write it as CSV",
}
"""The first bytes of binary files, and what such a file is. For TEXT_LIKE_SIGNATURES, which a text may begin with, too,
a zero byte must follow."""
TEXT_LIKE_SIGNATURES = {"MZ", "BZh", "RIFF", "GIF8", "PAR1"}
HTML_PAGE = re.compile(r"\s*(<!doctype html|<html|<head|<body)", re.IGNORECASE)
OTHER_TEXTS = {
    r"(\s*(//.*\n|#.*\n|/\*(?s:.*?)\*/))*\s*(strict\s+)?(di)?graph\b[^\[]*\{": (
        "DOT, the language of Graphviz; networkx can turn it into GraphML"
    ),
    r"[╟╙├└]──|[|+L]-- ": "a drawing by networkx of a graph as text; write it as GraphML",
    r"\s*dl\b\s*(n|nr|format|labels)\b": "DL, the language of UCINET; igraph can turn it into GraphML",
    r"\s*\*\s*(node|tie) (data|properties)": "VNA, of NetDraw; write it as a list of edges",
    r"\s*(NAME|TYPE|COMMENT)\s*:(?s:.*)^\s*(DIMENSION|EDGE_WEIGHT_TYPE|NODE_COORD_SECTION)": "a problem of TSPLIB",
    r"\s*\(tlp\b": "TLP, of Tulip; Tulip can write it as GML",
    r"(\s*#.*\n|\s*\n)*\s*@(nodes|arcs|edges|red_nodes)\b": "LGF, of LEMON; write it as GML",
    r"graph (\d\S* ){2}\d\S*\s*\nnode ": "a drawing of Graphviz (plain); networkx can read its source",
    r"p \d+ \d+ [ud] [uw] \d+\s*\n": "a list of edges under a line of NetworKit's; take its first line off",
    r"\s*\* ?GraphBase graph\b": "a graph of the Stanford GraphBase; write it as a list of edges",
    r"\s*<\S+>\s+<\S+>\s+[<\"].*\.\s*$": "N-Triples of RDF; write it as a list of edges",
    r"\s*\\(documentclass|begin)\b": "TeX",
    r"#!": "a program",
    r"(?s).*^(import|from) \w+": "a program in Python",
    r"\s*\{\\rtf": "a document in RTF",
    r"\s*-----BEGIN": "a key or a certificate",
}

UNREAD_FORMS = {
    "dot": "DOT, of Graphviz, which is not read; networkx can turn it into GraphML",
    "gv": "DOT, of Graphviz, which is not read; networkx can turn it into GraphML",
    "dl": "DL, of UCINET, which is not read; igraph can turn it into GraphML",
    "vna": "VNA, of NetDraw, which is not read; write it as a list of edges",
    "tsp": "TSPLIB, which is not read; write it as a list of edges",
    "tlp": "TLP, of Tulip, which is not read; Tulip can write it as GML",
    "lgf": "LGF, of LEMON, which is not read; write it as GML",
    "sif": "SIF, of Cytoscape, which is not read; Cytoscape can write it as GraphML",
    "xgmml": "XGMML, which is not read; Cytoscape can write it as GraphML",
}
"""Forms that are recognised by the ending of a file's name, but not read: what each is, and what to do instead."""


def read_text(path: str | Path) -> str:
    """Read a text in UTF-8. If a file is no such text, raises BadText, which says what the file looks like."""
    return decode_text(read_bytes(path, MAX_BYTES), quote_name(path))


def decode_text(raw: bytes, name: str) -> str:
    """Decode the bytes of a text in UTF-8. For other bytes raises BadText, which says what the file looks like."""
    for mark, what in BINARY_SIGNATURES.items():
        if raw.startswith(mark) and (mark.decode("latin-1") not in TEXT_LIKE_SIGNATURES or b"\0" in raw[:4096]):
            raise BadText(f"{name} is not a graph: it looks like {what}")
    text = decode_utf8(raw, name)
    if "\0" in text:
        raise BadText(f"{name} is not a text in UTF-8: it holds zero bytes")
    return text


def describe_text(text: str) -> str:
    """Say in words what a text looks like if it is not a graph."""
    head = text[:4096]
    if not head.strip():
        return "an empty file"
    if HTML_PAGE.match(head):
        return "a page in HTML; was it downloaded from the right address?"
    if head.lstrip().startswith("<"):
        tag = re.search(r"<([A-Za-z][\w:.-]{0,40})", head)
        return f"XML of another kind, <{tag[1]}>" if tag else "XML of another kind"
    for pattern, what in OTHER_TEXTS.items():
        if re.match(pattern, head, re.IGNORECASE | re.MULTILINE):
            return what
    return "a text that begins with " + quote(head.strip().splitlines()[0], 40)
