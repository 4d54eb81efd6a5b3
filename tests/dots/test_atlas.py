"""The atlas: all order types, what is known of each, and the file that grows with it."""

import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import msgspec
import pytest

from dots import build_atlas, oracle_dots, oracle_types
from dots.some_boards import entries_in
from hinterland import dots
from hinterland.cli.solving.atlas_journal import AtlasJournal
from hinterland.contest.runner import run
from hinterland.dots.atlas import atlas_file, atlas_survey
from hinterland.dots.order_types.canonical import code_of, sides_of, signs_of
from hinterland.dots.order_types.enumeration import count_order_types, list_codes
from hinterland.dots.solver.solutions import Solver
from hinterland.errors import ArenaError, BadText, RulesError
from hinterland.storage.append_file import AppendFile

KNOWN = {3: 1, 4: 2, 5: 3, 6: 16, 7: 135, 8: 3315, 9: 158_830}


def drawn(count, seed):
    """Draw points of a small grid, no three on one line."""
    rng = random.Random(seed)
    points = []
    while len(points) < count:
        new = (rng.randrange(40), rng.randrange(40))
        if new not in points and all(oracle_dots.turn(a, b, new) for a, b in combinations(points, 2)):
            points.append(new)
    return tuple(points)


# All of them


@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_the_list_is_what_the_axioms_allow(number):
    assert {signs_of(code, number) for code in list_codes(number).tolist()} == oracle_types.all_types(number)


@pytest.mark.jit
@pytest.mark.parametrize("number", KNOWN)
def test_there_are_as_many_as_are_published(number):
    listed = list_codes(number).tolist()
    assert (
        len(set(listed)) == len(listed) == count_order_types(number) == atlas_file.count_types(number) == KNOWN[number]
    )
    assert listed == sorted(listed, reverse=True)


@pytest.mark.parametrize("number", [4, 5, 6])
def test_any_board_is_found_by_its_code(number):
    for seed in range(12):
        points = drawn(number, seed)
        signs = oracle_types.signs_of_points(points)
        code = code_of(dots.Rules(points=points).sides)
        assert code in list_codes(number)
        assert signs_of(code, number) == oracle_types.greatest(signs, number)


@pytest.mark.jit
def test_codes_are_the_same_for_other_numbers_and_in_a_mirror():
    rng = random.Random(1)
    for number, code in ((8, 1234), (9, 77_777)):
        side = sides_of(int(list_codes(number)[code]), number)
        for _ in range(20):
            order = rng.sample(range(number), number)
            sense = rng.choice((1, -1))
            assert code_of(side[order][:, order][:, :, order] * sense) == list_codes(number)[code]


def test_too_few_and_too_many_dots():
    for number in (2, 10, 11):
        with pytest.raises(RulesError, match=f"listed for 3 to 9 dots, not {number}"):
            list_codes(number)


# The shipped atlas


@pytest.mark.parametrize("number", atlas_file.SHIPPED_SIZES)
def test_every_shipped_board_has_the_turns_it_should(number):
    entries = atlas_file.entries(number)
    assert [entry.number for entry in entries] == list(range(KNOWN[number]))
    assert len({entry.orientations for entry in entries}) == KNOWN[number]
    for entry in entries:
        assert all(0 <= value <= 255 for point in entry.points for value in point)
        turns = (oracle_dots_turn(entry.points, *triple) for triple in combinations(range(number), 3))
        assert "".join("+" if turn > 0 else "-" if turn < 0 else "0" for turn in turns) == entry.orientations


def oracle_dots_turn(points, i, j, k):
    (px, py), (qx, qy), (rx, ry) = points[i], points[j], points[k]
    return (qx - px) * (ry - py) - (qy - py) * (rx - px)


@pytest.mark.jit
@pytest.mark.parametrize("number", atlas_file.SHIPPED_SIZES)
def test_the_shipped_boards_are_those_that_are_listed(number):
    shipped = [entry.orientations for entry in atlas_file.entries(number)]
    assert shipped == [signs_of(int(code), number) for code in list_codes(number)]


@pytest.mark.parametrize("number", [3, 4, 5])
def test_what_is_shipped_is_what_plain_python_finds(number):
    for entry in atlas_file.entries(number):
        values = oracle_dots.Solver(entry.points).values(frozenset(range(number)), frozenset())
        assert entry.value == max(values.values())
        assert entry.best == list(values.values()).count(entry.value)


