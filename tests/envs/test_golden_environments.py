"""Games in environments, replayed, give the text that is stored of them."""

import pytest

import golden_environments
from hinterland.contract import Position

FILES = golden_environments.files()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_is_what_it_was(file):
    kept = file.read_text()
    assert golden_environments.told(kept) == kept


def test_every_kind_of_game_is_among_them():
    told = "".join(file.read_text() for file in FILES)
    kinds = ("gravity ", "graph ", "dots ", "weight=", "players=3", "law=nearest", "over: ")
    assert all(kind in told for kind in kinds)


def test_a_difference_is_found(monkeypatch):
    kept = FILES[0].read_text()
    planes = Position.planes
    monkeypatch.setattr(Position, "planes", lambda position, seat=None: planes(position, 1))
    assert golden_environments.told(kept) != kept
