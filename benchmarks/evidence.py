"""How far ratings and tests can be trusted: ``python -m benchmarks.evidence coverage``, or sprt, alarms, speed; or all.

Each command draws contests from a known truth and counts how often the statements about them are true. ``--times=2000``
is the number of contests (default for ``sprt``: 10,000), ``--seed=1`` the seed. The figures are in docs/ratings.md.
"""

from __future__ import annotations

import sys
import time
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from hinterland.evidence.choices import Choices
from hinterland.evidence.davidson import davidson
from hinterland.evidence.diagnosis import diagnose
from hinterland.evidence.likelihood import ELO, fit
from hinterland.evidence.sprt import SCORES, Sprt, bounds, llr
from hinterland.evidence.tally import GameResult, MatchResult, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RANKS = ((0, 1), (0, 0), (1, 0))
DESIGNS = (
    ("4 players, 4 matches a pair", 4, 4, 0.0),
    ("6 players, 10 matches a pair", 6, 10, 0.0),
    ("6 players, 10 matches a pair, one-sided openings", 6, 10, 1.0),
    ("10 players, 1 match a pair", 10, 1, 0.0),
    ("3 players, 100 matches a pair, one-sided openings", 3, 100, 1.0),
)
"""Name, players, matches a pair, and the standard deviation, in nats, of the first seat's advantage over openings."""
TIES = (0.05, 0.6, 6 / 7, 2.0, 14 / 3)
TESTS = [*product((200, 150, 100, 50), TIES), *product((20,), TIES[:2])]
"""Elo between the hypotheses, and Davidson's weight of ties: 2, 23, 30, 50 and 70 % of games of equals."""
ERROR_RATES = ((0.05, 0.05), (0.1, 0.05))
"""Alpha and beta."""


def match_chances(ahead: float, seat: float = 0.0, tie: float = 0.6, opening: float = 0.0) -> np.ndarray:
    """Return the chances of the nine outcomes of a match, (3, 3): first game, and second game with seats changed."""
    points, weights = np.polynomial.hermite_e.hermegauss(21)
    both = []
    for sign in (1, -1):
        nats = sign * ahead + seat + opening * points
        worths = np.stack([np.exp(nats / 2), np.full_like(nats, tie), np.exp(-nats / 2)])
        both.append(worths / worths.sum(axis=0))
    return np.asarray(np.einsum("k,ak,bk->ab", weights / weights.sum(), *both))


def round_robin(strengths: np.ndarray, counts: Callable[[np.ndarray], np.ndarray], **terms: float) -> Tally:
    """Make the tally of a contest. ``counts`` maps the chances of nine outcomes to the matches that had each."""
    tally = Tally([f"p{player}" for player in range(len(strengths))])
    for one in range(len(strengths)):
        for other in range(one):
            for outcome, times in enumerate(counts(match_chances(strengths[one] - strengths[other], **terms).ravel())):
                first, second = RANKS[outcome // 3], RANKS[outcome % 3]
                games = (GameResult((one, other), first, (1, 1)), GameResult((other, one), second, (1, 1)))
                if times:
                    tally.add(MatchResult(games), int(times))
    return tally


def coverage(times: int, seed: int) -> None:
    """Print how many 95 % intervals hold the truth: the ratings of the same contest with endlessly many matches."""
    for what, players, matches, opening in DESIGNS:
        rng = np.random.default_rng(seed)
        strengths = rng.normal(0, 0.5, players)
        terms = {"seat": 0.3, "opening": opening}
        endless = round_robin(strengths, lambda chances: np.maximum(np.round(chances * 1e9), 1), **terms)
        truth = ELO * fit(Choices(endless)).parameters[:players]
        held = above = priors = 0
        for contest in range(times):
            drawn = round_robin(strengths, lambda chances: rng.multinomial(matches, chances), **terms)  # noqa: B023
            found = davidson(drawn, seed=contest)
            held += int(((found.low <= truth) & (truth <= found.high)).sum())
            above += int((found.low > truth).sum())
            priors += found.prior
        share, high = held / times / players, above / times / players
        print(
            f"  {what:<50} {100 * share:5.1f} % hold the truth, {100 * high:.1f} % lie above it, "
            f"{100 * (1 - share - high):.1f} % below; {priors} of {times:,} needed the prior",
            flush=True,
        )


def half_points(elo: float, tie: float) -> np.ndarray:
    """Return the chances of each score of a match, (5,), for a mean score of ``elo`` logistic Elo."""
    expected = 1 / (1 + 10 ** (-elo / 400))

    def scores(ahead: float) -> np.ndarray:
        chances = match_chances(ahead, tie=tie)
        return np.bincount(np.add.outer([2, 1, 0], [0, 1, 2]).ravel(), chances.ravel())

    low, high = -9.0, 9.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if scores(middle) @ SCORES < expected else (low, middle)
    return scores(low)


def sprt(times: int, seed: int) -> None:
    """Print how often tests accept a false hypothesis, and how many matches they take."""
    for (elo1, tie), (alpha, beta) in product(TESTS, ERROR_RATES):
        test = Sprt(0, elo1, alpha, beta)
        accepts, matches = zip(
            *(_run(test, half_points(truth, tie), times, np.random.default_rng(seed)) for truth in (0.0, elo1)),
            strict=True,
        )
        print(
            f"  elo0=0 elo1={elo1:<4} ties {tie / (2 + tie):4.0%}  asked {alpha:3.0%} {beta:3.0%}  "
            f"accepts a false elo1 {accepts[0]:6.1%}, a false elo0 {1 - accepts[1]:6.1%}  "
            f"{matches[0]:7.1f} and {matches[1]:7.1f} matches",
            flush=True,
        )


def _run(test: Sprt, chances: np.ndarray, times: int, rng: np.random.Generator) -> tuple[float, float]:
    """Run tests side by side; return how often elo1 was accepted, and the mean number of matches."""
    counts = np.zeros((times, 5))
    going = np.arange(times)
    accepted = matches = 0
    while going.size:
        scores = np.searchsorted(chances.cumsum()[:-1], rng.random(going.size))
        counts[going, scores] += 1
        ratio = llr(test, counts[going])
        lower, upper = bounds(test, counts[going])
        accepted += int((ratio >= upper).sum())
        matches += going.size
        going = going[(lower < ratio) & (ratio < upper)]
    return accepted / times, matches / times


def alarms(times: int, seed: int) -> None:
    """Print how many sound contests are warned of."""
    rng = np.random.default_rng(seed)
    warnings: dict[str, int] = {}
    warned = 0
    for _ in range(times):
        drawn = round_robin(rng.normal(0, 0.3, 5), lambda chances: rng.multinomial(25, chances))
        defects = diagnose(drawn, davidson(drawn, times=20))
        warned += bool(defects)
        for defect in defects:
            warnings[defect.kind] = warnings.get(defect.kind, 0) + 1
    print(f"  {warned} of {times:,} sound contests of 5 players are warned of: {warnings}")


def speed(times: int, seed: int) -> None:
    """Print the median time to rate 30 players by 100,000 matches, with intervals."""
    rng = np.random.default_rng(seed)
    tally = round_robin(rng.normal(0, 0.6, 30), lambda chances: rng.multinomial(230, chances))
    davidson(tally)
    seconds = []
    for _ in range(times):
        began = time.process_time()
        davidson(tally)
        seconds.append(time.process_time() - began)
    print(f"  30 players, {tally.matches:,} matches: {np.median(seconds):.2f} s of one processor")


COMMANDS = {"coverage": (coverage, 2000), "sprt": (sprt, 10_000), "alarms": (alarms, 2000), "speed": (speed, 9)}


def main(arguments: Sequence[str]) -> None:
    """Run the commands that are named, or all."""
    options = dict(argument[2:].split("=") for argument in arguments if argument.startswith("--"))
    names = [argument for argument in arguments if not argument.startswith("--")] or list(COMMANDS)
    for name in names:
        work, times = COMMANDS[name]
        print(name)
        work(int(options.get("times", times)), int(options.get("seed", 1)))


if __name__ == "__main__":
    main(sys.argv[1:])
