"""Reviews against brute force: every cell tried with the plain rules, and every game played again in plain Python."""

import msgspec
import numpy as np
import pytest

import oracle_gravity
from dots import oracle_dots
from hinterland import catalog, graph
from hinterland.dots import boards
from hinterland.gravity import Rules, Stone
from hinterland.review import Played, Review, chart, review, turns
from hinterland.review.annotations import measure_by_value
from hinterland.review.chart import write_verdicts

GRAVITY, DOTS, GRAPH = map(catalog.game, ("gravity", "dots", "graph"))
BOARDS = [
    Rules(size=6, stones=2, spacing=2),
    Rules(size=5, stones=2, spacing=1, law="nearest"),
    Rules(size=6, stones=2, spacing=2, weight=5),
    Rules(size=5, stones=2, spacing=2, players=3),
]


def played_out(rules, seed=5):
    """Play at random to the end."""
    rng = np.random.default_rng(seed)
    position = rules.start()
    while position.to_move is not None:
        position = position.play(position.legal_moves.sample(rng))
    return position


def story(position):
    """Return a game that is over, with names for its seats."""
    gone = position.withdrawn
    scores = tuple(0 if seat in gone else score for seat, score in enumerate(position.scores))
    winners = tuple(seat for seat, score in enumerate(scores) if seat not in gone and score == max(scores))
    return Played(position, tuple(f"p{seat}" for seat in range(len(scores))), scores, winners)


def areas(rules, moves):
    """Count cells in plain Python."""
    stones = [[(s.row, s.col, s.weight) for seat, s in moves if seat == k] for k in range(rules.players)]
    flat = [seat for row in oracle_gravity.owners(stones, rules.size, rules.law) for seat in row]
    return tuple(flat.count(seat) for seat in range(rules.players)) if moves else (0,) * rules.players


def may_go(rules, moves, stone):
    """Say whether a stone keeps its distance."""
    return all((stone.row - s.row) ** 2 + (stone.col - s.col) ** 2 >= rules.spacing**2 for _, s in moves)


def lead(scores, seat):
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_every_move_is_weighed_as_brute_force_does(rules):
    end = played_out(rules)
    found = review(GRAVITY, story(end))
    final = areas(rules, end.moves)
    assert found.scores == final
    assert found.behind == tuple(max(0, -lead(final, seat)) for seat in range(rules.players))
    for told, (number, (seat, stone)) in zip(found.moves, enumerate(end.moves, start=1), strict=True):
        before = end.moves[: number - 1]
        cells = [Stone(row, col, stone.weight) for row in range(rules.size) for col in range(rules.size)]
        tries = {cell: areas(rules, (*before, (seat, cell))) for cell in cells if may_go(rules, before, cell)}
        had = areas(rules, before)[seat]
        most = max(scores[seat] for scores in tries.values()) - had
        assert (told.number, told.seat, told.move) == (number, seat, stone.numbers)
        assert told.scores == tries[stone]
        assert told.gain == tries[stone][seat] - had
        assert told.best_gain == most == tries[Stone(*told.best)][seat] - had
        assert told.loss == most - told.gain
        assert told.loss or told.best == told.move
        swing = told.loss * (2 if rules.players == 2 else 1)
        if told.loss:
            other = [*before, (seat, Stone(*told.best)), *end.moves[number:]]
            fits = all(may_go(rules, other[:k], other[k][1]) for k in range(number, len(other)))
            assert told.instead == (areas(rules, other) if fits else None)
            swing = lead(told.instead, seat) - lead(final, seat) if fits else swing
        assert told.swing == swing
        assert told.losing == (told.loss > 0 and found.behind[seat] > 0 and swing >= found.behind[seat])
    assert sorted(found.losing) == [told.number for told in found.moves if told.losing]
    swings = [found.moves[number - 1].swing for number in found.losing]
    assert swings == sorted(swings, reverse=True)


