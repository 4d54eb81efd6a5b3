"""What notebooks show: small, without a network, safe against whatever people call themselves."""

import base64
import re
from html.parser import HTMLParser

import msgspec
import numpy as np
import pytest

from hinterland import dots, graph, gravity, widgets
from hinterland.drawing.figures import GAME_BYTES, POSITION_BYTES, make_table
from hinterland.errors import IllegalMove, RulesError
from hinterland.jit import JIT_ON
from hinterland.referee import record
from hinterland.referee.clock import TimeControl

SIZE, STONES = (1000, 20) if JIT_ON else (24, 4)
LARGE = [
    gravity.Rules(size=SIZE, spacing=SIZE // 20),
    gravity.Rules(size=SIZE, players=5, stones=STONES, spacing=max(1, SIZE // 60)),
    graph.Rules.from_options({"vertices": 300 if JIT_ON else 40}),
    dots.Rules.from_options({"dots": 30}),
]


class Reader(HTMLParser):
    """Notes tags and attributes, and that whatever is opened is closed."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.links, self.text, self.open = [], [], "", []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("src", "href")]
        assert not [name for name, _ in attributes if name.startswith("on")]
        if tag not in ("img", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def playout(rules, rng):
    position = rules.start()
    while position.to_move is not None:
        position = position.play(position.legal_moves.sample(rng))
    return position


def checked(html, most):
    """Return what an HTML says, which is small, has no script and asks nobody for anything."""
    assert len(html.encode()) <= most
    found = Reader(html)
    assert "script" not in found.tags
    assert all(link.startswith("data:image/") for link in found.links)
    assert "url(" not in html
    return found


@pytest.mark.parametrize("rules", LARGE, ids=lambda rules: rules.game)
def test_positions_show_themselves(rules, rng):
    end = playout(rules, rng)
    for position in (rules.start(), end):
        found = checked(position._repr_html_(), POSITION_BYTES)
        assert found.tags.count("img") == 1
        assert " : ".join(f"{score:,}" for score in position.scores) in found.text
        assert position._repr_svg_().startswith("<svg")
    assert "over" in found.text


def played(rules, names, rng):
    """Return the record of a random game."""
    position = playout(rules, rng)
    scores = position.scores
    times = record.Times(started="2026-01-01T00:00:00Z", ms=tuple(1 for _ in position.moves))
    return record.sealed(
        record.Record(
            game=rules.game,
            rules=msgspec.to_builtins(rules),
            players=names,
            seed=1,
            number=1,
            clock=TimeControl(),
            movers=tuple(seat for seat, _ in position.moves),
            moves=tuple(move.numbers for _, move in position.moves),
            scores=scores,
            winners=tuple(seat for seat, score in enumerate(scores) if score == max(scores)),
            reason="complete",
            detail="",
            times=times,
        )
    )


@pytest.mark.parametrize("rules", LARGE, ids=lambda rules: rules.game)
def test_games_are_stepped_through(rules, rng):
    names = tuple(["<script>alert(1)</script>", "it's \"quoted\" & 'so'", *"cde"][: rules.players])
    game = played(rules, names, rng)
    found = checked(game._repr_html_(), GAME_BYTES)
    count = found.tags.count("img")
    assert count == found.tags.count("input") == found.tags.count("figure")
    assert min(60, len(game.moves) + 1) // 2 <= count <= 60
    assert f"Move {len(game.moves)} of {len(game.moves)}" in found.text
    assert names[0] in found.text
    images = re.findall(r"base64,([^\"]+)", game._repr_html_())
    assert all(base64.b64decode(image)[8:12] == b"WEBP" for image in images)


def test_heat_maps_name_the_best_move():
    position = gravity.Rules(size=30, stones=2, spacing=3).start().play(gravity.Stone(10, 12))
    found = checked(widgets.HeatMap(position)._repr_html_(), POSITION_BYTES * 2)
    move, gain = position.best_reply()
    assert f"best for seat 1: {position.rules.told(move)}, which gains {gain:,}" in found.text
    with pytest.raises(RulesError, match="a heat map needs a position, not 7"):
        widgets.HeatMap(7)
    over = playout(gravity.Rules(size=9, stones=1, spacing=2), np.random.default_rng(0))
    with pytest.raises(IllegalMove, match="the game is over, no move can gain anything"):
        widgets.HeatMap(over)


def test_tables_hold_what_people_wrote():
    found = checked(make_table(("name", "points"), [("<b>&", 1234), ("x", 0.25), ("y", None)]), 2000)
    assert found.tags.count("b") == 0
    assert all(text in found.text for text in ("<b>&", "1,234", "0.2"))


def test_without_anywidget_one_line_says_what_to_install(monkeypatch):
    import builtins
    import sys

    real = builtins.__import__

    def without(name, *arguments, **options):
        if name.partition(".")[0] == "anywidget":
            raise ModuleNotFoundError("No module named 'anywidget'", name="anywidget")
        return real(name, *arguments, **options)

    monkeypatch.delitem(sys.modules, "hinterland.widgets.board", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(widgets.ArenaError, match=r"needs anywidget, .*pip install 'hinterland\[notebook\]'"):
        _ = widgets.Board
