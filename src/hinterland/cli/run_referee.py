"""A referee's evening: a host is run, shown and interrupted from a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from hinterland.host.match_host import HostConfig, MatchHost
from hinterland.host.observer import Observer, Observers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.cli.terminal import Terminal
    from hinterland.host.network.tcp import Listener
    from hinterland.storage.records import RecordFile

DONE, INTERRUPTED, ABORTED = 0, 130, 131
"""Exit codes: all was played; Ctrl-C, and the running games were finished; Ctrl-C twice, and they were not."""


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
    """Play a plan to its end and return the exit code; Ctrl-C is heard twice.

    ``observers``: the terminal and whoever else follows; ``page``: host and port of the page that shows it, if any.
    """
    asyncio.get_running_loop().set_exception_handler(lambda _, context: terminal.noted(in_one_line(context)))
    async with contextlib.AsyncExitStack() as stack:
        followers = list(observers)
        if page is not None:
            from hinterland.web.matches.watching import watching  # noqa: PLC0415

            players_at = listener.host, listener.port
            show = await stack.enter_async_context(watching(plan, host=page[0], port=page[1], players_at=players_at))
            followers.append(show.match_show)
        host = MatchHost(plan, Observers(followers), records=records, confirm=_confirmed if confirm else None)
        interrupts = _hear_interrupts(host, terminal)
        terminal.announce_address(listener.host, listener.port)
        if page is not None:
            show.match_show.lobby = host.lobby
            terminal.say(f"watch it at {show.url}")
        await host.serve(listener)
        if page is not None and not interrupts:
            terminal.say("the result stays on the page until you press Enter or Ctrl-C")
            await _until_enter(interrupts)
            return DONE
    return (DONE, INTERRUPTED, ABORTED)[min(interrupts.count, 2)]


def in_one_line(context: dict[str, Any]) -> str:
    """Say what troubles the event loop, such as a system that has no more connections to give."""
    error = context.get("exception")
    return f"this machine: {context['message']}{'' if error is None else f' ({error})'}"


def _hear_interrupts(host: MatchHost, terminal: Terminal) -> Interrupts:
    """Let the first Ctrl-C finish what goes on, and the second end it."""
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
    """How often Ctrl-C was pressed."""

    def __init__(self) -> None:
        self.count = 0
        self.any = asyncio.Event()

    def __bool__(self) -> bool:
        return self.count > 0


async def _confirmed() -> None:
    """Wait for Enter before a match."""
    sys.stderr.write("all players are here: press Enter to begin\n")
    sys.stderr.flush()
    await _entered()


async def _until_enter(interrupts: Interrupts) -> None:
    """Wait for Enter or Ctrl-C; where nobody sits at a keyboard, for Ctrl-C."""
    ends: set[asyncio.Future[Any]] = {asyncio.ensure_future(interrupts.any.wait())}
    if sys.stdin is not None and sys.stdin.isatty():
        ends.add(asyncio.ensure_future(_entered()))
    _, others = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()


async def _entered() -> None:
    """Wait for Enter, or for the end of the input."""
    loop = asyncio.get_running_loop()
    pressed = asyncio.Event()

    def read() -> None:
        sys.stdin.readline()
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(pressed.set)

    threading.Thread(target=read, daemon=True).start()
    await pressed.wait()
