"""CSV cells that a spreadsheet does not compute.

A spreadsheet computes text that begins like a formula, and a formula can open addresses or start programs. Strangers
choose names, so such text gets an apostrophe (OWASP, "CSV Injection").
"""

from __future__ import annotations

FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")  # the last four are the full-width forms


def escape_formula(cell: object) -> object:
    """Put an apostrophe before text that a spreadsheet would compute; return every other cell as it is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell
