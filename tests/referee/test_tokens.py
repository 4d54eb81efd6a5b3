"""The file of tokens: what is read, and what is refused without telling anybody's secret."""

import pytest

from hinterland.errors import BadText
from hinterland.referee.protocol.names import MAX_TOKEN_CHARS, MIN_TOKEN_CHARS, parse_tokens

SECRET = "abcdefgh"


def test_a_line_is_a_name_and_a_token():
    text = f"# of the course\n\nanna {SECRET}\n  team of bo   {SECRET}2  \nclara\t{SECRET}3\r\n   # not here\n"
    assert parse_tokens(text, 3) == {"anna": SECRET, "team of bo": f"{SECRET}2", "clara": f"{SECRET}3"}


@pytest.mark.parametrize("length", [MIN_TOKEN_CHARS, MAX_TOKEN_CHARS])
def test_the_shortest_and_the_longest_token(length):
    assert parse_tokens(f"anna {'x' * length}", 1) == {"anna": "x" * length}


def test_more_names_than_players_may_come():
    assert len(parse_tokens(f"anna {SECRET}1\nbo {SECRET}2", 1)) == 2


@pytest.mark.parametrize(
    ("text", "players", "complaint"),
    [
        (SECRET, 1, "line 1 of the tokens: a name and a token are needed, but there is only one word"),
        (f"# names\n\nanna {SECRET}\n{SECRET}", 1, "line 4 of the tokens: a name and a token are needed"),
        (f"an\x1b[31mna {SECRET}", 1, r"line 1 of the tokens: 'an\x1b[31mna' is not a valid name; 'anna' is"),
        (f"../anna {SECRET}", 1, "line 1 of the tokens: '../anna' is not a valid name; '._anna' is"),
        (f"{'a' * 33} {SECRET}", 1, f"is not a valid name; '{'a' * 32}' is"),
        (f"anna {'x' * (MIN_TOKEN_CHARS - 1)}", 1, "line 1 of the tokens: a token has 8 to 200 characters, not 7"),
        (
            f"anna {'x' * (MAX_TOKEN_CHARS + 1)}",
            1,
            "line 1 of the tokens: a token has 8 to 200 characters, not 201",
        ),
        (f"anna {SECRET}\nanna {SECRET}2", 1, "line 2 of the tokens: this name or token is on an earlier line too"),
        (f"anna {SECRET}\nbo {SECRET}", 1, "line 2 of the tokens: this name or token is on an earlier line too"),
        (f"anna {SECRET}", 2, "the tokens name 1 players, 2 are needed"),
        ("", 2, "the tokens name 0 players, 2 are needed"),
        ("# nobody", 1, "the tokens name 0 players, 1 are needed"),
    ],
)
def test_a_faulty_file_is_refused_in_one_line_that_tells_no_secret(text, players, complaint):
    with pytest.raises(BadText) as caught:
        parse_tokens(text, players)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
    assert SECRET not in str(caught.value)
