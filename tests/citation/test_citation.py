"""``CITATION.cff`` is what citing tools read, and names this version."""

import json
from pathlib import Path

import pytest
import yaml

import hinterland

HERE = Path(__file__).parent
CITATION = yaml.safe_load((HERE.parents[1] / "CITATION.cff").read_text())
SCHEMA = json.loads((HERE / "schema-1.2.0.json").read_text())
"""The Citation File Format's own, by Stephan Druskat and others, CC BY 4.0, https://doi.org/10.5281/zenodo.5171937."""


def faults(citation):
    """Return where a citation breaks the schema."""
    import jsonschema  # builds a grammar of addresses: a second for each process that only collects tests

    checker = jsonschema.Draft7Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
    return sorted("/".join(map(str, error.path)) for error in checker.iter_errors(citation))


def test_it_keeps_to_the_schema():
    assert faults(CITATION) == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("field", "wrong"),
    [("type", "game"), ("license", "free"), ("cff-version", "1.1.0"), ("authors", []), ("version", [0, 1])],
)
def test_the_schema_finds_a_planted_fault(field, wrong):
    assert faults(CITATION | {field: wrong}) == [field]


def test_it_names_this_version():
    assert CITATION["version"] == hinterland.__version__
