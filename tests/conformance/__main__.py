"""``make conformance``: runs hostile players against the referee, and judges how it deals with each."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, CycloptsError, Parameter

from conformance.fault_rows import CARRIERS
from conformance.suite import Suite, chosen, run_suite
from hinterland.cli import in_one_line
from hinterland.cli.console import make_table, print_json, print_table, progress
from hinterland.errors import ArenaError, BadText, HinterlandError, UnknownName
from hinterland.host.processes import sandbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.case_reports import CaseReport
    from conformance.fault_rows import Carrier, Way

__all__ = ["conformance", "run"]

NO, WRONG_USE, INTERRUPTED = 1, 2, 130
OVER: dict[Way, str] = {"hps": "tcp hps", "json": "tcp json"}
"""Names of ways that are not called like their carrier."""


def conformance(
    *rows: str,
    carrier: Annotated[tuple[str, ...], Parameter(negative="", consume_multiple=False)] = (),
    runs: int = 1,
    at_once: int = 4,
    repeats: int = 3,
    patience: float = 1.0,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Let hostile players loose on the referee of this machine, and see whether it deals with each as it should.

    Each row is a match between a good player and one that does one thing wrong, while a control game goes on in the
    same referee. A row misses when the verdict is wrong or more than 50 ms late (99th percentile of the runs), when
    a process is left behind, when the referee grows by over 1 MiB a connection, or when the control game is disturbed.

    Parameters
    ----------
    rows
        Numbers of faults, or names of what hostile players do; all when left out.
    carrier
        `tcp`, `websocket`, `pipes`, `sandbox`, `tables` (of an arena), `record` (what `match --record` keeps), `watch`
        (a referee's page) or `arena` (its pages and people); may be repeated. All when left out.
    runs
        How often each row is played.
    at_once
        How many runs go on at a time.
    repeats
        How often a run that was only late, or in which the referee only grew, may be measured again where programs
        waited for a processor meanwhile, which is then said below the table; 0 to take every run as it was.
    patience
        So many times as late as allowed may things be, where other work goes on.
    json
        Print one JSON object.
    """
    if runs < 1 or at_once < 1:
        raise BadText("--runs and --at-once are whole numbers from 1")
    if repeats < 0:
        raise BadText(f"--repeats is a whole number from 0, not {repeats}")
    if not patience >= 1:
        raise BadText(f"--patience is a number from 1, not {patience:g}")
    suite = Suite(
        rows=chosen(rows), carriers=_carriers(carrier), runs=runs, at_once=at_once, repeats=repeats, patience=patience
    )
    if not suite.cases:
        raise BadText("none of these rows is played over this carrier; leave --carrier out")
    with progress(quiet=json) as bars:
        bar = bars.add_task("conformance", total=len(suite.cases) * runs)
        reports = asyncio.run(run_suite(suite, lambda: bars.advance(bar)))
    if json:
        print_json({"runs": runs, "rows": reports, "missed": sum(bool(report.misses) for report in reports)})
    else:
        _print(reports)
    return NO if any(report.misses for report in reports) else 0


def _carriers(wanted: tuple[str, ...]) -> tuple[Carrier, ...]:
    """Return the given carriers, or all that are available here. Raises HinterlandError."""
    for word in wanted:
        if word not in CARRIERS:
            raise UnknownName("carrier", word, CARRIERS)
    found = tuple(name for name in CARRIERS if name in wanted or not wanted)
    if os.name != "posix":
        found = tuple(name for name in found if name not in ("pipes", "sandbox", "record"))
    if "sandbox" not in found:
        return found
    try:
        asyncio.run(sandbox.check())
    except ArenaError as error:
        if wanted or os.environ.get("HINTERLAND_NO_SKIP"):
            raise
        sys.stderr.write(f"THE SANDBOX IS NOT TRIED: {error}\n")
        found = tuple(name for name in found if name != "sandbox")
    return found


def _print(reports: Sequence[CaseReport]) -> None:
    heads = ("row", "fault", "carrier", "expected", "verdict", "late ms", "KiB", "left", "control ms", "")
    listed = make_table(*heads, numbers=False)
    for report in reports:
        late = "–" if report.late_ms is None else f"{report.late_ms:.1f}"
        listed.add_row(
            str(report.number), report.name, OVER.get(report.way, report.way), report.expected, report.verdict, late,
            f"{report.growth_kib:.0f}", str(report.left), f"{report.control_ms:.1f}", "✗" if report.misses else "✓",
        )  # fmt: skip
    print_table(listed)
    missed = [report for report in reports if report.misses]
    for report in missed:
        words = f"{report.number} {report.misbehaviour}, {OVER.get(report.way, report.way)}: {'; '.join(report.misses)}"
        sys.stdout.write(words + "\n")
    repeated = sum(report.repeated for report in reports)
    again = f"; late or larger on a busy machine and measured again: {repeated}" if repeated else ""
    sys.stdout.write(f"{len(reports)} rows, {reports[0].runs} runs each, {len(missed)} missed{again}\n")


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code: 0, 1 if a row misses, 2 for wrong use."""
    app = App(name="make conformance", help_format="markdown", version_flags=(), default_command=conformance)
    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return _complain(in_one_line(error), WRONG_USE)
    except HinterlandError as error:
        return _complain(str(error), WRONG_USE)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"conformance: {text}\n")
    return code


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
