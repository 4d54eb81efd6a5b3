"""The rules of an environment: by the name of a game and its options, or as they are."""

from __future__ import annotations

from collections.abc import Mapping

from hinterland import catalog
from hinterland.contract.rules import Rules
from hinterland.errors import RulesError, quote


def rules_of(game: object, options: Mapping[str, object]) -> Rules:
    """Return the rules of a game by name with its options, or those given. Raises UnknownName, RulesError, BadText."""
    if isinstance(game, str):
        return catalog.game(game).rules.from_options(options)
    if not isinstance(game, Rules):
        raise RulesError(f"an environment is of a game's name or of rules, not of {quote(game)}")
    if options:
        raise RulesError(f"rules are given whole, so {', '.join(options)} cannot be given beside them")
    return game
