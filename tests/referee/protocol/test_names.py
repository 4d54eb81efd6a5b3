"""Names are harmless, whatever a player sends."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinterland.referee.protocol.names import MAX_NAME_CHARACTERS, clean_name, clean_text


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("bot", "bot"),
        ("  the \t bot\n", "the bot"),
        ("e\u0301", "é"),
        ("日本語", "日本語"),
        ("😀", "😀"),
        ("<b>&amp;", "<b>&amp;"),
        ("", "player"),
        ("  \t", "player"),
        ("\u200b\u2800\u3164", "player"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07bot", "bot"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b31mred", "red"),
        ("a\x00b\x07c\x7f", "abc"),
        ("\u202eevil\u2066x\u200f", "evilx"),
        ("\ufeffbot", "bot"),
        ("\ud800bot", "bot"),
        ("a\u2028b", "a b"),
        ("../../etc/passwd", "._._etc_passwd"),
        ("..", "player"),
        (".", "player"),
        ("C:\\x", "C:_x"),
        ("x" * 33, "x" * 32),
        ("x" * 100_000, "x" * 32),
        ("x" * 31 + " y", "x" * 31),
        ("\u0301bot", "bot"),
        ("q" + "\u0323\u0307" * 200, "q\u0323\u0323"),
        ("-rf", "-rf"),
        ("bot#2", "bot#2"),
    ],
)
def test_a_name_is_cleaned(sent, name):
    assert clean_name(sent, ()) == name


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("two\nlines", "two\nlines"),
        ("two\r\n  lines \n\n", "two\n  lines"),
        ("a\tb\x0bc\u2028d", "a b\nc\nd"),
        ("<b>&amp;</b>\x00", "<b>&amp;</b>"),
        ("\x1b]0;title\nof two lines\x07end", "end"),
        ("\u202eevil", "evil"),
        ("../etc", "../etc"),
        ("\n \u200b \n", ""),
        ("", ""),
    ],
)
def test_a_text_keeps_its_lines(said, text):
    assert clean_text(said) == text


@given(st.text())
def test_a_cleaned_text_is_clean(said):
    text = clean_text(said)
    assert not [letter for letter in text if letter != "\n" and unicodedata.category(letter)[0] == "C"]
    assert clean_text(text) == text


@pytest.mark.parametrize(
    ("taken", "name"), [(["bot"], "bot#2"), (["bot", "bot#2"], "bot#3"), (["bot", "bot#3"], "bot#2"), (["Bot"], "bot")]
)
def test_an_equal_name_gets_a_number(taken, name):
    assert clean_name("bot", taken) == name


def test_nameless_players_are_numbered_too():
    taken = []
    for _ in range(12):
        taken.append(clean_name("\u202e", taken))
    assert taken[0] == "player"
    assert taken[-1] == "player#12"
    assert len(set(taken)) == 12


@given(st.text(max_size=300), st.booleans())
def test_whatever_is_sent_the_name_is_short_visible_and_final(sent, is_taken):
    first = clean_name(sent, ())
    name = clean_name(sent, {first} if is_taken else ())
    assert 1 <= len(first) <= MAX_NAME_CHARACTERS
    assert len(name) <= 40
    assert (name == first) is not is_taken
    assert name == name.strip()
    assert unicodedata.is_normalized("NFC", name)
    assert not [character for character in name if unicodedata.category(character)[0] == "C"]
    assert not [character for character in name if character.isspace() and character != " "]
    assert not re.search(r"[/\\]|\.\.", name)
    assert name.isprintable()
    assert clean_name(first, ()) == first
