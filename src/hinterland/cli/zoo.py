"""``hinterland zoo``: hostile players against the referee, and whether it deals with each as it should."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hinterland.cli.console import print_json, print_table, progress, table
from hinterland.errors import ArenaError, BadText, UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.referee.shell.zoo.rows import Carrier
    from hinterland.referee.shell.zoo.verdicts import Line
    from hinterland.referee.shell.zoo.visit import Wish

__all__ = ["zoo"]


def zoo(
    *rows: str,
    carrier: Annotated[tuple[str, ...], Parameter(negative="", consume_multiple=False)] = (),
    runs: int = 1,
    at_once: int = 4,
    repeats: int = 3,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Let hostile players loose on the referee of this machine, and see whether it deals with each as it should.

    Each row is a match between a healthy player and one that does one thing wrong, while a game beside goes on in the
    same referee. A row misses when the verdict is wrong or more than 50 ms late (99th percentile of the runs), when
    a process is left behind, when the referee grows by over 1 MiB a connection, or when the game beside is disturbed.

    Parameters
    ----------
    rows
        Numbers of faults, or names of what hostile players do; all when left out.
    carrier
        `tcp`, `pipes` or `sandbox`; may be repeated. All when left out.
    runs
        How often each row is played.
    at_once
        How many runs go on at a time.
    repeats
        How often a run that missed may be played again where programs waited for a processor meanwhile, which is then
        said below the table; 0 to take every run as it was.
    json
        Print one JSON object.
    """
    from hinterland.referee.shell.zoo import visit  # noqa: PLC0415

    if runs < 1 or at_once < 1:
        raise BadText("--runs and --at-once are whole numbers from 1")
    if repeats < 0:
        raise BadText(f"--repeats is a whole number from 0, not {repeats}")
    found = _carriers(carrier)
    wish = visit.Wish(rows=visit.chosen(rows), carriers=found, runs=runs, at_once=at_once, repeats=repeats)
    if not wish.pairs:
        raise BadText("none of these rows is played over this carrier; leave --carrier out")
    lines = _visit(wish, quiet=json)
    if json:
        print_json({"runs": runs, "rows": lines, "missed": sum(bool(line.misses) for line in lines)})
    else:
        _print(lines)
    return int(any(line.misses for line in lines))


def _carriers(wanted: tuple[str, ...]) -> tuple[Carrier, ...]:
    """Return the carriers that are asked for, or all that can be had here. Raises HinterlandError."""
    import asyncio  # noqa: PLC0415

    from hinterland.referee.shell.zoo.rows import CARRIERS  # noqa: PLC0415
    from hinterland.referee.shell.zoo.visit import can_sandbox  # noqa: PLC0415

    for word in wanted:
        if word not in CARRIERS:
            raise UnknownName("carrier", word, CARRIERS)
    found = list(wanted or CARRIERS)
    complaint = asyncio.run(can_sandbox()) if "sandbox" in found else ""
    if complaint and wanted:
        raise ArenaError(complaint)
    if complaint:
        sys.stderr.write(f"THE SANDBOX IS NOT TRIED: {complaint}\n")
        found.remove("sandbox")
    if os.name != "posix":
        found = [name for name in found if name == "tcp"]
    return tuple(found)  # type: ignore[arg-type]


def _visit(wish: Wish, *, quiet: bool) -> list[Line]:
    import asyncio  # noqa: PLC0415

    from hinterland.referee.shell.zoo import visit  # noqa: PLC0415

    with progress(quiet=quiet) as bars:
        bar = bars.add_task("the zoo", total=len(wish.pairs) * wish.runs)
        return asyncio.run(visit.visit(wish, lambda: bars.advance(bar)))


def _print(lines: Sequence[Line]) -> None:
    heads = ("row", "fault", "carrier", "expected", "verdict", "late ms", "KiB", "left", "beside ms", "")
    listed = table(*heads, numbers=False)
    names = {"hps": "tcp hps", "json": "tcp json"}
    for line in lines:
        late = "–" if line.late_ms is None else f"{line.late_ms:.1f}"
        listed.add_row(
            str(line.number), line.name, names.get(line.way, line.way), line.expected, line.verdict, late,
            f"{line.growth_kib:.0f}", str(line.left), f"{line.beside_ms:.1f}", "✗" if line.misses else "✓",
        )  # fmt: skip
    print_table(listed)
    missed = [line for line in lines if line.misses]
    for line in missed:
        sys.stdout.write(f"{line.number} {line.deed}, {names.get(line.way, line.way)}: {'; '.join(line.misses)}\n")
    repeated = sum(line.repeated for line in lines)
    again = f"; {repeated} runs were repeated because the machine was busy with other work" if repeated else ""
    sys.stdout.write(f"{len(lines)} rows, {lines[0].runs} runs each, {len(missed)} missed{again}\n")
