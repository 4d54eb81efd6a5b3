"""The Voronoi game on graphs: a vertex belongs to the strictly nearest token, and scores its value."""

from __future__ import annotations

from hinterland.graph.rules import LegalTokens, Position, Rules, Token

__all__ = ["LegalTokens", "Position", "Rules", "Token"]
