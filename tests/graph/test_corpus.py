"""Graphs as other libraries write them: what is read is the graph that was written, or the file is refused by name.

``make_corpus.py`` writes the files; ``corpus.json`` says what each holds.
"""

import json
from pathlib import Path

import pytest

from hinterland.errors import BadText
from hinterland.graph import readers

FOLDER = Path(__file__).parent / "corpus"
CORPUS = json.loads((FOLDER / "corpus.json").read_text())


def test_the_corpus_is_broad():
    assert len(CORPUS) >= 60
    assert len({name.rpartition(".")[2] for name in CORPUS}) >= 20
    assert len({told["library"] for told in CORPUS.values()}) >= 9


@pytest.mark.parametrize("name", CORPUS)
def test_what_is_read_is_what_was_written(name):
    told, notes = CORPUS[name], []
    if "refused" in told:
        with pytest.raises(BadText) as refused:
            readers.read(FOLDER / name, tokens=1, note=notes.append, **told["options"])
        assert told["refused"] in str(refused.value)
        assert "\n" not in str(refused.value)
        return
    rules = readers.read(FOLDER / name, tokens=1, note=notes.append, **told["options"])
    got = {frozenset((rules.called(a), rules.called(b))): length for a, b, length in rules.edges}
    assert sorted(map(rules.called, range(rules.vertices))) == told["vertices"]
    assert got == {frozenset((a, b)): length for a, b, length in told["edges"]}
    assert len(rules.edges) == len(told["edges"])
    assert any(": read as " in note for note in notes)
