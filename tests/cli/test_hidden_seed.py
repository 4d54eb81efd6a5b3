"""A contest's seed, drawn for it or hidden until its last game, and what everybody can check then."""

import hashlib
import json
import re
import stat
import tomllib

import pytest

BOARD = ("--size", "12", "--spacing", "3", "--stones", "2", "--jitter", "2")
CONTEST = ("gravity", "random", "reply", "r2=random", *BOARD)


def plan_of(folder):
    return tomllib.loads((folder / "plan.toml").read_text())


def records(folder):
    return [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]


@pytest.fixture
def committed(hinterland, tmp_path):
    """Make a contest with a hidden seed; return its folder and the commitment."""
    hinterland("contest", "new", tmp_path / "cup", *CONTEST, "--pairings", 3)
    return tmp_path / "cup", hinterland("contest", "commit", tmp_path / "cup").out.strip()


def test_a_contest_without_a_seed_draws_one_and_shows_it(hinterland, tmp_path):
    seeds = set()
    for name in ("one", "two"):
        hinterland("contest", "new", tmp_path / name, *CONTEST)
        seeds.add(plan_of(tmp_path / name)["seed"])
    assert len(seeds) == 2
    assert max(seeds) > 2**40
    hinterland("contest", "new", tmp_path / "three", *CONTEST, "--seed", 5)
    assert plan_of(tmp_path / "three")["seed"] == 5


def test_a_hidden_seed_is_shown_nowhere_until_the_end(hinterland, committed):
    folder, commitment = committed
    secret = (folder / "secret.txt").read_text()
    assert commitment == hashlib.sha256(secret.encode()).hexdigest()
    assert stat.S_IMODE((folder / "secret.txt").stat().st_mode) == 0o600
    assert "seed" not in plan_of(folder)
    assert plan_of(folder)["commitment"] == commitment
    said = hinterland("contest", "reveal", folder, code=2).err
    assert said.strip().endswith("is not over; its seed stays hidden until the last game")
    hinterland("contest", "run", folder)
    hinterland("contest", "report", folder)
    shown = [(folder / name).read_text() for name in ("plan.toml", "records.jsonl", "report.html")]
    shown.append(str(hinterland("contest", "status", folder, "--json")))
    assert not any(secret in text for text in shown)
    assert commitment in shown[2]
    assert hinterland("contest", "reveal", folder).out.strip() == secret
    assert plan_of(folder)["secret"] == secret
    assert not (folder / "secret.txt").exists()
    assert "over" in hinterland("contest", "status", folder).out
    hinterland("contest", "report", folder)
    assert secret in (folder / "report.html").read_text()
    assert hinterland("contest", "reveal", folder).out.strip() == secret, "as often as one likes"


def test_openings_follow_from_the_secret_alone(hinterland, committed):
    folder, _ = committed
    hinterland("contest", "run", folder)
    secret = (folder / "secret.txt").read_text()
    found = records(folder)
    for record in found:
        pairing = record["contest"]["task"] // 3
        digest = hashlib.sha256(f"{secret} round 0 pairing {pairing}".encode()).digest()
        assert record["seed"] == int.from_bytes(digest[:8]) >> 1
    assert len({record["seed"] for record in found}) == 3


def test_a_revealed_secret_that_was_exchanged_is_found(hinterland, committed):
    folder, _ = committed
    hinterland("contest", "run", folder)
    secret = hinterland("contest", "reveal", folder).out.strip()
    plan = folder / "plan.toml"
    plan.write_text(plan.read_text().replace(secret, 48 * "0"))
    said = hinterland("contest", "status", folder, code=2).err
    assert "its secret is not the one whose SHA-256 is written as commitment" in said


def test_after_the_first_game_no_seed_can_be_hidden(hinterland, committed, tmp_path):
    folder, commitment = committed
    said = hinterland("contest", "commit", folder, code=2).err
    assert f"has a hidden seed already: {commitment}" in said
    hinterland("contest", "new", tmp_path / "open", *CONTEST)
    hinterland("contest", "run", tmp_path / "open")
    assert "hide the seed before the first game" in hinterland("contest", "commit", tmp_path / "open", code=2).err
    assert "has no hidden seed" in hinterland("contest", "reveal", tmp_path / "open", code=2).err


def test_without_its_secret_a_contest_says_what_is_missing(hinterland, committed):
    folder, _ = committed
    (folder / "secret.txt").unlink()
    said = hinterland("contest", "run", folder, code=2).err
    assert re.search(r"the contest's seed is hidden in .*secret\.txt, which cannot be read: No such file", said)


def test_a_seed_beside_a_commitment_is_refused(hinterland, committed):
    folder, _ = committed
    plan = folder / "plan.toml"
    plan.write_text("seed = 3\n" + plan.read_text())
    assert "it has a seed and a commitment" in hinterland("contest", "status", folder, code=2).err
