"""Learning: samples against the rules, the network in torch against the kernel, and training that repeats.

What needs torch is imported where it is used: it takes more than a second, and every worker collects these tests.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest

import oracle_gravity
from gravity_boards import by_seat
from hinterland.cli import run
from hinterland.contract import Clock
from hinterland.errors import BadText, RulesError
from hinterland.gravity import Position, Rules, Stone
from hinterland.gravity.guide import guide_file
from hinterland.gravity.guide.network import NO_GUIDE, cell_index, evaluate, new_activations
from hinterland.gravity.players import Search
from hinterland.gravity.search.guide_planes import PLANES
from hinterland.jit import kernel

if find_spec("torch") is None:
    if os.environ.get("HINTERLAND_NO_SKIP"):
        pytest.fail("torch is not installed, and nothing may be skipped: pip install torch", pytrace=False)
    pytest.skip("torch is not installed", allow_module_level=True)

from hinterland.learning import self_play

RULES = Rules(size=5, stones=2, spacing=2)
TINY = {"generations": 2, "unguided": 1, "games": 6, "playouts": 20, "steps": 4, "batch": 8, "channels": 4, "blocks": 1}


@kernel(allocates=True)
def evaluated(guide, planes):
    size = planes.shape[1]
    room = new_activations(guide, size)
    for plane in range(planes.shape[0]):
        for row in range(size):
            for col in range(size):
                room.planes[plane, cell_index(size, row, col)] = planes[plane, row, col]
    return evaluate(guide, room), room.logits, room.ownership


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "channels", "blocks"), [(4, 3, 1), (10, 24, 2), (17, 5, 3)])
def test_the_search_evaluates_what_was_trained(size, channels, blocks, rng):
    import torch

    from hinterland.learning.training import ResidualNetwork

    network = ResidualNetwork(len(PLANES), channels, blocks)
    planes = rng.normal(size=(len(PLANES), size, size)).astype(np.float32)
    value, *heads = evaluated(network.guide(), planes)
    with torch.no_grad():
        expected = network(torch.from_numpy(planes)[None])
    for head, wanted in zip(heads, expected, strict=True):
        np.testing.assert_allclose(head, wanted[0].numpy(), rtol=1e-4, atol=1e-5)
    assert value == pytest.approx(expected[1].mean().item(), abs=1e-5)


def games(count, guide=NO_GUIDE, rules=RULES, playouts=60):
    return [self_play.play_game(rules, guide, playouts, np.random.default_rng(seed)) for seed in range(count)]


def test_a_sample_holds_the_owners_at_the_end():
    plane = PLANES.index
    for samples in games(12):
        assert samples
        for sample, following in pairwise(samples):
            np.testing.assert_array_equal(following.ownership, -sample.ownership)
        for sample in samples:
            assert sample.policy.sum() == pytest.approx(1, abs=1e-5)
            assert not sample.policy[sample.planes[plane("free")] == 0].any()
            assert set(np.unique(sample.ownership)) <= {-1, 0, 1}


def test_the_last_stones_are_known_exactly():
    """The policy is shared by the best moves alone, by an oracle that tries them all."""
    position = Position(RULES).play(Stone(0, 1)).play(Stone(3, 3))
    for to_come in (2, 1):
        _, policy = self_play.search_position(position, NO_GUIDE, 400)
        worth = {stone: best_lead(position.play(stone), position.to_move) for stone in position.legal_moves}
        best = {stone for stone, lead in worth.items() if lead == max(worth.values())}
        found = {Stone(int(row), int(col)) for row, col in np.argwhere(policy > 0)}
        assert found <= best, to_come
        position = position.play(next(iter(found)))


def best_lead(position, seat):
    """Return a seat's final lead under best play, by trying every move with the oracle's areas."""
    if position.to_move is None:
        owners = np.array(oracle_gravity.owners(by_seat(position), position.rules.size, "gravity"))
        return int((owners == seat).sum() - (owners == 1 - seat).sum())
    leads = [best_lead(position.play(stone), seat) for stone in position.legal_moves]
    return max(leads) if position.to_move == seat else min(leads)


@pytest.mark.thorough
def test_boards_are_turned_and_mirrored_with_their_lessons(rng):
    from hinterland.learning.training import Lessons

    lessons = Lessons(100)
    for samples in games(6):
        lessons.add(samples)
    seen = set()
    for _ in range(40):
        planes, policies, ownership = lessons.draw(5, rng)
        assert planes.shape == (5, len(PLANES), 5, 5)
        assert policies.shape == ownership.shape == (5, 5, 5)
        free = planes[:, PLANES.index("free")].numpy()
        assert not policies.numpy()[free == 0].any()
        seen.add(policies.numpy().tobytes())
    assert len(seen) == 40


def test_only_the_newest_lessons_of_a_size_are_kept():
    from hinterland.learning.training import Lessons

    lessons = Lessons(5)
    for size in (5, 6):
        for samples in games(4, rules=Rules(size=size, stones=2, spacing=2)):
            lessons.add(samples)
    assert len(lessons) == 10


def trained(**options):
    from hinterland.learning import training

    recipe = training.recipe_of(rules=(RULES,), threads=1, **{**TINY, **options})
    return recipe, list(training.train(recipe))


@pytest.mark.thorough
def test_training_repeats(tmp_path):
    from hinterland.learning import training

    recipe, told = trained(seed=3)
    _, again = trained(seed=3)
    _, other = trained(seed=4)
    assert training.encode_guide(recipe, told[-1][1]) == training.encode_guide(recipe, again[-1][1])
    assert training.encode_guide(recipe, told[-1][1]) != training.encode_guide(recipe, other[-1][1])
    assert [progress.generation for progress, _ in told] == [1, 2]
    (tmp_path / "guide.npz").write_bytes(training.encode_guide(recipe, told[-1][1]))
    header, guide = guide_file.read(tmp_path / "guide.npz", PLANES)
    np.testing.assert_array_equal(guide.weights, told[-1][1].weights)
    assert '"seed":3' in header.recipe


def test_a_network_learns(rng):
    """It fits a few games that it sees again and again: the owners of cells, and the good moves."""
    _, told = trained(generations=1, games=40, steps=150, batch=32, rate=5e-3)
    _, begun = trained(generations=1, games=40, steps=1, batch=32, rate=5e-3)
    assert told[0][0].ownership_loss < 0.7 * begun[0][0].ownership_loss
    assert told[0][0].policy_loss < 0.9 * begun[0][0].policy_loss


def test_an_impossible_recipe_is_refused():
    from hinterland.learning import training

    with pytest.raises(BadText, match=r"^recipe of a guide: Expected `int` >= 1 - at `\$.games`"):
        training.recipe_of(rules=(RULES,), games=0)
    with pytest.raises(RulesError, match="a guide is for two players"):
        training.recipe_of(rules=(Rules(size=9, spacing=2, weight=3),))


def test_the_command_writes_a_guide_that_plays(tmp_path, monkeypatch, capsys, rng):
    monkeypatch.chdir(tmp_path)
    options = "--size 6 --stones 2 --spacing 2 --generations 2 --games 6 --steps 2 --playouts 20 --threads 1"
    assert run(["learn", "gravity", "net.npz", *options.split()]) == 0
    told = capsys.readouterr()
    assert told.out == "written to net.npz\n"
    assert told.err.count("generation ") == 2
    position = Rules(size=9, spacing=2, stones=2).start().play(Stone(4, 4))
    assert Search(guide="net.npz", playouts=5).choose(position, Clock(), rng) in position.legal_moves


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["dots", "net.npz"], "hinterland: unknown game that can be learnt 'dots'; known: gravity\n"),
        (["gravity", "net.pt"], "hinterland: a guide is written to a file named .npz, not net.pt\n"),
        (["gravity", "net.npz", "--games", "0"], "hinterland: recipe of a guide: Expected `int` >= 1 - at `$.games`\n"),
        (
            ["gravity", "away/net.npz", "--size", "9", "--spacing", "2"],
            "hinterland: away/net.npz cannot be written: No such file or directory\n",
        ),
    ],
)
def test_the_command_refuses_in_one_line(arguments, line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["learn", *arguments]) == 2
    assert capsys.readouterr().err == line


def test_without_torch_one_line_says_so():
    code = "import sys; sys.modules['torch'] = None; from hinterland.cli import main; main()"
    command = [sys.executable, "-c", code, "learn", "gravity", "net.npz", "--size", "9", "--spacing", "2"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert said.stderr == (
        "hinterland: learning needs torch: pip install 'hinterland[learn]'; to play with a guide needs nothing more\n"
    )
