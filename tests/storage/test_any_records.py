"""Tables give back any record; from a damaged table, no wrong game is read."""

import itertools
import tempfile
from pathlib import Path

import msgspec
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinterland.errors import RecordError
from hinterland.referee import game_study, record
from hinterland.referee.clock import TimeControl
from hinterland.referee.diary import NoteMark
from hinterland.storage import records

pytestmark = pytest.mark.once  # under coverage, drawing whole records takes minutes

FIRST = Path(__file__).parents[1] / "referee" / "first_format" / "games.jsonl"
COLUMNAR = (".parquet", ".arrow")
whole = st.integers(-(2**63), 2**63 - 1)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
anything = st.recursive(
    st.none() | st.booleans() | whole | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)
"""Values of rules, whose meaning does not matter to tables."""


def few(values):
    return st.lists(values, max_size=4).map(tuple)


def any_of(kind, **given_fields):
    """Draw a struct with any values of its fields' types, except for given ones."""
    plain = {int: whole, str: text, tuple[int, ...]: few(whole)}
    hints = {field.name: field.type for field in msgspec.structs.fields(kind) if field.name not in given_fields}
    return st.builds(kind, **{name: plain[hint] for name, hint in hints.items()}, **given_fields)


number = st.none() | st.floats(allow_nan=False, allow_infinity=False)
place = few(whole)
mark = (
    st.builds(NoteMark, at=place, value=number)
    | st.builds(NoteMark, start=place, to=place, value=number)
    | st.builds(NoteMark, line=st.lists(place, min_size=2, max_size=3).map(tuple), value=number)
)
versions = st.just(msgspec.UNSET) | any_of(record.Versions, players=few(text))
times = any_of(record.Times, notes=few(any_of(record.Note, marks=few(mark))), versions=versions)
study = any_of(
    game_study.GameStudy,
    moves=few(any_of(game_study.Branch)),
    comments=few(any_of(game_study.Comment)),
    marks=few(any_of(game_study.Mark, points=few(st.floats(0, 1)), value=st.just(msgspec.UNSET) | st.floats(-9, 9))),
)
clock = st.builds(TimeControl, budget_ms=st.none() | st.integers(1, 10**9), move_ms=st.none() | st.integers(1, 10**9))
lost = any_of(record.Between, event=st.just("lost"), reason=st.just(""))
left = any_of(record.Between, event=st.just("left"), reason=st.sampled_from([one.value for one in record.Verdict]))


@st.composite
def any_records(draw):
    """Draw a record without a game, but with matching lengths and right checksums."""
    players = draw(st.lists(text, min_size=1, max_size=4).map(tuple))
    movers = draw(few(st.integers(0, len(players) - 1)))
    sized = {"scores": (whole, len(players)), "moves": (few(whole), len(movers))}
    lists = {name: draw(st.lists(one, min_size=size, max_size=size).map(tuple)) for name, (one, size) in sized.items()}
    return record.sealed(
        record.Record(
            game=draw(text), rules=draw(st.dictionaries(text, anything, max_size=3)), players=players,
            seed=draw(st.none() | whole), number=draw(whole), clock=draw(clock), movers=movers,
            between=draw(few(lost | left)), winners=draw(few(whole)), reason=draw(text), detail=draw(text),
            contest=draw(st.just(msgspec.UNSET) | any_of(record.ContestPlace)),
            study=draw(st.just(msgspec.UNSET) | study), times=draw(times), **lists,
        )
    )  # fmt: skip


@given(kept=st.lists(any_records(), min_size=1, max_size=4))
def test_any_records_come_back(kept):
    with tempfile.TemporaryDirectory() as name:
        lines, back = Path(name, "lines.jsonl"), Path(name, "back.jsonl")
        lines.write_bytes(b"".join(map(record.to_line, kept)))
        for ending in COLUMNAR:
            records.export([lines], Path(name, f"table{ending}"))
            records.export([Path(name, f"table{ending}")], back)
            assert back.read_bytes() == lines.read_bytes()
            back.unlink()
        frame = records.frame(lines)
        assert frame["players"].to_list() == [list(one.players) for one in kept]
        assert frame["seed"].to_list() == [one.seed for one in kept]
        for by, parts in (("move", [one.moves for one in kept]), ("seat", [one.players for one in kept])):
            if by == "seat" and not all(map(fits_into_64_bits, itertools.chain(*map(times_of_seats, kept)))):
                with pytest.raises(RecordError, match="too large for a column of 64 bits"):
                    records.export([lines], Path(name, "seat.parquet"), by)
                continue
            records.export([lines], Path(name, f"{by}.parquet"), by)
            assert len(polars.read_parquet(Path(name, f"{by}.parquet"))) == sum(map(len, parts))


def times_of_seats(one):
    """Return the time that each seat took, as a table by seat adds it up."""
    spent = list(zip(one.movers, one.times.ms, strict=False))
    return [sum(ms for mover, ms in spent if mover == seat) for seat in range(len(one.players))]


def fits_into_64_bits(number):
    return -(2**63) <= number < 2**63


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Lines, and what tables of them hold, by the ending."""
    folder = tmp_path_factory.mktemp("any")
    lines = folder / "lines.jsonl"
    lines.write_bytes(b"".join(FIRST.read_bytes().splitlines(keepends=True)[::9]))
    found = {".jsonl": lines.read_bytes()}
    for ending in COLUMNAR:
        records.export([lines], folder / f"table{ending}")
        found[ending] = (folder / f"table{ending}").read_bytes()
    return found


spoilings = st.tuples(
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=8),
    st.just(1.0) | st.floats(0, 1),
)
"""Changed bytes, each at a relative place of the file, and the part of the file that remains."""


def spoilt(data, spoiling):
    changes, left = spoiling
    bad = bytearray(data)
    for place, value in changes:
        bad[int(place * len(bad))] = value
    return bytes(bad[: round(left * len(bad))])


@pytest.mark.parametrize("ending", [*COLUMNAR, ".jsonl"])
@given(spoiling=spoilings)
def test_a_spoilt_file_is_refused_or_holds_the_same(tables, ending, spoiling):
    with tempfile.TemporaryDirectory() as name:
        bad, back = Path(name, f"bad{ending}"), Path(name, "back.jsonl")
        bad.write_bytes(spoilt(tables[ending], spoiling))
        try:
            records.export([bad], back)
        except RecordError as error:
            assert str(error).startswith(str(bad))
            assert "\n" not in str(error)
            assert list(Path(name).iterdir()) == [bad]
        else:
            whole_lines = tables[".jsonl"]
            assert back.read_bytes() == whole_lines or (
                ending == ".jsonl" and whole_lines.startswith(back.read_bytes())  # cut after a whole line
            )
