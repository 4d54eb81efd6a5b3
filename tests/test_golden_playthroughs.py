"""Golden playthroughs: replaying games of every kind gives their golden files."""

import pytest

import golden_playthroughs
from hinterland import catalog, contract

FILES = golden_playthroughs.files()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_is_what_it_was(file):
    kept = file.read_text()
    assert golden_playthroughs.told(kept) == kept


def test_everything_that_can_happen_is_among_them():
    texts = {file: file.read_text() for file in FILES}
    for name in catalog.GAMES:
        of_game = "".join(text for file, text in texts.items() if file.name.startswith(f"{name}_"))
        assert all(word in of_game for word in (":lost ", "left by", "back:", "complete:"))
    told = "".join(texts.values())
    rare = ("players=4", "weight=", "law=nearest", "stuck:", ":resigned", ":late", ":crash")
    assert all(word in told for word in rare)


def test_a_difference_is_found(monkeypatch):
    kept = FILES[-1].read_text()
    monkeypatch.setattr(contract.Position, "turns_of", lambda position, seat: 0)
    assert golden_playthroughs.told(kept) != kept


def test_a_new_game_needs_its_first_words_only():
    kept = FILES[0].read_text()
    sentence, rules, lines, _ = kept.split("\n\n")
    first_words = "\n".join(line.split(" ")[0] or "-" for line in lines.splitlines())
    assert golden_playthroughs.told("\n\n".join([sentence, rules, first_words])) == kept
