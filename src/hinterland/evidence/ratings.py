"""Ratings in Elo units with 95 % intervals, whatever the model: fitted, put on a scale, drawn anew by the bootstrap."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from hinterland.errors import BadText, UnknownName
from hinterland.evidence.bootstrap import interval, of_fit, replicates
from hinterland.evidence.choices import Choices
from hinterland.evidence.likelihood import ELO, fit

if TYPE_CHECKING:
    from hinterland.evidence.choices import Floats
    from hinterland.evidence.tally import Tally


class Anchor(NamedTuple):
    """A player whose rating is given, for others to be compared with."""

    name: str
    """Of the player."""
    elo: float = 0.0
    """Its rating."""


class Ratings(NamedTuple):
    """What the players of a contest are worth, in Elo units: 400 of them are odds of ten to one."""

    model: str
    """davidson or plackett-luce."""
    names: tuple[str, ...]
    """Of the players."""
    elo: Floats
    """One a player; each pool has mean 0, or its anchor's rating. NaN, as its interval, for who did not play."""
    low: Floats
    """Where the 95 % interval of each begins."""
    high: Floats
    """Where it ends."""
    superior: Floats
    """(n, n): the likelihood that the player of the row is stronger than that of the column; NaN between pools."""
    pools: tuple[int, ...]
    """The pool of each player. Ratings of two pools cannot be compared."""
    seats: dict[int, tuple[float, ...]]
    """By size of table: what each seat adds, in Elo; nothing where it cannot be told from the players' strengths."""
    seat_spreads: dict[int, tuple[float, ...]]
    """The standard errors of the same."""
    ties: dict[int, float]
    """By the number of players that tie: their weight beside a single player's; Davidson's nu for two."""
    prior: bool
    """Whether a weak prior was needed: somebody won or lost everything, and its rating is finite only by that prior."""

    def _repr_html_(self) -> str:
        from hinterland.figures import table  # noqa: PLC0415

        columns = (self.names, self.elo.tolist(), self.low.tolist(), self.high.tolist())
        best_first = sorted(zip(*columns, strict=True), key=lambda row: (row[1] != row[1], -row[1]))
        return table(("player", "Elo", "from", "to (95 %)"), best_first)


def rate(model: str, tally: Tally, anchor: Anchor | None = None, *, seed: int = 0, times: int = 1000) -> Ratings:
    """Rate the players of a tally; ``seed`` and ``times`` are of the bootstrap. Raises BadText, UnknownName.

    ``times=0``: without a bootstrap intervals are those of the fit's own covariance, at a fraction of the time.
    """
    if not tally.matches:
        raise BadText("there is nothing to rate: not one match was played")
    if anchor is not None and anchor.name not in tally.names:
        raise UnknownName("player to anchor ratings on", anchor.name, tally.names)
    choices = Choices(tally)
    found = fit(choices)
    shift = _scale(choices.pools, tally, anchor)
    elo = shift(ELO * found.parameters[: choices.players])
    matches = np.array([standing.matches for standing in tally.standings])
    if times:
        drawn = replicates(choices, found, np.random.default_rng(seed), times)
        spread = shift(ELO * drawn[:, : choices.players])
        (low, high), covariance = interval(elo, spread, matches), np.cov(spread.T)
    else:
        covariance = shift.of_differences(ELO**2 * found.covariance[: choices.players, : choices.players])
        low, high = of_fit(elo, np.sqrt(np.maximum(np.diag(covariance), 0)), matches)
    for values in (elo, low, high):
        values[matches == 0] = np.nan
    errors = ELO * np.sqrt(np.diag(found.covariance))
    worths = ELO * found.parameters
    columns = choices.seat_columns.items()
    return Ratings(
        model=model,
        names=tally.names,
        elo=elo,
        low=low,
        high=high,
        superior=_superior(elo, covariance, choices.pools),
        pools=tuple(choices.pools.tolist()),
        seats={size: tuple(worths[seats].tolist()) for size, seats in columns},
        seat_spreads={size: tuple(errors[seats].tolist()) for size, seats in columns},
        ties={size: float(np.exp(found.parameters[column])) for size, column in choices.tie_columns.items()},
        prior=bool(found.prior),
    )


class _scale:  # noqa: N801  (a function with its table made once)
    """Shifts ratings, (..., n), so that each pool has mean 0 or its anchor's rating."""

    def __init__(self, pools: np.ndarray, tally: Tally, anchor: Anchor | None) -> None:
        member = pools[:, None] == pools[None, :]
        self._origin = member / member.sum(axis=1, keepdims=True)
        self._level = np.zeros(len(pools))
        if anchor is not None:
            at = tally.names.index(anchor.name)
            self._origin[member[at]] = np.eye(len(pools))[at]
            self._level[member[at]] = anchor.elo

    def __call__(self, elo: Floats) -> Floats:
        return np.asarray(elo - elo @ self._origin.T + self._level)

    def of_differences(self, covariance: Floats) -> Floats:
        """Return the covariance, (n, n), of what is shifted so."""
        moved = np.eye(len(self._origin)) - self._origin
        return np.asarray(moved @ covariance @ moved.T)


def _superior(elo: Floats, covariance: Floats, pools: np.ndarray) -> Floats:
    """Return the likelihoods of superiority, normal with such a covariance."""
    variances = np.diag(covariance)
    spread = np.sqrt(np.maximum(variances[:, None] + variances - 2 * covariance, 1e-12))
    likely = scipy.special.ndtr((elo[:, None] - elo) / spread)
    np.fill_diagonal(likely, 0.5)
    likely[pools[:, None] != pools] = np.nan
    return np.asarray(likely)
