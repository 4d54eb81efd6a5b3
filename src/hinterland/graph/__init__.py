"""The Voronoi game on graphs: each vertex scores its value for the player of the nearest token."""

from __future__ import annotations

from hinterland.graph.rules import LegalTokens, Position, Rules, Token

__all__ = ["LegalTokens", "Position", "Rules", "Token"]
