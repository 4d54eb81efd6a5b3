"""Guides: the network against a naive twin, its planes against the rules, and files that are no guides."""

import io
import math
import zipfile

import msgspec
import numpy as np
import pytest

from hinterland import catalog
from hinterland.contract import Clock
from hinterland.errors import BadText, RulesError
from hinterland.gravity import Rules, Stone
from hinterland.gravity.coarse import coarse_board
from hinterland.gravity.coarse.coarse_replies import map_replies
from hinterland.gravity.guide import guide_file
from hinterland.gravity.guide.network import Guide, cell_index, count_weights, evaluate, new_activations
from hinterland.gravity.players import Search
from hinterland.gravity.search.guide_planes import PLANES, write_planes
from hinterland.gravity.search.move_search import MoveSearch
from hinterland.gravity.search.stones_left import turns_of
from hinterland.jit import JIT_ON, kernel
from more_of_the_same import first_shows

pytestmark = pytest.mark.compiles
UNTIMED = Clock()
SIZES = (5, 9, 14) if JIT_ON else (5,)


@kernel(allocates=True)
def evaluated(guide, planes):
    """Return logits, ownership and value of planes (planes, size, size)."""
    size = planes.shape[1]
    room = new_activations(guide, size)
    for plane in range(planes.shape[0]):
        for row in range(size):
            for col in range(size):
                room.planes[plane, cell_index(size, row, col)] = planes[plane, row, col]
    value = evaluate(guide, room)
    return room.logits, room.ownership, value


@kernel(allocates=True)
def shown(board, seat, stones, planes):
    """Write a guide's planes of a coarse board."""
    map_replies(board, seat, 1)
    write_planes(planes, board, 0, seat, stones)


def convolved(planes, weights, biases):
    """Convolve planes (in, n, n) with weights (out, in, 3, 3), in float64 and by the definition."""
    size = planes.shape[1]
    rimmed = np.pad(planes, ((0, 0), (1, 1), (1, 1)))
    windows = np.array([[rimmed[:, row : row + 3, col : col + 3] for col in range(size)] for row in range(size)])
    return np.einsum("rcixy,oixy->orc", windows, weights) + biases[:, None, None]


def naive(guide, planes):
    """Evaluate a guide by NumPy, in float64."""
    weights = list(guide.weights.astype(np.float64))

    def take(*shape):
        taken = np.array([weights.pop(0) for _ in range(math.prod(shape))])
        return taken.reshape(shape)

    channels = guide.channels
    x = np.maximum(convolved(planes, take(channels, len(planes), 3, 3), take(channels)), 0)
    for _ in range(guide.blocks):
        y = np.maximum(convolved(x, take(channels, channels, 3, 3), take(channels)), 0)
        pooled = np.concatenate([y.mean(axis=(1, 2)), y.max(axis=(1, 2))])
        y = y + (take(channels, 2 * channels) @ pooled + take(channels))[:, None, None]
        x = np.maximum(x + convolved(y, take(channels, channels, 3, 3), take(channels)), 0)
    heads, biases = take(2, channels), take(2)
    logits, owners = np.einsum("ho,orc->hrc", heads, x) + biases[:, None, None]
    assert not weights
    return logits, np.tanh(owners)


def random_guide(rng):
    weights = rng.normal(scale=0.2, size=count_weights(len(PLANES), 6, 2)).astype(np.float32)
    return Guide(len(PLANES), 6, 2, 0.5, weights)


def preferring(name):
    """Return the weights of a network of one channel and one block whose logits are a plane of no negative numbers."""
    weights = np.zeros(count_weights(len(PLANES), 1, 1), dtype=np.float32)
    weights[PLANES.index(name) * 9 + 4] = 1  # the middle tap of the stem
    weights[-4] = 30  # the head of the logits
    return weights


HEADER = guide_file.Header(planes=PLANES, channels=1, blocks=1)


@pytest.fixture
def centre(tmp_path):
    """A guide that likes cells far from the edge."""
    path = tmp_path / "centre.npz"
    path.write_bytes(guide_file.encode_guide(HEADER, preferring("edge")))
    return path


