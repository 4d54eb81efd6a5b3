"""Describes a plan in words, and formats points, shares and clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hinterland import catalog
from hinterland.contest.plan import hash_secret

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hinterland.contest.plan import Plan
    from hinterland.referee.clock import TimeControl

HALF = "½"


def describe_plan(plan: Plan, *, is_seed_hidden: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of each setting of a plan, in words. A hidden seed is not told."""
    yield "Game", catalog.game(plan.game).title
    yield "Rules", _format_options(plan.rules) or "the usual ones"
    if plan.vary:
        yield "Varied", " · ".join(f"{name} {', '.join(map(str, values))}" for name, values in plan.vary.items())
    yield "Format", " · ".join(filter(None, [plan.format, _format_options(plan.options)]))
    matches = plan.pairings * len(plan.variations)
    yield "Matches", f"{matches} per pairing and round; each player starts once per match"
    yield "Openings", _describe_beginnings(plan)
    yield "Clock", format_clock(plan.clock)
    if plan.secret:
        yield "Seed", "hidden until the end" if is_seed_hidden else plan.secret
        yield "SHA-256 of the seed", hash_secret(plan.secret)
    else:
        yield "Seed", str(plan.seed)
    if plan.sandbox:
        yield "Programs", "in a sandbox"
    if plan.limits is not None:
        yield "Memory", f"{plan.limits.memory_mib:,} MiB a program"
    yield "Plan", plan.hash


def _describe_beginnings(plan: Plan) -> str:
    if plan.openings:
        return f"{len(plan.openings)} openings of the plan, in turn"
    if plan.boards:
        return "each pairing gets its own board"
    if plan.jitter:
        moves = "first move" if plan.jitter == 1 else f"first {plan.jitter} moves"
        return f"{moves} drawn at random, the same in all games of a match"
    return "no move drawn"


def _format_options(options: Mapping[str, Any]) -> str:
    return " · ".join(f"{name} {value}" for name, value in options.items())


def format_clock(control: TimeControl) -> str:
    """Write a time control."""
    parts = [] if control.budget_ms is None else [f"{control.budget_ms / 1000:g} s per game"]
    if control.increment_ms:
        parts.append(f"{control.increment_ms / 1000:g} s more per move")
    if control.move_ms is not None:
        parts.append(f"at most {control.move_ms / 1000:g} s per move")
    return ", ".join(parts) or "no limit"


def format_points(value: float) -> str:
    """Write points, with ½ for a half."""
    whole = int(value)
    return f"{whole or ''}{HALF}" if value != whole else f"{whole}"


def format_share(value: float | None) -> str:
    """Write a share from 0 to 1 in per cent, without the per cent sign."""
    return "–" if value is None else f"{100 * value:.1f}"


def shorten(name: str, letters: int) -> str:
    """Shorten a name to a number of letters."""
    return name if len(name) <= letters else f"{name[: letters - 1]}…"
