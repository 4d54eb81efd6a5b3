"""The folders in which programs of this user may keep files, as the XDG rules of free desktops say."""

from __future__ import annotations

import os
from pathlib import Path

from hinterland.errors import ArenaError


def user_folder(variable: str, *otherwise: str) -> Path:
    """Return the folder that a variable of the environment names, or else one below the home folder of this user.

    What is empty or relative counts as not set. Raises ArenaError where there is no home folder either.
    """
    named = Path(os.environ.get(variable, ""))
    if named.is_absolute():
        return named
    try:
        return Path.home().joinpath(*otherwise)
    except RuntimeError:
        raise ArenaError(f"this user has no home folder; set HOME, or {variable} to a folder") from None
