"""The shipped puzzles: 500 a game, each with one best answer, by checks that share no code with their makers."""

from collections import Counter
from importlib import resources

import pytest

import oracle_gravity
from hinterland import catalog
from hinterland.errors import BadText, IllegalMove, UnknownName
from hinterland.puzzles import collection
from hinterland.puzzles.puzzle import judge_move, kind_of
from more_of_the_same import first_shows
from puzzles import independent_check
from puzzles.independent_check import GAMES, check, shipped

COUNT, SAMPLE = 500, range(7, 500, 83)
"""How many there are of a game, and which are looked at here; ``independent_check`` by itself looks at all."""


@pytest.mark.parametrize("number", first_shows(*SAMPLE, shown=2))
@pytest.mark.parametrize("name", GAMES)
def test_a_puzzle_has_one_best_answer_by_its_margin(name, number):
    check(name, shipped(name)[number - 1])


@pytest.mark.parametrize("law", ["gravity", "nearest"])
def test_the_quick_count_of_gains_is_that_of_whole_fractions(law, rng):
    drawn = [[divmod(int(cell), 12) for cell in rng.choice(144, 5, replace=False)] for _ in range(4)]
    for cells in (*drawn, [(3, 3), (3, 8), (8, 3), (8, 8), (5, 5)]):
        mine, theirs = cells[1::2], cells[::2]
        own, gains = independent_check.gravity_gains(mine, theirs, 12, law)
        seats = [[(row, col, 1) for row, col in stones] for stones in (theirs, mine)]
        told = oracle_gravity.gains(seats, 12, law, seat=1, weight=1, spacing=1)
        free = [(row, col) for row in range(12) for col in range(12) if told[row][col] >= 0]
        assert {cell: gains[cell] for cell in free} == {cell: told[cell[0]][cell[1]] for cell in free}
        assert own == sum(row.count(1) for row in oracle_gravity.owners(seats, 12, law))


def faults(puzzle):
    """Return a puzzle with one fault each."""
    for field in ("worth", "needed", "elsewhere", "moves", "near_misses"):
        yield field, {**puzzle, field: puzzle[field] + 1}
    yield "too easy", {**puzzle, "needed": puzzle["elsewhere"]}
    yield "goal", {**puzzle, "goal": "win" if puzzle["goal"] != "win" else "most"}
    yield "history", {**puzzle, "history": [*puzzle["history"], puzzle["history"][0]]}


def is_found(name, puzzle):
    try:
        check(name, puzzle)
    except AssertionError:
        return True
    return False


@pytest.mark.thorough
@pytest.mark.parametrize("name", GAMES)
def test_a_planted_fault_is_found(name, monkeypatch):
    puzzle = shipped(name)[3]
    if name == "gravity":  # what takes long is done once
        size, law, stones = puzzle["options"]["size"], puzzle["options"]["law"], puzzle["history"]
        gains = independent_check.gravity_gains(stones[1::2], stones[::2], size, law)
        monkeypatch.setattr(independent_check, "gravity_gains", lambda *_: gains)
    assert not is_found(name, puzzle)
    assert [fault for fault, planted in faults(puzzle) if not is_found(name, planted)] == []


@pytest.mark.parametrize("name", GAMES)
def test_there_are_enough_no_two_alike_and_they_get_harder(name):
    puzzles = collection.collection(name)
    assert len(puzzles) == COUNT
    assert len({(str(puzzle.options), puzzle.history) for puzzle in puzzles}) == COUNT
    ratings = [puzzle.rating for puzzle in puzzles]
    assert ratings == sorted(ratings)
    assert ratings[-1] - ratings[0] >= 400
    goals = Counter(puzzle.goal for puzzle in puzzles)
    assert set(goals) == set(kind_of(catalog.game(name)).goals)
    assert max(goals.values()) - min(goals.values()) <= 1


def test_they_weigh_little():
    files = list((resources.files("hinterland.puzzles") / "collections").iterdir())
    assert sorted(file.name for file in files) == sorted(f"{name}.jsonl.gz" for name in GAMES)
    assert sum(len(file.read_bytes()) for file in files) < 150_000


@pytest.mark.parametrize("name", GAMES)
def test_answers_are_judged_exactly(name, rng):
    game = catalog.game(name)
    for number in SAMPLE:
        puzzle = collection.puzzle(name, number)
        position = puzzle.position(game)
        best = judge_move(puzzle, game, position, game.move.from_numbers(puzzle.best))
        assert (best.right, best.worth, best.loss) == (True, puzzle.worth, 0)
        assert best.share == (1.0 if kind_of(game).is_gain else None)
        other = next(move for _ in range(1000) if (move := position.legal_moves.sample(rng)).numbers != puzzle.best)
        told = judge_move(puzzle, game, position, other)
        assert told.worth + told.loss == puzzle.worth
        assert told.right == (told.worth >= puzzle.needed)
        after = position.play(other)
        if kind_of(game).is_gain:
            assert told.worth == after.scores[1] - position.scores[1]
        with pytest.raises(IllegalMove):
            judge_move(puzzle, game, position, position.moves[0][1])


def test_the_puzzle_of_a_day_is_another_for_years():
    days = [collection.of_the_day(day) for day in range(20_000, 20_000 + 3 * COUNT)]
    assert len(set(days)) == len(days)
    assert [name for name, _ in days[:3]] == [days[3][0], days[4][0], days[5][0]]
    assert {name for name, _ in days} == set(GAMES)
    assert {number for _, number in days} == set(range(1, COUNT + 1))
    # 20,000 days are 6666 rounds and two games, and 6666 · 211 leaves 26 of 500
    assert collection.of_the_day(20_000) == ("dots", 27)


def test_a_third_each_is_easy_medium_and_hard():
    assert [collection.difficulty(number, 500) for number in (1, 167, 168, 334, 335, 500)] == [
        *("easy", "easy", "medium", "medium", "hard", "hard")
    ]


@pytest.mark.parametrize("number", [0, -1, 501])
def test_there_is_no_such_number(number):
    with pytest.raises(BadText, match=f"puzzles of dots are numbered from 1 to 500, there is no puzzle {number}"):
        collection.puzzle("dots", number)


def test_there_is_no_such_game():
    with pytest.raises(UnknownName, match="unknown game with puzzles 'chess'; known: gravity, graph, dots"):
        collection.collection("chess")


def test_a_packed_file_is_read_back_and_a_damaged_one_refused():
    puzzles = list(collection.collection("graph")[:5])
    packed = collection.pack(puzzles)
    assert collection.unpack(packed, "here") == puzzles
    assert collection.pack(puzzles) == packed
    for damaged in (packed[:-9], b"", b"nothing", collection.gzip.compress(b'{"goal": 1}\n')):
        if damaged:
            with pytest.raises(BadText, match="here holds no puzzles"):
                collection.unpack(damaged, "here")
