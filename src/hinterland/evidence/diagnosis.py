"""Defects of a contest's results, in plain sentences with numbers.

Each statistical test gives a false alarm in one of a thousand contests without defects. The tests take whole matches as
independent, and need no model of the players' strengths.
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

FALSE_ALARM_RATE = 0.001
"""Rate of false alarms of each test."""
MIN_MATCHES = 10
"""Number of matches below which a player's rating is provisional."""
MIN_REPEATED_SHARE = 0.01
"""Repeated games are reported if they are at least this fraction of all games."""


class Defect(NamedTuple):
    """A defect of the results."""

    kind: str
    """The kind of defect: pools, few, all-won, all-lost, unbounded, seats, openings, cycle, repeats or left."""
    text: str
    """The defect as a sentence."""


def diagnose(tally: Tally, ratings: Ratings) -> list[Defect]:
    """Find the defects of results and of their ratings, the gravest first."""
    tests = (
        _find_pools, _find_few_matches, _find_one_sided, _find_unequal_seats,
        _find_one_sided_openings, _find_cycle, _find_repeats, _find_leavers,
    )  # fmt: skip
    return [defect for test in tests for defect in test(tally, ratings)]


def _find_pools(tally: Tally, ratings: Ratings) -> Iterator[Defect]:
    pools: dict[int, list[str]] = {}
    for name, pool, standing in zip(tally.names, ratings.pools, tally.standings, strict=True):
        if standing.matches:
            pools.setdefault(pool, []).append(name)
    if len(pools) > 1:
        members = "; ".join(_list_words(names) for names in pools.values())
        yield Defect(
            "pools",
            f"{len(pools)} pools of players never met: {members}. Ratings hold within a pool only, and must not be "
            "compared across pools",
        )


def _find_few_matches(tally: Tally, _: Ratings) -> Iterator[Defect]:
    few = [(s.matches, name) for name, s in zip(tally.names, tally.standings, strict=True) if s.matches < MIN_MATCHES]
    if few:
        told = _list_words([f"{name} {matches}" for matches, name in sorted(few)])
        yield Defect("few", f"ratings are provisional, with fewer than {MIN_MATCHES} matches: {told}")


def _find_one_sided(tally: Tally, ratings: Ratings) -> Iterator[Defect]:
    """Find players that won or lost everything, and other reasons for unbounded ratings."""
    scored, played = (of_pairs.sum(axis=1) for of_pairs in points(tally))
    known = False
    for player, name in enumerate(tally.names):
        games = tally.standings[player].games
        for kind, word, bound in (("all-won", "won", played[player]), ("all-lost", "lost", 0.0)):
            if games and scored[player] == bound:
                known = True
                held = "its rating is held by a weak prior, and says only in which direction it lies"
                yield Defect(kind, f"{name} {word} all of its {_count(games, 'game')}: {held}")
    if ratings.prior and not known:
        held = "ratings are held by a weak prior, and differences of hundreds of Elo mean little"
        yield Defect("unbounded", f"some players, or a seat, won everything against the others: {held}")


def _find_unequal_seats(tally: Tally, _: Ratings) -> Iterator[Defect]:
    """Find seats that score more or less than others, in matches where each player sat once in each seat."""
    for size in sorted({len(pattern[0][0]) for pattern in tally.patterns}):
        patterns = [pattern for pattern in tally.patterns if _is_rotated(pattern, size)]
        counts = np.array([tally.patterns[pattern] for pattern in patterns], dtype=float)
        matches = counts.sum()
        if matches < MIN_MATCHES:
            continue
        by_seat = np.array([_seat_scores(pattern) for pattern in patterns])
        mean = counts @ by_seat / matches
        spread = np.sqrt(counts @ (by_seat - mean) ** 2 / (matches - 1) / matches)
        sure = scipy.special.stdtrit(matches - 1, 1 - FALSE_ALARM_RATE / (2 * size)) * spread
        seat = int(np.abs(mean - 0.5).argmax())
        if abs(mean[seat] - 0.5) > max(sure[seat], 1e-9):
            games = _count(int(matches) * size, "game")
            word = "more" if mean[seat] > 0.5 else "less"
            yield Defect(
                "seats",
                f"seat {seat + 1} of {size} is worth {word} than the others: it scores {100 * mean[seat]:.1f} % in "
                f"{games}, where 50 % would be even; ratings allow for it",
            )


