"""``hinterland learn``: trains a guide for the search by self-play."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from hinterland.cli.console import read_rules, say, write
from hinterland.errors import BadText, UnknownName

FILE_ENDING = ".npz"


def learn(
    game: str,
    out: Path,
    /,
    *,
    generations: int = 10,
    games: int = 1500,
    playouts: int = 160,
    steps: int = 300,
    channels: int = 24,
    blocks: int = 2,
    threads: int = 2,
    seed: int = 0,
    **rules: Annotated[str, Parameter(help="Rules of the game, such as --size 10 --stones 3 --spacing 2.")],
) -> None:
    """Train a guide for the search by self-play: a small network for `search:guide=FILE`.

    Needs torch: pip install 'hinterland[learn]'. The defaults take some five minutes on two cores with --size 10
    --stones 3 --spacing 2. The file is written after each generation; on one machine the same seed writes the same
    file.

    Parameters
    ----------
    game
        The game: gravity, with two players and stones without weight.
    out
        Write the guide to this file, .npz.
    generations
        How often the network learns and becomes the guide of the games.
    games
        Games of the first generation; later ones, which have a guide, play a third of them.
    playouts
        Playouts of each move in self-play.
    steps
        Learning steps of each generation.
    channels
        Planes of each hidden layer.
    blocks
        Residual blocks, of two convolutions each.
    threads
        Games played at once.
    seed
        Seed of all random choices.
    """
    from hinterland import catalog  # noqa: PLC0415

    if game != "gravity":
        raise UnknownName("game that can be learnt", game, ["gravity"])
    if out.suffix != FILE_ENDING:
        raise BadText(f"a guide is written to a file named {FILE_ENDING}, not {out.name}")
    played = read_rules(catalog.game(game), 2, rules)
    from hinterland.learning import training  # noqa: PLC0415

    recipe = training.recipe_of(
        rules=(played,), generations=generations, games=games, playouts=playouts, steps=steps,
        channels=channels, blocks=blocks, threads=threads, seed=seed,
    )  # fmt: skip
    write(out, b"", "a")
    began_s = time.monotonic()
    for progress, guide in training.train(recipe):
        write(out, training.encode_guide(recipe, guide))
        say(
            f"generation {progress.generation} of {generations}: {progress.samples:,} positions, "
            f"policy {progress.policy_loss:.3f} nats, ownership {progress.ownership_loss:.3f}, "
            f"{(time.monotonic() - began_s) / 60:.1f} minutes"
        )
    sys.stdout.write(f"written to {out}\n")
