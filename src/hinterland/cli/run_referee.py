"""Runs ``hinterland referee``: runs the host, shows the matches, handles Ctrl-C, and saves pictures of boards."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Self

from hinterland.host.match_host import HostConfig, MatchHost
from hinterland.host.observer import Observer, Observers
from hinterland.referee.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hinterland.cli.terminal import Terminal
    from hinterland.contract import Game, Position
    from hinterland.host.live_game import LiveGame
    from hinterland.host.network.tcp import Listener
    from hinterland.referee.record import Record
    from hinterland.storage.records import RecordFile

DONE, INTERRUPTED, ABORTED = 0, 130, 131
"""Exit codes: all matches were played; one Ctrl-C let the running games finish; a second Ctrl-C ended them."""


async def play(
    plan: HostConfig,
    terminal: Terminal,
    observers: Sequence[Observer],
    listener: Listener,
    records: RecordFile | None,
    page: tuple[str, int] | None,
    *,
    confirm: bool,
) -> int:
    """Play all matches of a plan and return the exit code.

    ``observers``: the terminal and other observers. ``page``: host and port of a page that shows the matches, if any.
    """
    asyncio.get_running_loop().set_exception_handler(lambda _, context: terminal.on_note(describe_loop_error(context)))
    async with contextlib.AsyncExitStack() as stack:
        followers = list(observers)
        if page is not None:
            from hinterland.web.watching import watching  # noqa: PLC0415

            players_at = listener.host, listener.port
            show = await stack.enter_async_context(watching(plan, host=page[0], port=page[1], players_at=players_at))
            followers.append(show.match_show)
        host = MatchHost(
            plan, Observers(followers), records=records, confirm=_wait_for_confirmation if confirm else None
        )
        interrupts = _handle_interrupts(host, terminal)
        terminal.announce_address(listener.host, listener.port)
        if page is not None:
            show.match_show.lobby = host.lobby
            terminal.say(f"watch it at {show.url}")
        await host.serve(listener)
        if page is not None and not interrupts:
            terminal.say("the result stays on the page until you press Enter or Ctrl-C")
            await wait_for_enter_or_interrupt(interrupts)
            return DONE
    return (DONE, INTERRUPTED, ABORTED)[min(interrupts.count, 2)]


def describe_loop_error(context: dict[str, Any]) -> str:
    """Describe an error of the event loop, such as a lack of resources for another connection."""
    error = context.get("exception")
    return f"this machine: {context['message']}{'' if error is None else f' ({error})'}"


def _handle_interrupts(host: MatchHost, terminal: Terminal) -> Interrupts:
    """Let the first Ctrl-C finish the running games, and the second end them."""
    heard = Interrupts()

    def hear() -> None:
        heard.count += 1
        heard.any.set()
        if host.is_done:
            return
        if heard.count == 1:
            terminal.say("interrupted: the running games are finished, no more begin; Ctrl-C again ends them at once")
            host.stop()
        else:
            host.abort("the operator ended it")

    if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, hear)
    return heard


class Interrupts:
    """Counts Ctrl-C."""

    def __init__(self) -> None:
        self.count = 0
        self.any = asyncio.Event()

    def __bool__(self) -> bool:
        return self.count > 0


async def _wait_for_confirmation() -> None:
    sys.stderr.write("all players are here: press Enter to begin\n")
    sys.stderr.flush()
    await _wait_for_enter()


async def wait_for_enter_or_interrupt(interrupts: Interrupts) -> None:
    """Wait for Enter or Ctrl-C; without a keyboard only for Ctrl-C."""
    ends: set[asyncio.Future[Any]] = {asyncio.ensure_future(interrupts.any.wait())}
    if sys.stdin is not None and sys.stdin.isatty():
        ends.add(asyncio.ensure_future(_wait_for_enter()))
    _, others = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()


async def _wait_for_enter() -> None:
    """Wait for Enter, or for the end of standard input."""
    loop = asyncio.get_running_loop()
    pressed = asyncio.Event()

    def read() -> None:
        sys.stdin.readline()
        with contextlib.suppress(RuntimeError):  # the event loop may be closed by now
            loop.call_soon_threadsafe(pressed.set)

    threading.Thread(target=read, daemon=True).start()
    await pressed.wait()


class ArtworkSaver(Observer):
    """Saves a picture of the board of each game that counts. Leaving the context waits for the last picture."""

    def __init__(self, folder: Path, tell: Callable[[str], object]) -> None:
        """Make ``folder``. ``tell`` gets a line for each picture that could not be saved.

        Raises ArenaError if no file can be written in the folder.
        """
        from hinterland.web.gallery import make_folder  # noqa: PLC0415

        make_folder(folder)
        self._folder, self._tell = folder, tell
        self._drawing = ThreadPoolExecutor(1, "artworks")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._drawing.shutdown()

    def on_game_over(self, game: LiveGame, record: Record) -> None:
        """Draw the board on a thread, so that the next game does not wait for the drawing."""
        if record.reason == Verdict.VOID:
            return
        day, _, time = record.times.started.partition("T")
        name = f"{day}-{record.game}-{time[:8].replace(':', '')}-match{game.match}-game{record.number}"
        self._drawing.submit(self._save, name, game.terms.game, game.judged.position)

    def _save(self, name: str, kind: Game, position: Position[Any, Any]) -> None:
        from hinterland.web.gallery import save_artwork  # noqa: PLC0415

        try:
            save_artwork(self._folder, name, kind, position)
        except Exception as error:
            self._tell(f"the picture {name}.png could not be saved: {error}\n")
