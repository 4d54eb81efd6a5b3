"""How `search` fares against who has prepared for it: ``python -m benchmarks.prepared_book --stones 3 5 10``.

The book watches `search` play matches against itself, keeps every answer that it saw and what it led to, and improves
upon them: from positions that it kept it lets a search of its own look for longer, and plays on from there against
another `search`. Then it plays. Where it knows a position, but for a symmetry of the board and small shifts, it gives
the answer that led to the most, unless that is less than its seat is used to; elsewhere it asks another player.

A share above one half means that preparing pays. Games repeat themselves only as far as `search` does: it is asked with
a generator of its own in each game.
"""

from __future__ import annotations

import argparse
import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hinterland import catalog
from hinterland.contract import Clock, Player
from hinterland.gravity import Position, Rules, Stone

NEAR = 0.03
"""Positions are the same where no stone lies farther off than such a share of the side."""
EARLY = 5
"""Answers to positions of at most so many stones are improved upon."""


class Answer(NamedTuple):
    """What was played in a position, and what it led to."""

    stones: np.ndarray
    """float64 (n, 2): the stones on the board in the order of play, in sides of the board from its middle."""
    place: np.ndarray
    """float64[2]: where the next went, in the same measure."""
    share: float
    """Of the area in the end, for who played it."""


def placed(position: Position) -> np.ndarray:
    """Return the stones of a position as a book writes them."""
    places = np.array([(stone.row, stone.col) for _, stone in position.moves], dtype=np.float64).reshape(-1, 2)
    return (places + 0.5) / position.rules.size - 0.5


def find_symmetries() -> list[np.ndarray]:
    """Return the eight symmetries of a square about its middle, each int64 (2, 2)."""
    turned = [np.array(((1, 0), (0, 1))), np.array(((0, 1), (1, 0)))]
    return [np.diag((down, right)) @ one for one in turned for down in (1, -1) for right in (1, -1)]


class Book:
    """What was seen and found out; also a player, which asks another one where it knows nothing."""

    name: ClassVar[str] = "book"

    def __init__(self, otherwise: Player) -> None:
        self._otherwise = otherwise
        self._answers: dict[int, list[Answer]] = {}
        self.known = self.asked = 0

    def learn(self, ended: Position) -> None:
        """Keep all answers of a finished game."""
        stones = placed(ended)
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
        stones, best = placed(position), None
        usual = [answer.share for answer in self._answers.get(len(stones), ())]
        most = float(np.mean(usual)) if usual else 0.0
        for answer in self._answers.get(len(stones), ()):
            for symmetry in find_symmetries():
                far = np.abs(stones @ symmetry.T - answer.stones).max(initial=0.0)
                if answer.share >= most and far <= NEAR:
                    stone = stone_at(symmetry.T @ answer.place, position.rules)
                    if stone in position.legal_moves:
                        best, most = stone, answer.share
        return best


def stone_at(place: np.ndarray, rules: Rules) -> Stone:
    """Return the stone on a place of a book."""
    row, col = (min(max(math.floor((line + 0.5) * rules.size), 0), rules.size - 1) for line in place.tolist())
    return Stone(row, col)


def play(position: Position, seats: list[Player], rng: np.random.Generator) -> Position:
    """Play on to the end."""
    while position.to_move is not None:
        position = position.play(seats[position.to_move].choose(position, Clock(), rng))
    return position


def prepare(book: Book, rules: Rules, rival: Player, stronger: Player, matches: int, rng: np.random.Generator) -> None:
    """Let the book watch matches of its rival with itself, and improve upon the loser's answers."""
    for _ in range(2 * matches):
        ended = play(rules.start(), [rival, rival], rng)
        book.learn(ended)
        loser = 1 - ended.outcome.winners[0] if ended.outcome else 0
        for ply in range(loser, min(EARLY, len(ended.moves)), 2):
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
