"""Reads the source text of page modules: strips comments, follows imports, finds the page files of games."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from hinterland import catalog

STATIC = Path(__file__).parent / "static"
COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
"""Matches a comment in a script or style sheet. A test checks that no string in our scripts looks like a comment."""
IMPORT = re.compile(r"""^(?:import|export)\b[^"';]*["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)
ANY_IMPORT = re.compile(r"""(?:^(?:import|export)\b[^"';]*|\bimport\()["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)
"""Matches an import: a statement, or a call of ``import``, which loads a module later."""
WORKER = re.compile(r"""\bnew URL\("(\.{1,2}/[^"]+)", import\.meta\.url\)""")


@cache
def find_game_files() -> dict[str, Path]:
    """Return the files in the games' own page folders, by the names that pages use.

    The file GAME.css of a game is called ``css/GAME.css``; any other file is called ``js/GAME/FILE``.
    """
    return {
        f"css/{game}.css" if path.name == f"{game}.css" else f"js/{game}/{path.name}": path
        for game in catalog.GAMES
        for path in sorted(catalog.page_folder(game).glob("*.*"))
    }


def strip_comments(content: bytes) -> bytes:
    """Return a script or a style sheet without its comments, but with the same line numbers."""
    return COMMENT.sub(lambda comment: b"\n" * comment.group().count(b"\n"), content)


def find_needed_modules(names: Iterable[str], source: Callable[[str], str], *patterns: re.Pattern[str]) -> set[str]:
    """Return ``names``, and the names of all modules that these modules import.

    ``source`` returns the text of a module; ``patterns`` match the imports in it.
    """
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            others = (to for pattern in patterns for to in pattern.findall(source(name)))
            waiting += [posixpath.normpath(f"{posixpath.dirname(name)}/{to}") for to in others]
    return found
