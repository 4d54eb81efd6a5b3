"""The page's modules as text: without comments, and which others each needs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from pathlib import Path

STATIC = Path(__file__).parent / "static"
COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
"""No string of ours holds such a thing; a test sees to that."""
IMPORT = re.compile(r"""^(?:import|export)\b[^"';]*["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)
ANY_IMPORT = re.compile(r"""(?:^(?:import|export)\b[^"';]*|\bimport\()["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)
"""Also what is loaded only when it is wanted."""
WORKER = re.compile(r"""\bnew URL\("(\.{1,2}/[^"]+)", import\.meta\.url\)""")


def strip_comments(content: bytes) -> bytes:
    """Return a script or a style sheet without its comments; lines keep their numbers."""
    return COMMENT.sub(lambda comment: b"\n" * comment.group().count(b"\n"), content)


def find_needed_modules(names: Iterable[str], source: Callable[[str], str], *patterns: re.Pattern[str]) -> set[str]:
    """Return the names of modules and of all that they need, by these patterns; ``source`` reads one by its name."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            others = (to for pattern in patterns for to in pattern.findall(source(name)))
            waiting += [posixpath.normpath(f"{posixpath.dirname(name)}/{to}") for to in others]
    return found
