"""A finished game looked at again: what each move gained, what the best would have, and which moves lost the game."""

from hinterland.review.losses import Turn, turns
from hinterland.review.story import MoveReview, Played, Review, review

__all__ = ["MoveReview", "Played", "Review", "Turn", "review", "turns"]