def sample():
    return [entry for number in (3, 4, 5, 6) for entry in atlas_file.entries(number)] + [
        entry for number, step in ((7, 27), (8, 301)) for entry in atlas_file.entries(number)[::step]
    ]


@pytest.mark.parametrize("entry", sample(), ids=lambda entry: f"{entry.dots} dots, {entry.number}")
def test_hull_and_crossings_are_those_of_the_points(entry):
    lines = list(combinations(range(entry.dots), 2))
    assert entry.hull == oracle_types.corners(entry.points)
    assert entry.crossings == sum(oracle_dots.cross(entry.points, *pair) for pair in combinations(lines, 2))


def test_the_least_crossings_are_the_rectilinear_crossing_numbers():
    least = [min(entry.crossings for entry in atlas_file.entries(number)) for number in atlas_file.SHIPPED_SIZES]
    assert least == [0, 0, 1, 3, 9, 19]


def test_what_the_atlas_found():
    assert [entry.value for number in (3, 4, 5) for entry in atlas_file.entries(number)] == [3, 3, -4, -3, 3, 3]
    assert {entry.value for number in (6, 7) for entry in atlas_file.entries(number)} == {0}
    (double_circle,) = [entry for entry in atlas_file.entries(8) if entry.value]
    assert (double_circle.value, double_circle.hull, double_circle.best) == (1, 4, 2)


@pytest.mark.jit
def test_a_sample_is_found_again_and_the_solver_agrees():
    solver = Solver(16)
    for entry in sample():
        code = int(list_codes(entry.dots)[entry.number])
        assert atlas_survey.survey(entry.dots, entry.number, [code]) == [msgspec.structs.replace(entry, points=())]
        solution = solver.solve(dots.Rules(points=entry.points).start())
        assert (solution.value, len(solution.best)) == (entry.value, entry.best)


@pytest.mark.jit
def test_boards_of_nine_dots_are_worth_what_the_solver_says():
    solver = Solver(64)
    for number in (0, 5000, 60_000):
        code = int(list_codes(9)[number])
        (entry,) = atlas_survey.survey(9, number, [code])
        solution = solver.solve(dots.Rules(orientations=entry.orientations).start())
        assert (entry.value, entry.best) == (solution.value, len(solution.best))
        assert entry.points == ()


@pytest.mark.thorough
@pytest.mark.jit
def test_the_atlas_can_be_bound_again():
    import gzip

    *rows, end = gzip.decompress(build_atlas.build(5)).decode().split("\n")
    assert end == ""
    assert rows[0] == atlas_file.CSV_HEADER
    made = [atlas_file.from_row(row, "here") for row in rows[1:]]
    shipped = [entry for number in (3, 4, 5) for entry in atlas_file.entries(number)]
    assert [entry.orientations for entry in made] == [entry.orientations for entry in shipped]
    assert [entry.value for entry in made] == [entry.value for entry in shipped]
    for entry in made:
        assert dots.Rules(points=entry.points).signs == entry.orientations


def test_more_dots_than_are_shipped():
    with pytest.raises(BadText, match="3 to 8 dots, not of 9"):
        atlas_file.entries(9)


# Work


def test_results_come_in_order_from_any_worker():
    with ThreadPoolExecutor(1) as executor:
        chunks = list(run(atlas_survey.survey_chunk, atlas_survey.split_into_chunks(6, 3), executor, ahead=2))
    assert [entry for chunk in chunks for entry in chunk] == list(atlas_file.entries(6)[3:])


# The file


@pytest.fixture
def rows():
    return [atlas_file.to_row(entry) for entry in atlas_file.entries(6)]


def whole(rows):
    return "\n".join([atlas_file.CSV_HEADER, *rows, ""])


def opened(path):
    return AtlasJournal(path, 6)


def test_a_file_grows_and_is_continued(tmp_path):
    file = tmp_path / "six.csv"
    for first in (0, 5, 11):
        with opened(file) as journal:
            assert journal.entries == list(atlas_file.entries(6)[:first])
            journal.add(list(atlas_file.entries(6)[first : first + (5, 6, 5)[(0, 5, 11).index(first)]]))
    assert entries_in(file) == list(atlas_file.entries(6))


