"""Names and specs: known ones are found, and an error for an unknown one lists all that exist."""

import re
import sys
from typing import ClassVar

import msgspec
import pytest

from hinterland import catalog
from hinterland.cli import run
from hinterland.errors import BadText, UnknownName, quote

GRAVITY = catalog.game("gravity")


class Patient(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Thinks for a given time."""

    name: ClassVar[str] = "patient"
    seconds: float = 1.0
    depth: int = 2

    def choose(self, position, clock, rng):
        return position.legal_moves.sample(rng)


WITH_OPTIONS = msgspec.structs.replace(GRAVITY, players={**GRAVITY.players, "patient": Patient})


@pytest.mark.parametrize(
    ("spec", "player"),
    [
        ("patient", Patient()),
        ("patient:", Patient()),
        ("patient:seconds=0.5", Patient(seconds=0.5)),
        ("patient:depth=3,seconds=2", Patient(seconds=2.0, depth=3)),
    ],
)
def test_options_of_a_player(spec, player):
    assert catalog.player(WITH_OPTIONS, spec) == player


@pytest.mark.parametrize(
    ("spec", "error", "complaint"),
    [
        ("patient:width=3", UnknownName, "unknown option of player patient 'width'; known: seconds, depth"),
        ("patient:depth", BadText, "an option is written name=value, not 'depth'"),
        ("patient:depth=deep", BadText, "options of player patient: Expected `int`"),
        ("patient:depth=1.5", BadText, "options of player patient: Expected `int`"),
        ("impatient", UnknownName, "known: random, mirror, hug, lloyd, reply, search, patient"),
        ("", UnknownName, "unknown player of gravity ''"),
    ],
)
def test_wrong_specs_are_named(spec, error, complaint):
    with pytest.raises(error, match=complaint):
        catalog.player(WITH_OPTIONS, spec)


def test_an_unknown_game_lists_the_known():
    with pytest.raises(UnknownName, match="unknown game 'chess'; known: gravity"):
        catalog.game("chess")


def test_what_is_shown_of_a_value_is_short_and_harmless():
    assert quote("a\x1b[31m\u202e") == "'a\\x1b[31m\\u202e'"
    assert len(quote("x" * 10_000)) == 60


@pytest.mark.parametrize("text", ["", "GAM = 1", "raise OSError('no such\\nboard')", "1 +"])
def test_a_game_of_another_package_that_cannot_be_loaded_is_one_line(tmp_path, monkeypatch, capsys, text):
    if text:
        (tmp_path / "odd_game.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(catalog.GAMES, "odd", "odd_game")
    monkeypatch.delitem(sys.modules, "odd_game", raising=False)
    assert run(["games"]) == 2
    said = capsys.readouterr().err
    line = r"hinterland: the game odd cannot be loaded from odd_game, [^\n]+; mend or uninstall it\n"
    assert re.fullmatch(line, said)
