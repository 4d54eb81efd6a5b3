"""Misconnections: clients for which this port is not meant, from browsers to players of our other protocols.

Clients of HTTP, TLS, SSH, telnet and other protocols are recognised by their first bytes, and answered with one line
that says what this port is for.
"""

from __future__ import annotations

import re

NOT_PROTOCOL = "not_protocol"
"""The first word of every line about a misconnection."""
HTTP_METHODS = (b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"PATCH", b"CONNECT", b"TRACE")
HTTP_START = re.compile(rb"(?:%s) (?:[/*]|https?:|[\w.-]+:\d)|PRI \* HTTP/" % b"|".join(HTTP_METHODS))
JSON_START = re.compile(rb'\{\s*(?:\}|"(\w*+)("?))')
PROTOCOL_BY_FIRST_KEY = {b"type": "json", b"player_name": "hps-2018", b"move_row": "hps-2018", b"move_col": "hps-2018"}
"""The protocol of a JSON object, by the object's first key."""
TWO_NUMBERS = re.compile(rb"-?\d+[ \t]+-?\d+\s*")
TLS_START = re.compile(rb"\x16\x03[\x00-\x04]")
TELNET_START = re.compile(rb"\xff[\xf0-\xfe]")
RECOGNITION_BYTES = 24
"""Number of first bytes that suffice to recognise every misconnection."""
EXPECTED_WORDS = {
    "hps": "this port speaks the line protocol hps: send a name",
    "hps-2016": "this port speaks hps-2016: send nothing before the first request",
    "hps-2018": 'this port speaks hps-2018: send {"player_name":"YOUR NAME"}',
    "json": 'this port speaks hinterland-json/1: send {"type":"join","name":"YOUR NAME"} on one line',
}


def describe_misconnection(first_bytes: bytes, protocol: str | None = None) -> str | None:
    """Say in one line who connected, unless the client is a player of ``protocol`` (None: of any protocol).

    Returns None for a player, and while there are too few bytes to tell.
    """
    start = first_bytes.lstrip(b" \t\r\n")
    who = _recognise(start, protocol)
    if who is None:
        return None
    expected = EXPECTED_WORDS.get(protocol or "", "this port is for players")
    return f"{NOT_PROTOCOL}: {who}; {expected}"


def make_http_refusal(first_bytes: bytes, line: str) -> bytes | None:
    """Return the line as an HTTP response if the client speaks HTTP, else None."""
    if not HTTP_START.match(first_bytes.lstrip(b" \t\r\n")):
        return None
    body = f"{line}\n".encode()
    head = (
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


def _recognise(start: bytes, protocol: str | None) -> str | None:
    if HTTP_START.match(start):
        return "a browser or another HTTP client"
    if TLS_START.match(start):
        return "a TLS client; players connect without TLS"
    if start.startswith(b"SSH-"):
        return "an SSH client"
    if TELNET_START.match(start):
        return "a telnet client that negotiates options"
    if protocol is None or not start:
        return None
    other = guess_protocol(start)
    if other in ("json", "hps-2018"):
        names = {"json": "a player of the JSON protocol", "hps-2018": "a player of protocol hps-2018"}
        return names[other] if other != protocol else None
    return "a plain line, as players of hps send" if protocol != "hps" and _is_plain_line(start) else None


def guess_protocol(start: bytes) -> str | None:
    """Return the protocol to which these first bytes seem to belong; None if they do not show it, or not yet.

    A JSON object gives "json" or "hps-2018". Two numbers give "hps", although a move of "hps-2016" looks the same.
    """
    if TWO_NUMBERS.fullmatch(start):
        return "hps"
    found = JSON_START.match(start)
    if found is None:
        return None
    key, end = found.groups()
    may_go_on = key is not None and not end and found.end() == len(start)
    if may_go_on and any(known.startswith(key) for known in PROTOCOL_BY_FIRST_KEY):
        return None
    return PROTOCOL_BY_FIRST_KEY.get(key, "json")


def _is_plain_line(start: bytes) -> bool:
    """Say whether this is the beginning of a text that can become neither JSON nor an HTTP request."""
    if not start or not 0x20 <= start[0] < 0x7F or start[:1] in b'{["':
        return False
    may_be_http = any(method.startswith(start[: len(method)]) for method in (*HTTP_METHODS, b"PRI", b"SSH-"))
    return b"\n" in start or len(start) >= RECOGNITION_BYTES or not may_be_http