@pytest.mark.parametrize("left", [0, 1, 7, len(atlas_file.CSV_HEADER)])
def test_a_torn_first_line_is_begun_again(tmp_path, left):
    file = tmp_path / "six.csv"
    file.write_text(atlas_file.CSV_HEADER[:left])
    with opened(file):
        assert file.read_text() == atlas_file.CSV_HEADER + "\n"


def test_a_torn_last_line_is_dropped(tmp_path, rows):
    for cut in (1, 10, len(rows[-1])):
        file = tmp_path / f"{cut}.csv"
        file.write_text(whole(rows)[:-cut])
        with opened(file) as journal:
            assert journal.entries == list(atlas_file.entries(6)[:-1])
            journal.add(list(atlas_file.entries(6)[-1:]))
        assert file.read_text() == whole(rows)


def changed(rows, at, old, new):
    return [*rows[:at], rows[at].replace(old, new, 1), *rows[at + 1 :]]


DAMAGED = {
    "another number of dots": (
        lambda rows: whole([atlas_file.to_row(atlas_file.entries(5)[0])]),
        "is an atlas of 5 dots, not of 6",
    ),
    "a line is missing": (lambda rows: whole(rows[:3] + rows[4:]), "line 5: order type 3 of 6 dots should stand here"),
    "a line comes twice": (lambda rows: whole(rows[:3] + rows[2:]), "line 5: order type 3"),
    "a sign has changed": (lambda rows: whole(changed(rows, 2, "+++-", "++++")), "line 4: "),
    "a line is cut": (lambda rows: whole([*rows[:4], rows[4][:20], *rows[5:]]), "line 6: no line of an atlas"),
    "a value that cannot be": (lambda rows: whole(changed(rows, 0, "6,0,", "6,0,7")), "line 2: no line of an atlas"),
    "a number with a blank": (lambda rows: whole(changed(rows, 1, "6,1,", "6, 1,")), "line 3: no line of an atlas"),
    "one more line": (
        lambda rows: whole([*rows, rows[-1].replace("6,15,", "6,16,", 1)]),
        "line 18: no line of an atlas",
    ),
    "something else": (lambda rows: "x,y\n1,2\n", "is no atlas"),
    "something without a line": (lambda rows: "my notes", "is no atlas"),
    "bytes": (lambda rows: "\0\1\2\n" * 9, "is no atlas"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_or_foreign_file_is_refused_and_left_as_it_is(case, tmp_path, rows):
    damage, complaint = DAMAGED[case]
    file = tmp_path / "six.csv"
    file.write_text(damage(rows))
    with pytest.raises(BadText, match=complaint) as refused, opened(file):
        pass
    assert "\n" not in str(refused.value)
    assert file.read_text() == damage(rows)


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_two_writers_and_a_folder_that_is_not_there(tmp_path):
    with opened(tmp_path / "six.csv"), pytest.raises(ArenaError, match="is being written by another process"):
        AppendFile(tmp_path / "six.csv")
    with opened(tmp_path / "six.csv"), pytest.raises(ArenaError, match="cannot be written"):
        AppendFile(tmp_path / "no" / "six.csv")


KILLED = """
import sys, time
from hinterland.cli import run
from hinterland.contest import workers
from hinterland.dots.atlas import atlas_survey
done = workers.InlineExecutor.submit
left = [2]
def submit(self, *job):
    left[0] -= 1
    if left[0] < 0:
        print("now", flush=True)
        time.sleep(600)
    return done(self, *job)
workers.InlineExecutor.submit = submit
atlas_survey.TYPES_PER_CHUNK = int(sys.argv[3])
run(["atlas", sys.argv[1], "--out", sys.argv[2]])
"""


@pytest.mark.thorough
@pytest.mark.once
def test_no_order_type_is_lost_or_repeated_by_kills(tmp_path):
    number, chunk = 7, 20
    file = tmp_path / "killed.csv"
    for kills in (1, 2):
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, str(number), str(file), str(chunk)], stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout.readline() == "now\n"
            os.kill(child.pid, signal.SIGKILL)
        assert len(file.read_text().splitlines()) == 1 + 2 * chunk * kills
        with file.open("a") as torn:
            torn.write(f"{number},{2 * chunk * kills},0,3")
    from hinterland.cli import run

    assert run(["atlas", str(number), "--out", str(file)]) == 0
    assert entries_in(file) == list(atlas_file.entries(number))
