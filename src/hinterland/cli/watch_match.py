"""Plays a match whose page is open in a browser: ``hinterland match --watch``."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING

import msgspec

from hinterland.cli.console import say
from hinterland.cli.run_referee import Interrupts, wait_for_enter_or_interrupt
from hinterland.contest.plan import Entrant
from hinterland.host import specs
from hinterland.host.live_match import MatchConfig
from hinterland.host.match_host import HostConfig
from hinterland.host.observer import Observer, Observers
from hinterland.host.processes.command import USUAL_START, ProgramOptions
from hinterland.web.watching import watching

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hinterland.referee.record import Record

HOST = "127.0.0.1"


class WatchedMatch(msgspec.Struct, frozen=True):
    """A match, and who is told of it."""

    config: MatchConfig
    entrants: Sequence[Entrant]
    observer: Observer
    keep: Callable[[Record], None]
    """Gets each record before the next game begins."""
    report: Callable[[list[Record]], None]
    """Gets the records when the match is over; then its page stays until Enter or Ctrl-C."""
    programs: ProgramOptions = USUAL_START


def play_watched(match: WatchedMatch, port: int) -> None:
    """Play a match and show it at this port of this machine; 0 takes a free port. Raises ArenaError if it is in use."""
    asyncio.run(_play(match, port))


async def _play(match: WatchedMatch, port: int) -> None:
    chosen = tuple(entrant.spec for entrant in match.entrants)
    plan = HostConfig(config=match.config, protocol="json", own_players=chosen)
    async with watching(plan, host=HOST, port=port, players_at=(HOST, port)) as show:
        say(f"watch it at {show.url}")
        open_page(show.url)
        observers = Observers([match.observer, show.match_show])
        names = [entrant.name for entrant in match.entrants]
        match.report(
            await specs.play_match(match.config, chosen, names, observers, match.keep, programs=match.programs)
        )
        interrupts = Interrupts()
        with contextlib.suppress(NotImplementedError, RuntimeError):  # Windows; another thread than the main one
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, interrupts.any.set)
        sys.stdout.flush()
        say("the result stays on the page until you press Enter or Ctrl-C")
        await wait_for_enter_or_interrupt(interrupts)


def open_page(url: str) -> None:
    """Open a page in this user's browser, if there is a screen. Never raises, and does not wait for the browser."""
    has_screen = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if has_screen:  # on a bare terminal a browser of text would take the terminal
        threading.Thread(target=_open, args=(url,), daemon=True).start()


def _open(url: str) -> None:
    with contextlib.suppress(Exception):
        webbrowser.open(url)
