"""A board in a notebook, as the process behind it sees it; ``tests/browser/test_notebook.py`` sees it in a browser."""

import re

import pytest

from hinterland import dots, graph, gravity, widgets
from hinterland.errors import IllegalMove, RulesError, UnknownName
from hinterland.widgets.board import page_modules, page_sheets

RULES = gravity.Rules(size=20, stones=2, spacing=3)


def test_a_game_against_a_built_in_player():
    board = widgets.Board(RULES, opponent="reply")
    assert (board.names, board.placing, board.to_move) == (["You", "reply"], True, 0)
    seen = []
    board.observe(lambda change: seen.append(len(change["new"])), "moves")
    board.play(gravity.Stone(10, 10))
    assert seen == [1, 2]
    assert board.position.scores[1] == RULES.start().play(gravity.Stone(10, 10)).best_reply()[1]
    assert board.ply == 2
    assert board.status.endswith("You are to move")
    board.back()
    assert board.position == RULES.start()
    board.back()
    board.play(gravity.Stone(10, 10))
    board.play(next(iter(board.position.legal_moves)))
    assert board.to_move is None
    assert not board.placing
    assert re.search(r"(You win|reply wins|A tie)$", board.status)
    board.back()
    assert len(board.position.moves) == 2


def test_the_second_seat_and_a_position_to_go_on_from():
    board = widgets.Board(RULES, opponent="reply", seat=1)
    assert len(board.position.moves) == 1
    start = RULES.start().play(gravity.Stone(0, 0))
    board = widgets.Board(start, names=("Ann", "Bob"))
    assert board.status == "Ann 100.0% · Bob 0.0% · Bob is to move"
    assert board.moves == [[0, [0, 0]]]
    board.back()
    assert board.position == RULES.start()


def test_requests_of_the_board_are_carried_out(monkeypatch):
    board, sent = widgets.Board(RULES), []
    monkeypatch.setattr(board, "send", sent.append)
    board._carry_out(board, {"act": "play", "move": [3, 3]}, None)
    board._carry_out(board, {"act": "play", "move": [3, 3]}, None)
    board._carry_out(board, {"act": "play", "move": "nonsense"}, None)
    board._carry_out(board, {"act": "hint"}, None)
    move, gain = board.position.best_reply()
    assert sent[0] == {"refused": "stone 1 stands on 3,3 already"}
    assert sent[1]["refused"].startswith("a move is an array of whole numbers")
    assert sent[2] == {"hint": {"best": [move.row, move.col], "gain": gain}}
    board._carry_out(board, {"act": "back"}, None)
    board._carry_out(board, {"act": "something"}, None)
    assert board.position == RULES.start()
    assert len(sent) == 3


@pytest.mark.parametrize("game", ["gravity", "graph", "dots"])
def test_all_that_a_board_needs_travels_with_it(game):
    files = page_modules(game)
    assert f"js/{game}/{game}-view.js" in files
    assert all("/*" not in source for source in files.values())
    assert sum(map(len, files.values())) < 200_000
    for sheet in page_sheets().values():
        assert ":root" not in sheet
        assert "url(" not in sheet


def test_other_games_and_bad_input():
    network = widgets.Board(graph.Rules.from_options({"vertices": 20}))
    assert network.drawing
    board = widgets.Board(dots.Rules.from_options({"dots": 5}), opponent="careful")
    with pytest.raises(IllegalMove):
        board.play(dots.Line(0, 0))
    with pytest.raises(RulesError, match="a board shows rules or a position, not 7"):
        widgets.Board(7)
    with pytest.raises(RulesError, match="seat must be from 0 to 1, not 2"):
        widgets.Board(RULES, seat=2)
    with pytest.raises(UnknownName):
        widgets.Board(RULES, opponent="nobody")
    board = widgets.Board(RULES.start().play(gravity.Stone(0, 0)))
    with pytest.raises(RulesError, match="this board shows a game with other rules"):
        board.show(gravity.Rules(size=9, stones=1, spacing=2).start())


def test_nothing_can_be_placed_while_the_opponent_thinks(monkeypatch):
    board, seen = widgets.Board(gravity.Rules(size=20, stones=2, spacing=3), opponent="reply"), []
    opponent = board._opponent

    class Spy:
        def choose(self, *asked):
            seen.append(board.placing)
            return opponent.choose(*asked)

    monkeypatch.setattr(board, "_opponent", Spy())
    board.play(gravity.Stone(10, 10))
    assert seen == [False]
