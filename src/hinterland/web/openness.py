"""Access to a server: its host names, the proxies that it trusts, and the admin token.

A server that only this machine can reach needs no token. If other machines can reach the server, hosting a match needs
the admin token, since a match opens a port and may start programs. A site could point its own host name at the server,
so that its pages can send requests here (DNS rebinding). So a host name must be the machine's own, one that the
operator allows, or a plain IP address.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import re
import secrets
import socket
import threading
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from hinterland.errors import ArenaError, BadText, quote

if TYPE_CHECKING:
    from pathlib import Path

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:/@?#\s]*?)\.?(?::(\d*))?")
ORIGIN = re.compile(r"(https?)://(.+)")
BASE = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[\w.~%@+-]+)*", re.ASCII)
DEFAULT_PORTS = {"http": "80", "https": "443"}
TOKEN_FILE = "admin-token"
MIN_TOKEN_CHARACTERS = 16
PORTS = re.compile(r"(\d{1,5})-(\d{1,5})")
FIRST_PORT, LAST_PORT = 1024, 65535
DEFAULT_MATCH_PORTS = (4000, 4099)
"""First and last default port of matches on a server that other machines can reach."""


class Openness(msgspec.Struct, frozen=True, kw_only=True):
    """The operator's settings of access to a server."""

    public_url: str | None = None
    """Public address of the server, behind a proxy for example; it may include a path."""
    allow_hosts: tuple[str, ...] = ()
    """Further host names of the server."""
    trust_proxy: tuple[str, ...] = ()
    """Addresses and networks of proxies whose reports of a client's address and scheme are believed."""
    admin_token: str | None = None
    """Token for hosting; None: no token is needed."""
    is_public: bool = False
    """Whether other machines can reach the server."""
    table_ports: tuple[int, int] | None = None
    """First and last port for matches; None: any port above 1023."""

    @property
    def names(self) -> tuple[str, ...]:
        """The host names of ``allow_hosts`` and of the public URL, normalised by ``name_of``."""
        public = urlsplit(self.public_url).netloc if self.public_url else None
        return tuple(name_of(name) for name in (*self.allow_hosts, *([public] if public else [])))

    @property
    def origin(self) -> tuple[str, str, str] | None:
        """Origin of the public URL: scheme, name and port."""
        return None if self.public_url is None else _origin("{0.scheme}://{0.netloc}".format(urlsplit(self.public_url)))

    @property
    def base(self) -> str:
        """Path of the public URL, without a trailing slash; "" if the server has a host of its own."""
        return urlsplit(self.public_url).path.rstrip("/") if self.public_url else ""

    def is_own_page(self, origin: str, host: str) -> bool:
        """Say whether a page from ``origin`` is this server's own. ``host``: the header ``Host`` of the page's request.

        The origin must name the same host as ``host``. But a proxy may have replaced ``host`` by its own name. So two
        other origins are accepted: that of the public URL, and ``https://NAME`` for each name in ``allow_hosts``. With
        http, somebody between the server and the browser could forge a page under such a name.
        """
        found = _origin(origin)
        if found is None:
            return False
        scheme, name, port = found
        given = {(name, "") for name in map(name_of, self.allow_hosts) if scheme == "https"}
        return (name, port) in {_host(host), *given} or found == self.origin

    def is_admin(self, token: str | None) -> bool:
        """Say whether ``token`` is the admin token, in constant time.

        If the server has no token, every token passes.
        """
        return self.admin_token is None or hmac.compare_digest((token or "").encode(), self.admin_token.encode())


