"""Graphs as other libraries write them: what is read is the graph that was written, or the file is refused by name.

``make_corpus.py`` writes the files; ``corpus.json`` says what each holds.
"""

import json
import random
from pathlib import Path

import pytest

from hinterland.errors import BadText, HinterlandError
from hinterland.graph import readers

FOLDER = Path(__file__).parent / "corpus"
CORPUS = json.loads((FOLDER / "corpus.json").read_text())


def test_the_corpus_is_broad():
    assert len(CORPUS) >= 60
    assert len({name.rpartition(".")[2] for name in CORPUS}) >= 20
    assert len({told["library"] for told in CORPUS.values()}) >= 9


def graph_in(path, options):
    """Return vertices and edges of a file by their names, and what was said of it."""
    notes = []
    rules = readers.read(path, tokens=1, note=notes.append, **options)
    edges = {frozenset((rules.called(a), rules.called(b))): length for a, b, length in rules.edges}
    assert len(edges) == len(rules.edges)
    return sorted(map(rules.called, range(rules.vertices))), edges, notes


def written(told):
    return told["vertices"], {frozenset((a, b)): length for a, b, length in told["edges"]}


@pytest.mark.parametrize("name", CORPUS)
def test_what_is_read_is_what_was_written(name):
    told = CORPUS[name]
    if "refused" in told:
        with pytest.raises(BadText) as refused:
            graph_in(FOLDER / name, told["options"])
        assert told["refused"] in str(refused.value)
        assert "\n" not in str(refused.value)
    else:
        vertices, edges, notes = graph_in(FOLDER / name, told["options"])
        assert (vertices, edges) == written(told)
        assert any(": read as " in note for note in notes)


@pytest.mark.parametrize("name", CORPUS)
def test_no_file_needs_the_end_of_its_name_to_be_known(name, tmp_path):
    told, path = CORPUS[name], tmp_path / "x.txt"
    path.write_bytes((FOLDER / name).read_bytes())
    if "refused" in told:
        with pytest.raises(BadText):
            graph_in(path, told["options"])
    else:
        assert graph_in(path, told["options"])[:2] == written(told)


LETTERS = b"0123456789 \t\n,;\"#*{}[]<>%-.aZ"


def spoilt(content, rng):
    """Change, cut or repeat a few bytes."""
    raw = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, other = rng.randrange(len(raw) + 1), rng.randrange(len(raw) + 1)
        match rng.randrange(4):
            case 0:
                raw[at : at + 1] = bytes([rng.choice(LETTERS)])
            case 1:
                del raw[at : at + rng.choice((1, 3, 20))]
            case 2:
                raw[at:at] = bytes([rng.choice(LETTERS)]) * rng.choice((1, 2, 9))
            case _:
                raw[at:at] = raw[other : other + rng.choice((5, 40))]
    return bytes(raw)


@pytest.mark.parametrize("name", CORPUS)
def test_spoilt_files_are_read_or_refused_in_a_line(name, tmp_path):
    rng = random.Random(name)
    for number in range(12):
        path = tmp_path / (name if number % 2 else "x.txt")
        path.write_bytes(spoilt((FOLDER / name).read_bytes(), rng))
        try:
            graph_in(path, rng.choice(({}, CORPUS[name]["options"])))
        except HinterlandError as error:
            assert "\n" not in str(error)
            assert error.__cause__ is None
