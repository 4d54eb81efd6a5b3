"""Environments for learners, in the forms of the field: many boards at once, PettingZoo, Gymnasium, OpenSpiel.

They stand on the catalogue and are pure; what needs an extra is imported when it is asked for. Begin at ``batches``
for boards by the thousand, at ``turn_game`` for one game.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hinterland.envs.asked_rules import rules_of
from hinterland.errors import ArenaError

if TYPE_CHECKING:
    from hinterland.contract.rules import Rules
    from hinterland.envs.batches import BatchEnv
    from hinterland.envs.turn_game import TurnGame

__all__ = ["aec", "batch", "openspiel", "parallel", "register"]

IDS = {
    "hinterland/Gravity-v0": {"game": "gravity", "opponent": "reply"},
    "hinterland/Graph-v0": {"game": "graph", "opponent": "gain"},
    "hinterland/Dots-v0": {"game": "dots", "opponent": "careful"},
}
"""What Gymnasium calls the games, and who plays against the learner unless another is asked for."""
LIBRARIES = {"rl": ("pettingzoo", "gymnasium"), "openspiel": ("pyspiel", "open_spiel")}
"""What the extras bring."""


@contextmanager
def _extra(name: str, what: str) -> Iterator[None]:
    """Say which extra is missing where an import fails for want of it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARIES[name]:
            raise
        raise ArenaError(f"{what} needs {error.name}, which is not here: pip install 'hinterland[{name}]'") from None


def batch(
    game: str | Rules | list[Rules],
    *,
    envs: int = 1024,
    reward: str = "share",
    seed: int = 0,
    restarts: bool = True,
    **options: object,
) -> BatchEnv:
    """Return many boards of a game to be played on at once.

    ``game``: a name, with ``options`` as for its rules, or rules; a list of rules must hold equal ones, a board each.
    ``reward``: ``share`` or ``win``, see ``rewards``. ``seed``: of ``sample``. ``restarts``: whether a finished game
    begins anew in the same step. Raises UnknownName, RulesError or BadText.
    """
    from hinterland.envs.batches import BatchEnv, shared_rules  # noqa: PLC0415

    if isinstance(game, list):
        envs, game = len(game), shared_rules(game)
    return BatchEnv(rules_of(game, options), envs, reward=reward, seed=seed, restarts=restarts)


def aec(game: str | Rules, *, reward: str = "share", render_mode: str | None = None, **options: object) -> TurnGame:
    """Return a game as PettingZoo has it: agents ``player_0`` … step in turn.

    ``game``: a name, with ``options`` as for its rules, or rules. ``reward``: ``share`` or ``win``. Raises UnknownName,
    RulesError or BadText; ArenaError without the extra ``rl``.
    """
    with _extra("rl", "an environment of PettingZoo"):
        from hinterland.envs.turn_game import TurnGame  # noqa: PLC0415

    return TurnGame(rules_of(game, options), reward=reward, render_mode=render_mode)


def parallel(game: str | Rules, **options: Any) -> Any:
    """Return a game as PettingZoo's parallel environments are: of all actions that of the agent to move is played.

    Takes and raises what ``aec`` does.
    """
    made = aec(game, **options)
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: PLC0415

    return turn_based_aec_to_parallel(made)


def register() -> None:
    """Make the games known to Gymnasium: ``gymnasium.make("hinterland/Gravity-v0", opponent="reply", size=10)``.

    May be called again. See ``seat_game.SeatGame`` for the options. Raises ArenaError without the extra ``rl``.
    """
    with _extra("rl", "an environment of Gymnasium"):
        import gymnasium  # noqa: PLC0415

    for name, usual in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, "hinterland.envs.seat_game:SeatGame", kwargs=usual)


def openspiel(game: str | Rules, *, reward: str = "share", **options: object) -> Any:
    """Return a game as OpenSpiel has it, a ``pyspiel.Game``.

    ``game``: a name, with ``options`` as for its rules, or rules. ``reward``: ``share`` or ``win``. Raises UnknownName,
    RulesError or BadText; ArenaError without the extra ``openspiel``.
    """
    rules = rules_of(game, options)
    with _extra("openspiel", "a game of OpenSpiel"):
        from hinterland.envs.openspiel_games import load  # noqa: PLC0415

    return load(rules, reward)
