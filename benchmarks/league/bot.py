"""Runs an opponent as a program over pipes: ``python -m benchmarks.league.bot two-plies:seconds=0.5``.

It speaks the protocol hinterland-json/1. ``search:seconds=1@DIR`` runs a built-in player of the checkout at DIR. Its
random numbers differ from run to run.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec
import numpy as np

from hinterland import catalog
from hinterland.referee.protocol import messages

if TYPE_CHECKING:
    from collections.abc import Callable

    from hinterland.contract import Player, Position


def make_player(spec: str) -> Player:
    """Make a player of this league or of gravity. Raises HinterlandError."""
    game = catalog.game("gravity")
    if spec.partition(":")[0] not in game.players:  # another checkout may lack what the opponents import
        from benchmarks.league.opponents import gravity_with_opponents  # noqa: PLC0415

        game = gravity_with_opponents()
    return catalog.player(game, spec)


def play(spec: str, lines: IO[bytes], write: Callable[[bytes], object]) -> None:
    """Play all games of a match. Kernels are compiled before the player introduces itself."""
    player, game, rng = make_player(spec), catalog.game("gravity"), np.random.default_rng()
    position: Position[Any, Any] | None = None

    def say(message: messages.FromPlayer) -> None:
        write(msgspec.json.encode(message) + b"\n")

    for line in lines:
        match msgspec.json.decode(line, type=messages.ToPlayer):
            case messages.RefereeHello(rules=rules):
                game.warm_up(game.rules.from_json(rules), (player,))
                say(messages.Join(spec.partition(":")[0]))
            case messages.GameBegins(rules=rules):
                position = game.rules.from_json(rules).start()
            case messages.MoveRequest() as turn if position is not None:
                for _, numbers in turn.moves[len(position.moves) :]:
                    position = position.play(game.move.from_numbers(list(numbers)))
                move = player.choose(position, turn.clock, rng)
                say(messages.MoveAnswer(turn.game_id, turn.turn, list(move.numbers)))


def main(word: str) -> None:
    """Play with the player that ``word`` names; start Python anew if it is one of another checkout."""
    spec, _, checkout = word.partition("@")
    if checkout:
        source = str(Path(checkout).resolve() / "src")
        command = [sys.executable, "-m", "benchmarks.league.bot", spec]
        os.execve(sys.executable, command, {**os.environ, "PYTHONPATH": source})
    play(spec, sys.stdin.buffer, lambda data: os.write(1, data))


if __name__ == "__main__":
    main(sys.argv[1])