def test_the_boards_above_have_losing_moves_of_both_kinds():
    told = [move for rules in BOARDS for move in review(GRAVITY, story(played_out(rules))).moves]
    assert {move.losing for move in told} == {True, False}
    assert {move.instead is None for move in told if move.loss} == {True, False}


def test_moves_on_a_graph_are_weighed_by_its_gains():
    end = played_out(graph.Rules.from_options({"vertices": 9, "tokens": 3, "board_seed": 3}))
    found = review(GRAPH, story(end))
    assert found.measure == "gain"
    for turn, told in zip(turns(end), found.moves, strict=True):
        gains = turn.before.gains()
        assert (told.best_gain, told.gain) == (gains.max(), gains[turn.move.vertex])


def test_lines_are_weighed_by_exact_values():
    end = played_out(boards.random(dots=6, seed=4), seed=2)
    found = review(DOTS, story(end))
    solver = oracle_dots.Solver(end.rules.points)
    present, lines = frozenset(range(6)), frozenset()
    assert found.measure == "value"
    for told in found.moves:
        values = solver.values(present, lines)
        assert told.loss == max(values.values()) - values[told.move]
        assert values[told.best] == max(values.values())
        assert told.best_gain == oracle_dots.after(present, lines, told.best)[2]
        assert (told.instead, told.swing) == (None, told.loss)
        present, lines, _ = oracle_dots.after(present, lines, told.move)
    assert any(told.loss for told in found.moves)


def test_positions_before_an_unsolved_one_are_not_searched():
    end = played_out(boards.random(dots=6, seed=4), seed=2)
    asked = []

    def solve(position):
        asked.append(len(position.moves))
        return {"value": None if len(position.moves) == len(end.moves) - 3 else 0, "best": [[0, 1]]}

    weigh = measure_by_value(solve)
    known = [weigh(turn) is not None for turn in turns(end)[::-1]]
    assert known == [True, True] + [False] * (len(end.moves) - 2)
    assert asked == [len(end.moves) - number for number in (1, 2, 3)]


def test_seats_that_left_and_lost_turns_are_reviewed():
    """Seat 1 leaves after two moves, seat 2 loses its second turn: the others are weighed as they stood."""
    rules = Rules(size=6, stones=2, spacing=1, players=3)
    position = rules.start().play(Stone(0, 0)).play(Stone(5, 5)).withdraw(1)
    position = position.play(Stone(5, 0)).play(Stone(0, 5)).skip()
    assert position.to_move is None
    made = turns(position)
    assert [(turn.seat, turn.before.to_move) for turn in made] == [(0, 0), (1, 1), (2, 2), (0, 0)]
    found = review(GRAVITY, story(position))
    assert found.behind[1] is None
    assert not any(told.losing for told in found.moves if told.seat != 2)
    assert all(told.instead is None or told.instead[1] == 0 for told in found.moves)
    assert "p1 left the game" in write_verdicts(found)


def test_a_game_that_does_not_count_has_no_losers():
    played = msgspec.structs.replace(story(played_out(BOARDS[0])), winners=())
    found = review(GRAVITY, played)
    assert (found.losing, set(found.behind)) == ((), {None})
    assert write_verdicts(found) == ["the game does not count: nobody lost it"]


def test_the_last_moves_come_first_and_the_rest_may_be_left_out():
    played = story(played_out(BOARDS[0]))
    whole = review(GRAVITY, played)
    part = review(GRAVITY, played, lambda made: made[:2])
    assert part.moves[2:] == whole.moves[2:]
    for told, known in zip(part.moves[:2], whole.moves[:2], strict=True):
        assert (told.best, told.loss, told.losing, told.gain) == (None, None, False, known.gain)