def read_openness(
    *,
    is_loopback: bool,
    data: Path | None,
    public_url: str | None,
    allow_hosts: tuple[str, ...],
    trust_proxy: tuple[str, ...],
    table_ports: str | None,
) -> Openness:
    """Read an operator's options. Raises BadText for a bad option, ArenaError if the token cannot be stored.

    The admin token is the value of ``HINTERLAND_ADMIN_TOKEN``. If this variable is not set, a token is made once and
    kept in the data folder. Without a data folder there is no token.
    """
    if public_url is not None:
        public_url = _address(public_url)
    for network in trust_proxy:
        try:
            ipaddress.ip_network(network)
        except ValueError:
            raise BadText(
                f"--trust-proxy is an address or a network, 10.0.0.0/8 for example, not {quote(network)}"
            ) from None
    is_closed = is_loopback and not (trust_proxy or allow_hosts or public_url)
    ports = _ports(table_ports) if table_ports is not None else (None if is_closed else DEFAULT_MATCH_PORTS)
    return Openness(
        public_url=public_url, allow_hosts=allow_hosts, trust_proxy=trust_proxy, table_ports=ports,
        is_public=not is_closed, admin_token=None if is_closed or data is None else _token(data),
    )  # fmt: skip


def _address(text: str) -> str:
    """Return a public address without a trailing slash. Raises BadText."""
    text = text.rstrip("/")
    try:
        parts = urlsplit(text)
        is_good = _origin(f"{parts.scheme}://{parts.netloc}") is not None and bool(BASE.fullmatch(parts.path))
    except ValueError:
        is_good = False
    if not is_good or parts.query or parts.fragment:
        raise BadText(
            "--public-url is an address like https://arena.example.org or https://example.org/arena, not"
            f" {quote(text)}"
        )
    return text


def _ports(text: str) -> tuple[int, int]:
    found = PORTS.fullmatch(text)
    first, last = (int(found[1]), int(found[2])) if found else (0, 0)
    if not FIRST_PORT <= first <= last <= LAST_PORT:
        most = f"from {FIRST_PORT} to {LAST_PORT}"
        raise BadText(f"--table-ports is a range of ports {most}, 4000-4099 for example, not {quote(text)}")
    return first, last


def _token(data: Path) -> str:
    """Return the admin token of this arena. Only the arena's user can read the file that holds the token."""
    if given := os.environ.get("HINTERLAND_ADMIN_TOKEN"):
        if len(given) < MIN_TOKEN_CHARACTERS:
            raise BadText(f"HINTERLAND_ADMIN_TOKEN has at least {MIN_TOKEN_CHARACTERS} characters")
        return given
    file = data / TOKEN_FILE
    try:
        data.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.touch(0o600)
            file.write_text(secrets.token_urlsafe(24), "ascii")
        token = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ArenaError(f"the admin token cannot be kept in {file}: {error}") from None
    if len(token) < MIN_TOKEN_CHARACTERS:
        raise ArenaError(f"{file} holds no admin token; delete it, and a new one is made")
    return token


def name_of(host: str) -> str:
    """Return the host name without port and trailing dot, in lower case."""
    return _host(host)[0]


def _host(text: str) -> tuple[str, str]:
    """Return name and port of a host; the port is "" for the default port of http or https. The name may be ""."""
    found = HOST.fullmatch(text.lower())
    name, port = (found[1], found[2] or "") if found else ("", "")
    return name, "" if port in DEFAULT_PORTS.values() else port


def _origin(text: str) -> tuple[str, str, str] | None:
    """Return scheme, name and port of an origin, or None if the origin is invalid. The scheme's default port is ""."""
    found = ORIGIN.fullmatch(text.lower())
    parts = HOST.fullmatch(found[2]) if found else None
    if not (found and parts and parts[1]):
        return None
    scheme, port = found[1], parts[2] or ""
    return scheme, parts[1], "" if port == DEFAULT_PORTS[scheme] else port


def is_address(name: str) -> bool:
    """Say whether a host name is an IP address."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def own_names() -> tuple[str, ...]:
    """Return the known names of this machine, without waiting for a name server."""
    return tuple(_own_names())


@cache
def _own_names() -> list[str]:
    """Return the machine's own names. A thread adds the full name to the list when the name server has answered."""
    name = socket.gethostname().lower()
    found = [name, f"{name}.local"]
    threading.Thread(target=lambda: found.append(socket.getfqdn().lower()), name="own-names", daemon=True).start()
    return found
