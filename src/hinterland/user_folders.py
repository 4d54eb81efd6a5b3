"""The folders in which programs keep a user's files (XDG Base Directory Specification)."""

from __future__ import annotations

import os
from pathlib import Path

from hinterland.errors import ArenaError


def user_folder(variable: str, *default: str) -> Path:
    """Return the folder that an environment variable names, or the folder ``default`` below the user's home folder.

    A variable that is empty or holds a relative path counts as not set. Raises ArenaError if there is no home folder
    either.
    """
    named = Path(os.environ.get(variable, ""))
    if named.is_absolute():
        return named
    try:
        return Path.home().joinpath(*default)
    except RuntimeError:
        raise ArenaError(f"this user has no home folder; set HOME, or {variable} to a folder") from None
