"""Cleans the names of players and what players say, and reads the file of tokens: in each line a name and its token.

A name is a short line of visible characters, safe in terminals, pages and paths; a text is several such lines. Nothing
here treats a name or a text as markup or as a path; pages escape them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from hinterland.errors import BadText, quote

DEFAULT_NAME = "player"
"""Name of a player whose own name has no visible character."""
MAX_NAME_CHARACTERS = 32
"""Most characters of a cleaned name, without the suffix that makes it unique."""
MAX_READ_CHARACTERS = 256
MAX_ACCENTS = 2
"""Most accents on one character, not counting one that Unicode merges with its letter, as in é."""
TERMINAL_CODE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x9b[0-?]*[ -/]*[@-~]"
    r"|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # titles, links, strings for the terminal
    r"|\x1b[ -/]*[0-~]?"
)
INVISIBLE_CHARACTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f")
"""Characters that Unicode counts as letters or marks, but that show nothing."""
PATH_REPLACEMENTS = str.maketrans({"/": "_", "\\": "_", "\u2215": "_", "\u2044": "_"})
MIN_TOKEN_CHARS, MAX_TOKEN_CHARS = 8, 200


def clean_name(text: str, taken: Container[str]) -> str:
    """Return the cleaned name of a player, with a suffix if the cleaned name is taken.

    Terminal codes, control characters, direction marks and other invisible characters are dropped. Slashes become "_",
    several dots in a row become one, and a name is cut after 32 characters. A name of which nothing is left becomes
    "player". A name that is taken gets the suffix #2, #3 …
    """
    name = _make_visible(text)
    if name not in taken:
        return name
    number = 2
    while f"{name}#{number}" in taken:
        number += 1
    return f"{name}#{number}"


def clean_text(text: str) -> str:
    """Return the lines of a text without terminal codes, control characters and invisible ones, and empty ends."""
    lines = TERMINAL_CODE.sub("", text).splitlines()
    return "\n".join(_drop_invisible(line).rstrip() for line in lines).strip("\n")


def _drop_invisible(line: str) -> str:
    line = "".join(" " if character.isspace() else character for character in line if _is_visible(character))
    return _drop_extra_accents(unicodedata.normalize("NFC", line))


def _make_visible(text: str) -> str:
    text = _drop_invisible(TERMINAL_CODE.sub("", text[:MAX_READ_CHARACTERS]))
    text = re.sub(r"\.{2,}", ".", text.translate(PATH_REPLACEMENTS))
    name = " ".join(text.split())[:MAX_NAME_CHARACTERS].strip(" ")
    return name if name.strip(" .") else DEFAULT_NAME


def _is_visible(character: str) -> bool:
    """Say whether a character shows something, or is a space."""
    if character.isspace():
        return True
    return unicodedata.category(character)[0] != "C" and character not in INVISIBLE_CHARACTERS


def _drop_extra_accents(text: str) -> str:
    """Drop accents that stand on no character, and those beyond MAX_ACCENTS on one character."""
    kept: list[str] = []
    room = 0
    for character in text:
        if not unicodedata.category(character).startswith("M"):
            room = 0 if character == " " else MAX_ACCENTS
        elif room == 0:
            continue
        else:
            room -= 1
        kept.append(character)
    return "".join(kept)


def parse_tokens(text: str, players: int) -> dict[str, str]:
    """Read lines ``name token``; skip empty lines, and lines that begin with #.

    Raises BadText that names the wrong line, or says that there are fewer names than players.
    """
    tokens: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        *front, token = line.rsplit(maxsplit=1)
        name = "".join(front).strip()
        if not name:
            raise BadText(f"line {number} of the tokens: a name and a token are needed, but there is only one word")
        if name != clean_name(name, ()):
            raise BadText(
                f"line {number} of the tokens: {quote(name)} is not a valid name; {quote(clean_name(name, ()))} is"
            )
        if not MIN_TOKEN_CHARS <= len(token) <= MAX_TOKEN_CHARS:
            sizes = f"{MIN_TOKEN_CHARS} to {MAX_TOKEN_CHARS} characters"
            raise BadText(f"line {number} of the tokens: a token has {sizes}, not {len(token)}")
        if name in tokens or token in tokens.values():
            raise BadText(f"line {number} of the tokens: this name or token is on an earlier line too")
        tokens[name] = token
    if len(tokens) < players:
        raise BadText(f"the tokens name {len(tokens)} players, {players} are needed")
    return tokens