def _find_one_sided_openings(tally: Tally, _: Ratings) -> Iterator[Defect]:
    """Find openings that decide the winner: the same seat wins both games of a match, whoever sits in it."""
    pairs: dict[tuple[int, ...], list[tuple[float, float, int]]] = {}
    for pattern, times in tally.patterns.items():
        if len(pattern) == 2 and _is_rotated(pattern, 2):
            first, second = (_seat_scores((game,))[0] for game in pattern)
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
    if agree > -float(scipy.special.ndtri(FALSE_ALARM_RATE)) * np.sqrt(spread) and same - alone > matches / 20:
        yield Defect(
            "openings",
            f"openings are one-sided: the same seat won both games in {same:,.0f} of {matches:,.0f} matches, where it "
            f"would in {alone:,.0f} if they had nothing in common; intervals allow for it, by counting matches",
        )


def _find_cycle(tally: Tally, _: Ratings) -> Iterator[Defect]:
    """Find a cycle of players that each surely beat the next, which no ratings can express."""
    names = tally.names
    total, squares = np.zeros((2, len(names), len(names)))
    for pattern, times in tally.patterns.items():
        ahead = _games_ahead(pattern)
        seats = np.ix_(*[sorted(pattern[0][0])] * 2)
        total[seats] += times * ahead
        squares[seats] += times * ahead**2
    level = FALSE_ALARM_RATE / max(len(names) * (len(names) - 1), 1)
    circle = cycle(total > -float(scipy.special.ndtri(level)) * np.sqrt(np.maximum(squares, 1e-12)))
    if circle:
        scored, played = points(tally)
        beats = (
            f"{names[one]} beats {names[other]} with {100 * scored[one, other] / played[one, other]:.0f} %"
            for one, other in zip(circle, [*circle[1:], circle[0]], strict=True)
        )
        left = 100 * beyond_ladders(*log_odds(tally))
        yield Defect("cycle", f"no ladder: {', '.join(beats)}; ratings leave {left:.0f} % of the log-odds unexplained")


def _find_repeats(tally: Tally, _: Ratings) -> Iterator[Defect]:
    share = tally.repeats.share
    if share >= MIN_REPEATED_SHARE:
        most = max(tally.repeats.counts.values())
        yield Defect(
            "repeats",
            f"{100 * share:.1f} % of the games repeat another move by move, one was played {most} times: they prove "
            "nothing new, and intervals are too narrow",
        )


def _find_leavers(tally: Tally, _: Ratings) -> Iterator[Defect]:
    """Find players that leave games far more often than the others, for each reason separately."""
    everywhere = sum(standing.games for standing in tally.standings)
    reasons = sorted({reason for standing in tally.standings for reason in standing.left})
    for reason in reasons:
        total = sum(standing.left[reason] for standing in tally.standings)
        for name, standing in zip(tally.names, tally.standings, strict=True):
            own = standing.left[reason]
            chance = scipy.special.bdtrc(own - 1, total, standing.games / everywhere) if own > 2 else 1.0
            if chance < FALSE_ALARM_RATE / len(tally.names) / len(reasons):
                games = _count(standing.games, "game")
                others = f"{total - own:,} of {everywhere - standing.games:,}"
                told = f"{name} left {own:,} of its {games} by {reason}; all others together left {others}"
                yield Defect("left", told)


def _is_rotated(pattern: Pattern, size: int) -> bool:
    """Say whether each of ``size`` players sat once in each seat."""
    by_seat = zip(*(seats for seats, _ in pattern), strict=True)
    return len(pattern) == size == len(pattern[0][0]) and all(len(set(players)) == size for players in by_seat)


def _seat_scores(pattern: Pattern) -> Floats:
    """Return for each seat the share of the other seats that it outranks: float (seats,), a mean over a match's games.

    A tie counts half.
    """
    ranks = np.array([ranks for _, ranks in pattern])
    ahead = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    return np.asarray((ahead.sum(axis=2) - 0.5).mean(axis=0) / (ranks.shape[1] - 1))


def _games_ahead(pattern: Pattern) -> Floats:
    """Return how many more games of a match each player won against each other than it lost: float (players, players).

    Players are in the order of their numbers.
    """
    order = [np.argsort(seats) for seats, _ in pattern]
    ranks = np.array([np.array(ranks)[places] for (_, ranks), places in zip(pattern, order, strict=True)])
    return np.asarray(np.sign(ranks[:, None, :] - ranks[:, :, None]).sum(axis=0, dtype=float))


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _list_words(words: Sequence[str]) -> str:
    """List words, at most ten of them."""
    return ", ".join(words[:10]) + (f" and {len(words) - 10} more" if len(words) > 10 else "")
