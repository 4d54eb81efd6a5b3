"""Reads the argument ``game`` of an environment: the name of a game, with options, or rules."""

from __future__ import annotations

from collections.abc import Mapping

from hinterland import catalog
from hinterland.contract.rules import Rules
from hinterland.errors import RulesError, quote


def rules_of(game: object, options: Mapping[str, object]) -> Rules:
    """Return rules: those made from a game's name and options, or ``game`` itself.

    Raises UnknownName, RulesError, BadText.
    """
    if isinstance(game, str):
        return catalog.game(game).rules.from_options(options)
    if not isinstance(game, Rules):
        raise RulesError(f"an environment needs a game's name or rules, not {quote(game)}")
    if options:
        raise RulesError(f"options cannot be combined with rules; leave out {', '.join(options)}")
    return game
