"""What is wrong with the results of a contest, in plain sentences with numbers.

What chance could have done is not told: each test that chance could fool errs once in a thousand sound contests. Tests
go by whole matches, and none needs a model of how strong players are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from hinterland.evidence.cycles import beyond_ladders, cycle, log_odds, points

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hinterland.evidence.choices import Floats
    from hinterland.evidence.ratings import Ratings
    from hinterland.evidence.tally import Pattern, Tally

ALARM = 0.001
"""How often a test may find a fault where there is none."""
FEW = 10
"""So many matches a player needs."""
REPEATED = 0.01
"""From this part of games on that were played before, they are told."""


class Defect(NamedTuple):
    """Something that is wrong with the results."""

    kind: str
    """pools, few, all-won, all-lost, unbounded, seats, openings, cycle, repeats, left."""
    text: str
    """The same as a sentence."""


def diagnose(tally: Tally, ratings: Ratings) -> list[Defect]:
    """Return what is wrong with the results that were rated, the gravest first."""
    tests = (_pools, _few, _decided, _seats, _openings, _cycle, _repeats, _left)
    return [defect for test in tests for defect in test(tally, ratings)]


def _pools(tally: Tally, ratings: Ratings) -> Iterator[Defect]:
    pools: dict[int, list[str]] = {}
    for name, pool, standing in zip(tally.names, ratings.pools, tally.standings, strict=True):
        if standing.matches:
            pools.setdefault(pool, []).append(name)
    if len(pools) > 1:
        members = "; ".join(_listed(names) for names in pools.values())
        yield Defect(
            "pools",
            f"{len(pools)} pools of players never met: {members}. Ratings hold within a pool only, and must not be "
            "compared across pools",
        )


def _few(tally: Tally, _: Ratings) -> Iterator[Defect]:
    few = [(s.matches, name) for name, s in zip(tally.names, tally.standings, strict=True) if s.matches < FEW]
    if few:
        told = _listed([f"{name} {matches}" for matches, name in sorted(few)])
        yield Defect("few", f"ratings are provisional, with fewer than {FEW} matches: {told}")


def _decided(tally: Tally, ratings: Ratings) -> Iterator[Defect]:
    """Tell who won or lost everything, and where something else let ratings grow without bound."""
    scored, played = (of_pairs.sum(axis=1) for of_pairs in points(tally))
    known = False
    for player, name in enumerate(tally.names):
        games = tally.standings[player].games
        for kind, word, bound in (("all-won", "won", played[player]), ("all-lost", "lost", 0.0)):
            if games and scored[player] == bound:
                known = True
                held = "its rating is held by a weak prior, and says only in which direction it lies"
                yield Defect(kind, f"{name} {word} all of its {_counted(games, 'game')}: {held}")
    if ratings.prior and not known:
        held = "ratings are held by a weak prior, and differences of hundreds of Elo mean little"
        yield Defect("unbounded", f"some players, or a seat, won everything against the others: {held}")


def _seats(tally: Tally, _: Ratings) -> Iterator[Defect]:
    """Tell of seats that score more than the others in matches in which everybody sat everywhere."""
    for size in sorted({len(pattern[0][0]) for pattern in tally.patterns}):
        patterns = [pattern for pattern in tally.patterns if _rotated(pattern, size)]
        counts = np.array([tally.patterns[pattern] for pattern in patterns], dtype=float)
        matches = counts.sum()
        if matches < FEW:
            continue
        by_seat = np.array([_by_seat(pattern) for pattern in patterns])
        mean = counts @ by_seat / matches
        spread = np.sqrt(counts @ (by_seat - mean) ** 2 / (matches - 1) / matches)
        sure = scipy.special.stdtrit(matches - 1, 1 - ALARM / (2 * size)) * spread
        seat = int(np.abs(mean - 0.5).argmax())
        if abs(mean[seat] - 0.5) > max(sure[seat], 1e-9):
            games = _counted(int(matches) * size, "game")
            word = "more" if mean[seat] > 0.5 else "less"
            yield Defect(
                "seats",
                f"seat {seat + 1} of {size} is worth {word} than the others: it scores {100 * mean[seat]:.1f} % in "
                f"{games}, where 50 % would be even; ratings allow for it",
            )


def _openings(tally: Tally, _: Ratings) -> Iterator[Defect]:
    """Tell of openings that decide who wins: the same seat wins both games of a match, whoever sits in it."""
    pairs: dict[tuple[int, ...], list[tuple[float, float, int]]] = {}
    for pattern, times in tally.patterns.items():
        if len(pattern) == 2 and _rotated(pattern, 2):
            first, second = (_by_seat((game,))[0] for game in pattern)
            pairs.setdefault(tuple(sorted(pattern[0][0])), []).append((first, second, times))
    agree = spread = same = alone = matches = 0.0
    for found in pairs.values():
        one, other, times = np.array(found).T
        both = np.stack([one, other])
        product = np.prod(both - np.average(both, axis=1, weights=times)[:, None], axis=0)
        agree, spread = agree + times @ product, spread + times @ product**2
        won, lost = ((both == score) @ times / times.sum() for score in (1, 0))
        same += times @ ((one == other) & (one != 0.5))
        alone += times.sum() * float(won.prod() + lost.prod())
        matches += times.sum()
    if agree > -float(scipy.special.ndtri(ALARM)) * np.sqrt(spread) and same - alone > matches / 20:
        yield Defect(
            "openings",
            f"openings are one-sided: the same seat won both games in {same:,.0f} of {matches:,.0f} matches, where it "
            f"would in {alone:,.0f} if they had nothing in common; intervals allow for it, by counting matches",
        )


def _cycle(tally: Tally, _: Ratings) -> Iterator[Defect]:
    """Tell of a circle in which each surely beats the next: at least one of these is false where a ladder is true."""
    names = tally.names
    total, squares = np.zeros((2, len(names), len(names)))
    for pattern, times in tally.patterns.items():
        ahead = _ahead(pattern)
        seats = np.ix_(*[sorted(pattern[0][0])] * 2)
        total[seats] += times * ahead
        squares[seats] += times * ahead**2
    level = ALARM / max(len(names) * (len(names) - 1), 1)
    circle = cycle(total > -float(scipy.special.ndtri(level)) * np.sqrt(np.maximum(squares, 1e-12)))
    if circle:
        scored, played = points(tally)
        beats = (
            f"{names[one]} beats {names[other]} with {100 * scored[one, other] / played[one, other]:.0f} %"
            for one, other in zip(circle, [*circle[1:], circle[0]], strict=True)
        )
        left = 100 * beyond_ladders(*log_odds(tally))
        yield Defect("cycle", f"no ladder: {', '.join(beats)}; ratings leave {left:.0f} % of the log-odds unexplained")


def _repeats(tally: Tally, _: Ratings) -> Iterator[Defect]:
    share = tally.repeats.share
    if share >= REPEATED:
        most = max(tally.repeats.counts.values())
        yield Defect(
            "repeats",
            f"{100 * share:.1f} % of the games repeat another move by move, one was played {most} times: they prove "
            "nothing new, and intervals are too narrow",
        )


def _left(tally: Tally, _: Ratings) -> Iterator[Defect]:
    """Tell who leaves games for a reason far more often than the others do."""
    everywhere = sum(standing.games for standing in tally.standings)
    reasons = sorted({reason for standing in tally.standings for reason in standing.left})
    for reason in reasons:
        total = sum(standing.left[reason] for standing in tally.standings)
        for name, standing in zip(tally.names, tally.standings, strict=True):
            own = standing.left[reason]
            chance = scipy.special.bdtrc(own - 1, total, standing.games / everywhere) if own > 2 else 1.0
            if chance < ALARM / len(tally.names) / len(reasons):
                games = _counted(standing.games, "game")
                others = f"{total - own:,} of {everywhere - standing.games:,}"
                told = f"{name} left {own:,} of its {games} by {reason}; all others together left {others}"
                yield Defect("left", told)


def _rotated(pattern: Pattern, size: int) -> bool:
    """Say whether each of so many players sat once in each seat."""
    by_seat = zip(*(seats for seats, _ in pattern), strict=True)
    return len(pattern) == size == len(pattern[0][0]) and all(len(set(players)) == size for players in by_seat)


def _by_seat(pattern: Pattern) -> Floats:
    """Return which part of the others each seat outranks, the mean over games, a tie being half: (seats,)."""
    ranks = np.array([ranks for _, ranks in pattern])
    ahead = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    return np.asarray((ahead.sum(axis=2) - 0.5).mean(axis=0) / (ranks.shape[1] - 1))


def _ahead(pattern: Pattern) -> Floats:
    """Return in how many more games of the match the player of the row outranked that of the column, sorted."""
    order = [np.argsort(seats) for seats, _ in pattern]
    ranks = np.array([np.array(ranks)[places] for (_, ranks), places in zip(pattern, order, strict=True)])
    return np.asarray(np.sign(ranks[:, None, :] - ranks[:, :, None]).sum(axis=0, dtype=float))


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _listed(words: Sequence[str]) -> str:
    """List words, at most ten of them."""
    return ", ".join(words[:10]) + (f" and {len(words) - 10} more" if len(words) > 10 else "")
