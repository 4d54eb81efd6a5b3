"""Fills an arena's folder with made-up games: legal moves, and winners drawn by the players' strengths."""

import math
import random
from datetime import UTC, datetime, timedelta

import msgspec

from hinterland import gravity
from hinterland.referee.verdicts import Verdict
from hinterland.storage.game_setup import NO_CLOCK, Seat, Setup, hash_key
from hinterland.storage.journal import Departed, Moved, Over, Recorded

QUICK = gravity.Rules(stones=3)


def guest(name, browser=None):
    """Return the seat of a person, in a browser of its own by default."""
    return Seat("person", name, hash_key(browser or f"the browser of {name}"))


def program(spec):
    """Return the seat of a built-in player."""
    return Seat("program", spec)


def setup_of(number, seats, started, rules=QUICK, **others):
    """Return the set-up of game ``number``."""
    return Setup(
        id=f"seeded-{number:09d}", game_name="gravity", rules_json=msgspec.to_builtins(rules), seats=tuple(seats),
        control=NO_CLOCK, seed=number, key_sha256=hash_key("k"), started=started.isoformat(), **others,
    )  # fmt: skip


def moves_of(rng, rules=QUICK):
    """Draw legal stones."""
    stones = []
    while len(stones) < rules.players * rules.stones:
        row, col = rng.randrange(rules.size), rng.randrange(rules.size)
        if all((row - r) ** 2 + (col - c) ** 2 >= rules.spacing**2 for r, c in stones):
            stones.append((row, col))
    return stones


def write(folder, setup, moves, winner, share=0.55):
    """Write the journal of a finished game; if ``share`` is None, the loser resigned."""
    games = folder / "games"
    games.mkdir(parents=True, exist_ok=True)
    count, whole = len(setup.seats), setup.rules_json["size"] ** 2
    rest = whole // count
    scores = tuple(int(whole * (share or 1)) if seat == winner else rest // 2 for seat in range(count))
    left = (None,) * count
    lines = [setup]
    for ply, move in enumerate(moves):
        lines.append(Moved(ply + 1, ply % count, move, 900, scores, left))
    if share is None:
        scores = tuple(score if seat == winner else 0 for seat, score in enumerate(scores))
        loser = 1 - winner
        lines.append(Departed(len(moves), loser, Verdict.RESIGNED, f"seat {loser} resigned", scores, left))
    reason = "resigned" if share is None else "complete"
    lines.append(Over(len(moves), scores, (winner,), reason, "it is over"))
    lines.append(Recorded())
    path = games / f"{setup.id}.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def seed(folder, count, strengths, rng_seed=1, days=60, rules=QUICK):
    """Write ``count`` games of gravity between players; ``strengths``: Elo by seat."""
    rng = random.Random(rng_seed)
    began = datetime(2026, 9, 1, tzinfo=UTC)
    players = list(strengths)
    people = [seat for seat in players if seat.kind == "person"]
    for number in range(count):
        one = rng.choice(people)
        two = rng.choice([seat for seat in players if seat != one])
        seats = [one, two] if rng.random() < 0.5 else [two, one]
        chance = 1 / (1 + math.pow(10, (strengths[seats[1]] - strengths[seats[0]]) / 400))
        winner = 0 if rng.random() < chance else 1
        started = began + timedelta(days=days * number / count, seconds=rng.randrange(60))
        share = None if rng.random() < 0.1 else 0.5 + rng.random() / 4
        write(folder, setup_of(number, seats, started, rules), moves_of(rng, rules), winner, share)
