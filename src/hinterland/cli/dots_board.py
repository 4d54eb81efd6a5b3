"""Which board of dots a command is about: from a file, on a circle, or drawn at random."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hinterland.errors import BadText

if TYPE_CHECKING:
    from hinterland.dots.rules import Rules

__all__ = ["rules_of"]


def rules_of(file: Path | None, circle: int | None, random: int | None, seed: int) -> Rules:
    """Return the board that was asked for, in exactly one of three ways. Raises BadText, RulesError."""
    from hinterland.dots import boards  # noqa: PLC0415

    if sum(way is not None for way in (file, circle, random)) != 1:
        raise BadText("name one board: a FILE, --circle N, or --random N with --seed S")
    if circle is not None:
        return boards.circle(circle)
    if random is not None:
        return boards.random(random, seed=seed)
    assert file is not None
    return boards.from_file(file)
