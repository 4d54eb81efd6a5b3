"""The live connection of a browser to a game. One task reads, another writes; when either ends, both end.

In a relay, which shows games of another process, viewers can only watch.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from hinterland.errors import BadText, HinterlandError
from hinterland.web.connections import keep
from hinterland.web.languages.reader import translate_sentence
from hinterland.web.live.audience import TRY_LATER, Places, Viewer, Watched
from hinterland.web.live.page_messages import PING, ViewerHello, ViewerMessage, encode_error, read_message
from hinterland.web.rates import Bucket
from hinterland.web.settings import Limits

POLICY, TOO_BIG = 1008, 1009
ARENA_FULL = "too many are watching in this arena; try again in a minute"
NO_GAME = "there is no such game here"
WATCH_ONLY = "this server only shows games; players connect to the arena itself"
CLOSED_ERRORS = (WebSocketDisconnect, OSError)
"""Errors of reading or writing when the client has closed the connection."""


class ConnectionEnd(Exception):  # noqa: N818
    """Ends a connection, with a close code and a reason in words."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class ViewerConnection:
    """Serves one connection."""

    def __init__(
        self, socket: WebSocket[Any, Any, Any], share: str, places: Places[Viewer[Any]], limits: Limits, *,
        watch_only: bool = False,
    ) -> None:  # fmt: skip
        """``share``: the address or network that the client counts for; ``places``: for all viewers of this server.

        ``watch_only``: whether clients with a key are refused.
        """
        self._socket = socket
        self._share = share
        self._places = places
        self._limits = limits
        self._watch_only = watch_only
        self._bucket = Bucket(limits.messages_per_second, 2 * limits.messages_per_second)
        self._faults = 0

    async def serve(self, find: Callable[[], Awaitable[Watched | None]], *, follows: bool = False) -> None:
        """Show a game until the viewer leaves.

        ``follows``: whether the viewer moves on to the next game of the front page.
        """
        await self._socket.accept()
        try:
            await self._serve(find, follows=follows)
        except ConnectionEnd as over:
            with contextlib.suppress(*CLOSED_ERRORS):
                await self._send_text(encode_error(translate_sentence(over.reason)))
                await self._close(over.code, over.reason)
        except CLOSED_ERRORS:
            return

    async def _serve(self, find: Callable[[], Awaitable[Watched | None]], *, follows: bool) -> None:
        key = await self._receive_hello()
        share, places, limits = self._share, self._places, self._limits
        if key is None and not places.has_room(share, limits.viewers, limits.viewers_per_address):
            raise ConnectionEnd(TRY_LATER, ARENA_FULL)
        try:
            view = await find()
        except HinterlandError as error:
            raise ConnectionEnd(TRY_LATER, str(error)) from None
        if view is None:
            raise ConnectionEnd(POLICY, NO_GAME)
        viewer = Viewer(view, key, follows=follows, share=share)
        self._protect(viewer)
        if not places.take(viewer, limits.viewers, limits.viewers_per_address):
            raise ConnectionEnd(TRY_LATER, ARENA_FULL)
        try:
            if not view.audience.admit(viewer, limits.viewers_per_game, limits.viewers_per_address):
                raise ConnectionEnd(TRY_LATER, "too many are watching this game; try again in a minute")
            try:
                await self._run(viewer)
            finally:
                viewer.view.audience.leave(viewer)
                viewer.view.leave(viewer.key)
        finally:
            places.leave(viewer)

    def _protect(self, viewer: Viewer[Watched]) -> None:
        """If the viewer plays, protect its connection: a full server never cuts it off to make room."""
        if viewer.plays:
            keep(self._socket.scope)

    async def _receive_hello(self) -> str | None:
        try:
            async with asyncio.timeout(self._limits.hello_s):
                text = await self._receive_text()
        except TimeoutError:
            raise ConnectionEnd(
                POLICY, 'no greeting came; the first message is {"type": "hello", "key": null}'
            ) from None
        try:
            message = read_message(text)
        except BadText as error:
            raise ConnectionEnd(POLICY, str(error)) from None
        if not isinstance(message, ViewerHello):
            raise ConnectionEnd(POLICY, 'the first message is {"type": "hello", "key": …}')
        self._check_key(message.key)
        return message.key

    def _check_key(self, key: str | None) -> None:
        if self._watch_only and key is not None:
            raise ConnectionEnd(POLICY, WATCH_ONLY)

    async def _run(self, viewer: Viewer[Watched]) -> None:
        with contextlib.suppress(HinterlandError):  # every viewer gets the error
            await viewer.view.arrive(viewer.key)
        tasks = [asyncio.ensure_future(self._listen(viewer)), asyncio.ensure_future(self._send_updates(viewer))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for end in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(end, Exception):
                raise end

    # Receiving

    async def _receive_text(self) -> str:
        """Return the next text.

        Raises WebSocketDisconnect if the client has left, ConnectionEnd for a binary or too long message.
        """
        message: Any = await self._socket.receive()
        if message["type"] != "websocket.receive":
            raise WebSocketDisconnect(detail="gone")
        text = message.get("text")
        if text is None:
            raise ConnectionEnd(1003, "messages are text, not binary")
        if len(text) > self._limits.frame_bytes:
            raise ConnectionEnd(TOO_BIG, f"a message has at most {self._limits.frame_bytes} bytes")
        return str(text)

    async def _listen(self, viewer: Viewer[Watched]) -> None:
        while True:
            text = await self._receive_text()
            if self._bucket.take() > 0:
                raise ConnectionEnd(
                    POLICY, f"too many messages: at most {self._limits.messages_per_second:g} per second"
                )
            try:
                await self._handle_message(viewer, read_message(text))
                self._faults = 0
            except BadText as error:
                self._faults += 1
                if self._faults >= self._limits.faults_in_a_row:
                    raise ConnectionEnd(
                        POLICY, f"{self._faults} messages in a row were invalid; the last: {error}"
                    ) from None
                viewer.complain(str(error))
            except HinterlandError as error:
                if viewer.closing is None:
                    viewer.complain(str(error))

    async def _handle_message(self, viewer: Viewer[Watched], message: ViewerMessage) -> None:
        """Handle a message. Raises HinterlandError, whose message is for that viewer."""
        view, key = viewer.view, viewer.key
        if not isinstance(message, ViewerHello):
            await view.act(key, message)
        elif message.key != key:  # the person at the page has taken or given up a seat
            self._check_key(message.key)
            viewer.key = message.key
            self._protect(viewer)
            await view.arrive(message.key)
            view.leave(key)
            viewer.wake()

    # Sending

    async def _send_updates(self, viewer: Viewer[Watched]) -> None:
        while True:
            try:
                async with asyncio.timeout(self._limits.ping_s):
                    await viewer.wait_for_news()
            except TimeoutError:
                await self._send_text(PING)
                continue
            while viewer.complaints:
                await self._send_text(encode_error(translate_sentence(viewer.complaints.popleft())))
            if viewer.is_stale:
                viewer.is_stale = False
                await self._send_text(viewer.view.encode_for(viewer.key).decode())
            if viewer.closing is not None:
                await self._close(*viewer.closing)
                return

    async def _send_text(self, text: str) -> None:
        """Send a message. Raises ConnectionError if the client does not receive the message in time."""
        await self._send({"type": "websocket.send", "text": text})

    async def _close(self, code: int, reason: str) -> None:
        """Close in good order. ``reason`` is cut to 40 characters.

        WebSocket allows 123 bytes for a reason, and a character of our texts has at most 3 bytes in UTF-8.
        """
        await self._send({"type": "websocket.close", "code": code, "reason": reason[:40]})

    async def _send(self, message: Any) -> None:
        try:
            async with asyncio.timeout(self._limits.send_s):
                await self._socket.send(message)
        except TimeoutError:
            raise ConnectionAbortedError("a viewer took too long") from None
        except RuntimeError:  # the server has closed the WebSocket for a frame too large
            raise WebSocketDisconnect(detail="gone") from None
