"""Environments for learners: many boards at once, and the interfaces of PettingZoo, Gymnasium and OpenSpiel.

The environments find their games in the catalogue, and open no file. PettingZoo, Gymnasium and OpenSpiel come with an
extra and are imported on first use. Begin with ``batches`` for thousands of boards, or with ``turn_game`` for one game.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hinterland import catalog
from hinterland.envs.rules_argument import rules_of
from hinterland.errors import ArenaError

if TYPE_CHECKING:
    from hinterland.contract.rules import Rules
    from hinterland.envs.batches import BatchEnv
    from hinterland.envs.turn_game import TurnGame

__all__ = ["aec", "batch", "openspiel", "parallel", "register"]

LIBRARIES = {"rl": ("pettingzoo", "gymnasium"), "openspiel": ("pyspiel", "open_spiel")}
"""The modules that each extra installs."""


@contextmanager
def _extra(name: str, what: str) -> Iterator[None]:
    """If an import fails because an extra is not installed, raise an ArenaError that names the extra."""
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
    """Make many boards of a game that are played at once.

    ``game`` is a game's name, with ``options`` for its rules; or rules; or a list of equal rules, one for each board.
    ``envs``: the number of boards, unless a list is given. ``reward``: ``share`` or ``win``, see ``rewards``. ``seed``:
    the seed of ``sample``. ``restarts``: whether the step that ends a board's game also begins its next game. Raises
    UnknownName, RulesError or BadText.
    """
    from hinterland.envs.batches import BatchEnv, shared_rules  # noqa: PLC0415

    if isinstance(game, list):
        envs, game = len(game), shared_rules(game)
    return BatchEnv(rules_of(game, options), envs, reward=reward, seed=seed, restarts=restarts)


def aec(game: str | Rules, *, reward: str = "share", render_mode: str | None = None, **options: object) -> TurnGame:
    """Make an environment of PettingZoo: agents ``player_0`` … step in turn.

    ``game`` is a game's name, with ``options`` for its rules, or rules. ``reward``: ``share`` or ``win``. Raises
    UnknownName, RulesError or BadText; ArenaError without the extra ``rl``.
    """
    with _extra("rl", "an environment of PettingZoo"):
        from hinterland.envs.turn_game import TurnGame  # noqa: PLC0415

    return TurnGame(rules_of(game, options), reward=reward, render_mode=render_mode)


def parallel(game: str | Rules, **options: Any) -> Any:
    """Make a parallel environment of PettingZoo. A step plays the action of the agent to move, and ignores all others.

    ``parallel`` takes the arguments of ``aec``, and raises the same errors.
    """
    made = aec(game, **options)
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: PLC0415

    return turn_based_aec_to_parallel(made)


def register() -> None:
    """Register the games with Gymnasium: ``gymnasium.make("hinterland/Gravity-v0", opponent="reply", size=10)``.

    A second call does nothing. See ``seat_game.SeatGame`` for the options. Raises ArenaError without the extra ``rl``.
    """
    with _extra("rl", "an environment of Gymnasium"):
        import gymnasium  # noqa: PLC0415

    for game in catalog.GAMES:
        if (name := f"hinterland/{game.title()}-v0") not in gymnasium.registry:
            defaults = {"game": game, "opponent": catalog.game(game).opponent}
            gymnasium.register(name, "hinterland.envs.seat_game:SeatGame", kwargs=defaults)


def openspiel(game: str | Rules, *, reward: str = "share", **options: object) -> Any:
    """Make a game of OpenSpiel, a ``pyspiel.Game``.

    ``game`` is a game's name, with ``options`` for its rules, or rules. ``reward``: ``share`` or ``win``. Raises
    UnknownName, RulesError or BadText; ArenaError without the extra ``openspiel``.
    """
    rules = rules_of(game, options)
    with _extra("openspiel", "a game of OpenSpiel"):
        from hinterland.envs.openspiel_games import load  # noqa: PLC0415

    return load(rules, reward)
