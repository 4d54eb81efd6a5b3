"""Tables of docs/research/data, as text."""

import csv
from pathlib import Path

DATA = Path(__file__).parents[2] / "docs" / "research" / "data"


def table(name):
    """Return the rows of a table as dicts of texts."""
    with (DATA / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def as_text(row):
    """Return a row as it stands in a table."""
    texts = (f"{value:.4f}" if isinstance(value, float) else str(value) for value in row.values())
    return dict(zip(row, texts, strict=True))
