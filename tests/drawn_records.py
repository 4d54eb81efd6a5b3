"""Contests on the disk whose records have random scores, instead of games."""

import msgspec

from hinterland.contest.folder import ContestFolder, create
from hinterland.referee.record import Between, Record, Times, sealed


def record_of(task, game, rng, leave=0.0):
    """Return a random record of a game of a match; ``leave``: the chance of each seat to leave."""
    names = task.names[game:] + task.names[:game]
    scores = [int(score) for score in rng.integers(0, 9, len(names))]
    gone = [seat for seat in range(len(names)) if rng.random() < leave][: len(names) - 1]
    for seat in gone:
        scores[seat] = 0
    staying = [seat for seat in range(len(names)) if seat not in gone]
    most = max(scores[seat] for seat in staying)
    return sealed(
        Record(
            game=task.game, rules=msgspec.to_builtins(task.config().rules), players=names, seed=task.seed,
            number=game + 1, clock=task.clock, movers=(), moves=(), scores=tuple(scores), contest=task.place,
            winners=tuple(seat for seat in staying if scores[seat] == most),
            between=tuple(Between(0, seat, "left", "time", f"seat {seat} was late") for seat in gone),
            reason="time" if gone else "complete", detail="it is over", times=Times("2026-11-21T05:10:28+00:00", ()),
        )
    )  # fmt: skip


def play(folder, plan, rng, most=10**6, leave=0.0, mixed=True):
    """Add up to ``most`` games of a contest to its folder; ``mixed``: take a round's matches in random order."""
    if not (folder / "plan.toml").exists():
        create(folder, plan, {})
    with ContestFolder.locked(folder) as contest:
        while most > 0 and not contest.played.is_over:
            tasks = list(contest.played.missing())
            if mixed:
                rng.shuffle(tasks)
            found = [record_of(task, game, rng, leave) for task in tasks for game in task.missing][:most]
            most -= len(found)
            contest.keep(found)
            contest.flush()


def rewrite(folder, order):
    """Rewrite the records in the order of a list of line numbers, from 0."""
    file = folder / "records.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[number] for number in order))


def lines_of(folder):
    """Return the records of a folder as plain JSON."""
    return [msgspec.json.decode(line) for line in (folder / "records.jsonl").read_bytes().splitlines()]
