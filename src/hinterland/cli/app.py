"""The command line as a whole: its subcommands, its help, and its complaints in one line."""

from __future__ import annotations

import re

from cyclopts import App, CycloptsError

import hinterland
from hinterland.cli import (
    analyse,
    arena_test,
    atlas,
    check_bot,
    count_dots,
    experiment,
    games,
    match,
    protocol,
    referee,
    replay,
    serve,
    solve,
    verify,
)

__all__ = ["build", "in_one_line"]


def build() -> App:
    """Put the command line together."""
    app = App(
        name="hinterland",
        help="An arena for games of territory: play, referee, replay and watch them.\n\n"
        "Begin with `hinterland serve` and open the page it names, or with `hinterland match gravity random reply`.",
        version=hinterland.__version__,
        help_format="markdown",
    )
    for command in (
        serve.serve,
        match.match,
        referee.referee,
        replay.replay,
        analyse.analyse,
        verify.verify,
        games.games,
        games.players,
        protocol.protocol,
        check_bot.check_bot,
        arena_test.arena_test,
        experiment.experiment,
        solve.solve,
        atlas.atlas,
        count_dots.count_dots,
    ):
        app.command(command)
    return app


def in_one_line(error: CycloptsError) -> str:
    """Say what a parser's complaint says, without its frame and line breaks."""
    return re.sub(r"\s+", " ", str(error)).strip()
