"""Reads the file of tokens: in each line the name of a player and its secret token."""

from __future__ import annotations

from hinterland.errors import BadText, quote
from hinterland.referee.protocol.names import clean_name

MIN_TOKEN_CHARS, MAX_TOKEN_CHARS = 8, 200


def parse_tokens(text: str, players: int) -> dict[str, str]:
    """Read lines ``name token``, skipping empty lines and those that begin with #.

    Raises BadText that names the line, or if there are fewer names than players.
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