@pytest.fixture(scope="module")
def lost():
    """Return a review in which move 4 of seat 1 lost the game, and was not its last."""
    moves = [(0, 50), (1, 50), (0, 30), (1, 10), (0, 5), (1, 8)]
    best = [50, 50, 30, 40, 5, 14]
    scores = [(100, 0), (50, 50), (70, 30), (60, 40), (63, 37), (55, 45)]
    told = [
        {"number": k + 1, "seat": seat, "move": [k, k], "gain": gain, "best": [k, 9], "best_gain": most,
         "loss": most - gain, "instead": None, "swing": 2 * (most - gain), "losing": k == 3, "scores": after}
        for k, ((seat, gain), most, after) in enumerate(zip(moves, best, scores, strict=True))
    ]  # fmt: skip
    whole = {"game": "gravity", "rules": "-", "players": ["Ann", "Bob"], "scores": [55, 45], "winners": [0],
             "behind": [0, 10], "measure": "gain", "losing": [4], "moves": told}  # fmt: skip
    return msgspec.convert(whole, Review)


def test_verdicts_are_worded(lost):
    assert write_verdicts(lost) == ["Bob lost by 10; losing move 4"]
    assert write_verdicts(msgspec.structs.replace(lost, losing=())) == ["no single move lost it for Bob (lost by 10)"]
    assert write_verdicts(msgspec.structs.replace(lost, behind=(0, 0), winners=(0, 1))) == ["nobody lost"]
    unknown = msgspec.structs.replace(lost.moves[1], loss=None)
    partly = msgspec.structs.replace(lost, losing=(), moves=(lost.moves[0], unknown, *lost.moves[2:]))
    assert write_verdicts(partly) == ["no single move is known that lost it for Bob (lost by 10)"]


def test_the_chart_shows_losses_as_bars_and_losing_moves_in_full_colour(lost):
    from hinterland.drawing.palette import region, stone

    picture = np.asarray(chart.draw(lost))
    assert picture.shape == (900, 1600, 3)
    bottom = 900 - chart.BOTTOM_MARGIN // chart.SUPERSAMPLING
    top = 900 - (chart.BOTTOM_MARGIN + chart.LOSSES_HEIGHT) // chart.SUPERSAMPLING
    below = picture[top : bottom - 4]

    def bars(colour):
        """Return the columns in which so many pixels have a colour."""
        return np.flatnonzero((below == colour).all(axis=2).sum(axis=0) > 3)

    full, pale = bars(stone(1)), bars(region(1))
    assert full.size > 10
    assert pale.size > 10, "move 6 lost 6 and is pale"
    assert full.max() < pale.min()
    assert bars(stone(0)).size == bars(region(0)).size == 0, "seat 0 lost nothing"
    heights = [(below == colour).all(axis=2).sum(axis=0).max() for colour in (stone(1), region(1))]
    assert abs((heights[0] + 4) / (heights[1] + 4) - 5) < 0.5, "30 cells against 6, but for the rows left out below"


def test_charts_of_games_at_the_edge(lost):
    """No move, no loss, nothing known, many players with long names: each is drawn."""
    empty = msgspec.structs.replace(lost, moves=(), losing=())
    bare = tuple(msgspec.structs.replace(move, best=None, loss=None, losing=False) for move in lost.moves)
    crowd = {"players": tuple("W" * 40 for _ in range(12)), "scores": (10**9,) * 12, "behind": (0,) * 11 + (None,)}
    wide = tuple(msgspec.structs.replace(move, scores=(10**9,) * 12) for move in lost.moves)
    crowded = msgspec.structs.replace(lost, **crowd, moves=wide)
    for told in (empty, msgspec.structs.replace(lost, losing=(), moves=bare), crowded):
        assert chart.draw(told).getcolors(1 << 20) is not None


def test_after_a_lost_turn_the_better_move_is_tried_in_its_own_place():
    end = Rules(size=6, stones=2, spacing=1).start().skip()
    for cell in ((0, 0), (5, 5), (0, 5)):
        end = end.play(Stone(*cell))
    winner = (end.scores.index(max(end.scores)),)
    found = review(catalog.game("gravity"), Played(end, ("Ann", "Bob"), end.scores, winner))
    told = next(one for one in found.moves if one.loss)
    other = list(end.history)
    other[told.number] = (told.seat, Stone(*told.best))  # the lost turn stands before all moves
    assert told.instead == type(end).replay(end.rules, other).scores
