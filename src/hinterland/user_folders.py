"""Folders in which programs of this user may keep files, by the XDG rules for desktops."""

from __future__ import annotations

import os
from pathlib import Path

from hinterland.errors import ArenaError


def user_folder(variable: str, *otherwise: str) -> Path:
    """Return the folder that an environment variable names, or else a folder below this user's home folder.

    An empty or relative path counts as not set. Raises ArenaError if there is no home folder either.
    """
    named = Path(os.environ.get(variable, ""))
    if named.is_absolute():
        return named
    try:
        return Path.home().joinpath(*otherwise)
    except RuntimeError:
        raise ArenaError(f"this user has no home folder; set HOME, or {variable} to a folder") from None
