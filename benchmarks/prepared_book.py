"""How `search` fares against an opening book made for it: ``python -m benchmarks.prepared_book --stones 3 5 10``.

The book watches `search` play matches against itself and keeps every answer with its result. Then it improves the
answers: from a position that it kept, a longer search chooses another answer, and the game goes on from there with
`search` in both seats. Then the book plays. Where it knows a position, up to a symmetry of the board and small shifts,
it gives the answer with the best result, unless that is worse than the mean of its seat; elsewhere it asks another
player.

A share above one half means that preparing pays. `search` draws anew in each game, so games repeat only as far as its
moves do.
"""

from __future__ import annotations

import argparse
import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hinterland import catalog
from hinterland.contract import Clock, Player
from hinterland.gravity import Position, Rules, Stone

SAME_POSITION_SIDES = 0.03
"""Distance of stones, as a share of the side, up to which two positions count as the same."""
MOST_IMPROVED_STONES = 5
"""Stones on the board up to which answers are improved."""


class Answer(NamedTuple):
    """A move in a position, and its result."""

    stones: np.ndarray
    """float64 (n, 2): the stones on the board in the order of play, in sides of the board from its middle."""
    place: np.ndarray
    """float64[2]: where the next stone went, in the same measure."""
    share: float
    """Share of the area at the end, for the player of that stone."""


def places_of(position: Position) -> np.ndarray:
    """Return the stones of a position as in ``Answer.stones``."""
    places = np.array([(stone.row, stone.col) for _, stone in position.moves], dtype=np.float64).reshape(-1, 2)
    return (places + 0.5) / position.rules.size - 0.5


def find_symmetries() -> list[np.ndarray]:
    """Return the eight symmetries of a square about its middle, each int64 (2, 2)."""
    turned = [np.array(((1, 0), (0, 1))), np.array(((0, 1), (1, 0)))]
    return [np.diag((down, right)) @ one for one in turned for down in (1, -1) for right in (1, -1)]


class Book:
    """An opening book; also a player, which asks another player where the book has no answer."""

    name: ClassVar[str] = "book"

    def __init__(self, otherwise: Player) -> None:
        self._otherwise = otherwise
        self._answers: dict[int, list[Answer]] = {}
        self.known = self.asked = 0

    def learn(self, ended: Position) -> None:
        """Keep all answers of a finished game."""
        stones = places_of(ended)
        for ply, (seat, _) in enumerate(ended.moves):
            share = ended.scores[seat] / sum(ended.scores)
            self._answers.setdefault(ply, []).append(Answer(stones[:ply], stones[ply], share))

    def choose(self, position: Position, clock: Clock, rng: np.random.Generator) -> Any:
        """Give the best answer known, or another player's."""
        self.asked += 1
        found = self._best(position)
        self.known += found is not None
        return found or self._otherwise.choose(position, clock, rng)

    def _best(self, position: Position) -> Stone | None:
        stones, best = places_of(position), None
        results = [answer.share for answer in self._answers.get(len(stones), ())]
        most = float(np.mean(results)) if results else 0.0
        for answer in self._answers.get(len(stones), ()):
            for symmetry in find_symmetries():
                far = np.abs(stones @ symmetry.T - answer.stones).max(initial=0.0)
                if answer.share >= most and far <= SAME_POSITION_SIDES:
                    stone = stone_at(symmetry.T @ answer.place, position.rules)
                    if stone in position.legal_moves:
                        best, most = stone, answer.share
        return best


def stone_at(place: np.ndarray, rules: Rules) -> Stone:
    """Return the stone on a place of an answer."""
    row, col = (min(max(math.floor((line + 0.5) * rules.size), 0), rules.size - 1) for line in place.tolist())
    return Stone(row, col)


def play(position: Position, seats: list[Player], rng: np.random.Generator) -> Position:
    """Play on to the end."""
    while position.to_move is not None:
        position = position.play(seats[position.to_move].choose(position, Clock(), rng))
    return position


def prepare(book: Book, rules: Rules, rival: Player, stronger: Player, matches: int, rng: np.random.Generator) -> None:
    """Let the book watch matches of its rival with itself, and improve the loser's answers."""
    for _ in range(2 * matches):
        ended = play(rules.start(), [rival, rival], rng)
        book.learn(ended)
        loser = 1 - ended.outcome.winners[0] if ended.outcome else 0
        for ply in range(loser, min(MOST_IMPROVED_STONES, len(ended.moves)), 2):
            before = ended.before(ply)
            better = before.play(stronger.choose(before, Clock(), rng))
            book.learn(play(better, [rival, rival], rng))


def main() -> None:
    """Print a row for each number of stones."""
    options = argparse.ArgumentParser()
    options.add_argument("--stones", type=int, nargs="+", default=[3, 5, 10])
    options.add_argument("--size", type=int, default=1000)
    options.add_argument("--seen", type=int, default=10, help="matches that the book watches")
    options.add_argument("--matches", type=int, default=20)
    options.add_argument("--rival", default="search:seconds=0.5")
    options.add_argument("--stronger", default="search:seconds=3")
    options.add_argument("--otherwise", default="reply", help="who plays for the book where it knows nothing")
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    game = catalog.game("gravity")
    rival, stronger, otherwise = (
        catalog.player(game, spec) for spec in (chosen.rival, chosen.stronger, chosen.otherwise)
    )
    for stones in chosen.stones:
        rng = np.random.default_rng((chosen.seed, stones))
        rules = Rules(size=chosen.size, stones=stones, spacing=round(chosen.size * 0.066))
        book = Book(otherwise)
        prepare(book, rules, rival, stronger, chosen.seen, rng)
        shares = []
        for _ in range(chosen.matches):
            first = play(rules.start(), [book, rival], rng).scores
            second = play(rules.start(), [rival, book], rng).scores
            shares.append((first[0] + second[1]) / (sum(first) + sum(second)))
        error = 1.96 * np.std(shares, ddof=1) / math.sqrt(len(shares))
        print(
            f"{stones} stones: the book takes {np.mean(shares):.1%} of {chosen.matches} matches (± {error:.1%}), "
            f"more than half of {sum(share > 0.5 for share in shares)}; it knew {book.known} of {book.asked} positions"
        )


if __name__ == "__main__":
    main()
