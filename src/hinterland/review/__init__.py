"""A finished game looked at again: what each move gained, what the best would have, and which moves lost the game."""

from hinterland.review.story import MoveReview, Played, Review, review
from hinterland.review.turns import Turn, turns

__all__ = ["MoveReview", "Played", "Review", "Turn", "review", "turns"]