@pytest.mark.parametrize("size", first_shows(*SIZES))
def test_the_network_is_its_naive_twin(size, rng):
    guide = random_guide(rng)
    planes = rng.normal(size=(len(PLANES), size, size)).astype(np.float32)
    logits, ownership, value = evaluated(guide, planes)
    expected_logits, expected_ownership = naive(guide, planes)
    np.testing.assert_allclose(logits, expected_logits, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(ownership, expected_ownership, rtol=1e-4, atol=1e-4)
    assert value == pytest.approx(expected_ownership.mean(), abs=1e-4)


@pytest.mark.parametrize("size", first_shows(*SIZES))
def test_planes_agree_with_the_rules(size, rng):
    position = Rules(size=size, spacing=2, stones=3).start()
    while position.to_move is not None:
        board = coarse_board.coarsen(position, size, turns_of(position).plies)
        rimmed = np.zeros((len(PLANES), (size + 2) ** 2 + 2), dtype=np.float32)
        shown(board, position.to_move, turns_of(position).stones, rimmed)
        planes = dict(zip(PLANES, rimmed[:, :-2].reshape(-1, size + 2, size + 2), strict=True))
        for plane in planes.values():
            assert not plane[[0, -1]].any()
            assert not plane[:, [0, -1]].any()
        check_planes(position, {name: plane[1:-1, 1:-1] for name, plane in planes.items()})
        position = position.play(position.legal_moves.sample(rng))


def check_planes(position, planes):
    size, seat = position.rules.size, position.to_move
    owners = position.owners
    owner = (owners == seat).astype(int) - (owners == 1 - seat)
    np.testing.assert_array_equal(planes["owner"], owner)
    np.testing.assert_allclose(planes["lead"], owner.mean(), atol=1e-6)
    free = np.array([[Stone(row, col) in position.legal_moves for col in range(size)] for row in range(size)])
    np.testing.assert_array_equal(planes["free"], free)
    gain = np.zeros((size, size))
    for stone in position.legal_moves:
        after = position.play(stone).scores
        gain[stone.row, stone.col] = after[seat] - after[1 - seat] - owner.sum()
    np.testing.assert_allclose(planes["gain"], gain / size**2, atol=1e-6)
    np.testing.assert_allclose(planes["last"], position.stones_left(seat) > position.stones_left(1 - seat))
    np.testing.assert_allclose(planes["stones to come"], 1 / (6 - len(position.moves)), rtol=1e-6)
    assert (np.sign(planes["margin"]) == owner).all()
    assert planes["gain beside the best"].max() == 1
    for number, (mover, stone) in enumerate(position.moves):
        name = "own closeness" if mover == seat else "rival closeness"
        assert planes[name][stone.row, stone.col] > 0.99, number


def test_a_search_looks_where_its_guide_says(centre, rng):
    position = Rules(size=9, spacing=2, stones=2).start().play(Stone(4, 4))
    chosen = Search(guide=str(centre), playouts=1).choose(position, UNTIMED, rng)
    assert max(abs(chosen.row - 4), abs(chosen.col - 4)) == 2  # the nearest to the middle that is free
    assert Search(guide=str(centre), playouts=1).choose(position.rules.start(), UNTIMED, rng) == Stone(4, 4)


def test_without_trust_a_guide_says_nothing_of_the_end(tmp_path, rng):
    position = Rules(size=9, spacing=2, stones=2).start().play(Stone(4, 4))
    promised = {}
    for trust in (0, 1):
        weights = preferring("edge")
        weights[-1] = 9  # all is the mover's, the network says
        path = tmp_path / f"{trust}.npz"
        path.write_bytes(guide_file.encode_guide(msgspec.structs.replace(HEADER, trust=trust), weights))
        search = Search(guide=str(path), playouts=1)
        looked = MoveSearch(search, position, 0.0)
        looked.find_best_moves()
        promised[trust] = looked.shares[1]
    assert promised[1] == pytest.approx(1.0)
    assert promised[0] < 0.9


@pytest.mark.parametrize("size", (9, 13, 50) if JIT_ON else (5,))
def test_the_same_seed_and_playouts_choose_alike(size, tmp_path, rng):
    path = tmp_path / "guide.npz"
    guide = random_guide(rng)
    header = guide_file.Header(planes=PLANES, channels=guide.channels, blocks=guide.blocks)
    path.write_bytes(guide_file.encode_guide(header, guide.weights))
    position = Rules(size=size, spacing=2, stones=3).start()
    while position.to_move is not None:
        player = catalog.player(catalog.game("gravity"), f"search:guide={path},playouts={40 if JIT_ON else 3}")
        once, again = (player.choose(position, UNTIMED, np.random.default_rng(7)) for _ in range(2))
        assert once == again
        position = position.play(once)


@pytest.mark.parametrize("options", [{"weight": 9}, {"players": 3}, {"law": "nearest"}])
def test_rules_that_no_guide_is_for_are_refused(options, centre, rng):
    position = Rules(size=9, spacing=2, stones=2, **options).start()
    with pytest.raises(RulesError, match=r"^a guide is for two players, stones without weight and the law gravity"):
        Search(guide=str(centre), playouts=1).choose(position, UNTIMED, rng)


def packed(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def as_bytes(header):
    return np.frombuffer(header if isinstance(header, bytes) else msgspec.json.encode(header), dtype=np.uint8)


def with_header(**changes):
    told = {**msgspec.to_builtins(HEADER), **changes}
    return packed(header=as_bytes(told), weights=preferring("edge"))


def with_weights(weights):
    return packed(header=as_bytes(HEADER), weights=weights)


def zipped(header, weights, compression=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr("header.npy", header)
        archive.writestr("weights.npy", weights)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


GOOD = with_weights(preferring("edge"))
MANY = b"(999999999999,), }"
HUGE = npy(np.zeros(3, dtype=np.float32)).replace(b"(3,), }".ljust(len(MANY)), MANY)
NO_GUIDE_AT_ALL = "is not a guide, or an incomplete one; make one with hinterland learn"
BAD = {
    "empty": (b"", NO_GUIDE_AT_ALL),
    "text": (b"gravity players=2\n", NO_GUIDE_AT_ALL),
    "cut short": (GOOD[:-40], NO_GUIDE_AT_ALL),
    "cut in the middle": (GOOD[: len(GOOD) // 2], NO_GUIDE_AT_ALL),
    "flipped": (GOOD[:700] + bytes([GOOD[700] ^ 255]) + GOOD[701:], NO_GUIDE_AT_ALL),
    "other arrays": (packed(policy=np.zeros(3)), NO_GUIDE_AT_ALL),
    "more arrays": (packed(header=as_bytes(HEADER), weights=preferring("edge"), x=np.zeros(1)), NO_GUIDE_AT_ALL),
    "pickled": (zipped(npy(np.array([print], dtype=object)), npy(preferring("edge"))), NO_GUIDE_AT_ALL),
    "pickled weights": (with_weights(np.array([None, 1], dtype=object)), NO_GUIDE_AT_ALL),
    "huge in words": (zipped(npy(as_bytes(HEADER)), HUGE), NO_GUIDE_AT_ALL),
    "a bomb": (zipped(npy(as_bytes(HEADER)), bytes(2**24), zipfile.ZIP_DEFLATED), NO_GUIDE_AT_ALL),
    "another format": (with_header(format="chess"), "its format is 'chess', not hinterland-guide"),
    "another version": (with_header(version=2), "is of version 2; this program reads version 1"),
    "another game": (with_header(game="dots"), "is of the game 'dots', not of gravity"),
    "another law": (with_header(law="nearest"), "has a damaged header"),
    "other planes": (with_header(planes=["free"]), "was trained on other planes"),
    "no channels": (with_header(channels=0), "has a damaged header"),
    "too many blocks": (with_header(blocks=10**9), "has a damaged header"),
    "an unknown field": (with_header(secret=1), "has a damaged header"),
    "no JSON": (packed(header=as_bytes(b"\xff{"), weights=preferring("edge")), "has a damaged header"),
    "too few weights": (with_weights(preferring("edge")[1:]), "channels and 1 blocks have"),
    "a table of weights": (with_weights(preferring("edge")[None]), "channels and 1 blocks have"),
    "weights of another type": (with_weights(preferring("edge").astype(np.float64)), "of type float64"),
    "weights that are none": (with_weights(preferring("edge") * np.float32(np.nan)), "weights that are no numbers"),
    "too large": (bytes(2**23), "is larger than 4 MiB"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_guide_is_refused_in_one_line(name, tmp_path):
    raw, reason = BAD[name]
    path = tmp_path / "bad.npz"
    path.write_bytes(raw)
    with pytest.raises(BadText) as refused:
        catalog.player(catalog.game("gravity"), f"search:guide={path}")
    assert reason in str(refused.value)
    assert "bad.npz" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadText, match=r"^'away.npz' cannot be read: No such file"):
        Search(guide=str(tmp_path / "away.npz"))


def test_a_guide_is_read_back_as_it_was_written(centre):
    header, guide = guide_file.read(centre, PLANES)
    assert header == HEADER
    assert (guide.planes, guide.channels, guide.blocks, guide.trust) == (len(PLANES), 1, 1, 0.5)
    np.testing.assert_array_equal(guide.weights, preferring("edge"))
