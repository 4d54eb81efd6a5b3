"""Cells of CSV that a spreadsheet takes for what they are.

A spreadsheet computes text that begins like a formula, and a formula can open addresses or start programs. Names are
given by strangers, so such text gets an apostrophe (OWASP, "CSV Injection").
"""

from __future__ import annotations

FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")  # the last four are the full-width forms


def escape_formula(cell: object) -> object:
    """Put an apostrophe before text that a spreadsheet would compute; return every other cell as it is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell
