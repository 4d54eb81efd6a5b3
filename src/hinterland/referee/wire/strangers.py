"""Who knocks at the wrong door: browsers, TLS, SSH, telnet, and players of our other protocol.

They are recognised by their first bytes and answered with one line that says what this door is for.
"""

from __future__ import annotations

import re

__all__ = ["NOT_PROTOCOL", "is_json", "refusal", "stranger"]

NOT_PROTOCOL = "not_protocol"
"""The word with which every line about a stranger begins."""
METHODS = (b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"PATCH", b"CONNECT", b"TRACE")
HTTP = re.compile(rb"(?:%s) (?:[/*]|https?:|[\w.-]+:\d)|PRI \* HTTP/" % b"|".join(METHODS))
JSON = re.compile(rb'\{\s*["}]')
TLS = re.compile(rb"\x16\x03[\x00-\x04]")
TELNET = re.compile(rb"\xff[\xf0-\xfe]")
ENOUGH = 24
"""Bytes by which every stranger is known."""
EXPECTED = {
    "hps": "this door speaks the line protocol hps: send a name",
    "json": 'this door speaks hinterland-json/1: send {"type":"join","name":"YOUR NAME"} on one line',
}


def stranger(first_bytes: bytes, protocol: str | None = None) -> str | None:
    """Say in one line who this is if it is not a player of the protocol ("hps" or "json"; None: of either).

    Returns None for a player, and as long as there are too few bytes to tell.
    """
    start = first_bytes.lstrip(b" \t\r\n")
    who = _who(start, protocol)
    if who is None:
        return None
    expected = EXPECTED.get(protocol or "", "this door is for players")
    return f"{NOT_PROTOCOL}: {who}; {expected}"


def is_json(first_bytes: bytes) -> bool:
    """Say whether this begins like a message of the JSON protocol."""
    return JSON.match(first_bytes.lstrip(b" \t\r\n")) is not None


def refusal(first_bytes: bytes, line: str) -> bytes | None:
    """Return the line as an answer that a browser shows, where one is asking; None for all others."""
    if not HTTP.match(first_bytes.lstrip(b" \t\r\n")):
        return None
    body = f"{line}\n".encode()
    head = (
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


def _who(start: bytes, protocol: str | None) -> str | None:
    if HTTP.match(start):
        return "a browser or another HTTP client"
    if TLS.match(start):
        return "a TLS client; players connect without TLS"
    if start.startswith(b"SSH-"):
        return "an SSH client"
    if TELNET.match(start):
        return "a telnet client that negotiates options"
    if protocol == "hps" and is_json(start):
        return "a player of the JSON protocol"
    if protocol == "json" and _is_plain_line(start):
        return "a plain line, as players of hps send"
    return None


def _is_plain_line(start: bytes) -> bool:
    """Say whether this is text that cannot become JSON, nor the request of a browser."""
    if not start or not 0x20 <= start[0] < 0x7F or start[:1] in b'{["':
        return False
    may_be_http = any(method.startswith(start[: len(method)]) for method in (*METHODS, b"PRI", b"SSH-"))
    return b"\n" in start or len(start) >= ENOUGH or not may_be_http
