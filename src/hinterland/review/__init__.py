"""Reviews of finished games: what each move gained, what the best would have gained, and which moves lost the game."""

from hinterland.review.annotations import Played, review
from hinterland.review.chart import MoveReview, Review
from hinterland.review.losses import Turn, turns

__all__ = ["MoveReview", "Played", "Review", "Turn", "review", "turns"]
