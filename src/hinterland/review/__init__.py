"""Reviews of finished games: what each move and the best move gained, and which moves lost the game."""

from hinterland.review.annotations import Played, Turn, review, turns
from hinterland.review.chart import MoveReview, Review

__all__ = ["MoveReview", "Played", "Review", "Turn", "review", "turns"]
