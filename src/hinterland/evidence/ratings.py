"""Ratings in Elo with 95 % intervals, for all models: fits the strengths, converts them to Elo, and resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from hinterland.errors import BadText, UnknownName
from hinterland.evidence.bootstrap import interval, interval_of_fit, replicates
from hinterland.evidence.choices import Choices
from hinterland.evidence.likelihood import ELO, fit

if TYPE_CHECKING:
    from hinterland.evidence.choices import Floats
    from hinterland.evidence.tally import Tally


class Anchor(NamedTuple):
    """A player with a fixed rating, to which others are compared."""

    name: str
    """Name of the player."""
    elo: float = 0.0
    """Its rating."""


class Ratings(NamedTuple):
    """Ratings of the players of a contest, in Elo: 400 Elo are odds of ten to one."""

    model: str
    """davidson or plackett-luce."""
    names: tuple[str, ...]
    """Names of the players."""
    elo: Floats
    """Rating of each player. The mean rating of each pool is 0, unless the anchor is in this pool. NaN for players
    without a game."""
    low: Floats
    """Lower end of each 95 % interval."""
    high: Floats
    """Upper end of each 95 % interval."""
    superior: Floats
    """Likelihood that the row's player is stronger than the column's, for n players (n, n); NaN if they are of two
    pools."""
    pools: tuple[int, ...]
    """Pool of each player. Players of two pools are not connected by games, so that their ratings cannot be
    compared."""
    seats: dict[int, tuple[float, ...]]
    """Value of each seat in Elo, by the number of players in a game; empty if seats cannot be separated from the
    players' strengths."""
    seat_spreads: dict[int, tuple[float, ...]]
    """Standard errors of the values in ``seats``."""
    ties: dict[int, float]
    """Weight of a tie relative to a single player, by the number of tied players; for two players, Davidson's nu."""
    prior: bool
    """Whether a weak prior was needed, for example because a player won or lost everything; without the prior some
    ratings would be infinite."""

    def _repr_html_(self) -> str:
        from hinterland.drawing.figures import make_table  # noqa: PLC0415

        columns = (self.names, self.elo.tolist(), self.low.tolist(), self.high.tolist())
        best_first = sorted(zip(*columns, strict=True), key=lambda row: (row[1] != row[1], -row[1]))
        return make_table(("player", "Elo", "from", "to (95 %)"), best_first)


def rate(model: str, tally: Tally, anchor: Anchor | None = None, *, seed: int = 0, times: int = 1000) -> Ratings:
    """Rate the players of a tally, with ``times`` bootstrap fits drawn by ``seed``. Raises BadText, UnknownName.

    With ``times=0`` the intervals come from the covariance of the fit instead, in a fraction of the time.
    """
    if not tally.matches:
        raise BadText("there is nothing to rate: not one match was played")
    if anchor is not None and anchor.name not in tally.names:
        raise UnknownName("player to anchor ratings on", anchor.name, tally.names)
    choices = Choices(tally)
    found = fit(choices)
    shift = _Scale(choices.pools, tally, anchor)
    elo = shift(ELO * found.parameters[: choices.players])
    matches = np.array([standing.matches for standing in tally.standings])
    if times:
        drawn = replicates(choices, found, np.random.default_rng(seed), times)
        spread = shift(ELO * drawn[:, : choices.players])
        (low, high), covariance = interval(elo, spread, matches), np.cov(spread.T)
    else:
        covariance = shift.of_differences(ELO**2 * found.covariance[: choices.players, : choices.players])
        low, high = interval_of_fit(elo, np.sqrt(np.maximum(np.diag(covariance), 0)), matches)
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
        superior=_superiorities(elo, covariance, choices.pools),
        pools=tuple(choices.pools.tolist()),
        seats={size: tuple(worths[seats].tolist()) for size, seats in columns},
        seat_spreads={size: tuple(errors[seats].tolist()) for size, seats in columns},
        ties={size: float(np.exp(found.parameters[column])) for size, column in choices.tie_columns.items()},
        prior=bool(found.prior),
    )


class _Scale:
    """Shifts ratings, (..., n), so that each pool has mean 0, or its anchor has the rating given."""

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
        """Return the covariance of the shifted ratings, (n, n), from that of the ratings."""
        moved = np.eye(len(self._origin)) - self._origin
        return np.asarray(moved @ covariance @ moved.T)


def _superiorities(elo: Floats, covariance: Floats, pools: np.ndarray) -> Floats:
    """Compute ``Ratings.superior``, as if ratings were normally distributed with this covariance."""
    variances = np.diag(covariance)
    spread = np.sqrt(np.maximum(variances[:, None] + variances - 2 * covariance, 1e-12))
    likely = scipy.special.ndtr((elo[:, None] - elo) / spread)
    np.fill_diagonal(likely, 0.5)
    likely[pools[:, None] != pools] = np.nan
    return np.asarray(likely)
